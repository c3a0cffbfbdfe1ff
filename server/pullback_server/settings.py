"""Settings: section `pullback` of the client's configuration, over `[tool.pullback]` of the project.

May not know: features.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, fields, replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.uris import to_fs_path

from pullback.diagnostics import Diagnostic
from pullback_server import diagnostics
from pullback_server.client import Client

if TYPE_CHECKING:
    from pullback_server.server import Server

SECTION = "pullback"


@dataclass(frozen=True)
class Settings:
    """What a user can choose."""

    hints: bool = True

    def shows(self, found: Diagnostic) -> bool:
        return self.hints or found.severity != "hint"


def settings_of(given: Any, base: Settings) -> Settings:
    """`base` with what `given` sets; what is unknown or of another type is left out."""
    if not isinstance(given, dict):
        return base
    known = {f.name for f in fields(Settings)}
    chosen = {k: v for k, v in given.items() if k in known and isinstance(v, bool)}
    return replace(base, **chosen)


def project_settings(text: str) -> dict[str, Any]:
    """`[tool.pullback]` of a pyproject.toml's text; nothing where the text is not TOML."""
    toml = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
    try:
        table = toml.loads(text).get("tool", {}).get(SECTION, {})
    except (ValueError, AttributeError):
        return {}
    return table if isinstance(table, dict) else {}


def registrations(client: Client) -> list[types.Registration]:
    if not client.registers_configuration:
        return []
    options = {"section": SECTION}
    return [types.Registration(SECTION, types.WORKSPACE_DID_CHANGE_CONFIGURATION, options)]


async def ask(ls: Server) -> None:
    """Read the project's settings, and the client's where it keeps them for the server."""
    settings = settings_of(_project(ls), Settings())
    if ls.client.configuration:
        wanted = types.ConfigurationParams([types.ConfigurationItem(section=SECTION)])
        answer = await ls.workspace_configuration_async(wanted)
        settings = settings_of(answer[0] if answer else None, settings)
    if settings != ls.settings:
        _use(ls, settings)


async def did_change(ls: Server, params: types.DidChangeConfigurationParams) -> None:
    """workspace/didChangeConfiguration: clients that cannot be asked send the settings along."""
    if ls.client.configuration:
        await ask(ls)
        return
    given = params.settings
    section = given.get(SECTION) if isinstance(given, dict) else None
    _use(ls, settings_of(section, settings_of(_project(ls), Settings())))


def _use(ls: Server, chosen: Settings) -> None:
    """What is shown is another choice of what was found."""
    ls.settings = chosen
    ls.reports.items.clear()
    diagnostics.follow_all(ls)


def _project(ls: Server) -> dict[str, Any]:
    """The settings of the first workspace folder that has any."""
    for folder in ls.workspace.folders.values():
        root = to_fs_path(folder.uri)
        try:
            text = (Path(root or "") / "pyproject.toml").read_text("utf-8") if root else ""
        except (OSError, UnicodeDecodeError):
            continue
        if found := project_settings(text):
            return found
    return {}
