"""Programs whose arrays change their names and are written under the new ones, and arguments to hold them against."""

from __future__ import annotations

from typing import Any

from tests.core.transform.constructs import A, V, W

# name: (text of the function f, arguments)
HANDED_OVER: dict[str, tuple[str, tuple[Any, ...]]] = {
    "two buffers that are swapped": (
        """
        def f(x, c: float, n: int):
            # pullback: x: (m,)
            u = x.copy()
            v = np.zeros_like(u)
            for t in range(n):
                v[1:-1] = u[1:-1] + c * (u[2:] - 2.0 * u[1:-1] + u[:-2]) * u[1:-1]
                v[0] = u[0]
                v[-1] = u[-1] * c
                u, v = v, u
            return np.sum(u * u)
        """,
        (V, 0.3, 3),
    ),
    "… whose edges stay from the turn before the last": (
        """
        def f(x, y, c: float, n: int):
            # pullback: x: (m,), y: (m,)
            u = x.copy()
            v = y.copy()
            for t in range(n):
                v[1:-1] = u[1:-1] * u[2:] * c
                u, v = v, u
            return np.sum(u * v)
        """,
        (V, W, 0.3, 3),
    ),
    "an array made by each turn becomes the state": (
        """
        def f(x, c: float, n: int):
            # pullback: x: (m,)
            u = x
            for t in range(n):
                u_new = np.empty_like(u)
                u_new[1:] = u[:-1] * u[1:] * c
                u_new[0] = u[0]
                u = u_new
            return np.sum(u * u)
        """,
        (V, 0.9, 3),
    ),
    "the state before, kept under another name": (
        """
        def f(x, c: float, n: int):
            # pullback: x: (m,)
            u = x * c
            for t in range(n):
                prev = u
                u = np.zeros_like(prev)
                u[1:] = prev[:-1] * prev[1:]
                u[0] = prev[0] * c
            return np.sum(u * u)
        """,
        (V, 0.9, 3),
    ),
    "three buffers in turn": (
        """
        def f(x, y, n: int):
            # pullback: x: (m,), y: (m,)
            a = x.copy()
            b = y.copy()
            c = np.zeros_like(a)
            for t in range(n):
                c[1:-1] = 2.0 * b[1:-1] - a[1:-1] + 0.1 * b[2:] * b[:-2]
                c[0] = b[1] * b[1]
                a, b, c = b, c, a
            return np.sum(a * b) + c[0]
        """,
        (V, W, 4),
    ),
    "views of swapped buffers": (
        """
        def f(x, n: int):
            # pullback: x: (m,)
            u = x.copy()
            v = np.zeros_like(u)
            for t in range(n):
                mid = v[1:-1]
                left = u[:-2]
                mid[:] = left * u[2:]
                mid += u[1:-1] * u[1:-1]
                v[0] = u[0] * 0.5
                u, v = v, u
            return np.sum(u * u) + v[1]
        """,
        (V, 3),
    ),
    "buffers swapped through a third name": (
        """
        def f(x, n: int):
            # pullback: x: (m,)
            u = x.copy()
            v = x * 2.0
            for t in range(n):
                v[1:] = u[:-1] * u[1:]
                tmp = u
                u = v
                v = tmp
            return np.sum(u * v)
        """,
        (V, 3),
    ),
    "buffers swapped under a condition": (
        """
        def f(x, n: int):
            # pullback: x: (m,)
            u = x.copy()
            v = x * 2.0
            for t in range(n):
                v[1:] = u[:-1] * u[1:]
                if v[1] > 0.1:
                    u, v = v, u
                u[0] = v[1] * u[0]
            return np.sum(u * v)
        """,
        (V, 4),
    ),
    "an array made in either arm, and written behind": (
        """
        def f(x, a: float):
            # pullback: x: (m,)
            if a > 0.0:
                w = x * a
            else:
                w = np.zeros_like(x)
            w[0] = x[1] * w[0]
            w[1:] *= a
            return np.sum(w * w)
        """,
        (V, 0.5),
    ),
    "a name that is left behind, and written": (
        """
        def f(x, n: int):
            # pullback: x: (m,)
            u = x.copy()
            for t in range(n):
                prev = u
                u = u * 2.0
                u[1:] = prev[:-1] * u[1:]
                prev[0] = u[1]
                u[0] = prev[0] * prev[1]
            return np.sum(u * u)
        """,
        (V, 3),
    ),
    "three time levels of a table": (
        """
        def f(x, n: int, c: float):
            # pullback: x: (m, k)
            u_prev = x.copy()
            u = x * c
            for t in range(n):
                u_new = np.zeros_like(u)
                for i in range(1, u.shape[0] - 1):
                    for j in range(1, u.shape[1] - 1):
                        u_new[i, j] = 2.0 * u[i, j] - u_prev[i, j] + c * u[i + 1, j] * u[i, j - 1]
                u_new[0, :] = u[1, :]
                u_prev, u = u, u_new
            return np.sum(u * u_prev)
        """,
        (A, 3, 0.4),
    ),
    "swapped buffers in a loop that is left": (
        """
        def f(x, c: float):
            # pullback: x: (m,)
            old = x.copy()
            new = np.empty_like(old)
            k = 0
            while True:
                for i in range(1, len(old) - 1):
                    new[i] = 0.5 * (old[i - 1] + old[i + 1]) * c
                new[0] = old[0]
                new[-1] = old[-1]
                old, new = new, old
                k += 1
                if k >= 3 or np.max(np.abs(old - new)) < 1e-9:
                    break
            return np.sum(old ** 2)
        """,
        (V, 0.9),
    ),
    "arrays swapped there and back": (
        """
        def f(x, n: int):
            # pullback: x: (m,)
            u = x.copy()
            v = x * x
            u, v = v, u
            u[0] = v[1]
            v[2] = u[0] * u[1]
            u, v = v, u
            return np.sum(u * u) + np.sum(v)
        """,
        (V, 3),
    ),
    "what a function made, written by its caller": (
        """
        def step(u, c):
            w = np.empty_like(u)
            w[0] = u[0]
            w[1:] = u[:-1] * u[1:] * c
            return w


        def f(x, c: float, n: int):
            # pullback: x: (m,)
            u = x
            for t in range(n):
                u = step(u, c)
                u[0] *= c
            return np.sum(u)
        """,
        (V, 0.8, 3),
    ),
}
