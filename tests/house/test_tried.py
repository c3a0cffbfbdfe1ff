"""docs/tried.md: each command has its place there, and what is recorded has nothing wrong in it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.fuzz import tried

# columns that hold zeros alone
NONE = {"failed", "false alarms", "wrong"}


def test_each_command_has_its_place():
    page = tried.PAGE.read_text(encoding="utf-8")
    places = re.findall(r"<!-- figures: (\w+) -->", page)
    assert places == ["tests", "files", "functions", "session"]
    assert page.count("<!-- end -->") == len(places)


def test_nothing_is_wrong_in_what_is_recorded():
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in tried.PAGE.read_text(encoding="utf-8").splitlines()
        if line.startswith("|")
    ]
    heads: list[str] = []
    for row, below in zip(rows, [*rows[1:], []]):
        if set(below) == {"---"}:
            heads = row
        elif set(row) != {"---"} and len(row) == len(heads):
            wrong = {h: v for h, v in zip(heads, row) if h in NONE and v != "0"}
            assert wrong == {}, row


def test_figures_take_the_place_of_older_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- figures: files -->\nold\n<!-- end -->\nafter\n")
    monkeypatch.setattr(tried, "PAGE", page)
    tried.record("files", tried.table(("a", "b"), [("1", "2")]))
    text = page.read_text()
    assert "| a | b |\n| --- | --- |\n| 1 | 2 |\n" in text
    assert "old" not in text and text.startswith("before\n") and text.endswith("\nafter\n")
    with pytest.raises(SystemExit, match="no section"):
        tried.record("other", "")
