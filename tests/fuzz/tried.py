"""docs/tried.md: what was tried, and what failed. Each command that tries something puts its own figures there."""

from __future__ import annotations

import datetime
import importlib.metadata
import importlib.util
import os
import platform
import re
from collections.abc import Iterable
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "tried.md"


def record(section: str, text: str) -> None:
    """Puts figures in the place of those that the section has, with the day and the machine."""
    page = PAGE.read_text(encoding="utf-8")
    begin, end = f"<!-- figures: {section} -->", "<!-- end -->"
    place = re.compile(f"{re.escape(begin)}.*?{re.escape(end)}", re.DOTALL)
    if not place.search(page):
        raise SystemExit(f"{PAGE.name} has no section {section}")
    whole = f"{begin}\n{text.strip()}\n\n{_when()}\n{end}"
    PAGE.write_text(place.sub(lambda _: whole, page, count=1), encoding="utf-8")


def _when() -> str:
    today = datetime.date.today().isoformat()
    busy = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return f"*{today}, Python {platform.python_version()}, {os.cpu_count()} cores{busy}.*"


def folder_of(package: str) -> Path:
    """Where a package is installed; it is not imported."""
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        raise SystemExit(f"{package} is not installed")
    return Path(spec.origin).parent


def packages(names: Iterable[str]) -> str:
    """The packages in which something was tried, with their versions."""
    known = importlib.metadata.packages_distributions()
    said = [f"{d} {importlib.metadata.version(d)}" for n in names for d in known.get(n, [])[:1]]
    return ", ".join(said) + "."


def table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table in Markdown."""
    heads = list(heads)
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
