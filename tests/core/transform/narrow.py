"""Programs with bools and short integers beside what is differentiated.

Their arithmetic is not that of numbers: of bools in an array `True + True` is True and `-m` raises, and
eight bits wrap. A derivative that takes a factor out, adds up, or changes a sign has to see to it
that a float takes part.
"""

from __future__ import annotations

from typing import Any

import numpy as np

V = np.array([0.3, -0.7, 1.2, 0.5])
U = np.array([1.1, 0.4, -0.6, 0.9])
A = np.arange(12.0).reshape(4, 3) / 7 - 0.6
M, N = np.array([True, True, False, True]), np.array([True, False, True, True])
K = np.array([20, 200, 3, 16], dtype=np.uint8)
L = np.array([240, 100, 7, 250], dtype=np.uint8)
P, Q = np.array([100, -100, 3, 120], dtype=np.int8), np.array([100, -100, 77, 90], dtype=np.int8)
HUNDREDS = np.array([100, 90, 3, 100])
TENS = np.arange(10, 130, 10, dtype=np.int8).reshape(4, 3)

# name: (text of the function f, arguments)
NARROW: dict[str, tuple[str, tuple[Any, ...]]] = {
    "masks that are added up": (
        """
        def f(x, m, n):
            # pullback: x: (n,), m: (n,), n: (n,)
            return np.sum((x * m + x * n) ** 2) + np.sum(x * m) + np.sum(x * n)
        """,
        (V, M, N),
    ),
    "masks that are subtracted, of unknown shapes": (
        """
        def f(x, m, n):
            return np.sum(x * m - x * n) - np.sum(m * x * n)
        """,
        (V, M, N),
    ),
    "comparisons as masks": (
        """
        def f(x, t: float):
            # pullback: x: (n,)
            a = x * (x > t) + x * (x > -1.0)
            b = x * (x > t) - x * (x < 1.0)
            return np.sum(a * b)
        """,
        (V, 0.2),
    ),
    "masks of several turns": (
        """
        def f(x, w):
            # pullback: x: (n,), w: (n,)
            s = 0.0
            for k in range(3):
                up = x > 0.1 * k
                down = w > 0.5
                s = s + w * (up * x + down * x) - up * w
            return np.sum(s * s)
        """,
        (V, U),
    ),
    "eight bits that are added up": (
        """
        def f(x, k, l):
            # pullback: x: (n,), k: (n,), l: (n,)
            return np.sum(x * k + x * l) + np.sum(x * x * k) + np.sum(l * x * x)
        """,
        (V, K, L),
    ),
    "eight bits whose sign is changed": (
        """
        def f(x, k, l):
            # pullback: x: (n,), k: (n,), l: (n,)
            y = -(k * x) - (l * x) * 2.0
            return np.sum(y) - np.sum(k * x)
        """,
        (V, K, L),
    ),
    "eight bits that have a sign": (
        """
        def f(x, k, l):
            return np.sum(x * k - l * x + k * l * x)
        """,
        (V, P, Q),
    ),
    "eight bits below the bar": (
        """
        def f(x, k, l):
            # pullback: x: (n,), k: (n,), l: (n,)
            y = k / (x + 3.0)
            return np.sum((y * l - k / (x + 2.0) / l) / 1000.0)
        """,
        (V, K, L),
    ),
    "products of eight bits that the function takes itself": (
        """
        def f(x, k, l):
            # pullback: x: (n,), k: (n,), l: (n,)
            return np.sum(np.sin(x) * (k * l)) + np.sum(x * x * (k + l)) + np.sum(x / (2 * k))
        """,
        (V, K, L),
    ),
    "sums of bools that the function takes itself": (
        """
        def f(x, m, n):
            # pullback: x: (n,), m: (n,), n: (n,)
            return np.sum(np.sin(x) * (m + n) + np.cos(x) * (m * n))
        """,
        (V, M, N),
    ),
    "sums of eight bits along an axis": (
        """
        def f(x, k):
            # pullback: x: (n,), k: (m, n)
            return -np.sum(k @ x) - np.sum(x * k) + np.sum((k @ x) ** 2)
        """,
        (V, np.outer(K, [1, 1, 0, 1]).astype(np.uint8)),
    ),
    "products of several directions": (
        """
        def f(x, k, m):
            # pullback: x: (n, p), k: (n, p), m: (n, p)
            y = -(x * k) * m
            return np.sum((y * k / k / k - (x * m) * x * m) ** 2)
        """,
        (A, TENS, A > 0),
    ),
    "masks that are moved by a whole number": (
        """
        def f(x, m):
            n = len(x)
            a = x * np.roll(m > 2, n) + x * np.roll(m > 3, n) + x * np.tile(m > 2, n // 4)
            b = x * (m > 3).repeat(n // 4) + x * np.tri(n, dtype=bool)[2] + x * np.ones(n, bool)
            return np.sum(a + b + x * np.full(n, True) + x * np.eye(n, dtype=bool)[0])
        """,
        (V, HUNDREDS),
    ),
    "short integers that meet whole numbers": (
        """
        def f(x, m, n: int):
            k = m.astype(np.int8)
            a = np.sin(x) * (k + len(x)) + np.sin(x) * (k - len(x))
            b = x * np.minimum(k, len(x) * 20) + x * np.clip(k, n, 110) + x * k.reshape(len(x))
            return np.sum(a + b + x * k + n * x) + np.sum(x / (n * x * k) + np.tanh(0.01 * (x * k + n * x)))
        """,
        (V, HUNDREDS, 100),
    ),
    "short integers that meet a count and a factor": (
        """
        def f(x, m):
            # pullback: x: (n,), m: (n,)
            k = m.astype(np.int8)
            return np.sum(np.tanh(0.01 * (x * k * len(x) + len(x) * (k * x) - x * (m.size * 25) * k)))
        """,
        (V, HUNDREDS),
    ),
    "masks and short integers in containers": (
        """
        def f(x, m):
            ks = {"a": m > 2, "b": m > 3}
            s = [np.int8(100), np.int8(100)]
            return np.sum(x * ks["a"] + x * ks["b"]) + np.sum(x) * s[0] + np.sum(x) * s[1]
        """,
        (V, HUNDREDS),
    ),
    "questions of floating numbers": (
        """
        def f(x, m):
            a = x * np.iscomplex(m + 1j) + x * np.isreal(m + 0.0)
            b = x * np.int8(m + 0.0) + x * np.bool_(m * 1.0) + x * (m * 1.0).astype("int8")
            c = x * np.array(m * 1.0, np.int8) + x * np.full_like(m.astype(np.int8), 100.0)
            return np.sum(a + b + c)
        """,
        (V, HUNDREDS),
    ),
}
