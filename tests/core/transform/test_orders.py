"""Derivatives of any order: the output of one derivation is the input of the next.

What the modes give one behind the other is held against the derivative of the order that they make together.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pullback
from pullback import derive
from tests.core.differences import space_of

HEAD = "import math\n\n\n"

# name: (the function f as text, its second and its third derivative)
FUNCTIONS: dict[str, tuple[str, Callable[[float], float], Callable[[float], float]]] = {
    "polynomial": (
        "def f(x: float):\n    return 3.0 * x**5 - 2.0 * x**3 + x\n",
        lambda x: 60.0 * x**3 - 12.0 * x,
        lambda x: 180.0 * x**2 - 12.0,
    ),
    "waves": (
        "def f(x: float):\n    return math.sin(x) * math.cos(2.0 * x)\n",
        lambda x: 0.5 * (math.sin(x) - 9.0 * math.sin(3.0 * x)),
        lambda x: 0.5 * (math.cos(x) - 27.0 * math.cos(3.0 * x)),
    ),
}
AT = 0.7


def exact(name: str, order: int) -> float:
    return FUNCTIONS[name][order - 1](AT)  # type: ignore[operator]


def after(text: str, *steps: tuple[str, str]) -> tuple[str, str]:
    """The module with a derivative of `kind` with respect to `wrt` of the last one, step by step, and its name."""
    name = "f"
    for kind, wrt in steps:
        derived = derive(text, name, kind, wrt, modules={})
        assert derived.source is not None, [d.message for d in derived.diagnostics]
        text, name = f"{text}\n\n{derived.source}", derived.name
    return text, name


@pytest.mark.parametrize("name", FUNCTIONS)
def test_third_derivatives_of_text_are_exact(name: str) -> None:
    text, made = after(HEAD + FUNCTIONS[name][0], *[("grad", "x")] * 3)
    assert space_of(text)[made](AT) == pytest.approx(exact(name, 3), rel=1e-10)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_third_derivatives_of_the_library_are_exact(name: str) -> None:
    f = space_of(HEAD + FUNCTIONS[name][0])["f"]
    third = pullback.grad(pullback.grad(pullback.grad(f)))
    assert third(AT) == pytest.approx(exact(name, 3), rel=1e-10)


# how the modes follow each other: the kinds with what they are taken with respect to, the order that they make
# together, and what the last one is called with behind x to give that derivative
MIXED: dict[str, tuple[tuple[tuple[str, str], ...], int, tuple[float, ...]]] = {
    "grad of grad": ((("grad", "x"), ("grad", "x")), 2, ()),
    "vjp of vjp": ((("vjp", "x"), ("vjp", "x")), 2, (1.0, 1.0)),
    "jvp of grad": ((("grad", "x"), ("jvp", "x")), 2, (1.0,)),
    "jvp of vjp": ((("vjp", "x"), ("jvp", "x")), 2, (1.0, 1.0)),
    "vjp of jvp": ((("jvp", "x"), ("vjp", "x")), 2, (1.0, (0.0, 1.0))),
    "jvp of jvp": ((("jvp", "x"), ("jvp", "x")), 2, (1.0, 1.0)),
    "hvp": ((("hvp", "x"),), 2, (1.0,)),
    "hvp of grad": ((("grad", "x"), ("hvp", "x")), 3, (1.0,)),
    "grad of hvp": ((("hvp", "x"), ("grad", "x")), 3, (1.0,)),
    "jvp of hvp": ((("hvp", "x"), ("jvp", "x")), 3, (1.0, 1.0)),
    "vjp of jvp of grad": ((("grad", "x"), ("jvp", "x"), ("vjp", "x")), 3, (1.0, (0.0, 1.0))),
}


def innermost(got: Any) -> float:
    """The derivative of highest order in what jvps give: values first, tangents last."""
    while isinstance(got, tuple):
        got = got[-1]
    return float(got)


@pytest.mark.parametrize("way", MIXED)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_modes_follow_each_other_in_any_order(name: str, way: str) -> None:
    steps, order, seeds = MIXED[way]
    text, made = after(HEAD + FUNCTIONS[name][0], *steps)
    got = innermost(space_of(text)[made](AT, *seeds))
    assert np.isclose(got, exact(name, order), rtol=1e-10, atol=0.0)
