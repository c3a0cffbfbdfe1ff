"""The examples of the pages: what is bad reports its code, what is mended does not."""

import ast

import pytest

from pullback import check, derive
from pullback.diagnostics.catalogue import codes, entry
from pullback.source.edits import apply_edits
from pullback.stage import stage_text

# codes whose page has no example, and why no short module shows them
UNSHOWN = {
    "PB002": "a defect of the tool: there is no text that should report it",
    "PB003": "needs a function too long for a page",
    "PB402": "needs a digest that does not fit its body; tests/core/cli and ide make one",
}
# what `check` does not report for a marked function
NOT_BY_CHECK = {
    "PB108": "a function under a condition is no target, so a mark in it asks for nothing",
    "PB308": "what a gradient refuses has a vjp, and that is what check asks for",
    **dict.fromkeys(
        [f"PB50{k}" for k in range(1, 10)], "check asks for no compiler and no backend"
    ),
}

SHOWN = [c for c in codes() if entry(c).bad]
DERIVED = [c for c in SHOWN if entry(c).asked != "check" and c != "PB001"]


def last_function(source):
    """The name of the function that an example is about, and the line of its `def`."""
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    node = [n for n in ast.walk(ast.parse(source)) if isinstance(n, functions)][-1]
    return node.name, node.lineno


def reports(source, e, asked=None):
    if (asked or e.asked) == "check":
        return check(source)
    return made(source, e).diagnostics


def made(source, e):
    """What is asked of an example's last function."""
    name = last_function(source)[0]
    if e.backend is not None:
        return stage_text(source, name, e.backend, modules={})
    return derive(source, name, e.asked, jit=e.jit)


def marked(source):
    """The example as `pullback check` has to see it: asked for by its author."""
    lines = source.splitlines(keepends=True)
    lines.insert(last_function(source)[1], "    # pullback: differentiable\n")
    return "".join(lines)


def test_every_code_is_shown_or_named():
    assert set(codes()) == set(SHOWN) | set(UNSHOWN)
    assert not set(SHOWN) & set(UNSHOWN)


@pytest.mark.parametrize("code", SHOWN)
def test_bad(code):
    e = entry(code)
    found = [d for d in reports(e.bad, e, "check" if code == "PB001" else None) if d.code == code]
    assert found
    for d in found:
        assert 0 <= d.span.start < d.span.end <= len(e.bad)
        assert d.severity == e.severity
        assert "{" not in d.message


@pytest.mark.parametrize("code", DERIVED)
def test_bad_is_refused(code):
    e = entry(code)
    derived = made(e.bad, e)
    assert (derived.source is None) == (e.severity == "error")


@pytest.mark.parametrize("code", [c for c in DERIVED if c not in NOT_BY_CHECK])
def test_bad_is_seen_by_check(code):
    bad = marked(entry(code).bad)
    found = [d for d in check(bad) if d.code == code]
    assert found
    lines = {bad.count("\n", 0, d.span.start) + 1 for d in found}
    assert lines <= set(range(1, bad.count("\n") + 1))


@pytest.mark.parametrize("code", [c for c in SHOWN if entry(c).fixes])
def test_fixes_mend_the_example(code):
    """Each fix of the page, on the page's own example; that the outcome is right is held by test_reports."""
    e = entry(code)
    found = [d for d in reports(e.bad, e) if d.code == code]
    assert [len(d.fixes) for d in found] == [len(e.fixes)]
    for fix in found[0].fixes:
        mended = apply_edits(e.bad, fix.edits)
        ast.parse(mended)
        assert code not in {d.code for d in reports(mended, e)}
        assert e.asked == "check" or derive(mended, last_function(mended)[0], "vjp").source


@pytest.mark.parametrize("code", SHOWN)
def test_mended(code):
    e = entry(code)
    assert code not in {d.code for d in reports(e.mended, e)}
    if e.asked != "check":
        assert code not in {d.code for d in check(marked(e.mended))}
        derived = made(e.mended, e)
        assert derived.source is not None, derived.diagnostics
