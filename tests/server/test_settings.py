"""Settings: the client's over the project's over the defaults."""

from __future__ import annotations

from typing import Any

import pytest

from pullback.diagnostics import Diagnostic
from pullback.ir import Span
from pullback_server.settings import Settings, project_settings, settings_of


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
