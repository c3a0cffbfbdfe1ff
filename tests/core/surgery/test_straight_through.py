"""`# pullback: straight-through`: a statement with the derivative of what it reads."""

from __future__ import annotations

from typing import Any

import pytest

from pullback import derive
from tests.core.differences import assert_derivative
from tests.core.surgery.replay import X, held, made

TOP = "import numpy as np\n\n\n"
# name: (the function, the function with that derivative, arguments)
THROUGH: dict[str, tuple[str, str, tuple[Any, ...]]] = {
    "rounding": (
        "def f(x: float):\n    y = np.round(x)  # pullback: straight-through\n    return y * y * x\n",
        "def f(x):\n    y = x + pullback.stop_gradient(np.round(x) - x)\n    return y * y * x\n",
        (1.3,),
    ),
    "an expression of one variable": (
        "def f(x, w):\n    # pullback: x: (n,), w: (n,)\n    z = x * w\n"
        "    y = np.round(8.0 * z) / 8.0  # pullback: straight-through\n    return np.sum(y * y * w)\n",
        "def f(x, w):\n    z = x * w\n    y = z + pullback.stop_gradient(np.round(8.0 * z) / 8.0 - z)\n"
        "    return np.sum(y * y * w)\n",
        (X, X + 1.0),
    ),
    "a sign": (
        "def f(x):\n    # pullback: x: (n,)\n    # pullback: straight-through\n"
        "    y = np.where(x > 0.0, 1.0, -1.0)\n    return np.sum(y * x * x)\n",
        "def f(x):\n    y = x + pullback.stop_gradient(np.where(x > 0.0, 1.0, -1.0) - x)\n"
        "    return np.sum(y * x * x)\n",
        (X,),
    ),
    "a conditional expression": (
        "def f(x: float, n: int):\n    y = x if x > n else 0.0  # pullback: straight-through\n    return y * x\n",
        "def f(x, n):\n    y = x + pullback.stop_gradient((x if x > n else 0.0) - x)\n    return y * x\n",
        (0.7, 1),
    ),
    "a function that is called, with no derivative of its own": (
        "def g(u):\n    return int(u) / 2.0\n\n\n"
        "def f(x: float):\n    y = g(x)  # pullback: straight-through\n    return y * x\n",
        "def f(x):\n    y = x + pullback.stop_gradient(int(x) / 2.0 - x)\n    return y * x\n",
        (2.7,),
    ),
    "elements in a loop": (
        "def f(x):\n    # pullback: x: (n,)\n    y = np.zeros(len(x))\n    for i in range(len(x)):\n"
        "        y[i] = np.floor(x[i])  # pullback: straight-through\n    return np.sum(y * y * x)\n",
        "def f(x):\n    y = x + pullback.stop_gradient(np.floor(x) - x)\n    return np.sum(y * y * x)\n",
        (X,),
    ),
    "beside a value that is stopped": (
        "def f(x, w):\n    # pullback: x: (n,), w: (n,)\n    scale = np.abs(w)  # pullback: stop\n"
        "    y = np.round(x / scale) * scale  # pullback: straight-through\n    return np.sum(y * w)\n",
        "def f(x, w):\n    s = pullback.stop_gradient(np.abs(w))\n"
        "    y = x + pullback.stop_gradient(np.round(x / s) * s - x)\n    return np.sum(y * w)\n",
        (X, X + 2.0),
    ),
}


@pytest.mark.parametrize("kind", ["grad", "vjp", "jvp", "hvp"])
@pytest.mark.parametrize("name", THROUGH)
def test_a_statement_has_the_derivative_of_the_identity(name: str, kind: str) -> None:
    text, model, args = THROUGH[name]
    wrt = ("x", "w")[: sum(not isinstance(a, int) for a in args)]
    derived = derive(TOP + text, "f", kind, wrt if len(wrt) > 1 else wrt[0], modules={})
    assert derived.source is not None, derived.diagnostics
    f = held(model, args)
    assert_derivative(f, made(TOP + text + "\n\n" + derived.source, derived.name), args, kind, wrt)


UNFIT = {
    "def f(x: float, w: float):\n    y = np.round(x * w)  # pullback: straight-through\n    return y\n": "several",
    "def f(x, w):\n    b = 2.0 * w  # pullback: stop\n    y = np.round(x + b)  # pullback: straight-through\n"
    "    return np.sum(y * w)\n": "the shapes",
    "def f(x):\n    # pullback: x: (n,)\n    y = np.sum(x)  # pullback: straight-through\n    return y\n": "the shape",
    "def f(x: float):\n    y = int(x)  # pullback: straight-through\n    return y * x\n": "integers",
    "def f(x: float):\n    a, b = x, 2.0 * x  # pullback: straight-through\n    return a * b\n": "one value",
    "def f(x: float):\n    # pullback: straight-through\n    return np.round(x)\n": "one value",
}


@pytest.mark.parametrize("kind", ["vjp", "jvp"])
@pytest.mark.parametrize("source", UNFIT)
def test_a_statement_that_has_no_such_derivative_is_refused(source: str, kind: str) -> None:
    derived = derive(TOP + source, "f", kind, "*")
    assert derived.source is None
    assert [d.code for d in derived.diagnostics] == ["PB112"]
    assert UNFIT[source] in derived.diagnostics[0].message
