"""Programs that call functions which write into their arguments, and arguments to hold them against."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.core.transform.constructs import A, U, V, W

SQUARE = np.array([[0.7, 0.2, 0.9], [0.4, 0.6, 0.1], [0.3, 0.8, 0.55]])

# name: (text of the function f, arguments)
IN_PLACE: dict[str, tuple[str, tuple[Any, ...]]] = {
    "elements added to more than once": (
        """
        def f(x, i):
            # pullback: x: (n,)
            u = x * x
            np.add.at(u, i, x[:3])
            np.subtract.at(u, [0, 0], x[0] * x[1])
            return np.sum(u * u)
        """,
        (
            V,
            np.array([0, 1, 0]),
        ),
    ),
    "… in two dimensions, and through a view": (
        """
        def f(A, i, j):
            # pullback: A: (n, m)
            u = np.zeros((2, 3))
            np.add.at(u, (i, j), A[:, 0])
            np.add.at(u[0], j, A[:, 1] * A[:, 0])
            return np.sum(u * u)
        """,
        (
            A,
            np.array([0, 1, 0, 0]),
            np.array([0, 2, 0, 1]),
        ),
    ),
    "results written into an array that is there": (
        """
        def f(x, y):
            # pullback: x: (n,), y: (n,)
            u = np.empty_like(x)
            np.multiply(x, y, out=u)
            np.sin(u, u)
            np.add(u[1:], y[1:], out=u[:-1])
            np.exp(u, out=u, where=u > 0.2)
            return np.sum(u * u)
        """,
        (
            V,
            W,
        ),
    ),
    "… whose value is used, too": (
        """
        def f(x, y):
            # pullback: x: (n,), y: (n,)
            u = np.empty_like(x)
            w = np.multiply(x, y, out=u)
            u = np.sin(u, out=u)
            return np.sum(w * u)
        """,
        (
            V,
            W,
        ),
    ),
    "… of reductions and products": (
        """
        def f(A, x):
            # pullback: A: (n, m), x: (m,)
            r = np.zeros(4)
            np.dot(A, x, out=r)
            q = np.zeros(3)
            np.sum(A * A, axis=0, out=q)
            B = np.zeros((3, 3))
            np.matmul(A.T, A, out=B)
            (A + 1.0).cumsum(axis=0, out=A)
            np.clip(q, 0.0, 1.1, out=q)
            return np.sum(r * r) + np.sum(q * q) + np.sum(B * B) + np.sum(A ** 2)
        """,
        (
            A,
            U,
        ),
    ),
    "copyto and fill": (
        """
        def f(x, y):
            # pullback: x: (n,), y: (n,)
            u = np.zeros(4)
            np.copyto(u, x)
            np.copyto(u, y * u, where=y > 0.5)
            u[1:].fill(x[0])
            np.copyto(u[:1], 2.0)
            return np.sum(u * y)
        """,
        (
            V,
            W,
        ),
    ),
    "fill_diagonal": (
        """
        def f(A, x, s: float):
            # pullback: A: (n, m), x: (4,)
            B = np.zeros((4, 4))
            np.fill_diagonal(B, x)
            np.fill_diagonal(A, s)
            return np.sum((B @ A) ** 2)
        """,
        (
            A,
            V,
            0.7,
        ),
    ),
    "put, putmask, place": (
        """
        def f(x, y, s: float):
            # pullback: x: (n,), y: (n,)
            x.put([0, 2], s)
            np.put(x, [1, 3], y[:2])
            np.putmask(x, x > 0.8, y)
            np.place(x, x < 0.3, [s * s])
            np.put_along_axis(y, np.array([0, 1]), x[:2], 0)
            return np.sum(x * x * y)
        """,
        (
            V,
            W,
            0.7,
        ),
    ),
    "put_along_axis": (
        """
        def f(A, s: float):
            # pullback: A: (n, m)
            i = np.array([[0, 1], [1, 2], [2, 0], [1, 0]])
            np.put_along_axis(A, i, s, axis=1)
            np.put_along_axis(A, np.array([[0, 1, 2]]), s * s, 0)
            return np.sum(A ** 2)
        """,
        (
            A,
            0.7,
        ),
    ),
    "sort in place": (
        """
        def f(x, A):
            # pullback: x: (n,), A: (n, m)
            x.sort()
            B = A * A
            B.sort(axis=0)
            return np.sum(x * np.array([1.0, 2.0, 3.0, 4.0])) + np.sum(B[0] * B[1])
        """,
        (
            V,
            A,
        ),
    ),
    "… of arrays of any shape": (
        """
        def f(x, s):
            y = np.copy(x)
            y.fill(s)
            x.sort()
            return np.sum(y * x * np.array([1.0, 2.0, 3.0, 4.0]))
        """,
        (
            V,
            0.3,
        ),
    ),
    "buffers reused by each turn": (
        """
        def f(x, n: int):
            # pullback: x: (n,)
            u = x.copy()
            t = np.empty_like(u)
            for i in range(n):
                np.multiply(u, u[0], out=t)
                np.sin(t, out=t)
                np.add(u, t, out=u)
                np.add.at(u, [0, 0, i], t[:3])
            return np.sum(u)
        """,
        (
            V,
            3,
        ),
    ),
    "an array copied by keyword": (
        """
        def f(A):
            A = np.array(A, dtype=float, copy=True)
            for k in range(2):
                A[k + 1 :, k] /= A[k, k]
                A[k + 1 :, k + 1 :] -= np.outer(A[k + 1 :, k], A[k, k + 1 :])
            return np.sum(np.diag(A) ** 2)
        """,
        (A,),
    ),
    "what may be an array, under a name that nobody reads again": (
        """
        def f(x, n):
            u = 2.0 * x
            for _ in range(n):
                v = u
                v += np.sin(x) * u
                v *= 0.5
                u = -v
            return np.sum(u * u)
        """,
        (V, 3),
    ),
    "places that index arrays name once": (
        """
        def f(A, x):
            # pullback: A: (n, n), x: (m,)
            n = A.shape[0]
            K = A.copy()
            K[np.diag_indices(n)] += x[0]
            K[np.diag_indices_from(K)] *= A[0]
            above = np.triu_indices_from(K, 1)
            K[above] = K.T[above] * x[1]
            i, j = np.nonzero(A > 0.5)
            K[i, j] *= x[2]
            chosen = np.flatnonzero(x > 0.35)
            y = x.copy()
            y[chosen] = np.sin(x[chosen])
            y[np.argsort(x)] *= x
            return np.sum(K * K) + np.sum(y * y)
        """,
        (SQUARE, V),
    ),
    "… or more than once": (
        """
        def f(A, x):
            # pullback: A: (n, n), x: (m,)
            rows, columns = np.triu_indices(3)
            i, j = np.nonzero(A > 0.5)
            cube = np.zeros((2, 2, 2))
            cube[np.diag_indices(2, 3)] = x[:2]
            places = np.argsort(A, axis=0)
            y = A[rows] * A[:, columns].T
            return np.sum(y * y) + np.sum(A[i] ** 2) + np.sum(x[j] ** 3) + np.sum(cube**2) + np.sum(x[places] ** 2)
        """,
        (SQUARE, V),
    ),
}
