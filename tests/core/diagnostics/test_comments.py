"""Comments that say nothing that is known: found wherever they stand, in `check` and in the editor alike."""

from __future__ import annotations

import pytest

from pullback import check, derive, ide
from pullback.diagnostics import Diagnostic
from pullback.source.edits import apply_edits
from pullback.source.module import parse_module


def only(source: str) -> Diagnostic:
    (found,) = check(source, modules={})
    assert ide.diagnostics(parse_module(source), lambda _: None) == (found,)
    assert found.code == "PB004"
    assert source[found.span.start : found.span.end].startswith("# pullback:")
    return found


ASKED = "# pullback: differentiable\ndef f(x):\n    return x * x{}\n"


@pytest.mark.parametrize(
    "said", ["ignroe[PB201]", "ignore PB201", "differentiable twice", "x: (n, ", "whatever"]
)
def test_in_a_function_that_is_asked_for_it_is_an_error_and_no_derivative_is_given(
    said: str,
) -> None:
    source = ASKED.format(f"  # pullback: {said}")
    assert (only(source).severity, only(source).function) == ("error", "f")
    assert derive(source, "f").source is None
    assert [d.code for d in derive(source, "f").diagnostics] == ["PB004"]


def test_a_misspelt_mark_asks_for_nothing_and_is_told_all_the_same() -> None:
    source = "# pullback: diferentiable\ndef f(x):\n    return x * x\n"
    found = only(source)
    assert found.severity == "warning"
    assert found.fix is not None and found.fix.safe
    mended = apply_edits(source, found.fix.edits)
    assert mended == source.replace("diferentiable", "differentiable")
    assert check(mended, modules={}) == ()


@pytest.mark.parametrize("said", ["the arm of the crossbow", "differentiable, more or less"])
def test_what_is_far_from_every_word_is_a_hint_where_nothing_is_asked(said: str) -> None:
    found = only(f"# pullback: {said}\n\nVALUE = 1\n")
    assert (found.severity, found.fixes) == ("hint", ())


def test_between_functions_it_is_found_too_and_moves_with_its_place() -> None:
    source = "x = 1\n\n# pullback: exmaple 3\n\n" + ASKED.format("")
    assert only(source).severity == "warning"
    module = parse_module(source)
    ide.diagnostics(module, lambda _: None)
    moved = parse_module("import math\n" + source, previous=module)
    (found,) = ide.diagnostics(moved, lambda _: None)
    assert moved.text[found.span.start : found.span.end] == "# pullback: exmaple 3"
