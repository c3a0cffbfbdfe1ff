"""Small programs, one for each construct of the language, and arguments to hold them against."""

from __future__ import annotations

from typing import Any

import numpy as np

V = np.array([0.3, -0.7, 1.1, 0.4])
W = np.array([0.9, 0.2, -0.5, 0.6])
U = np.array([0.5, 1.2, -0.3])
A = np.array([[0.2, -0.4, 0.7], [1.0, 0.3, -0.6], [-0.2, 0.8, 0.5], [0.6, -0.9, 0.1]])
S = np.array([[1.2, 0.3, -0.1], [0.2, 1.5, 0.4], [-0.3, 0.1, 0.9]])

# name: (text of the function f, arguments)
CONSTRUCTS: dict[str, tuple[str, tuple[Any, ...]]] = {
    "arithmetic": (
        """
        def f(a: float, b: float):
            c = a * b - a / (2.0 + b ** 2)
            return -c + 3 * a
        """,
        (0.7, -0.4),
    ),
    "a value updated whole, then in parts": (
        """
        def f(x):
            p = np.exp(x)
            p /= p.sum()
            p *= x
            p[1] -= x[0]
            p[2:] **= 2
            return np.sum(p * x)
        """,
        (V,),
    ),
    "math functions": (
        """
        def f(a: float, b: float):
            return math.sin(a) * math.exp(b) + math.sqrt(1.0 + a * a) + math.atan2(a, b)
        """,
        (0.7, 0.4),
    ),
    "a variable used often": (
        """
        def f(a: float):
            b = a * a
            c = b * a + b
            return c * b - c / (1.0 + b)
        """,
        (0.7,),
    ),
    "a variable bound again": (
        """
        def f(a: float):
            y = a
            y = y * a
            y = np.sin(y) + y
            return y
        """,
        (0.7,),
    ),
    "a parameter bound again": (
        """
        def f(a: float, b: float):
            a = a * b
            b = a + b
            return a * b
        """,
        (0.7, -0.4),
    ),
    "augmented floats": (
        """
        def f(a: float, b: float):
            s = a
            s += b * s
            s *= a
            s -= s * b
            s /= 2.0 + a * a
            s **= 2
            return s
        """,
        (0.7, -0.4),
    ),
    "power of both": ("def f(a: float, b: float):\n    return a ** b", (0.7, 1.3)),
    "broadcast a number": (
        """
        def f(a: float, x):
            # pullback: x: (n,)
            return np.sum(a * x + a)
        """,
        (0.7, V),
    ),
    "broadcast a row": (
        """
        def f(A, u):
            # pullback: A: (n, m), u: (m,)
            return np.sum(np.sin(A + u) * u)
        """,
        (A, U),
    ),
    "broadcast a column": (
        """
        def f(A, x):
            # pullback: A: (n, m), x: (n,)
            return np.sum(A * x[:, None] - np.cos(x[:, np.newaxis]))
        """,
        (A, V),
    ),
    "shapes unknown": (
        """
        def f(a, x, A):
            return np.sum(np.tanh(A + x) * a)
        """,
        (0.7, U, A),
    ),
    "elementwise": (
        """
        def f(x):
            y = np.exp(-np.square(x)) + np.log(2.0 + x * x) * np.arctan(x)
            return np.sum(y * np.sqrt(1.0 + x ** 2))
        """,
        (V,),
    ),
    "where, maximum, clip": (
        """
        def f(x, y):
            z = np.where(x > y, x * y, x - y)
            return np.sum(z * np.maximum(x, 0.0) + np.clip(y, -0.4, 0.7) * np.abs(x))
        """,
        (V, W),
    ),
    "reductions with axis": (
        """
        def f(A):
            # pullback: A: (n, m)
            total = np.sum(A, axis=1, keepdims=True)
            return np.sum((A - np.mean(A, axis=0)) ** 2 / (3.0 + total ** 2)) + np.sum(A.max(axis=-1))
        """,
        (A,),
    ),
    "prod, max, min": (
        """
        def f(x):
            return np.prod(x) + np.max(x) * np.min(x) - x.mean()
        """,
        (V,),
    ),
    "matmul": (
        """
        def f(A, S, u):
            # pullback: A: (n, m), S: (m, m), u: (m,)
            return np.sum((A @ S) @ u) + u @ S @ u
        """,
        (A, S, U),
    ),
    "dot and outer": (
        """
        def f(x, u):
            # pullback: x: (n,), u: (m,)
            return np.sum(np.outer(x, u) ** 2) + np.dot(x, x)
        """,
        (V, U),
    ),
    "solve and det": (
        """
        def f(S, u):
            return np.sum(np.linalg.solve(S, u)) + np.linalg.det(S)
        """,
        (S, U),
    ),
    "einsum": (
        """
        def f(A, S):
            return np.sum(np.einsum("ij,jk->ik", A, S) ** 2)
        """,
        (A, S),
    ),
    "reshape and transpose": (
        """
        def f(A, x):
            # pullback: A: (n, m), x: (n,)
            return np.sum(A.T * x) + np.sum(A.reshape(-1)[1:4] ** 2)
        """,
        (A, V),
    ),
    "displays": (
        """
        def f(a: float, b: float):
            x = np.array([a, a * b, 2.0, b])
            return np.sum(x * x)
        """,
        (0.7, -0.4),
    ),
    "stack and concatenate": (
        """
        def f(x, y):
            # pullback: x: (n,), y: (n,)
            return np.sum(np.stack([x, y])[1] * x) + np.sum(np.concatenate([x, y])[2:6] ** 2)
        """,
        (V, W),
    ),
    "elements": (
        """
        def f(x, A):
            return x[0] * x[-1] + A[1, 2] * x[2] - A[-1][0]
        """,
        (V, A),
    ),
    "slices": (
        """
        def f(x):
            # pullback: x: (n,)
            d = x[1:] - x[:-1]
            return np.sum(d * d) + np.sum(x[::2] * x[::-2]) + np.sum(x[-3:-1])
        """,
        (V,),
    ),
    "index array with repeats": (
        """
        def f(x, idx):
            return np.sum(x[idx] ** 2)
        """,
        (V, np.array([0, 2, 2, -1])),
    ),
    "mask": (
        """
        def f(x):
            return np.sum(x[x > 0.2] ** 2)
        """,
        (V,),
    ),
    "store elements": (
        """
        def f(a: float, b: float):
            u = np.zeros(3)
            u[0] = a
            u[1] = u[0] * b
            u[2] = u[1] * u[0] + a
            return np.sum(u * u)
        """,
        (0.7, -0.4),
    ),
    "store over a value": (
        """
        def f(a: float, x):
            u = x.copy()
            u[1] = u[1] * u[0] * a
            u[0] = a
            return np.sum(u * u)
        """,
        (0.7, V),
    ),
    "store slices": (
        """
        def f(x, y):
            # pullback: x: (n,), y: (n,)
            u = x * y
            u[1:3] = x[:2] * u[2:]
            u[::2] = np.sin(u[::2])
            return np.sum(u * u * y)
        """,
        (V, W),
    ),
    "store overlapping": (
        """
        def f(x):
            # pullback: x: (n,)
            u = x * x
            u[1:] = u[:-1] * x[1:]
            u[:-1] += u[1:] * 0.5
            return np.sum(u * u)
        """,
        (V,),
    ),
    "store rows and columns": (
        """
        def f(A, u, a: float):
            # pullback: A: (n, m), u: (m,)
            B = A.copy()
            B[1] = u * a
            B[:, 2] = B[:, 0] * a
            B[0, 1:] *= a
            return np.sum(B * B)
        """,
        (A, U, 0.7),
    ),
    "store a mask": (
        """
        def f(x, a: float):
            # pullback: x: (n,)
            u = x * x
            u[x > 0.35] = a
            return np.sum(u * u * x)
        """,
        (V, 0.7),
    ),
    "augmented elements": (
        """
        def f(x, a: float):
            # pullback: x: (n,)
            u = x * 1.0
            u[0] += a * a
            u[1] -= u[0] * a
            u[2] *= a
            u[3] /= 1.0 + a * a
            u[0] **= 2
            return np.sum(u * u)
        """,
        (V, 0.7),
    ),
    "augmented arrays": (
        """
        def f(x, y):
            # pullback: x: (n,), y: (n,)
            u = x * y
            u += x
            u *= y
            u -= 0.5 * u * x
            u /= 2.0
            return np.sum(u * u)
        """,
        (V, W),
    ),
    "write through a view": (
        """
        def f(x):
            # pullback: x: (n,)
            u = x * x
            w = u[1:3]
            w *= x[1:3]
            w[0] += u[0]
            return np.sum(u * u)
        """,
        (V,),
    ),
    "write through another name": (
        """
        def f(x):
            # pullback: x: (n,)
            u = x * x
            w = u
            w[0] = w[1] * x[2]
            return np.sum(u * u)
        """,
        (V,),
    ),
    "another name, bound again": (
        """
        def f(x):
            # pullback: x: (n,)
            w = x
            x = x * w
            return np.sum(x * w)
        """,
        (V,),
    ),
    "swap": (
        """
        def f(a: float, b: float):
            p, q = a * b, a
            p, q = q, p
            p, q = p * q, p + q
            return p - q * q
        """,
        (0.7, -0.4),
    ),
    "chained assignment": (
        """
        def f(a: float):
            p = q = a * a
            p = p * q
            return p + q
        """,
        (0.7,),
    ),
    "if and else": (
        """
        def f(a: float, b: float):
            if a > b:
                y = a * b
            elif a > 0.0:
                y = a - b * b
            else:
                y = np.sin(a)
            return y * a
        """,
        (0.4, 0.7),
    ),
    "if without else": (
        """
        def f(a: float, b: float):
            y = a
            if b > 0.2:
                y = y * b
                y = y * y
            return y * b
        """,
        (0.4, 0.7),
    ),
    "if tests what it changes": (
        """
        def f(a: float):
            y = a
            if y > 0.2:
                y = y * y - 3.0
            if y < 0.0:
                y = y * a
            return y
        """,
        (0.4,),
    ),
    "bound in a branch alone": (
        """
        def f(a: float, n: int):
            s = a
            if n > 2:
                t = a * a
                s = s * t
            return s
        """,
        (0.4, 3),
    ),
    "conditional expression": (
        """
        def f(a: float, b: float):
            y = a * b if a > b else a + b
            return y * a if y > 0.0 else b
        """,
        (0.4, 0.7),
    ),
    "early return": (
        """
        def f(a: float, b: float):
            y = a * b
            if y > 1.0:
                return y * a
            y = y + a
            if b > 0.5:
                y = y * b
                return y * y
            return y
        """,
        (0.4, 0.7),
    ),
    "for over a range": (
        """
        def f(a: float, n: int):
            y = a
            for i in range(n):
                y = np.sin(y) * a + i
            return y
        """,
        (0.4, 3),
    ),
    "no turns": (
        """
        def f(a: float, n: int):
            y = a * a
            for i in range(n):
                y = y * y
            return y
        """,
        (0.4, 0),
    ),
    "ranges with steps": (
        """
        def f(x):
            s = 0.0
            for i in range(len(x) - 1, -1, -2):
                s = s * 0.5 + x[i] * x[i]
            for i in range(1, len(x), 2):
                s = s * x[i]
            return s
        """,
        (V,),
    ),
    "nested and triangular": (
        """
        def f(A):
            # pullback: A: (n, m)
            s = 1.0
            for i in range(A.shape[1]):
                for j in range(i + 1):
                    s = s * 0.9 + A[i, j] * s
            return s
        """,
        (A,),
    ),
    "a branch in a loop": (
        """
        def f(x, a: float):
            s = a
            for i in range(len(x)):
                if x[i] > s:
                    s = s * x[i]
                else:
                    s = s + a * x[i]
            return s
        """,
        (V, 0.4),
    ),
    "over an array": (
        """
        def f(x, a: float):
            # pullback: x: (n,)
            s = a
            for e in x:
                s = s * e + a
            return s
        """,
        (V, 0.4),
    ),
    "over rows": (
        """
        def f(A, u):
            # pullback: A: (n, m), u: (m,)
            s = u
            for row in A:
                s = np.tanh(s * row) + u
            return np.sum(s)
        """,
        (A, U),
    ),
    "enumerate": (
        """
        def f(x, y):
            # pullback: x: (n,), y: (n,)
            s = 0.0
            for i, e in enumerate(x):
                s = s * 0.5 + e * y[i] * i
            return s
        """,
        (V, W),
    ),
    "zip": (
        """
        def f(x, y):
            # pullback: x: (n,), y: (n,)
            s = 1.0
            for a, b in zip(x, y):
                s = s * a + b
            return s
        """,
        (V, W),
    ),
    "while": (
        """
        def f(a: float, n: int):
            y = a
            i = 0
            while i < n and y < 5.0:
                y = y * a + 1.0
                i += 1
            return y
        """,
        (0.8, 4),
    ),
    "while in for": (
        """
        def f(a: float):
            y = a
            for i in range(3):
                j = 0
                while j < i:
                    y = np.sin(y) + a
                    j += 1
            return y
        """,
        (0.8,),
    ),
    "arrays filled in a loop": (
        """
        def f(a: float, n: int):
            h = np.zeros(n + 1)
            h[0] = a
            for i in range(n):
                h[i + 1] = np.tanh(h[i] * a) + h[i]
            return np.sum(h * h)
        """,
        (0.8, 4),
    ),
    "arrays rewritten in a loop": (
        """
        def f(x, n: int):
            # pullback: x: (n,)
            u = x.copy()
            for _ in range(n):
                u[1:-1] = u[1:-1] + 0.2 * (u[2:] - 2.0 * u[1:-1] + u[:-2]) * u[1:-1]
                u[0] = u[-1] * u[0]
            return np.sum(u * u)
        """,
        (V, 3),
    ),
    "an array carried by a loop": (
        """
        def f(S, u, n: int):
            # pullback: S: (m, m), u: (m,)
            for _ in range(n):
                u = np.tanh(S @ u)
            return np.sum(u)
        """,
        (S, U, 3),
    ),
    "fibonacci": (
        """
        def f(a: float, n: int):
            p, q = a, a * a
            for _ in range(n):
                p, q = q, p * q
            return q
        """,
        (0.9, 4),
    ),
    "calls": (
        """
        def mix(x, s=0.5, *, t=2.0):
            return x * s + np.sin(x) * t


        def f(a: float, x):
            y = mix(x, a)
            return np.sum(mix(y, t=a)) * mix(a)
        """,
        (0.8, V),
    ),
    "calls with several results": (
        """
        def both(x, s):
            y = x * s
            if s > 0.5:
                return y, s * s
            return x, s


        def f(a: float, b: float):
            p, q = both(a, b)
            p, q = both(p, q)
            return p * q
        """,
        (0.8, 0.9),
    ),
    "calls in a loop": (
        """
        def step(x, h):
            x = x + h * np.sin(x)
            return x


        def f(a: float, h: float):
            for _ in range(3):
                a = step(a, h)
            return a
        """,
        (0.8, 0.1),
    ),
    "an array out": (
        """
        def f(x, a: float):
            # pullback: x: (n,)
            return x * x * a
        """,
        (V, 0.4),
    ),
    "several out": (
        """
        def f(x, a: float):
            # pullback: x: (n,)
            y = x * a
            return y, np.sum(y * y)
        """,
        (V, 0.4),
    ),
    "a parameter out": (
        """
        def f(x, a: float):
            # pullback: x: (n,)
            return x, a
        """,
        (V, 0.4),
    ),
    "a parameter not used": ("def f(a: float, b: float):\n    return a * a", (0.8, 0.9)),
    "a view out": (
        """
        def f(A):
            # pullback: A: (n, m)
            return A.T[1:]
        """,
        (A,),
    ),
    "a view of an array that was changed before": (
        """
        def f(x):
            # pullback: x: (n,)
            y = 1.0 * x
            y *= x
            a = y[1:]
            a *= y[0]
            y += x
            b = y[:2]
            b[0] = a[0] * b[1]
            return np.sum(y * x)
        """,
        (V,),
    ),
    "an array changed as a whole in a loop, with views": (
        """
        def f(x):
            # pullback: x: (n,)
            y = 1.0 * x
            for k in range(3):
                y *= x
                a = y[k:]
                a *= y[0]
            return np.sum(y * x)
        """,
        (V,),
    ),
    "an array on the path that does not count with it": (
        """
        def f(x, n):
            if np.ndim(n) > 0:
                return np.sum(np.sin(x[0] * n) * n)
            y = 0.0
            for i in range(n):
                y += x[i]
            return y
        """,
        (V, np.array([2, 1, 3, 2])),
    ),
    "a parameter that is bound anew before it is counted with": (
        """
        def f(x, n):
            y = np.sin(x * n)
            n = 2
            for i in range(n):
                y = y * x[i]
            return np.sum(y * y)
        """,
        (V, np.array([2, 1, 3, 2])),
    ),
    "columns side by side": (
        """
        def f(x: np.ndarray, A):
            # pullback: x: (n,)
            n, d = A.shape
            D = np.column_stack((np.ones(n), A, x))
            return np.sum(D**3 * np.arange(5.0)) + D[0, 4] * D[1, 1]
        """,
        (V, A),
    ),
    "rows, layers and what is side by side": (
        """
        def f(x: np.ndarray, A: np.ndarray):
            # pullback: x: (n,), A: (m, n)
            h = np.hstack((x, x[1:] * x[0]))
            B = np.vstack((A, x, A * x, x * x))
            C = np.dstack((np.hstack((A, A * A)), np.ones((3, 8)), np.hstack((A, A))))
            return np.sum(h**2 * np.arange(7.0)) + np.sum(B[2] * B[5]) + np.sum(C**3)
        """,
        (V, A.T.copy()),
    ),
    "a chain of broadcasts, read again and over loops": (
        """
        def f(x, a, b):
            y = x * a
            z = y + b
            w = np.exp(0.1 * z)
            for _ in range(2):
                w = w * y
                u = w - b
                w = u * u
            t = w + a
            return np.sum(t * z) + np.sum(t)
        """,
        (V, A.T.copy(), 0.3),
    ),
    "a chain of broadcasts from an element that is stored": (
        """
        def f(x, a, b):
            u = np.zeros((2, 4))
            for i in range(2):
                z = x * a
                y = z + b
                u[i] = y * y
                u[i] *= x
            return u
        """,
        (V, 0.7, np.array([0.2])),
    ),
    "what is bound in a loop, computed again and written later": (
        """
        def f(x: np.ndarray, A: np.ndarray):
            # pullback: x: (n,), A: (m, n)
            y = x * x
            total = 0.0
            for i in range(2):
                row, k = A[i], i + 1
                part = y[i:]
                low = part[0] * row[k]
                z = row * low
                total += np.dot(z, z) * low
                y[i] = y[i + 1] * total
            return total + np.sum(y)
        """,
        (V, A.T.copy()),
    ),
}
