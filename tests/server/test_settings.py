"""Settings: the client's over the project's over the defaults."""

from __future__ import annotations

from typing import Any

import pytest

from pullback.diagnostics import Diagnostic
from pullback.ir import Span
from pullback_server import settings_page
from pullback_server.settings import Configured, Settings, project_settings, settings_of

from .process import ROOT


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[tool.pullback]\nhints = false\n", {"hints": False}),
        ("[tool.other]\nhints = false\n", {}),
        ("[tool]\npullback = 3\n", {}),
        ("tool = 1\n", {}),
        ("this is [not toml", {}),
    ],
)
def test_the_projects_settings_are_read_from_pyproject(text: str, expected: dict[str, Any]) -> None:
    assert project_settings(text) == expected


@pytest.mark.parametrize("given", [None, 3, [], {"hints": "no"}, {"unknown": True}])
def test_what_is_not_a_setting_changes_nothing(given: Any) -> None:
    assert settings_of(given, Settings(hints=False)) == Settings(hints=False)


def test_hints_can_be_switched_off() -> None:
    settings = settings_of({"hints": False}, Settings())
    assert not settings.shows(Diagnostic("PB304", "hint", "…", Span(0, 1)))
    assert settings.shows(Diagnostic("PB301", "error", "…", Span(0, 1)))


def test_a_choice_is_one_of_those_that_there_are() -> None:
    assert settings_of({"placement": "end"}, Settings()) == Settings(placement="end")
    assert settings_of({"placement": "elsewhere"}, Settings()) == Settings()


def test_each_folder_has_settings_of_its_own() -> None:
    configured = Configured()
    configured.folders = {
        "file:///home/a%20b": Settings(placement="end"),
        "file:///home/a%20b/inner": Settings(hints=False),
    }
    assert configured.at("file:///home/a b/model.py").placement == "end"
    assert configured.at("file:///home/a%20b/inner/model.py") == Settings(hints=False)
    assert configured.at("file:///home/a%20bc/model.py") == Settings()


def test_the_page_and_the_schema_are_made_from_the_table() -> None:
    text = (ROOT / settings_page.MANIFEST).read_text("utf-8")
    again = "run: python -m pullback_server.settings_page"
    assert (ROOT / settings_page.PAGE).read_text("utf-8") == settings_page.page(), again
    assert text == settings_page.manifest(text), again
