"""Small programs, one for each way to call a function, and arguments to hold them against."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.core.transform.constructs import A, U, V, W

# name: (text of the function f and what it calls, arguments)
CALLS: dict[str, tuple[str, tuple[Any, ...]]] = {
    "a helper that fills an array": (
        """
        def square(a, out):
            out[:] = a * a


        def f(x):
            # pullback: x: (n,)
            y = np.zeros(len(x))
            square(x, y)
            return np.sum(y * x)
        """,
        (V,),
    ),
    "a step in a loop that changes two arrays": (
        """
        def step(u, v, h):
            v -= h * np.sin(u)
            u += h * v


        def f(x, y, h: float):
            # pullback: x: (n,), y: (n,)
            u, v = x.copy(), y.copy()
            for _ in range(4):
                step(u, v, h)
            return np.sum(u * v)
        """,
        (V, W, 0.2),
    ),
    "a helper that writes into a slice": (
        """
        def relax(w, k):
            for i in range(1, len(w) - 1):
                w[i] += k * (w[i - 1] - 2.0 * w[i] + w[i + 1])


        def f(x, k: float):
            # pullback: x: (n,)
            u = x * 2.0
            relax(u[1:], k)
            relax(u[::-1], 0.5 * k)
            return np.sum(u * u)
        """,
        (V, 0.3),
    ),
    "a helper that writes into rows": (
        """
        def normalize(row):
            row /= np.sum(row * row)


        def f(x):
            # pullback: x: (m, n)
            y = x * 1.5
            for i in range(len(y)):
                normalize(y[i])
            return np.sum(y[0] * y[1])
        """,
        (A,),
    ),
    "the same array twice": (
        """
        def axpy(a, b, out):
            out += a * b


        def f(x, a: float):
            # pullback: x: (n,)
            y = x * a
            axpy(a, y, y)
            return np.sum(y * y)
        """,
        (V, 0.4),
    ),
    "parts of one array that overlap": (
        """
        def shift(a, out):
            for i in range(len(out)):
                out[i] = a[i] * a[i]


        def f(x):
            # pullback: x: (n,)
            y = 1.0 * x
            shift(y[:-1], y[1:])
            return np.sum(y)
        """,
        (V,),
    ),
    "a helper that writes and returns, in the middle of an expression": (
        """
        def bump(a, k):
            a[0] += k
            return a[0] * a[1]


        def f(x, k: float):
            # pullback: x: (n,)
            y = x * x
            t = y[0] * bump(y, k) - bump(y, 2.0 * k) / y[0]
            return t + np.sum(y)
        """,
        (V, 0.4),
    ),
    "a helper that leaves early": (
        """
        def first_over(a, top, seen):
            for i in range(len(a)):
                seen[i] = a[i] * top
                if a[i] > top:
                    return seen[i] * a[i]
            return 0.0


        def f(x, top: float):
            # pullback: x: (n,)
            seen = np.zeros(len(x))
            t = first_over(x, top, seen)
            return t * np.sum(seen)
        """,
        (V, 0.5),
    ),
    "a helper that returns in the middle of its branches": (
        """
        def place(a, k):
            if k > 0:
                if k > 1:
                    return a[1]
                a[0] = a[0] * a[1]
            a[1] = 2.0 * a[0]
            return a[0]


        def f(x, k: int):
            # pullback: x: (n,)
            y = 1.0 * x
            t = place(y, k) + place(y, k + 1) * place(y, 0)
            return t * np.sum(y)
        """,
        (V, 0),
    ),
    "helpers that call helpers": (
        """
        def scale(a, k):
            a *= k


        def sweep(a, b, k):
            scale(a, k)
            b[1:] += a[:-1]
            scale(b, a[0])


        def f(x, k: float):
            # pullback: x: (n,)
            y = x + 1.0
            z = np.zeros(len(x))
            sweep(y, z, k)
            sweep(z, y, k)
            return np.sum(y * z)
        """,
        (V, 0.4),
    ),
    "a helper whose names are taken here": (
        """
        def scaled(y, n=2.0):
            x = y[0] * n
            assert x != 100.0
            y *= x
            return x


        def f(x, n: int):
            # pullback: x: (n,)
            y = x * x
            k = scaled(y) * n
            k += scaled(n=0.5, y=y)
            return k * np.sum(y)
        """,
        (V, 3),
    ),
    "a parameter that the helper binds again": (
        """
        def fold(a, k):
            k = k * k
            a[0] = k
            a = a * k
            a[1] = k
            return np.sum(a)


        def f(x, k: float):
            # pullback: x: (n,)
            y = x * k
            return fold(y, k) + np.sum(y)
        """,
        (V, 0.4),
    ),
    "a float that the helper changes for itself": (
        """
        def damp(a, k: float):
            k *= 0.5
            a *= k


        def f(x, k: float):
            # pullback: x: (n,)
            y = x * k
            damp(y, k)
            return np.sum(y) * k
        """,
        (V, 0.4),
    ),
    "a parameter is written by what it is passed to": (
        """
        def add(a, b):
            a += b


        def f(x, y):
            # pullback: x: (n,), y: (n,)
            add(x, y * x)
            return np.sum(x * y)
        """,
        (V, W),
    ),
    "a helper that is told what to do by a literal": (
        """
        def apply(a, op=None, *, twice=False):
            if op is None:
                return
            if op == "square":
                a *= a
            if twice:
                a *= 2.0


        def f(x):
            # pullback: x: (n,)
            y = 1.5 * x
            apply(y)
            apply(y, "square")
            apply(y, "other", twice=True)
            return np.sum(y)
        """,
        (U,),
    ),
    "a helper called by a helper that has a derivative of its own": (
        """
        def fill(a, out):
            out[0] = a[0]
            for i in range(1, len(a)):
                out[i] = out[i - 1] * a[i]


        def products(a):
            out = np.zeros(len(a))
            fill(a, out)
            return out


        def f(x):
            # pullback: x: (n,)
            return np.sum(products(x) * products(np.sin(x)))
        """,
        (V,),
    ),
    "a filled parameter that is bound again": (
        """
        def f(x, y):
            # pullback: x: (n,), y: (n,)
            x[0] = y[1] * y[1]
            x = x * y
            y[1] = x[0]
            x = x + y
        """,
        (V, W),
    ),
    "nested functions that call each other": (
        """
        def f(x: float, k: float):
            def g(t, s=2.0):
                if t > 90.0:
                    return t
                return s * k * t

            def h(t):
                u = g(t) + g(k, s=t)
                return u * x

            return h(x) * g(h(k), s=x)
        """,
        (0.7, 0.4),
    ),
    "a captured variable that changes": (
        """
        def f(x: float):
            scale = x
            weigh = lambda u: scale * u
            y = weigh(x)
            scale = scale * y
            return weigh(y)
        """,
        (0.7,),
    ),
    "a nested function that fills what it captures": (
        """
        def f(x):
            # pullback: x: (n,)
            y = np.zeros(len(x))

            def put(i, v):
                y[i] = y[i - 1] + v * v

            for i in range(len(x)):
                put(i, x[i])
            return np.sum(y * x)
        """,
        (V,),
    ),
    "a lambda in the test of a loop": (
        """
        def f(x: float, k: float):
            small = lambda t: t * k < 3.0
            while small(x):
                x = x * x + 1.0
            return x * k
        """,
        (0.7, 0.4),
    ),
    "a solver that is given a function": (
        """
        def decay(y, rate=0.5):
            return -rate * y * y


        def heun(g, y, h):
            k1 = g(y)
            k2 = g(y + h * k1)
            return y + 0.5 * h * (k1 + k2)


        def f(y, rate: float):
            # pullback: y: (n,)
            for _ in range(2):
                y = heun(lambda u: decay(u, rate), y, 0.1)
                y = heun(decay, y, rate)
            return np.sum(heun(np.sin, y, h=0.2))
        """,
        (V, 0.4),
    ),
    "partial functions": (
        """
        import functools
        from functools import partial


        def bend(a, t, b):
            return a * t + b * t * t


        def twice(g, t):
            return g(g(t))


        def f(x: float, a: float):
            g = functools.partial(bend, a, b=x)
            a = a * a
            x = x + a
            return g(x) * twice(g, a) + twice(partial(bend, x, b=2.0), a)
        """,
        (0.7, 0.4),
    ),
    "starred tuples and displays": (
        """
        def g(a, b, c):
            return a * b + c


        def f(x):
            # pullback: x: (n,)
            t = (x, x ** 2, 1.0)
            return np.sum(g(*t)) + np.sum(g(*[x, 2 * x], c=x))
        """,
        (V,),
    ),
    "starred results of calls": (
        """
        def two(a, b):
            return a * b, np.sin(a)


        def g(a, b, c=2.0):
            return a * b + c * c


        def f(x, y: float):
            # pullback: x: (n,)
            z = x[0] * g(*two(x[1], y)) + g(y, *two(y, y))
            return z * g(**{"a": x[0], "b": y})
        """,
        (V, 0.3),
    ),
    "a parameter that collects and hands on": (
        """
        def g(*xs, scale=1.0):
            t = 0.0
            for v in xs:
                t = t + v ** 2
            return t * scale


        def h(*args):
            return g(*args) + len(args)


        def f(x):
            # pullback: x: (n,)
            return g(x[0], x[1], x[2]) * h(x[0], x[1])
        """,
        (V,),
    ),
    "starred arguments of functions of NumPy": (
        """
        def f(x, y: float):
            # pullback: x: (n,)
            pair = (x, y * x)
            return np.sum(np.maximum(*pair)) + np.dot(*pair)
        """,
        (V, 0.3),
    ),
    "a solver that hands arguments on": (
        """
        def decay(y, k, c=0.0):
            return -k * y + c


        def euler(rhs, y, *args, h=0.1):
            for _ in range(3):
                y = y + h * rhs(y, *args)
            return y


        def f(x, k: float):
            # pullback: x: (n,)
            return np.sum(euler(decay, x, k, k)) * np.sum(euler(decay, x, 0.5, h=k))
        """,
        (V, 0.3),
    ),
    "a method that hands arguments on": (
        """
        class Model:
            def __init__(self, w):
                self.w = w

            def loss(self, a, b):
                return self.w * a * b

            def all(self, *pair):
                return self.loss(*pair)


        def f(x, k: float):
            # pullback: x: (n,)
            return Model(0.3).all(x[0], k)
        """,
        (V, 0.3),
    ),
    "functions picked by a condition, from a dict and from a list": (
        """
        def relu(v):
            return np.maximum(v, 0.1)

        def f(x, k: int, name: str):
            # pullback: x: (n,)
            g = np.sin if k > 0 else np.cos
            table = {"relu": relu, "tanh": np.tanh}
            h = table[name]
            y = g(x) * h(x) + {"a": np.exp, "relu": np.sinh}[name](x) * x
            if k > 5:
                h = g
            y = y + [np.cos, relu][k](y) * table.get(name, np.exp)(x)
            return np.sum(y * h(y))
        """,
        (V, 1, "relu"),
    ),
    "a function of numbers, mapped over arrays of two shapes": (
        """
        def clipped(u, v):
            return u * v if u > 0.0 else 0.3 * v


        def f(x, k, c: float):
            g = np.vectorize(clipped)
            scaled = np.vectorize(lambda u: u * c)
            return np.sum(g(x[:, None], k) ** 2) * np.sum(scaled(x * x)) + g(0.3, c)
        """,
        (V, W[:3], 0.7),
    ),
    "lines between samples": (
        """
        from scipy.interpolate import interp1d


        def f(x, t, v):
            g = interp1d(t, v, kind="linear")
            return np.sum(g(x) * v) + g(0.2)
        """,
        (V, np.array([-1.0, 3.0, 0.1, 1.0]), W),
    ),
    "functions that a loop goes through, and that change places": (
        """
        def relu(v):
            return np.maximum(v, 0.1)

        def f(x, n: int):
            # pullback: x: (m,)
            for w, act in [(2.0, np.tanh), (0.5, relu), (1.5, np.tanh)]:
                x = act(w * x)
            for key, g in {"a": np.sin, "b": relu}.items():
                x = g(x) * x
            for k, (g, w) in enumerate(zip([np.exp, np.tanh], [2.0, 0.5])):
                x = x * g(w * x) + k
            a, b = np.sin, np.cos
            for _ in range(n):
                a, b = b, a
                x = a(x)
            return np.sum(x)
        """,
        (V, 3),
    ),
    "a picked function that writes, and one that is called on one path only": (
        """
        def double(v):
            v[0] = 2.0 * v[1]

        def square(v):
            v[0] = v[1] * v[1]

        def f(x, k: int, name: str):
            # pullback: x: (n,)
            y = x * x
            g = double if k > 3 else square
            g(y)
            h = {"a": np.sin, "b": np.cos}.get(name, np.tanh)
            return np.sum(h(y) if k > 0 else y)
        """,
        (V, 1, "c"),
    ),
    "keyword arguments from a dict of the module": (
        """
        OPTIONS = {"scale": 2.0, "shift": -0.5}

        def g(x, shift=0.0, scale=1.0, power=2):
            return scale * x**power + shift * x

        def f(x):
            return np.sum(g(x, **OPTIONS) * g(x, power=3, **OPTIONS))
        """,
        (V,),
    ),
    "both arrays that a call gives are written": (
        """
        def waves(a):
            up = np.sin(a)
            down = np.cos(a)
            return up, down

        def f(x):
            # pullback: x: (n,)
            u, v = waves(x)
            u[0] += 2.0 * v[1]
            v *= u
            return np.sum(u * v)
        """,
        (V,),
    ),
}
