"""Derivatives of any order: the output of one derivation is the input of the next.

Third derivatives are held against SymPy's, which are exact; what the modes give one behind the other against the
derivative of the order that they make together.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
import sympy

import pullback
from pullback import derive
from tests.core.differences import space_of

X = sympy.Symbol("x")
HEAD = "import math\n\n\n"

# name: (the function f as text, the same for SymPy)
FUNCTIONS: dict[str, tuple[str, Any]] = {
    "polynomial": (
        "def f(x: float):\n    return 3.0 * x**5 - 2.0 * x**3 + x\n",
        3 * X**5 - 2 * X**3 + X,
    ),
    "rational": (
        "def f(x: float):\n    return (1.0 - x) / (1.0 + x * x)\n",
        (1 - X) / (1 + X**2),
    ),
    "waves": (
        "def f(x: float):\n    return math.sin(x) * math.cos(2.0 * x)\n",
        sympy.sin(X) * sympy.cos(2 * X),
    ),
    "a bell": (
        "def f(x: float):\n    u = x - 0.3\n    return math.exp(-0.5 * u * u)\n",
        sympy.exp(-((X - sympy.Rational(3, 10)) ** 2) / 2),
    ),
    "softplus": (
        "def f(x: float):\n    return math.log(1.0 + math.exp(x))\n",
        sympy.log(1 + sympy.exp(X)),
    ),
    "tanh of a square": (
        "def f(x: float):\n    return math.tanh(x * x)\n",
        sympy.tanh(X**2),
    ),
    "a root in a logarithm": (
        "def f(x: float):\n    return math.log(x + math.sqrt(x * x + 1.0))\n",
        sympy.log(X + sympy.sqrt(X**2 + 1)),
    ),
    "a power of itself": (
        "def f(x: float):\n    return x**x\n",
        X**X,
    ),
    "a quotient": (
        "def f(x: float):\n    return math.exp(-x) / (2.0 + math.cos(x))\n",
        sympy.exp(-X) / (2 + sympy.cos(X)),
    ),
    "a function that is called": (
        "def g(t):\n    return t * math.atan(t)\n\n\ndef f(x: float):\n    return g(x) * g(2.0 * x)\n",
        X * sympy.atan(X) * 2 * X * sympy.atan(2 * X),
    ),
}
AT = 0.7


def _turned(y: Any) -> Any:
    return y * sympy.sin(y) + X


# its gradient records each turn on a tape, and the gradient of that records what it takes from the tape
FUNCTIONS["a loop that records"] = (
    "def f(x: float):\n    y = x\n    for _ in range(2):\n        y = y * math.sin(y) + x\n    return y\n",
    _turned(_turned(X)),
)


def exact(name: str, order: int) -> float:
    return float(sympy.diff(FUNCTIONS[name][1], X, order).subs(X, AT).evalf(30))


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


# the backward pass alone does not show that A has two axes and x one: the function does
PRODUCT = """
import numpy as np


def product(A, x):
    m, n = A.shape
    y = np.zeros(m)
    for i in range(m):
        row = 0.0
        for j in range(n):
            row += A[i, j] * x[j]
        y[i] = row * row
    return y


def f(A, x):
    return np.sum(product(A, x) ** 2)
"""


def test_a_derivative_has_the_parameters_of_its_function() -> None:
    text, made = after(PRODUCT, ("grad", "x"), ("vjp", "x"))
    rng = np.random.default_rng(3)
    A, x, x_dot = rng.normal(size=(3, 2)), rng.normal(size=2), rng.normal(size=2)
    z = A @ x
    want = 12.0 * A.T @ (z**2 * (A @ x_dot))
    np.testing.assert_allclose(space_of(text)[made](A, x, x_dot), want, rtol=1e-12)


def test_one_that_was_changed_by_hand_is_a_function_like_any_other() -> None:
    text, made = after(PRODUCT, ("grad", "x"))
    changed = re.sub(r" [0-9a-f]{8}\]", " 00000000]", text)  # no longer what the header says
    derived = derive(changed, made, "vjp", "x", modules={})
    assert "PB204" in {d.code for d in derived.diagnostics}
