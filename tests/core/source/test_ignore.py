"""`# pullback: ignore`: which reports it hides, in the library and in the editor alike."""

from __future__ import annotations

import pytest

from pullback import check, derive, ide
from pullback.source.module import parse_module

SOURCE = """\
import numpy as np


# pullback: differentiable
def f(x):
    y = unknown(x){first}
    z = other(
        x,
    ){second}
    return np.sum(y) + np.sum(z)
"""


def shown(first: str = "", second: str = "") -> list[str]:
    source = SOURCE.format(first=first, second=second)
    found = [d.message.split()[4].rstrip(",") for d in check(source)]
    module = parse_module(source)
    assert [d.span for d in ide.diagnostics(module, lambda _: None)] == [
        d.span for d in check(source)
    ]
    return found


def test_nothing_is_hidden_without_a_comment() -> None:
    assert shown() == ["unknown", "other"]


@pytest.mark.parametrize("said", ["ignore", "ignore[PB301]", "ignore[PB201, PB301]"])
def test_a_report_on_the_line_is_hidden(said: str) -> None:
    assert shown(first=f"  # pullback: {said}") == ["other"]


def test_another_code_stays() -> None:
    assert shown(first="  # pullback: ignore[PB201]") == ["unknown", "other"]


def test_the_last_line_of_an_expression_counts_too() -> None:
    assert shown(second="  # pullback: ignore") == ["unknown"]


def test_it_hides_a_report_and_not_a_refusal() -> None:
    source = SOURCE.format(first="  # pullback: ignore", second="")
    made = derive(source, "f")
    assert made.source is None
    assert [d.code for d in made.diagnostics] == ["PB301", "PB301"]


def test_a_derivative_does_not_go_out_of_date_by_it() -> None:
    source = "def f(x):\n    return x * x{}\n"
    plain, commented = (derive(source.format(c), "f") for c in ("", "  # pullback: ignore[PB306]"))
    assert plain.header == commented.header
