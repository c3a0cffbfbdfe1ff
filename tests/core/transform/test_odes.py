"""Solutions of differential equations: the adjoint equation, held against finite differences."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pullback import derive
from tests.core.differences import assert_derivative, space_of

TOP = """import numpy as np
from scipy.integrate import odeint


def pendulum(y, t, damping, force):
    return [y[1], -np.sin(y[0]) - damping * y[1] + force[0] * np.cos(force[1] * t)]


def growth(y, t):
    return y * (1.0 - y)
"""
Y0, FORCE, TIMES = np.array([1.0, 0.3]), np.array([0.4, 1.3]), np.linspace(0.0, 2.0, 5)
PROGRAMS: dict[str, tuple[str, tuple[Any, ...], tuple[str, ...]]] = {
    "start and parameters": (
        """
def f(y0: np.ndarray, damping: float, force: np.ndarray, t):
    # pullback: y0: (2,), force: (2,)
    y = odeint(pendulum, y0, t, args=(damping, force), rtol=1e-10, atol=1e-10)
    return np.sum(y[:, 0] ** 2)
""",
        (Y0, 0.2, FORCE, TIMES),
        ("y0", "damping", "force"),
    ),
    "one parameter of two": (
        """
def f(damping: float, force, y0, t):
    y = odeint(pendulum, y0, t, (damping, force), rtol=1e-10, atol=1e-10)
    return np.sum(y[-1] * y0)
""",
        (0.2, FORCE, Y0, TIMES),
        ("damping",),
    ),
    "the start alone": (
        """
def f(y0: np.ndarray, t):
    # pullback: y0: (2,)
    return np.sum(odeint(growth, y0, t, rtol=1e-10, atol=1e-10)[1:])
""",
        (np.array([0.2, 0.5]), TIMES),
        ("y0",),
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_solution_is_differentiated(name: str) -> None:
    text, args, wrt = PROGRAMS[name]
    derived = derive(TOP + text, "f", "grad", wrt)
    assert derived.source is not None, derived.diagnostics
    space = space_of(TOP + text, derived.source)
    assert_derivative(space["f"], space["f_grad"], args, "grad", wrt, one=False)


@pytest.mark.parametrize(
    ("kind", "call", "reason"),
    [
        ("vjp", "odeint(growth, x, x)", "times"),
        ("vjp", "odeint(growth, x, np.arange(3.0), args=(x,))", "further arguments"),
        ("vjp", "odeint(growth, x, np.arange(3.0), tfirst=True)", "function"),
        ("jvp", "odeint(growth, x, np.arange(3.0))", "forward mode"),
    ],
)
def test_what_is_not_known_is_refused(kind: str, call: str, reason: str) -> None:
    text = f"\n\ndef f(x):\n    return np.sum({call})\n"
    derived = derive(TOP + text, "f", kind, ("x",))
    assert derived.source is None
    assert any(d.code == "PB302" and reason in d.message for d in derived.diagnostics)
