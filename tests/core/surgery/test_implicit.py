"""Loops that lead to a fixed point: differentiated as the solution of the equation that one more turn states."""

from __future__ import annotations

from textwrap import dedent
from typing import Any

import numpy as np
import pytest

from pullback import derive
from pullback.generated import generated
from pullback.source.module import parse_module
from tests.core.differences import assert_derivative, space_of
from tests.core.surgery.replay import body_of, made

TOP = "import numpy as np\n\n\n"
A = np.array([[3.0, 0.4, -0.7], [0.2, 2.5, 0.5], [-0.3, 0.6, 4.0]])
B = np.array([0.5, -1.0, 2.0])

# name: (the function, arguments: all of them are differentiated)
LOOPS: dict[str, tuple[str, tuple[Any, ...]]] = {
    "one number, left by a break": (
        """
        def f(p: float):
            x = 1.0
            for _ in range(200):  # pullback: implicit
                new = np.cos(p * x)
                if abs(new - x) < 1e-14:
                    break
                x = new
            return x * x * p
        """,
        (0.7,),
    ),
    "Newton's method, left by a return": (
        """
        def f(a: float, b: float):
            x = b
            # pullback: implicit
            while True:
                value = a * x**3 + x - b
                if abs(value) < 1e-14:
                    return x * a
                x = x - value / (3.0 * a * x * x + 1.0)
        """,
        (2.0, 3.0),
    ),
    "a layer in equilibrium; what its test looks at is no state": (
        """
        def f(W, b):
            # pullback: W: (n, n), b: (n,)
            x = np.zeros(len(b))
            err = 1.0
            k = 0
            while err > 1e-13 and k < 1000:  # pullback: implicit
                new = np.tanh(0.2 * W @ x + b)
                err = np.max(np.abs(new - x))
                x = new
                k += 1
            return np.sum((x - b) ** 2) * k / k
        """,
        (A, B),
    ),
    "Gauss and Seidel's method, in place, with a loop inside": (
        """
        def f(A, b):
            # pullback: A: (n, n), b: (n,)
            x = np.zeros(len(b))
            for k in range(500):  # pullback: implicit
                for i in range(len(b)):
                    x[i] = (b[i] - A[i, :i] @ x[:i] - A[i, i + 1 :] @ x[i + 1 :]) / A[i, i]
                if np.linalg.norm(A @ x - b) < 1e-13:
                    break
            x[0] *= 2.0
            return np.sum(x * x)
        """,
        (A, B),
    ),
    "two numbers, and what a turn makes of them besides": (
        """
        def f(p: float, q: float):
            x = q
            y = p
            settled = False
            while not settled:  # pullback: implicit
                u = np.cos(p * y) * 0.5
                v = np.sin(q * x + u)
                settled = abs(u - x) + abs(v - y) < 1e-14
                x, y = u, v
            return x * y + u * v
        """,
        (0.6, 0.4),
    ),
    "shapes that nobody says, no annotations": (
        """
        def f(c, M):
            x = c
            for _ in range(300):  # pullback: implicit
                old = x
                x = np.tanh(M @ x * 0.1 + c)
                if np.max(np.abs(x - old)) < 1e-14:
                    break
            return np.sum(x * c)
        """,
        (B, A),
    ),
    "steps whose length changes, a mean of old and new": (
        """
        def f(p: float, w: float):
            x = 1.0
            for k in range(400):  # pullback: implicit
                step = 0.5 + 0.4 / (k + 1)
                x = (1.0 - step) * x + step * np.cos(p * x) * w
            return np.exp(x)
        """,
        (0.8, 1.2),
    ),
    "branches in a turn": (
        """
        def f(p: float, q: float):
            x = 0.0
            for _ in range(200):  # pullback: implicit
                if x > q:
                    x = 0.5 * x + q * p
                else:
                    x = 0.3 * x + p
            return x * q
        """,
        (0.9, 0.4),
    ),
    "inside of another loop, whose turns begin where the last one ended": (
        """
        def f(p: float, c):
            # pullback: c: (n,)
            x = 1.0
            total = 0.0
            for k in range(len(c)):
                while True:  # pullback: implicit
                    new = np.cos(p * x * c[k])
                    done = abs(new - x) < 1e-14
                    x = new
                    if done:
                        break
                total += x * x * c[k]
            return total
        """,
        (0.7, np.array([0.5, 1.0, 0.8])),
    ),
    "in a function that is called": (
        """
        def inverse(y, k):
            x = y
            for _ in range(60):  # pullback: implicit
                x = x - (x + k * np.sin(x) - y) / (1.0 + k * np.cos(x))
            return x


        def f(y, k: float):
            # pullback: y: (n,)
            return np.sum(inverse(y * y, k) * y)
        """,
        (B, 0.3),
    ),
    "one in another": (
        """
        def f(p: float, q: float):
            x = 1.0
            for _ in range(100):  # pullback: implicit
                y = x
                for _ in range(100):  # pullback: implicit
                    y = np.cos(y * p) * 0.5 + 0.1 * x
                x = np.sin(q + y)
            return x * q
        """,
        (0.7, 0.5),
    ),
    "where it is left it says so, and what stands behind asks": (
        """
        def f(p: float):
            x = 1.0
            found = False
            for _ in range(200):  # pullback: implicit
                new = np.cos(p * x)
                if abs(new - x) < 1e-14:
                    found = True
                    x = new
                    break
                x = new
            else:
                raise ValueError("no fixed point")
            return x * x if found else p
        """,
        (0.7,),
    ),
    "numbers in an array that has no axes, a float that becomes one": (
        """
        def f(p):
            x = 1
            for _ in range(200):  # pullback: implicit
                x = np.cos(p * x)
            return x * p
        """,
        (0.7,),
    ),
    "a grid whose edges are kept: they are what they were before": (
        """
        def f(top, source):
            # pullback: top: (n,), source: (n, n)
            u = np.zeros((len(top), len(top)))
            u[0] = top
            u[:, 0] = top * top
            for _ in range(400):  # pullback: implicit
                u[1:-1, 1:-1] = 0.25 * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2])
                u[1:-1, 1:-1] += 0.1 * source[1:-1, 1:-1] * np.tanh(u[1:-1, 1:-1])
            return np.sum(u * u)
        """,
        (np.arange(4.0), np.arange(16.0).reshape(4, 4) / 16.0),
    ),
    "a grid that is a copy of the last one, whose ends are kept": (
        """
        def f(left: float, s):
            # pullback: s: (n,)
            u = np.zeros(len(s))
            u[0] = left
            while True:  # pullback: implicit
                new = u.copy()
                new[1:-1] = 0.5 * (u[2:] + u[:-2]) + s[1:-1]
                change = np.max(np.abs(new - u))
                u = new
                if change < 1e-14:
                    break
            return np.sum(u * s)
        """,
        (0.8, np.array([0.1, 0.3, -0.2, 0.4, 0.5])),
    ),
    "elements one by one": (
        """
        def f(u, p: float):
            # pullback: u: (n,)
            u = u * 1.0
            for _ in range(300):  # pullback: implicit
                for i in range(1, len(u)):
                    u[i] = 0.5 * np.cos(p * u[i - 1]) + 0.1 * u[i]
            return np.sum(u * u)
        """,
        (np.array([0.9, 1.1, -0.4, 0.2]), 0.8),
    ),
    "complex numbers": (
        """
        def f(p: float, a: float, b: float):
            z = a + 1j * b
            w = 0.0j
            for _ in range(200):  # pullback: implicit
                w = 0.5 * np.conj(w) * p + 0.1 * w * w + z
            return np.abs(w) ** 2
        """,
        (0.7, 0.3, 0.2),
    ),
}


@pytest.mark.parametrize("kind", ["grad", "value_and_grad", "jvp", "hvp"])
@pytest.mark.parametrize("name", LOOPS)
def test_the_derivative_is_that_of_the_solution(name: str, kind: str) -> None:
    text, args = LOOPS[name]
    source = TOP + dedent(text).strip("\n") + "\n"
    wrt = tuple(p.split(":")[0] for p in source.split("def f(")[1].split(")")[0].split(", "))
    derived = derive(source, "f", kind, wrt if len(wrt) > 1 else wrt[0], modules={})
    assert derived.source is not None, derived.diagnostics
    space = space_of(source, derived.source)
    assert_derivative(space["f"], space[derived.name], args, kind, wrt)


@pytest.mark.parametrize("name", LOOPS)
def test_nothing_of_the_iterations_is_recorded(name: str) -> None:
    source = TOP + dedent(LOOPS[name][0]).strip("\n") + "\n"
    gradient = body_of(derive(source, "f", modules={}).source).partition("def f_grad(")[2]
    recorded = gradient.count("tape.append")
    assert recorded == (1 if name.startswith("inside of another loop") else 0)


def test_a_turn_that_leads_away_from_the_solution_is_an_error() -> None:
    source = TOP + (
        "def f(p, x):\n    # pullback: p: (n,), x: (n,)\n    for _ in range(3):  # pullback: implicit\n"
        "        x = p - x\n    return np.sum(x)\n"
    )
    f_grad = made(source + (derive(source, "f", modules={}).source or ""), "f_grad")
    with pytest.raises(ArithmeticError, match="the cotangent of x does not converge"):
        f_grad(np.ones(2), np.full(2, 0.5))


def test_nan_and_infinity_come_out() -> None:
    source = TOP + dedent(LOOPS["shapes that nobody says, no annotations"][0])
    f_grad = made(source + (derive(source, "f", modules={}).source or ""), "f_grad")
    assert np.isnan(f_grad(np.array([np.nan, 1.0, 0.0]), A)).any()


def test_it_is_up_to_date_as_long_as_the_comment_stands() -> None:
    source = TOP + dedent(LOOPS["one number, left by a break"][0]).strip("\n") + "\n"
    whole = source + "\n\n" + (derive(source, "f", modules={}).source or "")
    assert not list(generated(parse_module(whole)))
    plain = whole.replace("  # pullback: implicit", "")
    assert [d.code for d in generated(parse_module(plain))] == ["PB401"]


LOOP = "def f(x: float, p: float, n: int):\n    for t in {}:  # pullback: implicit\n        {}\n    return x\n"
TURN = LOOP.format("range(n)", "{}")
UNFIT = {
    TURN.format("x = p * x + np.random.normal()"): "draws random numbers",
    "def f(x: float):\n    y = x * x  # pullback: implicit\n    return y\n": "it takes a loop",
    TURN.format("x = p * x").replace("implicit", "implicit fast=1"): "it takes nothing",
    TURN.format("x = p * x\n        if x < 1.0:\n            continue\n        x = x * p"): "go on",
    TURN.format("x = p * x\n        break"): "ends at a `break`",
    TURN.format(
        "x = p * x\n        if x < 1.0:\n            if x < p:\n                break\n            x = x * p"
    ): "one test with a `break`",
    TURN.format(
        "new = p * x\n        if new < 1.0:\n            x = 2.0 * new\n            break\n        x = new"
    ): ("x is assigned otherwise"),
    TURN.format(
        "new = p * x\n        if new < 1.0:\n            if p < 0.5:\n                x = 2.0 * new\n"
        "            break\n        x = new"
    ): "x is assigned otherwise",
    TURN.format(
        "new = p * x\n        if new < 1.0:\n            x = new\n            break\n"
        "        new = 0.5 * new\n        x = new"
    ): "x is assigned otherwise",
    "def f(x, p: float, n: int):\n    # pullback: x: (m,)\n    v = x.copy()\n"
    "    for t in range(n):  # pullback: implicit\n        v[t % 3] = p * np.cos(v[t % 3])\n"
    "    return np.sum(v)\n": "may change from turn to turn",
    LOOP.format("[0.1, 0.2]", "x = p * x + t"): "read t, which is another in each",
    TURN.format("x = p * x\n        # pullback: insert x: x_bar = x_bar * 2.0"): "code is inserted",
    "def f(p: float, n: int):\n    h = [p]\n    for t in range(n):  # pullback: implicit\n"
    "        h = [p * np.cos(h[0])]\n    return h[0]\n": "h is a container",
    "def f(x, p: float, n: int):\n    # pullback: x: (m,)\n    v = x.copy()\n    mid = v[1:]\n"
    "    for t in range(n):  # pullback: implicit\n        mid[:] = p * v[:-1]\n    return np.sum(v)\n": (
        "shares memory with"
    ),
    "def f(x, p: float, n: int):\n    # pullback: x: (m,)\n    v = x.copy()\n"
    "    for t in range(n):  # pullback: implicit\n        v[v > p] *= p\n    return np.sum(v)\n": (
        "may change from turn to turn"
    ),
    "def f(x, p: float, n: int):\n    # pullback: x: (m,)\n    v = x.copy()\n"
    "    for t in range(n):  # pullback: implicit\n        v[1:] = p * v[:-1]\n        v = 0.5 * v\n"
    "    return np.sum(v)\n": "is assigned, and parts of it are written",
    "def f(x, p: float, n: int):\n    # pullback: x: (m,)\n    v = x.copy()\n"
    "    for t in range(n):  # pullback: implicit\n        np.multiply(v, p, out=v)\n"
    "    return np.sum(v)\n": "written by a call",
}


@pytest.mark.parametrize("kind", ["grad", "jvp"])
@pytest.mark.parametrize("source", UNFIT)
def test_a_loop_that_states_no_equation_is_refused(source: str, kind: str) -> None:
    derived = derive(TOP + source, "f", kind, modules={})
    assert derived.source is None
    assert {d.code for d in derived.diagnostics} == {"PB112"}
    assert any(UNFIT[source] in d.message for d in derived.diagnostics), derived.diagnostics


def test_a_loop_that_is_never_reached_stands_in_nobodys_way() -> None:
    source = "def f(x: float):\n    return x * x\n    while x > 1.0:  # pullback: implicit\n        x = x * 0.5\n"
    f_grad = made(source + (derive(source, "f", modules={}).source or ""), "f_grad")
    assert f_grad(3.0) == 6.0
