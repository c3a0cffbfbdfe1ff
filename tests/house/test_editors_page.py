"""docs/editors.md: each editor's configuration says, in that editor's own words, to start the server as it is started.

Neovim's and Emacs' are carried out by these editors in tests/editor.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from pullback_server.settings import Settings, settings_of
from tests.server.process import ENVIRONMENT, message

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "editors.md").read_text(encoding="utf-8")
toml = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
PROJECT = toml.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def part(editor: str) -> str:
    (found,) = re.findall(rf"^## {editor}\n(.*?)(?=^## |\Z)", PAGE, re.M | re.S)
    return str(found)


def configuration(editor: str) -> dict[str, Any]:
    """What is to be copied from an editor's part."""
    ((language, text),) = re.findall(r"^```(toml|json)\n(.*?)^```", part(editor), re.M | re.S)
    found: dict[str, Any] = (toml if language == "toml" else json).loads(text)
    return found


def helix(said: dict[str, Any]) -> list[str]:
    (language,) = said["language"]
    assert language["name"] == "python" and "pullback" in language["language-servers"]
    server = said["language-server"]["pullback"]
    return [server["command"], *server["args"]]


def sublime_text(said: dict[str, Any]) -> list[str]:
    server = said["clients"]["pullback"]
    assert server["enabled"] and server["selector"] == "source.python"
    return list(server["command"])


def zed(said: dict[str, Any]) -> list[str]:
    """The binary of a server that Zed knows, under that server's name."""
    ((name, server),) = said["lsp"].items()
    assert name in said["languages"]["Python"]["language_servers"]
    return [server["binary"]["path"], *server["binary"]["arguments"]]


def jupyterlab(said: dict[str, Any]) -> list[str]:
    server = said["LanguageServerManager"]["language_servers"]["pullback"]
    assert server["version"] == 2 and server["languages"] == ["python"]
    return list(server["argv"])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("editor", "command_in"),
    [
        ("Helix", helix),
        ("Sublime Text", sublime_text),
        ("Zed", zed),
        ("JupyterLab", jupyterlab),
    ],
)
def test_the_command_of_a_configuration_starts_the_server(
    editor: str, command_in: Callable[[dict[str, Any]], list[str]]
) -> None:
    program, *arguments = command_in(configuration(editor))
    module, _, function = PROJECT["scripts"][program].partition(":")
    start = f"import sys; from {module} import {function}; sys.exit({function}())"
    asked = {"id": 1, "method": "initialize", "params": {"processId": None, "capabilities": {}}}
    ended = subprocess.run(
        [sys.executable, "-c", start, *arguments],
        input=message(asked)
        + message({"id": 2, "method": "shutdown"})
        + message({"method": "exit"}),
        capture_output=True,
        timeout=120,
        env=ENVIRONMENT,
    )
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert b'"codeActionProvider"' in ended.stdout


@pytest.mark.parametrize("editor", ["Neovim", "Emacs"])
def test_what_an_editor_carries_out_starts_the_server(editor: str) -> None:
    for text in re.findall(r"^```(?:lua|elisp)\n(.*?)^```", part(editor), re.M | re.S):
        said = re.findall(r'"([^"]*)"', text)
        assert said[said.index("pullback-server") + 1] == "--stdio"


def test_the_settings_of_sublime_text_are_settings() -> None:
    """The package LSP sends the dots of a name as tables in tables."""
    (name, value), *_ = json.loads(
        re.findall(r'`"settings": (\{.*?\})`', part("Sublime Text"))[0]
    ).items()
    section, _, key = name.partition(".")
    assert section == "pullback"
    assert settings_of({key: value}, Settings()) != Settings()


def test_vs_code_brings_derivatives_up_to_date_on_save() -> None:
    ((text,),) = [re.findall(r"^```json\n(.*?)^```", part("VS Code"), re.M | re.S)]
    assert json.loads(f"{{{text}}}") == {
        "editor.codeActionsOnSave": {"source.fixAll.pullback": "explicit"}
    }
