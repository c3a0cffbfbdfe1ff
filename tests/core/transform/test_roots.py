"""Roots that SciPy's solvers find: the implicit function theorem, held against finite differences."""

from __future__ import annotations

from textwrap import dedent
from typing import Any

import numpy as np
import pytest

from pullback import derive
from tests.core.differences import assert_derivative, space_of

TOP = """import numpy as np
from scipy import optimize
from scipy.optimize import brentq, fsolve, newton, root, root_scalar


def cubic(x, p, q):
    return x**3 + p * x - q


def circle(v, a, b):
    x, y = v
    return [x * x + y - a, x - y * y + b[0]]


def banded(v, a):
    return v**3 + a * np.roll(v, 1) - 1.0


"""
PROGRAMS: dict[str, tuple[str, tuple[Any, ...]]] = {
    "one number, between two ends": (
        """
        def f(p: float, q: float):
            x = brentq(cubic, -10.0, 10.0, args=(p, q * q), xtol=1e-14, rtol=1e-14)
            return x * x + p
        """,
        (0.7, 1.3),
    ),
    "a lambda, inside an expression": (
        """
        def f(p: float, q: float):
            low = -10.0 * p
            return np.sin(brentq(lambda x: cubic(x, p, q), low, 10.0, xtol=1e-14, rtol=1e-14)) * p
        """,
        (0.7, 1.3),
    ),
    "a function made inside, which two solvers call, and another": (
        """
        def f(p: float, q: float):
            def h(x):
                y = x * x
                return y * x + p * x - q

            slope = lambda x: 3.0 * x * x + p
            r = root_scalar(h, bracket=(-10.0, 10.0), xtol=1e-14, rtol=1e-14)
            if not r.converged:
                raise ValueError("no root")
            return r.root * q + newton(h, p, fprime=slope, tol=1e-13)
        """,
        (0.7, 1.3),
    ),
    "several unknowns": (
        """
        def f(a: float, b):
            # pullback: b: (n,)
            v = fsolve(circle, np.ones(2) * a, args=(a, b), xtol=1e-13)
            return v[0] * v[1] * a
        """,
        (2.0, np.array([0.3, 1.0])),
    ),
    "several unknowns, in what the solver gives": (
        """
        def f(a: float, b):
            # pullback: b: (n,)
            s = root(circle, [1.0, 1.0], (a, b), tol=1e-13)
            return np.sum(s.x * s.x) + optimize.root(circle, np.ones(2), (b[1], b)).x[0]
        """,
        (2.0, np.array([0.3, 1.0])),
    ),
    "in each turn of a loop": (
        """
        def f(p: float, c):
            # pullback: c: (n,)
            x = p
            for k in range(len(c)):
                x = newton(cubic, 1.0, args=(c[k], x), tol=1e-13)
            return x * p
        """,
        (0.7, np.array([0.5, 1.2, 0.9])),
    ),
    "an array by Newton's method": (
        """
        def f(a, start):
            # pullback: a: (n,), start: (n,)
            v = newton(lambda v: v**3 + a * v - 1.0, start, tol=1e-14)
            return np.sum(v * a)
        """,
        (np.array([0.5, 0.2, 0.7]), np.ones(3)),
    ),
    "shapes that nobody says": (
        """
        def f(a, start):
            v = fsolve(banded, start, args=(a,), xtol=1e-13)
            return np.sum(v * np.array([1.0, 2.0, 3.0]) * a)
        """,
        (np.array([0.5, 0.2, 0.7]), np.ones(3)),
    ),
}


@pytest.mark.parametrize("kind", ["grad", "value_and_grad", "jvp", "hvp"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_root_is_differentiated(name: str, kind: str) -> None:
    text, args = PROGRAMS[name]
    source = TOP + dedent(text).strip("\n") + "\n"
    wrt = tuple(p.split(":")[0] for p in source.split("def f(")[1].split(")")[0].split(", "))
    derived = derive(source, "f", kind, wrt, modules={})
    assert derived.source is not None, derived.diagnostics
    space = space_of(source, derived.source)
    assert_derivative(space["f"], space["f_" + kind], args, kind, wrt)


REFUSED = {
    "def f(p: float):\n    return brentq(np.cos, p, 2.0)\n": "PB301",
    "def f(p: float, more):\n    return brentq(cubic, 0.0, 2.0, args=more) * p\n": None,
    "def f(p: float):\n    x, _ = brentq(cubic, 0.0, 2.0, args=(p, p), full_output=True)\n    return x\n": "PB301",
    "def f(p: float, other):\n    return brentq(other, 0.0, 2.0, args=(p,))\n": "PB301",
    "def f(p: float):\n    def h(x):\n        return x * x - p\n\n    keep = [h]\n"
    "    return brentq(h, 0.0, 2.0) * p * len(keep)\n": "PB101",
}


@pytest.mark.parametrize("source", REFUSED)
def test_an_equation_that_is_not_known_is_refused(source: str) -> None:
    derived = derive(TOP + source, "f", modules={})
    code = REFUSED[source]
    assert {d.code for d in derived.diagnostics if d.severity == "error"} == ({code} - {None})
    assert (derived.source is None) == (code is not None)
