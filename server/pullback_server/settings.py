"""Settings: section `pullback` of the client's configuration, over `[tool.pullback]` of the project.

May not know: features.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field, fields, replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from lsprotocol import types
from pygls.uris import to_fs_path

from pullback.diagnostics import Diagnostic
from pullback_server import diagnostics, refresh
from pullback_server.client import Client

if TYPE_CHECKING:
    from pullback_server.server import Server

SECTION = "pullback"


DETAILS = {
    "all": "The whole derivative",
    "backward": "Only the backward pass",
}
PLACEMENTS = {
    "below": "Below its function",
    "end": "At the end of the file",
    "sibling": "In a module beside it, with _grad behind its name",
}


def _setting(default: bool | str | float, text: str, **choices: str) -> Any:
    """A field of `Settings`: what it means, and what each of its choices does."""
    return field(default=default, metadata={"text": text, "choices": choices})


@dataclass(frozen=True)
class Settings:
    """What a user can choose, by the names of `camel`. Schema, docs and defaults are made from this table
    (`settings_page.py`)."""

    hints: bool = _setting(
        True, "Hints on functions that nobody asked to differentiate, and on points such as kinks."
    )
    placement: str = _setting(
        "below",
        "Where a new derivative is put. Methods stay in their class, and one that is there stays where it is.",
        **PLACEMENTS,
    )
    code_lens: bool = _setting(
        False,
        "Lines above functions and their derivatives that say whether these are in step, and lead to what "
        "can be done.",
    )
    inlay_hints: bool = _setting(
        False,
        "Words inside the text: which variables are active (∂), the shapes of arrays, what is recorded for "
        "the backward pass.",
    )
    preview: str = _setting(
        "all", "How much of a derivative Show Adjoint shows at first.", **DETAILS
    )
    check_seconds: float = _setting(30.0, "How long Check Gradient may run, in seconds.")
    check_megabytes: float = _setting(
        8192.0,
        "How much memory Check Gradient may take, in megabytes, where the system keeps such limits.",
    )

    def shows(self, found: Diagnostic) -> bool:
        return self.hints or found.severity != "hint"


class Configured:
    """The settings of each workspace folder, and those of files outside of all."""

    def __init__(self, elsewhere: Settings | None = None) -> None:
        self.elsewhere = elsewhere or Settings()
        self.folders: dict[str, Settings] = {}

    def at(self, uri: str) -> Settings:
        """The settings of the innermost folder that holds `uri`."""
        path = unquote(uri)
        around = [f for f in self.folders if path.startswith(f"{unquote(f).rstrip('/')}/")]
        return self.folders[max(around, key=len)] if around else self.elsewhere

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Configured) and vars(self) == vars(other)


def camel(name: str) -> str:
    """A field's name as a setting: `code_lens` is `codeLens`."""
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def settings_of(given: Any, base: Settings) -> Settings:
    """`base` with what `given` sets; what is unknown, of another type or no choice is left out."""
    if not isinstance(given, dict):
        return base
    chosen = {f.name: given[camel(f.name)] for f in fields(Settings) if camel(f.name) in given}
    return replace(base, **{n: v for n, v in chosen.items() if _fits(n, v)})


def _fits(name: str, value: Any) -> bool:
    (known,) = (f for f in fields(Settings) if f.name == name)
    kinds = (int, float) if type(known.default) is float else type(known.default)
    if not isinstance(value, kinds) or (isinstance(value, bool) and kinds is not bool):
        return False
    return not known.metadata["choices"] or value in known.metadata["choices"]


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
    """Read the projects' settings, and the client's where it keeps them for the server."""
    folders = list(ls.workspace.folders)
    given: list[Any] = [None] * (len(folders) + 1)
    if ls.client.configuration:
        items = [types.ConfigurationItem(section=SECTION)]
        items += (types.ConfigurationItem(scope_uri=f, section=SECTION) for f in folders)
        answer = await ls.workspace_configuration_async(types.ConfigurationParams(items))
        given = [*answer, *given][: len(given)]
    _take(ls, folders, given)


async def did_change(ls: Server, params: types.DidChangeConfigurationParams) -> None:
    """workspace/didChangeConfiguration: clients that cannot be asked send the settings along."""
    if ls.client.configuration:
        await ask(ls)
        return
    section = params.settings.get(SECTION) if isinstance(params.settings, dict) else None
    folders = list(ls.workspace.folders)
    _take(ls, folders, [section] * (len(folders) + 1))


def _take(ls: Server, folders: list[str], given: list[Any]) -> None:
    """Settings from now on: what was given for each folder over what its project says."""
    projects = [_project(f) for f in folders]
    common = next((p for p in projects if p), {})
    new = Configured(settings_of(given[0], settings_of(common, Settings())))
    for folder, project, own in zip(folders, projects, given[1:]):
        new.folders[folder] = settings_of(own, settings_of(project, Settings()))
    if new != ls.settings:
        ls.settings = new
        for uri in ls.documents.uris():
            diagnostics.follow(ls, uri)
        refresh.all_shown(ls)


def _project(folder: str) -> dict[str, Any]:
    """The settings of a workspace folder's project."""
    root = to_fs_path(folder)
    try:
        text = (Path(root or "") / "pyproject.toml").read_text("utf-8") if root else ""
    except (OSError, UnicodeDecodeError):
        return {}
    return project_settings(text)
