"""Jacobians and Hessians along all directions at once: one call in the place of a loop, and the same numbers."""

from __future__ import annotations

from textwrap import dedent
from typing import Any

import numpy as np
import pytest

from pullback import derive
from tests.core.differences import asked, assert_dense, space_of
from tests.fuzz.programs import HEAD

X = np.array([0.3, -0.7, 1.1, 0.4])
Y = np.array([0.9, 0.2, -0.5, 0.6])
A = np.array([[0.7, 0.2, -0.9, 0.4], [0.1, -0.6, 0.5, 0.8], [0.3, 1.2, -0.4, 0.6]])
SQUARE = np.array([[2.1, 0.2, 0.3], [0.4, 1.8, -0.1], [0.3, 0.5, 2.4]])

# name: (text of the function f, arguments, what is asked for)
AT_ONCE: dict[str, tuple[str, tuple[Any, ...], tuple[str, ...]]] = {
    "element by element": (
        """
        def f(x, y):
            # pullback: x: (n,), y: (n,)
            return np.sin(x) * y / (1.0 + x * x) - 2.0 * x
        """,
        (X, Y),
        ("x", "y"),
    ),
    "a scalar beside arrays of other ranks": (
        """
        def f(x, A, k: float):
            # pullback: x: (n,), A: (m, n)
            s = np.sum(x * x) * k
            return s * A + x * np.exp(A)
        """,
        (X, A, 0.6),
        ("x", "A", "k"),
    ),
    "products of matrices and vectors": (
        """
        def f(x, A):
            # pullback: x: (n,), A: (m, n)
            y = A @ x
            G = A @ A.T
            return G @ y + np.outer(y, x) @ x + (y @ A) @ x
        """,
        (X, A),
        ("x", "A"),
    ),
    "short integers that meet a count": (
        """
        def f(x, m):
            # pullback: x: (n,), m: (n,)
            k = m.astype(np.int8)
            return x * k * len(x) - len(x) * (k * x) * x
        """,
        (X, np.array([100, 90, 3, 100])),
        ("x",),
    ),
    "sums along axes": (
        """
        def f(A):
            # pullback: A: (m, n)
            rows = A.sum(axis=-1)
            columns = np.mean(A, axis=0, keepdims=True)
            return rows[:, None] * columns + np.sum(A) - np.cumsum(A, axis=1) * np.mean(A * A)
        """,
        (A,),
        ("A",),
    ),
    "shifts and differences": (
        """
        def f(x, A):
            # pullback: x: (n,), A: (m, n)
            return np.roll(x, 1)[1:] * np.diff(x) + np.sum(np.roll(A, -1, axis=1) * A, axis=0)[1:] + x[::-1][:-1] ** 2
        """,
        (X, A),
        ("x", "A"),
    ),
    "slices, new axes, ellipses, places": (
        """
        def f(A, i: np.ndarray):
            # pullback: A: (m, n), i: (k,)
            B = A[:, None, 1:] * A[..., :1, None].T[0, 0, 0]
            C = A[..., 0] + A[i, 1] * A[1, ...][0]
            return B[1, 0] * C[0] + np.where(A > 0.3, A * A, -A)[2, 1:]
        """,
        (A, np.array([2, 0, 2])),
        ("A",),
    ),
    "a recurrence written into an array": (
        """
        def f(u, p, dt: float):
            # pullback: u: (2,), p: (3,)
            out = np.zeros((6, 2))
            x, v = u
            for k in range(6):
                a = -p[0] * x - p[1] * v + p[2] * np.sin(x)
                v += dt * a
                x += dt * v
                out[k, 0] = x
                out[k, 1] = v * x
            return out
        """,
        (np.array([0.4, -0.2]), np.array([0.9, 0.1, 0.3]), 0.1),
        ("u", "p"),
    ),
    "elements that change places": (
        """
        def f(x):
            # pullback: x: (n,)
            u = x * x
            for i in range(3):
                t = u[i]
                u[i] = u[i + 1] * t
                u[i + 1] = t
            a = u[0]
            u[0] *= 3.0
            u[1:] += u[:-1] * a
            return u
        """,
        (X,),
        ("x",),
    ),
    "numbers under several names": (
        """
        def f(x):
            # pullback: x: (n,)
            a = x[0] * x[1]
            b = a
            b += x[2]
            c = a
            c *= 2.0
            return np.array([a, b, c, a * b * c])
        """,
        (X,),
        ("x",),
    ),
    "rows side by side": (
        """
        def f(A, x):
            # pullback: A: (m, n), x: (n,)
            total = np.zeros(4)
            for k, row in enumerate(A):
                total += row * x * k
            out = []
            for a, b in zip(A[0], x):
                out.append(a * b)
            return total * np.array(out)
        """,
        (A, X),
        ("A", "x"),
    ),
    "a choice": (
        """
        def f(x, k: int):
            # pullback: x: (n,)
            s = 0.0
            for v in x:
                if v > 0.0:
                    s += v * v
                else:
                    s = s * 0.5
            return s * x if k > 1 else -x
        """,
        (X, 2),
        ("x",),
    ),
    "functions that call others": (
        """
        def scaled(x: np.ndarray, k: float):
            # pullback: x: (n,)
            return x * k + np.sum(x)

        def g(x, y):
            # pullback: x: (n,), y: (n,)
            s = scaled(x, 2.0)
            return s * y, s

        def f(x, y):
            # pullback: x: (n,), y: (n,)
            a, b = g(x, y)
            return scaled(a, b[0])
        """,
        (X, Y),
        ("x", "y"),
    ),
    "elements that functions give of what changes": (
        """
        def first(u: np.ndarray):
            # pullback: u: (n,)
            return u[0]

        def pair(u: np.ndarray):
            # pullback: u: (n,)
            a = u[1]
            return u[0], a if a > 0.0 else u[2]

        def f(x):
            # pullback: x: (n,)
            u = x * x
            a = first(u)
            b, c = pair(u)
            u[:3] = 2.0 * u[1:]
            return u * a + b * c
        """,
        (X,),
        ("x",),
    ),
    "several results": (
        """
        def f(x, y):
            # pullback: x: (n,), y: (n,)
            return x * y, np.sum(x)
        """,
        (X, Y),
        ("x",),
    ),
    "a system of equations": (
        """
        def f(b, A):
            # pullback: b: (n,), A: (n, n)
            return np.linalg.solve(A, b * b)
        """,
        (X[:3], SQUARE),
        ("b",),
    ),
    "arrays joined and formed anew": (
        """
        def f(A, x):
            # pullback: A: (m, n), x: (n,)
            long = np.concatenate([A.ravel(), A.reshape(12) * 2.0])
            tall = np.stack([x, x * x], axis=-1)
            return long.reshape(6, 4) @ x + np.sum(tall)
        """,
        (A, X),
        ("A", "x"),
    ),
}


@pytest.mark.parametrize("name", AT_ONCE)
def test_a_jacobian_is_made_at_once(name: str) -> None:
    text, args, wrt = AT_ONCE[name]
    source = HEAD + dedent(text).strip() + "\n"
    derived = derive(source, "f", "jacobian", asked(wrt), modules={})
    assert derived.source is not None, derived.diagnostics
    assert "columns.append" not in derived.source, derived.source
    space = space_of(source, derived.source)
    assert_dense(space["f"], space["f_jacobian"], args, "jacobian", wrt)


# name: (text of the function f, arguments); f gives one number
HESSIANS: dict[str, tuple[str, tuple[Any, ...]]] = {
    "logistic regression": (
        """
        def f(w, X, y):
            # pullback: w: (d,), X: (n, d), y: (n,)
            return np.mean(np.log(1.0 + np.exp(-y * (X @ w)))) + 0.5 * np.sum(w**2)
        """,
        (X, A, np.array([1.0, -1.0, 1.0])),
    ),
    "a loop over neighbours": (
        """
        def f(w, k: float):
            # pullback: w: (d,)
            s = 0.0
            for i in range(len(w) - 1):
                s += k * (w[i + 1] - w[i] ** 2) ** 2 + (1.0 - w[i]) ** 2
            return s
        """,
        (X, 2.5),
    ),
}


@pytest.mark.parametrize("name", HESSIANS)
def test_a_hessian_is_made_at_once(name: str) -> None:
    text, args = HESSIANS[name]
    source = HEAD + dedent(text).strip() + "\n"
    derived = derive(source, "f", "hessian", "w", modules={})
    assert derived.source is not None, derived.diagnostics
    assert "columns.append" not in derived.source, derived.source
    space = space_of(source, derived.source)
    assert_dense(space["f"], space["f_hessian"], args, "hessian", ("w",))


# what is done direction by direction: the text does not tell that an axis more leaves it right
ONE_BY_ONE = {
    "ranks are not known": "def f(x, y):\n    return np.sin(x) * y\n",
    "a decomposition": "def f(x: np.ndarray):\n    # pullback: x: (n, n)\n    return np.linalg.cholesky(x @ x.T)\n",
    "a loop over what it writes": (
        "def f(x: np.ndarray):\n    # pullback: x: (n,)\n    u = x * x\n    i = 0\n"
        "    for v in u:\n        u[i] = v * u[0]\n        i += 1\n    return u\n"
    ),
}


@pytest.mark.parametrize("name", ONE_BY_ONE)
def test_what_is_not_clear_is_done_one_by_one(name: str) -> None:
    source = HEAD + ONE_BY_ONE[name]
    derived = derive(source, "f", "jacobian", "x", modules={})
    assert derived.source is not None, derived.diagnostics
    assert "columns.append" in derived.source, derived.source
    args = (SQUARE,) if "n, n" in source else (X, Y)[: source.count("x, y") + 1]
    space = space_of(source, derived.source)
    assert_dense(space["f"], space["f_jacobian"], args, "jacobian", ("x",))


def test_a_jacobian_is_differentiated_again() -> None:
    text, (x, y), _ = AT_ONCE["element by element"]
    source = HEAD + dedent(text).strip() + "\n"
    first = derive(source, "f", "jacobian", "x", modules={}).source or ""
    whole = f"{source}\n\n{first}"
    second = derive(whole, "f_jacobian", "jvp", "x", modules={})
    assert second.source is not None, second.diagnostics
    space = space_of(whole, second.source)
    along = np.array([0.5, -1.0, 0.3, 0.8])
    _, got = space["f_jacobian_jvp"](x, y, along)
    step = 1e-6
    ends = [space["f_jacobian"](x + sign * step * along, y) for sign in (1, -1)]
    np.testing.assert_allclose(got, (ends[0] - ends[1]) / (2 * step), rtol=1e-6, atol=1e-8)
