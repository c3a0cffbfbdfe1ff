"""What `pullback check` says of realistic functions: place, reason, other places, and the fixes as diffs.

The files beside this one hold the cases, in the form of tests/core/golden. Each fix is applied: the report
is gone, and the derivative of the mended program is right. Arguments stand behind `at`; a list has one
tuple for each fix.
"""

from __future__ import annotations

import difflib
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pullback import check, derive
from pullback.diagnostics import Diagnostic, Fix
from pullback.ir import Span
from pullback.source.edits import apply_edits
from pullback.source.text import Lines
from tests.core.differences import assert_derivative, space_of
from tests.core.golden.cases import Case, read, written

FILES = sorted(Path(__file__).parent.glob("*.md"))


def told(case: Case) -> str:
    """The reports of a module, each with its related places and its fixes."""
    found = check(case.source, modules={})
    said = "\n\n".join(_told(case.source, d) for d in found) or "nothing is reported"
    return f"```text\n{said}\n```"


def _told(source: str, d: Diagnostic) -> str:
    rows = [_pointed(source, d.span, "^"), f"{d.severity} {d.code}: {d.message}"]
    rows += [f"{_pointed(source, r.span, '-')} {r.message}" for r in d.related]
    rows += [_diff(source, fix) for fix in d.fixes]
    return "\n".join(rows)


def _pointed(source: str, span: Span, mark: str) -> str:
    """The line that a span begins in, with marks below it."""
    lines = Lines(source)
    line, column = lines.position(span.start)
    text = lines.line(line)
    width = max(1, min(span.end - span.start, len(text) - column))
    return f"{text}\n{' ' * column}{mark * width}"


def _diff(source: str, fix: Fix) -> str:
    old, new = source.splitlines(), apply_edits(source, fix.edits).splitlines()
    rows = list(difflib.unified_diff(old, new, n=0, lineterm=""))[2:]
    changed = [row for row in rows if not row.startswith("@@")]
    title = f"help: {fix.title}" + ("" if fix.safe else " (check that it is what you mean)")
    return "\n".join([title, *changed])


if os.environ.get("UPDATE_GOLDEN"):
    for path in FILES:
        path.write_text(written(*read(path), told), encoding="utf-8", newline="\n")

CASES = [pytest.param(c, id=f"{p.stem}: {c.title}") for p in FILES for c in read(p)[1]]


@pytest.mark.parametrize("case", CASES)
def test_report(case: Case) -> None:
    assert told(case) == case.answer


@pytest.mark.parametrize("case", [p for p in CASES if "\nhelp: " in p.values[0].answer])
def test_fixes_mend(case: Case) -> None:
    assert case.args is not None, "a mended program needs arguments to be run at"
    fixes = [(d, fix) for d in check(case.source, modules={}) for fix in d.fixes]
    for k, (d, fix) in enumerate(fixes):
        mended = apply_edits(case.source, fix.edits)
        assert (d.code, d.message) not in {(x.code, x.message) for x in check(mended, modules={})}
        _assert_right(case, _all_mended(mended), k)


def _all_mended(source: str) -> str:
    """The module with what else is reported mended too."""
    found = [d for d in check(source, modules={}) if d.fix is not None]
    for _ in range(len(found)):
        d = next(d for d in check(source, modules={}) if d.fix is not None)
        assert d.fix is not None
        source = apply_edits(source, d.fix.edits)
    return source


def _assert_right(case: Case, mended: str, fix: int) -> None:
    derived = derive(mended, case.func, case.kind, case.wrt, modules={})
    assert derived.source is not None, derived.diagnostics
    space = space_of(mended, derived.source)
    args = _arguments(case, space, fix)
    assert isinstance(case.wrt, tuple)
    assert_derivative(space[case.func], space[derived.name], args, case.kind, case.wrt, one=False)


def _arguments(case: Case, space: dict[str, Any], fix: int) -> tuple[Any, ...]:
    assert case.args is not None
    args = eval(case.args, {**space, "np": np, "rng": np.random.default_rng(1)})
    given = args[fix] if isinstance(args, list) else args
    assert isinstance(given, tuple)
    return given


def test_files_are_whole() -> None:
    for path in FILES:
        head, cases = read(path)
        assert head.startswith("# ") and len({c.title for c in cases}) == len(cases) > 0
        assert all(c.prose for c in cases), path.name
