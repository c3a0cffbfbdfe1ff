"""Small algorithms as people write them, and arguments to hold their derivatives against."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.core.transform.constructs import A, S, V

# name: (text of the function f, arguments)
ALGORITHMS: dict[str, tuple[str, tuple[Any, ...]]] = {
    "a return inside a loop": (
        """
        def f(x, a: float):
            for e in x:
                if e > 1.0:
                    return e * a
                a = a * e
            return a
        """,
        (V, 0.7),
    ),
    "recursion": (
        """
        def g(x, n):
            if n == 0:
                return x
            return g(np.sin(x), n - 1) * x

        def f(a: float):
            return g(a, 3)
        """,
        (0.7,),
    ),
    "one array for two parameters of a function that only reads": (
        """
        def g(u, v):
            return u * v + u

        def f(x):
            return np.sum(g(x, x))
        """,
        (V,),
    ),
    "a function that writes its own copy": (
        """
        def g(u, s):
            u = u.copy()
            u[0] = s
            return u

        def f(x, a: float):
            y = g(x, a)
            z = g(y, y[1])
            return np.sum(z * x)
        """,
        (V, 0.7),
    ),
    "a constant of the module": (
        """
        W = np.array([1.0, 2.0, 3.0, 4.0])

        def f(x):
            return np.sum(W * x)
        """,
        (V,),
    ),
    "pairs of views, their array written": (
        """
        def f(x):
            # pullback: x: (n,)
            u = x.copy()
            for i, (p, q) in enumerate(zip(u[1:], u[:-1])):
                u[i] = p * q
            return np.sum(u)
        """,
        (V,),
    ),
    "a sum that runs through its own array": (
        """
        def f(x):
            # pullback: x: (n,)
            u = x.copy()
            for i in range(1, len(u)):
                u[i] += u[i - 1] * u[-i]
            return np.sum(u)
        """,
        (V,),
    ),
    "a recurrence in two dimensions": (
        """
        def f(A):
            # pullback: A: (n, m)
            B = A.copy()
            n, m = B.shape
            for i in range(1, n):
                for j in range(1, m):
                    B[i, j] += B[i - 1, j] * B[i, j - 1] + B[i-1, j-1]
            return B[-1, -1]
        """,
        (A,),
    ),
    "Cholesky's factorization": (
        """
        def f(A):
            # pullback: A: (n, n)
            n = len(A)
            L = np.zeros((n, n))
            for i in range(n):
                for j in range(i + 1):
                    s = A[i, j]
                    for k in range(j):
                        s -= L[i, k] * L[j, k]
                    if i == j:
                        L[i, i] = np.sqrt(s)
                    else:
                        L[i, j] = s / L[j, j]
            return np.sum(L * L * L)
        """,
        (S,),
    ),
    "Gaussian elimination": (
        """
        def f(A, b):
            A = A.copy()
            b = b.copy()
            n = len(b)
            for k in range(n):
                for i in range(k + 1, n):
                    m = A[i, k] / A[k, k]
                    A[i, k:] -= m * A[k, k:]
                    b[i] -= m * b[k]
            x = np.zeros(n)
            for i in range(n - 1, -1, -1):
                x[i] = (b[i] - A[i, i + 1:] @ x[i + 1:]) / A[i, i]
            return np.sum(x * x)
        """,
        (S, V[:3].copy()),
    ),
    "a leapfrog integrator": (
        """
        def f(q, p, dt: float, n: int):
            for _ in range(n):
                p = p - 0.5 * dt * np.sin(q)
                q = q + dt * p
                p = p - 0.5 * dt * np.sin(q)
            return 0.5 * np.sum(p ** 2) - np.sum(np.cos(q))
        """,
        (V, V[::-1].copy(), 0.1, 5),
    ),
    "Newton's square root": (
        """
        def f(a: float):
            x = 1.0
            while abs(x * x - a) > 1e-12:
                x = 0.5 * (x + a / x)
            return x
        """,
        (2.0,),
    ),
    "Horner's rule": (
        """
        def f(c, t: float):
            s = 0.0
            for k in reversed(range(len(c))):
                s *= t
                s += c[k]
            return s
        """,
        (V, 0.6),
    ),
    "a softmax classifier": (
        """
        def f(X, y):
            Z = X - X.max(axis=1, keepdims=True)
            P = np.exp(Z)
            P /= P.sum(axis=1, keepdims=True)
            return -np.mean(np.log(P[np.arange(len(y)), y]))
        """,
        (A, np.array([0, 2, 1, 1])),
    ),
    "attention": (
        """
        def f(Q, K, V):
            # pullback: Q: (n, d), K: (n, d), V: (n, d)
            S = Q @ K.T / np.sqrt(Q.shape[1])
            S = np.exp(S - S.max(axis=-1, keepdims=True))
            W = S / S.sum(axis=-1, keepdims=True)
            return np.sum((W @ V) ** 2)
        """,
        (A, A[::-1].copy(), A * A),
    ),
}
