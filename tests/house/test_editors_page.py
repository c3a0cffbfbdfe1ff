"""docs/editors.md: what is to be copied from it parses, and starts the server as its tests do."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "editors.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", PAGE, re.M | re.S)
toml = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")


def words(value: Any) -> Iterator[str]:
    """All texts in a configuration, in their order."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        for part in value.values() if isinstance(value, dict) else value:
            yield from words(part)


@pytest.mark.parametrize(("language", "text"), BLOCKS)
def test_each_block_can_be_copied(language: str, text: str) -> None:
    if language == "json":
        said = json.loads(text if text.startswith("{") else f"{{{text}}}")
        found = list(words(said))
    elif language == "toml":
        found = list(words(toml.loads(text)))
    else:
        found = re.findall(r'"([^"]*)"', text)
    if "pullback-server" in found:
        assert found[found.index("pullback-server") + 1] == "--stdio"


@pytest.mark.parametrize(
    "editor", ["VS Code", "Neovim", "Emacs", "Helix", "Sublime Text", "Zed", "JupyterLab"]
)
def test_each_editor_has_its_part_with_something_to_copy(editor: str) -> None:
    (part,) = re.findall(rf"^## {editor}\n(.*?)(?=^## |\Z)", PAGE, re.M | re.S)
    assert "```" in part


def test_the_command_is_the_one_that_is_installed() -> None:
    project = toml.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    module, _, function = project["scripts"]["pullback-server"].partition(":")
    assert callable(getattr(import_module(module), function))
