"""The pages in docs/diagnostics are what the catalogue says."""

from pathlib import Path

from pullback.diagnostics.pages import pages

FOLDER = Path(__file__).parents[2] / "docs" / "diagnostics"


def test_pages_are_current():
    on_disk = {p.name: p.read_text(encoding="utf-8") for p in FOLDER.glob("*.md")}
    assert on_disk == pages(), "run: python -m pullback.diagnostics.pages"
