"""What is said of a place: types and shapes, rules in code and mathematical notation, what reports mean."""

from __future__ import annotations

import pytest

from pullback import derive
from pullback.hovers import Hover, explained, hover
from pullback.mathematics import mathematical
from pullback.rules import table
from pullback.source.module import parse_module

LOSS = """\
import numpy as np


def loss(w, X: np.ndarray, n: int):
    # pullback: X: (m, d)
    z = X @ w
    k = n + 1
    y = np.tanh(z)
    first = X[:, 0]
    return np.sum(y * z * first) * k
"""


def at(marked: str) -> Hover | None:
    text = marked.replace("$0", "")
    return hover(parse_module(text), marked.index("$0"), lambda _: None)


def on(place: str) -> Hover:
    """The hover at the mark in a piece of LOSS."""
    assert LOSS.count(place.replace("$0", "")) == 1, place
    found = at(LOSS.replace(place.replace("$0", ""), place))
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("X$0: np", "array (m, d), active"),
        ("n$0: int", "int, carries no derivative"),
        ("k$0 =", "int, carries no derivative"),
        ("z$0 =", "float or array, active"),
        ("first$0 =", "array (m,), active, a view"),
        ("(y$0 *", "active"),
    ],
)
def test_a_variable_shows_its_type_and_whether_it_is_active(place: str, said: str) -> None:
    assert said in on(place).note


def test_an_active_variable_shows_its_adjoint_and_another_does_not() -> None:
    assert on("z$0 =").title == "Adjoint of `z`" and "z_bar = " in on("z$0 =").code
    assert (on("k$0 =").title, on("k$0 =").code) == ("`k`", "")


def test_a_call_shows_its_rule_in_code_and_in_mathematical_notation() -> None:
    found = on("np.tan$0h(z)")
    assert found.title == "Derivative of `numpy.tanh`"
    assert "d y / d x = 1.0 - y * y" in found.code
    assert found.note == "∂y/∂x = 1 − y · y"


def test_a_call_of_a_function_of_the_file_shows_that_ones_gradient() -> None:
    found = at(LOSS + "\n\ndef twice(w, X, n):\n    return 2.0 * lo$0ss(w, X, n)\n")
    assert found is not None and found.title == "Gradient of `loss`"


def test_functions_say_how_their_derivatives_stand() -> None:
    made = LOSS + "\n\n" + str(derive(LOSS, "loss", modules={}).source)
    stale = made.replace("np.tanh(z)", "np.sin(z)", 1)
    for text, word in ((made, "up to date"), (stale, "out of date")):
        (primal, derivative) = (
            at(text.replace(f"def {name}(", f"def {name}$0(")) for name in ("loss", "loss_grad")
        )
        assert primal is not None and primal.note == f"`loss_grad`: {word}"
        assert derivative is not None and derivative.note == f"Generated from `loss`: {word}"


def test_a_report_says_what_it_means() -> None:
    text = "# pullback: differentiable\ndef walk(x):\n    yield x\n"
    (found,) = explained(parse_module(text), text.index("yield"), lambda _: None)
    assert found.title.startswith("PB102: ") and found.code_name == "PB102"
    assert "generator" in found.note
    assert explained(parse_module(text), 0, lambda _: None) == ()


@pytest.mark.parametrize(
    ("fn", "lines"),
    [
        ("operator.truediv", ["∂y/∂a = 1 / b", "∂y/∂b = −y / b"]),
        ("operator.pow", ["∂y/∂a = b · a^(b − (b ≠ 0))", "∂y/∂b = y · log(a + (a = 0))"]),
        ("numpy.linalg.inv", ["a\u0304 = −yᵀ y\u0304 yᵀ"]),
    ],
)
def test_mathematical_notation(fn: str, lines: list[str]) -> None:
    assert mathematical(fn).splitlines()[: len(lines)] == lines


def test_every_rule_can_be_written_so() -> None:
    for fn, rule in table().items():
        lines = mathematical(fn).splitlines()
        assert all(" = " in line and "np." not in line for line in lines), fn
        assert bool(lines) or not rule.reverse or all("_" in f for f in rule.reverse.values()), fn
