"""docs/tried.md: what was tried, and what failed. Each command that tries something puts its own figures there.

python -m tests.fuzz.tried [-m "not slow"]

runs the tests named below, and records how many there are, on how many inputs, and what failed. Options are pytest's.
"""

from __future__ import annotations

import datetime
import importlib.metadata
import importlib.util
import os
import platform
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from xml.etree import ElementTree

TESTS = {
    "tests/core/test_any_text.py": "odd, half-typed and mutated texts: parsed, checked, derived",
    "tests/core/test_steps.py": "the budget of steps",
    "tests/server/test_any_text.py": "the same texts through every request of the server",
    "tests/server/test_any_edit.py": "edits in all encodings: each answer is that of a fresh start",
    "tests/server/test_any_client.py": "clients that break the protocol, break off, or are killed",
    "tests/server/test_start.py": "starting and ending, over pipes and over TCP",
    "tests/server/test_check_process.py": "the process that checks a gradient",
    "tests/fuzz/test_targets.py": "bytes as text, as edits, as messages, guided by coverage",
    "tests/fuzz/test_programs.py": "random programs, against finite differences",
    "tests/house/test_nothing_runs.py": "traps in an unknown folder",
}
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


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.xml")
        command = ["-q", f"--junitxml={report}", *TESTS, *sys.argv[1:]]
        ended = subprocess.run([sys.executable, "-m", "pytest", *command], cwd=PAGE.parents[1])
        cases = list(ElementTree.parse(report).iter("testcase"))
    record(
        "tests", table(("what", "tests", "inputs", "failed", "not run"), map(_row(cases), TESTS))
    )
    return ended.returncode


def _row(cases: list[ElementTree.Element]) -> Callable[[str], list[str]]:
    def row(path: str) -> list[str]:
        name = path.removesuffix(".py").replace("/", ".")
        of = [c for c in cases if f"{c.get('classname')}.".startswith(f"{name}.")]
        counted = [[int(p.get("value", 0)) for p in c.iter("property")] for c in of]
        inputs = sum(sum(numbers) if numbers else 1 for numbers in counted)
        failed = sum(c.find("failure") is not None or c.find("error") is not None for c in of)
        left_out = sum(c.find("skipped") is not None for c in of)
        what = f"{TESTS[path]} (`{path}`)"
        return [what, f"{len(of):,}", f"{inputs:,}", str(failed), str(left_out)]

    return row


if __name__ == "__main__":
    raise SystemExit(main())
