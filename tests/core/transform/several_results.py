"""Small programs that call functions with several results, and arguments to hold them against."""

from __future__ import annotations

from typing import Any

import numpy as np

A = np.array([[1.2, 0.3, -0.1], [0.2, 1.5, 0.4], [-0.3, 0.1, 0.9]])
B = np.array([[0.2, -1.4, 0.7], [1.0, 0.3, -0.6], [-0.2, 0.8, 0.5]])
T = np.array([[0.2, -0.4], [1.0, 0.3], [-0.2, 0.8], [0.6, -0.9]])
X = np.array([0.3, -0.7, 1.1, 0.4])

# name: (text of the function f, arguments)
SEVERAL_RESULTS: dict[str, tuple[str, tuple[Any, ...]]] = {
    "slogdet, unpacked": (
        """
        def f(a: np.ndarray):
            # pullback: a: (n, n)
            sign, logdet = np.linalg.slogdet(a)
            return sign * logdet
        """,
        (-A,),
    ),
    "slogdet of a shape that is not known": (
        """
        def f(a):
            sign, logdet = np.linalg.slogdet(a)
            return np.sum(sign * logdet)
        """,
        (np.stack([A, A.T @ A]),),
    ),
    "slogdet, one of its results": (
        """
        def f(a: np.ndarray):
            # pullback: a: (n, n)
            return np.linalg.slogdet(a @ a.T)[1] + np.linalg.slogdet(a)[-1]
        """,
        (A,),
    ),
    "eigh, unpacked": (
        """
        def f(a: np.ndarray):
            # pullback: a: (n, n)
            w, v = np.linalg.eigh(a + a.T)
            return np.sum(w ** 3) + v[0, 0] ** 2 * w[1] + np.sum(v[:, 1] ** 4)
        """,
        (A,),
    ),
    "eigh, one result unpacked and not used": (
        """
        def f(a: np.ndarray):
            # pullback: a: (n, n)
            _, v = np.linalg.eigh(a @ a.T)
            w, _ = np.linalg.eigh(a + a.T)
            return np.sum(v ** 4) + np.sum(np.exp(w))
        """,
        (A,),
    ),
    "eigh, indexed": (
        """
        def f(a: np.ndarray):
            # pullback: a: (n, n)
            return np.sum(np.linalg.eigh(a + a.T)[0][1:] ** 2)
        """,
        (A,),
    ),
    "eigh in a loop": (
        """
        def f(a: np.ndarray):
            # pullback: a: (n, n)
            t = 0.0
            for k in range(3):
                w, v = np.linalg.eigh(a + a.T + k * np.eye(3))
                t += w[k] * v[0, k] ** 2
                a = a * (1.0 + 0.1 * t)
            return t
        """,
        (A,),
    ),
    "svd with its factors": (
        """
        def f(a: np.ndarray):
            # pullback: a: (n, m)
            u, s, vt = np.linalg.svd(a, full_matrices=False)
            b = (u * s ** 2) @ vt
            return np.sum(b ** 3) + np.sum(np.log(s))
        """,
        (T,),
    ),
    "svd, the singular values alone": (
        """
        def f(a: np.ndarray):
            # pullback: a: (n, m)
            _, s, _ = np.linalg.svd(a, full_matrices=False)
            t = np.linalg.svd(a.T, compute_uv=False)
            return np.sum(np.log(s)) + t[0]
        """,
        (T,),
    ),
    "qr": (
        """
        def f(a: np.ndarray):
            # pullback: a: (n, m)
            q, r = np.linalg.qr(a)
            return np.sum(np.abs(np.diag(r))) + np.sum(q ** 3) * r[0, 1]
        """,
        (T,),
    ),
    "eig": (
        """
        def f(a: np.ndarray, b: np.ndarray):
            # pullback: a: (n, n), b: (n, n)
            w, v = np.linalg.eig(a)
            u, z = np.linalg.eig(b)
            t = np.sum(np.abs(w)) + np.sum(np.abs(v) ** 4) + v[0, 0].real
            t += np.sum(np.linalg.eigvals(a @ b).real ** 2)
            return t + np.sum(np.abs(u)) + np.sum(z.imag ** 2) + z[0, 0].real + z[1, 1].imag
        """,
        (A, B),
    ),
    "lstsq, its solution": (
        """
        def f(a: np.ndarray, b: np.ndarray):
            # pullback: a: (n, m), b: (n,)
            x, _, _, _ = np.linalg.lstsq(a, b, rcond=None)
            y = np.linalg.lstsq(a, b * b, rcond=None)[0]
            return np.sum(x ** 3) + y[0]
        """,
        (T, X),
    ),
    "lstsq, all that it gives": (
        """
        def f(a: np.ndarray, b: np.ndarray):
            # pullback: a: (n, m), b: (n,)
            x, rest, rank, s = np.linalg.lstsq(a, b, rcond=None)
            both = np.linalg.lstsq(a, np.stack([b, b * b], axis=1), rcond=None)
            return np.sum(x * s) * np.sum(rest) + rank * both[1][1] * both[0][0, 0]
        """,
        (T, X),
    ),
    "the singular values of an oblong matrix": (
        """
        def f(a: np.ndarray):
            # pullback: a: (n, m)
            u, s, vt = np.linalg.svd(a)
            wide = np.linalg.svd(a.T)[1]
            return np.sum((vt.T * s) @ vt) + np.sum(wide ** 3)
        """,
        (T,),
    ),
    "divmod, modf, frexp": (
        """
        def f(x: np.ndarray, y: float):
            # pullback: x: (n,)
            q, r = np.divmod(x, y)
            p, w = np.modf(x * 3.0)
            m, e = np.frexp(x * x + 1.1)
            return np.sum(r * q) + np.sum(p * p) + np.sum(m * w)
        """,
        (X, 0.45),
    ),
    "divmod, modf and frexp of numbers": (
        """
        def f(x: float, y: float):
            q, r = divmod(x, y)
            p, w = math.modf(x * 3.0)
            m, e = math.frexp(x * y)
            return r * q + p * p + m * w * e
        """,
        (2.3, 0.45),
    ),
    "split into parts": (
        """
        def f(x: np.ndarray, t: np.ndarray):
            # pullback: x: (n,), t: (n, m)
            a, b = np.split(x, 2)
            _, c, _ = np.array_split(x, [1, 3])
            left, right = np.hsplit(t, 2)
            return np.sum(a * b) + np.sum(c ** 3) + np.sum(left * right) + np.vsplit(t, 2)[0][0, 1]
        """,
        (X, T),
    ),
    "meshgrid": (
        """
        def f(x: np.ndarray, y: np.ndarray):
            # pullback: x: (n,), y: (m,)
            p, q = np.meshgrid(x, y * y)
            r, s = np.meshgrid(x, y, indexing="ij")
            _, t = np.meshgrid(x, 2.0 * y)
            return np.sum(p * np.sin(q)) + np.sum(r ** 2 / (2.0 + s)) + np.sum(t ** 3)
        """,
        (X, X[:3]),
    ),
    "broadcast_arrays": (
        """
        def f(x, t):
            a, b = np.broadcast_arrays(x[:, None], t)
            return np.sum(a * b ** 2)
        """,
        (X, T),
    ),
    "results returned as they are, several": (
        """
        def f(a: np.ndarray):
            # pullback: a: (n, n)
            return np.linalg.eigh(a + a.T)
        """,
        (A,),
    ),
}
