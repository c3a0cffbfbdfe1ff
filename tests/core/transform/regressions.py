"""Programs whose derivatives were wrong once, each as small as it gets."""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np

from tests.core.transform.constructs import A, U, V, W

REPEATED = np.array([2, 0, 0])
MARKED = np.array([[1, 1, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]])
COLUMN = np.array([[0, 1, 0], [0, 1, 0], [0, 0, 0], [0, 0, 0]])

# name: (text of the function f, arguments); each is right, or refused, but never wrong
REGRESSIONS: dict[str, tuple[str, tuple[Any, ...]]] = {
    "a part of a dict that is scaled and added to": (
        """
        def f(x):
            # pullback: x: (4,)
            state = {"w": np.zeros(4), "m": np.zeros(4)}
            for _ in range(3):
                g = 2.0 * (state["w"] - x) * x
                state["m"] = 0.9 * state["m"] + g
                state["w"] = state["w"] - 0.1 * state["m"]
            return np.sum(state["w"] ** 2)
        """,
        (V,),
    ),
    "a part of a list that is added to, and was read before": (
        """
        def f(x):
            state = [x * 1.0, x]
            for i in range(3):
                g = np.sin(x * (i + 1))
                state[1] = state[0] * state[1]
                state[0] = state[0] + g
            return np.sum(state[0] ** 2 * state[1])
        """,
        (V,),
    ),
    "the rest of a list that takes its name": (
        """
        def f(x):
            xs = [x[0], x[1], x[2], x[3]]
            s = 0.0
            while xs:
                h, *xs = xs
                s = s * 0.5 + h * len(xs)
            return s
        """,
        (V,),
    ),
    "a part of a tuple that takes its name": (
        """
        def f(x):
            p = (x[0], (x[1], x[2]))
            a, p = p
            b, p = p
            return a * b * p
        """,
        (V,),
    ),
    "the rotation between clouds of as few points as dimensions": (
        """
        def f(x, y):
            a = (y - y.mean(axis=0)).T @ (x - x.mean(axis=0))
            u, s, vt = np.linalg.svd(a)
            d = np.ones(3)
            if np.linalg.det(u) * np.linalg.det(vt) < 0:
                d[2] = -1.0
            return u @ np.diag(d) @ vt * (s @ d)
        """,
        (A[:3] + np.diag([1.0, 2.0, 3.0]), A[1:] + np.diag([2.0, 1.5, 2.5])),
    ),
    "reductions along an axis that is None unless it is given": (
        """
        def f(x, axis=None):
            total = np.sum(x * x, axis=axis) + np.mean(np.sin(x), axis=axis)
            return total + np.max(x, axis=axis) * np.std(x, axis=axis)
        """,
        (A, None),
    ),
    "reductions along an axis that may be None": (
        """
        def f(x, axis: int | None = None):
            return np.sum(x * x, axis=axis) * np.linalg.norm(x, axis=axis)
        """,
        (A, 1),
    ),
    "parts of what every branch but the last binds": (
        """
        def f(x):
            c = x.cumsum(-1)
            if c.ndim == 1:
                d = np.concatenate(([0.0], c))
            elif c.ndim == 2:
                d = np.concatenate((np.zeros((len(c), 1)), c), axis=1)
            return (d[..., 1:] * d[..., :-1]) / 2.0
        """,
        (V,),
    ),
    "an array without axes, written as a whole": (
        """
        def f(x):
            z = np.where(x > 0.5, np.sin(x), x)
            z[...] += x * x
            z[()] = z * x
            return z
        """,
        (0.6,),
    ),
    "an array without axes, written by a mask": (
        """
        def f(x):
            z = np.where(np.abs(x) <= 0.5, 1.0 - x**2, 2.0 - 3.0 * x)
            z[np.abs(x) > 1.0] = 0.0
            return z
        """,
        (0.6,),
    ),
    "the results of a decomposition under one name": (
        """
        def f(x):
            r = np.linalg.eigh(np.outer(x, x) + np.diag(np.exp(x)))
            return r[1][0, 0] ** 2 * r.eigenvalues[1] * r[0]
        """,
        (V,),
    ),
    "averages of slices that the array ends before": (
        """
        def f(x, k):
            # pullback: x: (n,)
            first, last = x[:10], x[-10:]
            start = x[:k]
            return np.mean(first * np.ones(1), axis=0) * last.mean(axis=0) + start.mean(axis=0)
        """,
        (V, 30),
    ),
    "an average of a slice of a slice, of an array whose length is declared": (
        """
        def f(x):
            # pullback: x: (4,)
            return np.mean(x[-6:9], axis=0) * np.mean(x[:9][1:], axis=0)
        """,
        (V,),
    ),
    "elements of another array added to elements": (
        """
        def f(x, z):
            b = x.copy()
            for i in range(4):
                b[i] = b[i] + z[i]
            b[1:] = b[1:] - z[1:] * b[:-1]
            b[0] = b[0] * b[1] + b[0]
            b[:2] = z[2:] + b[:2]
            return np.sum(b * b * z)
        """,
        (V, W),
    ),
    "a loop over a draw": (
        """
        def f(x):
            # pullback: x: (n,)
            rng = np.random.default_rng(3)
            s = 1.0
            for i in rng.permutation(3):
                s = np.sin(s * x[i] + i)
            for k, i in enumerate(np.random.default_rng(5).permutation(4)):
                s = np.cos(s * x[i] + k)
                if k == 2:
                    break
            return s
        """,
        (V,),
    ),
    "a loop over an iterator": (
        """
        import itertools

        def f(x):
            # pullback: x: (n,)
            s = 1.0
            for k, (i, j) in enumerate(itertools.combinations(range(3), 2)):
                s = np.sin(s * x[i] * x[j] + k)
            for k in filter(None, range(3)):
                s = s * x[k]
            return s
        """,
        (V,),
    ),
    "a loop over an iterator that has no end": (
        """
        import itertools

        def f(x):
            # pullback: x: (n,)
            s = 1.0
            for k in itertools.count():
                s = np.sin(s * x[k])
                if k == 2:
                    break
            return s
        """,
        (V,),
    ),
    "a loop over the keys of what nothing says to be a dict": (
        """
        def f(x, d):
            s = 1.0
            for k in d:
                s = np.sin(s * x[k] + k)
            return s
        """,
        (V, {0: 2, 1: 2}),
    ),
    "an array that has no axes is recorded, and then written": (
        """
        def f(x: float):
            s = np.array(1.0)
            for _ in range(3):
                s *= x
                s += np.sin(s)
            return s
        """,
        (2.0,),
    ),
    "an array that has no axes, by two names": (
        """
        def f(x: float):
            v = np.array(x)
            v *= 2.0
            w = v
            w *= 3.0
            return v + w
        """,
        (2.0,),
    ),
    "an array that has no axes, passed to what writes it": (
        """
        def grown(v):
            v += 1.5
            v *= v
            return v

        def f(x: float):
            v = np.array(x)
            w = grown(v)
            return v + x * w
        """,
        (2.0,),
    ),
    "a constant that has no axes, by two names": (
        """
        def f(x: float):
            k = np.array(2.0)
            w = k
            y = x * w
            k += 1.0
            return y * w * x
        """,
        (2.0,),
    ),
    "a view that has no axes": (
        """
        def f(x):
            # pullback: x: (n,)
            y = x * 2.0
            v = y[0, ...]
            v *= 3.0
            return np.sum(y * y)
        """,
        (V,),
    ),
    "a store into an array that has no axes": (
        """
        def f(x: float):
            v = np.array(x)
            np.multiply(v, x, out=v)
            return v + x
        """,
        (2.0,),
    ),
    "a parameter that is a number or an array that has no axes": (
        """
        def f(x, c):
            # pullback: x: (n,), c: ()
            d = c
            d *= x[1]
            return d * c
        """,
        (V, np.array(1.5)),
    ),
    "a parameter that has no axes stays as it was": (
        """
        def f(x, c):
            # pullback: x: (n,), c: ()
            t = c * x[0]
            c *= x[1]
            return t * c
        """,
        (V, np.array(1.5)),
    ),
    "a decorator of a helper that writes": (
        """
        def twice(g):
            def both(*args):
                g(*args)
                g(*args)

            return both


        @twice
        def fill(u):
            u *= 2.0


        def f(x):
            # pullback: x: (n,)
            y = x * x
            fill(y)
            return np.sum(y)
        """,
        (V,),
    ),
    "zip of what varies and of what does not": (
        """
        def f(x):
            # pullback: x: (n,)
            s = 1.0
            for a, b in zip(x, np.ones(4)):
                s = s * a + b
            return s
        """,
        (V,),
    ),
    "an attribute that a call writes and whose value is read": (
        """
        class State:
            h = 0.0


        def push(state, u):
            state.h = np.sum(u)
            return 0


        def f(x):
            # pullback: x: (n,)
            state = State()
            k = push(state, x)
            return np.sum(x) * state.h
        """,
        (V,),
    ),
    "a parameter that is called like a shape of the analysis": (
        """
        def f(v0, x, A):
            y = np.dot(x, A)
            z = v0 * y
            return np.sum(z)
        """,
        (2.0, V, np.outer(V, V)),
    ),
    "an array of the turn before, which was shorter": (
        """
        def f(x):
            # pullback: x: (n,)
            s = 0.0
            for k in range(1, 3):
                w = x[:k] * 2.0
                if k > 1:
                    s += np.sum(z * w)
                z = w * w
            return s
        """,
        (V,),
    ),
    "a number by what is stored, and divided in place": (
        """
        def g(x, s, v=0.5):
            v /= 2.0
            return s.sum()

        def f(a):
            a /= g(2.0, s=np.ones(3), v=a)
            U = np.zeros((2, 4))
            U[1, 2] += a
            return 4.0 + a
        """,
        (-1.01,),
    ),
    "questions about a value that two statements share": (
        """
        def f(x):
            U = x.copy()
            V = np.where(1.5, U, np.mean(U, axis=0, keepdims=True))
            return np.sum(V) + np.sum(np.where(2.0, U, np.mean(U, axis=0, keepdims=True)))
        """,
        (np.outer(V, V),),
    ),
    "a loop over numbers binds a variable anew": (
        """
        def f(x):
            a = x[0]
            for a in (0.5, 0.7):
                pass
            b = x[1]
            for b in [0.5, 0.7]:
                x = x * b
            c = x[2]
            for k, c in enumerate(np.ones(2)):
                pass
            return a + b + c + np.sum(x)
        """,
        (V,),
    ),
    "shapes of a function that is called, and of its caller": (
        """
        def g(a, A):
            t = np.dot(a, A)
            return (a + a, t)


        def f(x, c, A):
            y = np.dot(x, c)
            u, t = g(y, A)
            z = u * t
            return np.sum(z)
        """,
        (V, np.arange(4), np.array([0.3, 0.4])),
    ),
    "one word for two lengths, in a function and in its caller": (
        """
        def g(a):
            # pullback: b: (n,)
            b = a[:1]
            return b


        def f(x):
            # pullback: x: (n,)
            z = x * g(x)
            return np.sum(z)
        """,
        (V,),
    ),
    "the array that a loop runs over is bound again in it": (
        """
        def f(a, x):
            for e in x:
                a += e
                x = np.sin(x)
            return a
        """,
        (0.7, V),
    ),
    "… and the new value comes from the element": (
        """
        def f(x):
            for e in x:
                x = e * np.ones(4)
            return np.sum(x)
        """,
        (V,),
    ),
    "… in a zip": (
        """
        def f(x):
            for d, e in zip(x, x):
                x = x + e
            return x
        """,
        (V,),
    ),
    "the array that a loop runs over is written in it": (
        """
        def f(a, y, k: int):
            # pullback: y: (n,)
            y = np.sin(y)
            for e in y:
                a = a * 0.5 + np.sin(e)
                y[3] = y[1] * a
            return a
        """,
        (0.7, V, 1),
    ),
    "an index array that repeats, stored to": (
        """
        def f(x, a, idx):
            u = x * 1.0
            u[idx] = a
            return np.sum(u * u)
        """,
        (V, 0.7, REPEATED),
    ),
    "… a parameter through another name": (
        """
        def f(x, b, idx):
            u = x
            w = u
            w[idx] = u[-4] * b
            return np.sum(u)
        """,
        (V, 0.7, REPEATED),
    ),
    "an inner while loop of no turns": (
        """
        def f(b):
            for i in range(4):
                j = 0
                while j > 0:
                    b = b * b
            return b
        """,
        (0.7,),
    ),
    "an element of what a tuple assignment made is scaled": (
        """
        def f(x):
            p, q = (x, x / 2.0)
            q[2] /= 2.0
            return np.sum(q)
        """,
        (V,),
    ),
    "… replaced": (
        """
        def f(x, k: int):
            p, q = (x * 2.0, x)
            p[x > 0.2] = k
            return p
        """,
        (V, 2),
    ),
    "bound in both branches, its shape asked for behind them": (
        """
        def f(a, b):
            u = 4
            if u > 2:
                c = u / b
            else:
                c = u
            return np.sum(c)
        """,
        (0.7, 0.4),
    ),
    "the stored result of a reduction": (
        """
        def f(A, k: int):
            # pullback: A: (n, m)
            B = np.array(A)
            for i in range(k):
                B[i - 1, i] = np.min(B)
            return np.sum(B)
        """,
        (A, 3),
    ),
    "the length of a temporary": (
        """
        def f(a, A):
            B = A * 1.0
            B[1] = np.mean(a * np.ones(1), axis=0, keepdims=True)
            return np.sum(B)
        """,
        (0.7, A),
    ),
    "a seed that is spread": (
        """
        def f(A):
            B = np.sqrt(0.5 + np.square(A))
            return np.sum(A, axis=1, keepdims=True) - B + B
        """,
        (A,),
    ),
    "an array that becomes another in each turn": (
        """
        def f(b):
            u = np.ones(4)
            u[0] += b
            for i, e in enumerate(u):
                u = e * np.ones(4)
            return u
        """,
        (0.7,),
    ),
    "a loop over an array that it writes and one that it binds again": (
        """
        def f(x):
            # pullback: x: (n,)
            u = np.copy(x)
            for d, e in zip(u, x):
                u[1] += d * e
                x = x * 0.5 + np.sin(u)
            return np.sum(x)
        """,
        (V,),
    ),
    "a number of elements as a derivative": (
        """
        def f(a: float, x):
            return np.sum(x - a)
        """,
        (0.7, V),
    ),
    "a temporary that a variable of a tuple assignment is": (
        """
        def f(a, x):
            u = np.full(2, a)
            p, q = x, 1.0 / (1.0 + u)
            for e in x:
                q[1] *= e
            return np.sum(q)
        """,
        (0.7, V),
    ),
    "parts of the seed": (
        """
        def f(a: float, A):
            # pullback: A: (n, m)
            B = A.copy()
            B[0, 1] = a
            return a, A - np.sin(B)
        """,
        (0.7, A),
    ),
    "the cotangent that a private derivative hands back": (
        """
        def same(x):
            return x


        def f(x):
            # pullback: x: (n,)
            return same(x), x
        """,
        (V,),
    ),
    "an early return behind a loop that leaves a variable": (
        """
        def f(b: float, x, y):
            for i in range(2):
                y, x = (y, y)
                x = np.sin(y)
            if b > 0.0:
                return y
            return x
        """,
        (-0.7, V, V),
    ),
    "part of a written array's adjoint handed on, then cleared": (
        """
        def f(x):
            u = x[2::-1]
            v = u[:-1]
            w = v.copy()
            w[::-1] = v
            return np.mean(w * np.arange(1.0, 3.0))
        """,
        (V,),
    ),
    "an axis of no name in a transposed broadcast": (
        """
        def f(a: float, A):
            A = A + (a * np.ones(3)).transpose()
            return A
        """,
        (0.7, np.ones((2, 3))),
    ),
    "a store through flat": (
        """
        def f(a: float):
            u = np.zeros(3)
            u.flat[1] = a
            return np.mean(u)
        """,
        (0.7,),
    ),
    "a mask made of two": (
        """
        def f(x, k):
            # pullback: x: (n,), k: (n,)
            return np.sum(x * ((x > 0.1) & (x < 0.9)) * np.isin(k, [1, 2, 3, 4, 5]))
        """,
        (V, np.array([1, 9, 3, 7])),
    ),
    "a cast that copies nothing": (
        """
        def f(a, x):
            u = x.copy()
            w = u.astype(float, copy=False)
            w[0] = a
            return u
        """,
        (0.7, V),
    ),
    "two variables bound at once, both from both": (
        """
        def f(x, y):
            for e in y:
                v = e
                y, v = (np.maximum(y, v) * x, y)
            return y
        """,
        (V, np.array([0.3, -1.2, 0.8, 0.5])),
    ),
    "a partial that is zero has no shape": (
        """
        def f(x):
            s = np.sum(x) + np.sum(np.sin(x * 0.0))
            return s + np.linalg.norm(np.cos(x)) * 0.0
        """,
        (V,),
    ),
    "… and nothing else reaches the array": (
        """
        def f(x):
            return np.sin(x * x) ** 0
        """,
        (V,),
    ),
    "whole numbers: an array that is filled with them": (
        """
        def f(y):
            p = q = y ** 2 + y
            return np.mean(p) + np.sum(q)
        """,
        (V,),
    ),
    "a value that is infinite where nobody chooses it": (
        """
        def f(x):
            y = np.exp(x)
            grown = np.where(x > 30.0, x, y / (1.0 + y))
            return np.sum(grown) + np.sum(np.where(x > 0.1, x * np.log(x), x))
        """,
        (np.array([-0.4, 0.3, 0.6, 800.0]),),
    ),
    "a nan that a sum leaves out": (
        """
        def f(x):
            y = np.log(x)
            return np.nansum(y * x) + np.nanmean(np.sqrt(x))
        """,
        (np.array([-0.4, 0.3, 0.6, 1.7]),),
    ),
    "parts of what overflows elsewhere": (
        """
        def f(x):
            return np.sum(np.exp(x)[:2]) + np.sum(np.minimum(np.exp(x), 1.2) * x)
        """,
        (np.array([-0.4, 0.3, 0.6, 800.0]),),
    ),
    "one array of two names from the start": (
        """
        def f(a):
            u = v = np.zeros(4)
            u[1] = a * a
            return v[1] * u[1]
        """,
        (0.7,),
    ),
    "single precision: the seed is a number": (
        """
        def f(a, A):
            s = np.mean(A)
            s += s * s
            return a + np.sum(A * A) + s
        """,
        (0.7, A),
    ),
    "the smaller of a result and a number has no shape": (
        """
        def f(y: np.ndarray):
            s = min(np.dot(y, y), 0.9)
            return y - s
        """,
        (V,),
    ),
    "a number put back along an axis": (
        """
        def f(a: float, y):
            s = np.sum(y * a, axis=0)
            return s * a
        """,
        (0.7, V),
    ),
    "several results of a call, stored into elements": (
        """
        def g(x):
            return np.sum(x), np.sum(x * x)


        def f(x):
            y = np.zeros(3)
            z = np.zeros(3)
            y[0], z[2] = g(x)
            y[1], z[0] = g(y)
            return np.sum(y * z) + y[1]
        """,
        (V,),
    ),
    "a target that is bound after another was looked at": (
        """
        def f(x):
            y = np.zeros(3)
            i = 0
            y[i], i = x[0] * x[1], 2
            y[i], y[1] = x[1], y[0]
            return np.sum(y * y * y)
        """,
        (V,),
    ),
    "elements stored from nested tuples": (
        """
        def f(x):
            y = np.zeros(3)
            s = (x[0], x[1] * x[2])
            y[0], (y[2], t) = x[1], (s[1], s[0])
            a = y[1], c = s
            return np.sum(y * y) * t * c * a[0]
        """,
        (V,),
    ),
    "an array that is longer in each turn": (
        """
        def f(x):
            # pullback: x: (n,)
            s = 0.0
            for k in range(1, len(x)):
                z = x[:k] * 2.0
                s += z[0] * z[k - 1]
            return s
        """,
        (V,),
    ),
    "an array that is made longer in each turn, and filled": (
        """
        def f(x):
            # pullback: x: (n,)
            s = 0.0
            for k in range(1, len(x)):
                z = np.zeros(k)
                for i in range(k):
                    z[i] = x[i] * x[k]
                s += np.sum(z * z[::-1])
            return s
        """,
        (V,),
    ),
    "elements below the diagonal, and behind the one that is written": (
        """
        def f(x):
            # pullback: x: (n,)
            A = np.outer(x, x) + 1.0
            for i in range(len(x)):
                for j in range(i, len(x)):
                    for k in range(i + 1):
                        A[i, j] = A[i, j] * A[j, k]
                A[i, :i] = A[i, :i] * A[i, i]
            return A
        """,
        (V,),
    ),
    "a loop that counts down over what it wrote": (
        """
        def f(x):
            # pullback: x: (n,)
            u = x.copy()
            for i in range(len(x) - 1, 0, -1):
                for j in range(i - 1, len(x)):
                    u[j] = u[j] * u[i]
                u[i - 1] = u[i] * u[i - 1]
            return u
        """,
        (V,),
    ),
    "elements that are numbers in one run, and rows in another": (
        """
        def f(x):
            y = np.zeros(3)
            for i in range(len(x) - 4):
                y[i] = x[i]
            return y[:2] * x[0]
        """,
        (np.outer(V, V)[:, :2],),
    ),
    "a number in a vector that a matrix stretches": (
        """
        def f(A):
            s = np.sum(A)
            return np.sum(A * np.cos(s * np.ones(4)))
        """,
        (np.outer(V, V),),
    ),
    "a view that a loop makes is read behind it": (
        """
        def f(x):
            # pullback: x: (n,)
            y = x * 2.0
            for i in range(len(x)):
                y[i] = y[i] * y[i]
                r = y[1:]
            return np.sum(r * r)
        """,
        (V,),
    ),
    "a vector that is broadcast against what may be a matrix": (
        """
        def f(A):
            s = np.sum(A)
            B = A * np.cos(s * np.ones(3))
            return np.sum(B)
        """,
        (np.outer(V[:3], V[1:]),),
    ),
    "arrays of unknown rank, one behind the other": (
        """
        def f(x, a, A):
            y = np.concatenate([x[[0, 0, 2]] * a, np.take(A, [1, 1], axis=1).sum(axis=1)])
            return np.concatenate((y, x * x), axis=0)
        """,
        (V, 0.7, A),
    ),
    "a parameter that a loop over literals binds anew": (
        """
        def f(a: float, b: float):
            for b in (0.5, 0.7):
                pass
            for a in np.ones(2):
                pass
            return a * b
        """,
        (0.4, 0.3),
    ),
    "a parameter that a loop may bind anew": (
        """
        def f(b: float, k):
            y = b
            for b, _ in zip(np.arange(0.0, k), (1, 2)):
                y = y * 2.0 + b
            return y * b
        """,
        (0.3, 0),
    ),
    "one value that is stored twice into what it reads": (
        """
        def f(x, a: float):
            u = x.copy()
            u[0] = u[1] = np.sum(u) * a
            a = b = a * u[2]
            return u * a * b
        """,
        (V, 0.7),
    ),
    "a diagonal is a view that nobody may write into": (
        """
        def f(x):
            # pullback: x: (n,)
            s = x[0] * x[1]
            return np.diag(x) * s
        """,
        (V,),
    ),
    "an element stored again that was stored through a view": (
        """
        def f(a: float, b: float):
            u = np.zeros(3)
            u[1:][0] = a * b
            u[1] /= 2.0
            v = np.zeros(3)
            v[1:][0] = a
            v[1] = b * b
            return u[1] * 3.0 + v[1]
        """,
        (0.7, -0.4),
    ),
    "a loop that a construct without derivative leaves": (
        """
        def f(x: float, lock):
            for i in range(5):
                with lock:
                    if i > 2:
                        break
                x = x * 1.5
            return x
        """,
        (0.7, contextlib.nullcontext()),
    ),
    "an element that is replaced where the slope is infinite": (
        """
        def f(x):
            # pullback: x: (n,)
            y = np.abs(x) ** 0.5
            y[0] = 1.0
            return np.sum(y * y * x)
        """,
        (np.array([0.0, 0.5, 1.2]),),
    ),
    "what the end of a turn records, where the turn is left": (
        """
        def ray(h):
            if h > 0.9:
                return None
            return h * h, 2.0 * h


        def f(x):
            total = 0.0
            for h in x:
                r = ray(h)
                if r is None:
                    continue
                a, b = r
                total += a * b
                if b > 0.7:
                    break
            return total
        """,
        (V,),
    ),
    "a list of one array twice, which varies later": (
        """
        def f(x):
            z = np.zeros(3)
            both = [z] * 2
            both[0][0] += x[0] * x[1]
            return both[1][0] * both[0][0]
        """,
        (V,),
    ),
    "the parts of a list as they are taken out again": (
        """
        def f(x):
            # pullback: x: (n,)
            parts = [x[k] for k in range(3)]
            for k in range(2):
                parts[k + 1] = parts[k] * parts[k + 1]
            return parts[2] * parts[1]
        """,
        (V,),
    ),
    "an array under two names of one statement": (
        """
        def f(a: float):
            p = q = np.ones(3)
            p[2] = a * a
            return np.sum(q)
        """,
        (0.7,),
    ),
    "a dot product that may be a number, and a helper that may write": (
        """
        def part(xs):
            xs *= 2
            return xs


        def f(a, x):
            a /= np.dot(x, np.ones(4))
            p = a
            u = np.zeros(4)
            u[2] -= part(xs=p)
            return a
        """,
        (0.7, V),
    ),
    "the largest of a list, stretched by an array": (
        """
        def f(a, x):
            xs = [max(a, 0.2)]
            for k in range(3):
                xs.append(a * a * k)
            s = max(xs)
            return x + xs[0] + s
        """,
        (0.7, V),
    ),
    "a part of what a function of keyword arguments gives": (
        """
        def g(a, v):
            return a * v


        def f(a: float, x):
            u = g(a=a, v=x)[1:]
            return np.sum(u * u)
        """,
        (0.7, V),
    ),
    "parts of a container that are complex, in a function that is called": (
        """
        def step(state, u):
            return {"z": state["z"] * u + 1j * u, "r": state["r"] * 2.0}


        def total(zs, u):
            s = 0.0
            for z in zs:
                s = s + z * z * u
            return s


        def f(y, x):
            state = {"z": y, "r": x}
            for k in range(2):
                state = step(state, x)
            return np.sum(np.abs(state["z"]) * state["r"]) + np.abs(total((x[0] * 1j, y[1]), x[2]))
        """,
        (V, W),
    ),
    "a function called with complex and with real numbers": (
        """
        def g(z, u):
            return z * u * z


        def f(y, x):
            return np.sum(np.abs(g(y + 1j * x, x)) * g(y, x))
        """,
        (V, W),
    ),
    "a real parameter whose name holds complex numbers later": (
        """
        def f(y, x):
            for k in range(2):
                y = y * x + 1j * x
            return np.sum(np.abs(y))
        """,
        (V, W),
    ),
    "a real argument where complex ones are awaited": (
        """
        def f(z, x):
            w = z * x * np.conj(z)
            return np.sum(np.abs(w * z))
        """,
        (V, W),
    ),
    "a private gradient whose value a Hessian needs and whose tangent is zero": (
        """
        def double(a, b):
            return a * 2.0 + b


        def f(x: float, w: float):
            u = x * x
            return double(u, w * w) * 2.0
        """,
        (0.7, 0.4),
    ),
    "an array that has no axes, taken out of a dict and written": (
        """
        def f(x: float):
            v = np.array(x)
            d = {"a": v}
            a = d["a"]
            a *= 2.0
            return d["a"] * v
        """,
        (0.7,),
    ),
    "a list of a constant and of what may be a number, multiplied in place": (
        """
        def f(x):
            d = [np.array(x), x]
            d[0] *= 2.0
            return d[0] * x
        """,
        (0.7,),
    ),
    "parts of a list that are written, whose tangent was that of another": (
        """
        def f(x):
            # pullback: x: (n,)
            xs = []
            xs.append(x * 1.0)
            xs[0][1] = xs[0][0] * 3.0
            return np.sum(xs[0] * x)
        """,
        (V,),
    ),
    "parts of a dict that are written, whose tangent was that of another": (
        """
        def f(x):
            # pullback: x: (n,)
            d = {}
            d["u"] = x * 1.0
            d["u"][1] = d["u"][0] * 3.0
            return np.sum(d["u"] * x)
        """,
        (V,),
    ),
    "an `else` that only raises, behind a loop that is left": (
        """
        def f(x: float):
            for _ in range(20):
                x = x * 0.7
                if x < 0.5:
                    break
            else:
                raise ValueError(x)
            return x * x
        """,
        (1.3,),
    ),
    "an `else` that binds what a loop that is left has bound, too": (
        """
        def f(x: float):
            y = x * x
            while x > 0.01:
                y = y * x
                if y < 0.9:
                    break
                x = x * 0.9
            else:
                y = 1.0
            return y * y
        """,
        (1.3,),
    ),
    "least squares with fewer rows than columns": (
        """
        def f(x):
            a = np.stack([np.sin(x), np.cos(2.0 * x)])
            b = a[:, 0] * x[:2]
            return np.linalg.lstsq(a, b, rcond=None)[0]
        """,
        (V,),
    ),
    "the sizes of vectors in the plane that cross": (
        """
        def f(a, b):
            return np.cross(a, b) * np.cross(b, a[::-1])
        """,
        (A[:2, :2], A[2:, 1:]),
    ),
    "a cross product along the first axis, of one vector with many": (
        """
        def f(a, b):
            return np.cross(a, b, axis=0)
        """,
        (A[0], A[1:].T),
    ),
    "more axes than the array has": (
        """
        def f(x):
            # pullback: x: (n,)
            row = np.array(x, ndmin=2)
            return row.T @ row
        """,
        (V,),
    ),
    "factorials of floats": (
        """
        import scipy.special

        def f(x):
            few = scipy.special.comb(4.0 + x, x) + scipy.special.perm(3.0 + x, 1.0 + x)
            return few * scipy.special.factorial(2.0 + x)
        """,
        (V[:1],),
    ),
    "an average over two axes, with weights for them": (
        """
        def f(x, w):
            return np.average(x, axis=(0, 2), weights=np.exp(w))
        """,
        (np.stack([A, 2.0 * A, A**2]), A[:3]),
    ),
    "a name that is another's memory before a loop, and bound anew in it": (
        """
        def g(x):
            v = x
            for e in v:
                v[x > 0.2] = e
                v = x * v
                x = np.sin(v[:])
            return x

        def f(x):
            y = x.copy()
            z = g(y)
            return z + y
        """,
        (V,),
    ),
    "what is behind the first part of a list, and one more": (
        """
        def f(x):
            parts = [np.sum(x), np.sum(x * x)]
            if x[0] > -9.0:
                parts.append(np.prod(x))
            other = parts[1:] + [0.7]
            other[0] = other[0] * other[1]
            return other[0] * other[2] + parts[1]
        """,
        (V,),
    ),
    "an array that a constant makes complex, written in place": (
        """
        def f(a, x):
            z = a * np.ones(3) + 1j
            z[2] += 1j * x[0]
            w = z * z
            return w.real + w.imag
        """,
        (0.7, V),
    ),
    "one right side for several matrices": (
        """
        def f(a, b, c):
            # pullback: a: (2, 3, 3), b: (3, 2), c: (3, 2)
            return np.sum(np.linalg.solve(a, b) * c)
        """,
        (np.stack([np.eye(3) - 0.2 * A[1:], 2.0 * np.eye(3) + A[:3]]), A[:3, :2], A[1:, 1:]),
    ),
    "a real part that some path replaces by a number": (
        """
        def f(a, x):
            z = 1j * np.maximum(np.ones(3), a)
            v = z.real
            if a:
                a = a + v[-3]
                v = a
            return a * np.sum(x)
        """,
        (1.263, V),
    ),
    "a variable that is called as what nobody reads": (
        """
        def f(x, B):
            y, _ = np.split(np.sin(x), [2])
            z = x
            for k in range(2):
                z = np.max(B, axis=-2)
            return z + np.sum(y)
        """,
        (V, A.T @ A),
    ),
    "another one, behind a loop that counts its turns": (
        """
        def f(x):
            _ = np.sin(x)
            y = x * x + 0.1
            while np.sum(y) < 10.0:
                y = y * (y + 1.0)
            return y * _
        """,
        (V,),
    ),
    "two results of a function whose returns differ in shape": (
        """
        def total(x):
            if np.ndim(x) == 1:
                return np.sum(x)
            return np.sum(x, axis=0)

        def f(x, y):
            return np.sum(total(x) * total(y))
        """,
        (V, A),
    ),
    "an array that changes while a loop runs over it": (
        """
        def f(a):
            u = a / (2.0 + np.zeros(4))
            for k, e in enumerate(u):
                u /= e + k
            for e, w in zip(u, u[::-1]):
                u *= 1.0 + e * w
            return u
        """,
        (0.7,),
    ),
    "a slice that is longer than what it is taken from": (
        """
        def f(x):
            # pullback: x: (3,)
            u = np.zeros((1, 3))
            v = u[:2]
            for k in range(len(v)):
                u[k] = x
                y = v - u * x
                for i, e in enumerate(y[-4:]):
                    u[0] *= 2.0 + y[i]
            return u + np.mean(x[-7:2])
        """,
        (V[:3],),
    ),
    "a list of the module that is taken for an array": (
        """
        WEIGHTS = [0.5, 1.5, -2.0, 1]

        def f(x):
            return x @ WEIGHTS + np.interp(x[0], WEIGHTS[:2], WEIGHTS[1:3]) * x ** WEIGHTS[1]
        """,
        (np.abs(V),),
    ),
    "a result that several turns could leave, of unknown rank": (
        """
        def find(x, level):
            for k, v in enumerate(x):
                if v > level:
                    return v**2, k
            return 0.0, -1

        def f(x):
            v, i = find(x, 0.35)
            w, j = find(x * 3, 1.25)
            return v * x[i] + w
        """,
        (V,),
    ),
    "a dict of the module that gets another key somewhere": (
        """
        OPTIONS = {"scale": 2.0}

        def g(x, scale=1.0, shift=0.0):
            return scale * x**2 + shift * x

        def tune():
            OPTIONS["shift"] = 0.3

        def f(x):
            return np.sum(g(x, **OPTIONS))
        """,
        (V,),
    ),
    "index arrays that are written: they may name an element twice": (
        """
        def reset(p):
            p[:] = 1

        def f(x: np.ndarray):
            p, q = np.arange(4), np.arange(4)
            p[0] = 1
            held = {"q": q}
            held["q"][1] = 2
            r = np.arange(4)
            reset(r)
            return np.sum(x[p] ** 2) + np.sum(x[q] ** 3) * x[r][0]
        """,
        (V,),
    ),
    "index arrays that are written in a loop": (
        """
        def f(x: np.ndarray):
            p = np.arange(4)
            i, j = np.arange(4), np.arange(4)
            y = x
            for k in range(3):
                y = y * x[p] ** 2
                p[k] = 0
                i, j = j, i
                i[k] = j[k + 1]
            return np.sum(y * x[i] + x[j])
        """,
        (V,),
    ),
    "masks that are written": (
        """
        def f(x: np.ndarray):
            m = x > 0
            y = x**2
            for t in range(2):
                y = np.where(m, y * x, y)
                m[t] = not m[t]
            y[m] *= x[m]
            m[:] = y > 0.5
            return np.sum(np.where(m, y, x))
        """,
        (V,),
    ),
    "masks that a function makes, and their opposites, that are written": (
        """
        def f(x: np.ndarray):
            m = np.isfinite(x)
            y = np.where(m, x**2, 0)
            m[1] = False
            m = ~m
            z = np.where(m, y, x)
            m[0] = True
            return np.sum(y * z * np.where(m, z, 1.0))
        """,
        (V,),
    ),
    "loops that bind a variable twice": (
        """
        def f(x: np.ndarray, z: np.ndarray):
            s = 0.0
            for a, a in zip(x, z):
                s += a**2
            for i, (b, b) in enumerate(zip(x, x[1:])):
                s = s * b + x[i]
            for _, c, _ in np.reshape(np.outer(x, z)[:3], (4, 3)):
                s = s * c + _**2
            return s * sum([w * w for w, w in zip(x, z)])
        """,
        (V, W),
    ),
    "loops inside loops that take their variable": (
        """
        def f(x: np.ndarray):
            s = 1.0
            y = np.zeros(4)
            for i in range(3):
                y[i] = x[i] ** 2 * s
                for i in range(2):
                    s = s * x[i + 1] + y[i]
            for k, v in enumerate(x):
                s = s * v + k
                for k, v in enumerate(x[::-1]):
                    s = s + v**2 * k * s
            return s + np.sum(y)
        """,
        (V,),
    ),
    "loops that take the name of what they run over": (
        """
        def f(x: np.ndarray, a: np.ndarray):
            s = 0.0
            rows = np.sin(a)
            for rows in rows:
                s = s * 0.5 + np.sum(rows**2)
            for x in x:
                s = s * x + x**2
            return s
        """,
        (V, A),
    ),
    "a loop that counts with the name of what nobody reads, and reads it": (
        """
        def f(x: np.ndarray):
            s = 1.0
            for _ in range(3):
                s = np.sin(s * x[_])
            return s
        """,
        (V,),
    ),
    "slices of lists that are stored into": (
        """
        def f(x: np.ndarray):
            y = [x[0], x[1], x[2]]
            y[1:] = [y[0] ** 2]
            y[1:1] = [x[2]]
            return y[0] * y[1] ** 2 + y[2]
        """,
        (V,),
    ),
    "a function of numbers that a decorator maps over arrays": (
        """
        @np.vectorize
        def g(t):
            return np.sum(t) * t

        def f(x: np.ndarray):
            return np.sum(g(x))
        """,
        (V,),
    ),
    "a parameter of which only parts and products are conjugated": (
        """
        def f(z, w):
            u = z * w
            total = 0.0
            for k, v in enumerate(u[1:]):
                total = total + np.abs(v * v.conj() + (k + 1) * z[k]) ** 2
            return total + np.real(np.sum(w * np.conj(w[::-1]) * w))
        """,
        (np.array([1 + 2j, 0.5 - 1j, 0.3j]), np.array([0.2 - 1j, 1.5 + 0.4j, -0.7])),
    ),
    "a variable that an unpacking binds twice": (
        """
        def two(y):
            return y[0] * 3, y[1] ** 2

        def f(x):
            # pullback: x: (4,)
            a, a = x * 2, x**3
            p = (x[0] * 2, x[1] ** 3)
            b, b = p
            (c, d), c = (x[0] * x[1], x[2]), x[3] ** 2
            _, _ = two(x)
            return a * x + b * c + _ * d
        """,
        (V,),
    ),
    "another name of an array becomes the array's name again": (
        """
        def f(a: float, x):
            u = x
            for i in range(3):
                u[[2, 0]] += a * u[1]
                v = u
                u = v
            w = x * 2
            for i in range(2):
                w[i] *= a
                v, k = w, i
                w = v
            return np.sum(u * w)
        """,
        (0.7, V),
    ),
    "parts of an array that take its name": (
        """
        def f(a: float, x):
            # pullback: x: (4,)
            u = x * 2
            for i in range(2):
                u[0] *= a
                v = u[1:]
                w = u[:-1]
                w[0] += v[0]
                v = w
                u = v
            return np.sum(u)
        """,
        (0.7, V),
    ),
    "a whole number that is returned as a float": (
        """
        def f(a: float, k: int):
            if k > 3:
                return float(k)
            return a * k
        """,
        (0.7, 4),
    ),
    "a real adjoint beside something complex of its shape": (
        """
        def f(a: float):
            return np.sqrt(a * np.ones(3) * 1j) + (a * np.ones(3))[None]
        """,
        (0.7,),
    ),
    "a conjugate that nothing reads": (
        """
        def f(x, y):
            z = x
            z = z.conj()
            return y * 2
        """,
        (V, V),
    ),
    "what is infinite in the triangle that a decomposition does not read": (
        """
        def f(x):
            # pullback: x: (n,)
            a = (np.diag([3.0, 4.0, 5.5, 6.0]) + x * x[:, None]) / np.tril(np.ones((4, 4)))
            return np.sum(np.linalg.cholesky(a)) + np.linalg.eigvalsh(a)[0]
        """,
        (V,),
    ),
    "numbers spaced by equal ratios between arrays": (
        """
        def f(x, z):
            # pullback: x: (n,), z: (n,)
            low, high = np.exp(x), np.exp(z)
            return np.geomspace(low, high, 4) * np.geomspace(2.0, high, 4) + np.geomspace(low, 3.0, 4)
        """,
        (V, W),
    ),
    "a float that broadcasting makes an array": (
        """
        def f(x: float):
            v = np.ones(3)
            for i in range(2):
                x = x * v
            return np.sum(x * x)
        """,
        (0.7,),
    ),
    "a vector that becomes a matrix": (
        """
        def f(x):
            # pullback: x: (n,)
            x = np.outer(x, x)
            return np.sum(x * x[0])
        """,
        (V,),
    ),
    "a generator that is asked twice": (
        """
        def f(x):
            g = (x[i] ** 2 for i in range(3))
            s = sum(g)
            return s + 3.0 * sum(g)
        """,
        (V,),
    ),
    "a generator that runs when what it reads has changed": (
        """
        def f(a: float):
            g = (a * i for i in range(3))
            a = a * 2.0
            return sum(g)
        """,
        (0.7,),
    ),
    "a generator that runs between turns that change what it reads": (
        """
        def f(x):
            y = x.copy()
            s = 0.0
            for k, b in enumerate(v * v for v in y):
                y[2] += b
                s = s * b + b * k
            return s
        """,
        (V,),
    ),
    "an array that gets a name whose own array has another name": (
        """
        def f(x: np.ndarray):
            # pullback: x: (n,)
            u = 2.0 * x
            v = u
            v *= 0.5
            u = np.sin(v)
            return np.sum(u * u)
        """,
        (V,),
    ),
    "several that get a name whose own array has another name": (
        """
        def g(a):
            return a * a, a + 1.0

        def f(x: np.ndarray):
            # pullback: x: (n,)
            u = 2.0 * x
            v = u
            v *= 0.5
            u, c = g(v)
            return np.sum(u * u * c)
        """,
        (V,),
    ),
    "rows that take the name of an array that has another name": (
        """
        def f(x: np.ndarray):
            # pullback: x: (n,)
            u = 2.0 * x
            v = u
            v *= 0.5
            s = 0.0
            for u in v * v:
                s = s * u + u
            return s
        """,
        (V,),
    ),
    "axes of length one on both sides of an ellipsis": (
        """
        def f(x, A):
            d = x[..., None, :] - A[None, ..., :, None].sum(axis=-1)
            return np.sum(np.exp(-d * d) * d)
        """,
        (np.outer(V, V)[:2, :3], np.outer(V, V)[:2, :3] + 0.3),
    ),
    "columns that an iterator gives": (
        """
        def f(x):
            a, b = zip(*[(x[0], x[1]), (x[2], x[3])])
            return a[0] * b[1] + a[1] * b[0]
        """,
        (V,),
    ),
    "an iterator that has a name": (
        """
        def f(x, z):
            pairs = zip(x, z)
            s = 0.0
            for a, b in pairs:
                s = s + a * b * b
            return s
        """,
        (V, W),
    ),
    "elements that take the name of their array, read behind the loop": (
        """
        def f(x):
            s = 1.0
            y = x * 2.0
            for y in y:
                s = s * np.sin(y) + y
            return s * y
        """,
        (V,),
    ),
    "elements that take the name of another array, read behind the loop": (
        """
        def f(x, z, k):
            s = np.sum(z)
            for z in x[:k]:
                s = np.sin(s * z)
            return np.sum(s * z)
        """,
        (V, W, 2),
    ),
    "rows that take the name of a vector": (
        """
        def f(x, z):
            s = 1.0
            for z in np.outer(x, x):
                s = np.sin(s * z[0]) + z[1]
            return s * z[2]
        """,
        (V, V[:3]),
    ),
    "no elements that take the name of another array": (
        """
        def f(x, z, k):
            s = np.sum(z)
            for z in x[:k]:
                s = np.sin(s * z)
            return np.sum(s * z)
        """,
        (V, W, 0),
    ),
    "the else of an inner loop that leaves a turn of the outer one": (
        """
        def f(x):
            b = np.outer(x, x)
            t = 0.0
            for i in range(4):
                for j in range(3):
                    if b[i, j] < -0.3:
                        break
                    t = t * 0.8 + b[i, j] ** 2
                else:
                    b[i] = b[i] * t
                    if t > 1.5:
                        break
                    continue
                t = t * 1.1
                b[0] *= t
            else:
                t = t * 5.0
            return t * np.sum(b)
        """,
        (V,),
    ),
    "a call that is another one, with an argument that no rule knows": (
        """
        import scipy.fft

        def f(x):
            return np.sum(np.sin(scipy.fft.idct(x, norm="ortho", orthogonalize=False)))
        """,
        (V,),
    ),
    "a pseudoinverse that takes small singular values for 0": (
        """
        def f(x):
            a = np.diag(np.array([3.0, 1.0, 0.2, 0.1])) + 0.1 * np.outer(x, x)
            u = np.linalg.pinv(a, rcond=0.2)
            return np.sum(u * u) + np.sum(np.linalg.lstsq(a, x, rcond=0.2)[0] ** 2)
        """,
        (V,),
    ),
    "axes of a convolution by position": (
        """
        import scipy.signal

        def f(x):
            a = np.outer(x, x)
            return np.sum(np.sin(scipy.signal.fftconvolve(a, a[:2], "same", 0)))
        """,
        (V,),
    ),
    "a solver that reads one triangle": (
        """
        import scipy.linalg

        def f(x):
            a = np.outer(x, x ** 2) + np.diag(np.exp(x))
            return np.sum(scipy.linalg.solve(a, x, assume_a="upper triangular") ** 2)
        """,
        (V,),
    ),
    "a second set of data whose variables are columns": (
        """
        def f(x):
            a = np.outer(x, x ** 2)
            return np.sum(np.sin(np.cov(a, np.cos(a), rowvar=False)))
        """,
        (V,),
    ),
    "a generator that another function asks twice": (
        """
        def twice(parts):
            return sum(parts) + 3.0 * sum(parts)

        def f(x):
            return twice(e * e for e in x)
        """,
        (V,),
    ),
    "a generator that another function goes on with": (
        """
        def begun(parts):
            s = 0.0
            for e in parts:
                s = s + e
                if s > 0.5:
                    break
            for e in parts:
                s = s * e
            return s

        def f(x):
            return begun(e * e for e in x)
        """,
        (V,),
    ),
    "a number that was written as text": (
        """
        def f(x):
            said = f"{x[0]}"
            return float(str(x[0])) * x[1] + float(said)
        """,
        (V,),
    ),
    "a function that is mapped when it is asked for": (
        """
        def f(x):
            y = x * 1.0
            kept = map(np.sin, x)
            s = sum(kept) + sum(kept)
            for v in map(np.sin, y):
                y[3] = v
                s = s + v
            return s
        """,
        (V,),
    ),
    "a choice by a list of numbers": (
        """
        def f(x):
            return np.sum(np.choose([0, 1, 0, 1], [x, x ** 2]) * np.mean([x[0], 2.0, x[1]]))
        """,
        (V,),
    ),
    "diagonals of the last two axes": (
        """
        def f(x):
            a = x[:3, None, None] * np.outer(x[1:], x[:3])
            return np.sum(np.sin(np.linalg.diagonal(a)) * x[:3])
        """,
        (V,),
    ),
    "the next number after another": (
        """
        def f(x):
            return np.sum(np.nextafter(x, 1.0) * x) + math.nextafter(x[0], 5.0)
        """,
        (V,),
    ),
    "what was taken for constant, and has parameters": (
        """
        import scipy.stats

        def f(x):
            n = np.exp(x[0])
            return scipy.stats.nbinom.logpmf(3, n, 0.4) + np.sum(np.fft.fftfreq(5, n) ** 2)
        """,
        (V,),
    ),
    "arrays that are stacked by a keyword": (
        """
        def f(x):
            return np.sum(np.stack(arrays=[x, x ** 2]) * np.array(object=x))
        """,
        (V,),
    ),
    "polynomials by keywords": (
        """
        def f(x):
            return np.sum(np.polymul(a1=x, a2=x)) + np.sum(np.insert(arr=x, obj=1, values=x[0]))
        """,
        (V,),
    ),
    "counts in a list": (
        """
        import scipy.stats

        def f(x):
            return np.sum(scipy.stats.binom.logpmf([1, 2, 0, 3], 5, 1.0 / (1.0 + np.exp(x))))
        """,
        (V,),
    ),
    "edges of bins": (
        """
        def f(x):
            return np.sum(np.histogram_bin_edges(x) * x[0])
        """,
        (V,),
    ),
    "numbers in a row, some of them from the end": (
        """
        def f(x, k):
            y = x * x
            back = y[np.arange(-4, 4)] ** 2 * np.arange(8.0)
            turned = y[np.arange(3, -5, -1)] * np.arange(8.0)
            y[np.arange(k, 2)] *= x[1:]
            return np.sum(back) + np.sum(turned) + np.sum(y * y)
        """,
        (V, -1),
    ),
    "a name that is bound again to the array that it names, which was written": (
        """
        def filled(u, s):
            u[1] = s
            return u

        def f(a, x):
            u = np.ones(3)
            v = u
            v = filled(u, a)
            w = x * a
            y = w
            y[0] = y[1] * w[2]
            t = np.sum(y)
            y = w
            w[2] *= 2.0
            y = w
            return np.sum(v * v) + np.sum(y * y) * t
        """,
        (0.7, U),
    ),
    "… in the turns of a loop": (
        """
        def f(a, x):
            u = x * a
            v = u
            for k in range(3):
                v = u
                u[k] = v[k] * a
                v = u
            return np.sum(v * v)
        """,
        (0.7, U),
    ),
    "a function that returns early, in a branch that is not taken": (
        """
        def until(u, s):
            for i in range(len(u)):
                if u[i] > s:
                    return u * u[i]
                u[i] = u[i] * s
            return u

        def f(x, k):
            s = 0.5 * x
            if k > 3:
                s = until(x.copy(), 0.3)
            return s
        """,
        (V, 2),
    ),
    "a generator over what its loop writes": (
        """
        def f(x):
            u = np.ones(4)
            for i, _ in enumerate(e for e in u):
                u[i] = 0.5
            return x * u
        """,
        (V,),
    ),
    "a loop over what a reshape counts itself": (
        """
        def f(B):
            s = 0.0
            for e in B.reshape(-1):
                s = s + e * e
            for row in np.reshape(B, (2, -1)):
                s = s * row[0] + max(e for e in row)
            return s
        """,
        (W,),
    ),
    "a loop over as many as a parameter says, which says -1": (
        """
        def f(B, n: int):
            s = 0.0
            for e in B.reshape(n):
                s = s + e * e
            return s
        """,
        (W, -1),
    ),
    "a loop over what a function gives, every argument by its name": (
        """
        def first(u, s):
            return u * s

        def f(x, B):
            for row in first(u=B, s=2.0):
                x = x * np.sum(row)
            return x
        """,
        (V, W),
    ),
    "a new array of what a function hands back, written": (
        """
        def same(x, s=0.5):
            return x

        def f(a, x):
            u = 1.0 * same(x)
            u[np.argsort(u)] += a * u
            return u
        """,
        (0.7, V),
    ),
    "an element that is a view, made before what it shows varies": (
        """
        def f(a, x):
            u = np.ones(4)
            t = u[0, ...]
            u[0] = a
            s = t
            return s * x
        """,
        (0.7, V),
    ),
    "an element that is a view, written": (
        """
        def f(a, x):
            u = np.ones(4)
            t = u[1, ...]
            t[...] = a * a
            return u * x + t
        """,
        (0.7, V),
    ),
    "a parameter that a second derivative hands on, and adds to": (
        """
        def f(x, m, k):
            # pullback: x: (n,), m: (n,), k: (n,)
            y = x * 1.0
            z = y * m
            if m[0] > 0:
                z = z + y * k
            a = np.sum(z)
            b = np.sum(y * k)
            return a + b
        """,
        (V, np.arange(1, 5), np.arange(4)),
    ),
    "a name that is bound to a view of the written array that it names": (
        """
        def f(x):
            u = np.empty_like(x)
            u[0] = x[1]
            u[1:] = x[1:] * x[:-1]
            u = u[:, None]
            u = u * x
            u[0] *= 2.0
            u = u.T
            return u + x
        """,
        (V,),
    ),
    "a name that is bound to a view of what it names, in turns": (
        """
        def f(x, n):
            s = np.zeros_like(x)
            for k in range(n):
                u = x * s
                u[1:] += x[:-1] * k
                u = u[::-1]
                u[0] = x[k]
                s = s + u
            return s
        """,
        (V, 3),
    ),
    "a name that is bound to a view of what it names, on one path": (
        """
        def f(x, n):
            u = 2.0 * x
            u[0] = x[1]
            if n > 2:
                u = u[::-1]
                u[1] = x[0] * x[0]
            return u * x
        """,
        (V, 3),
    ),
    "a mask of what another leaves": (
        """
        def f(x):
            u = np.empty_like(x)
            mask = x > 0.0
            u[mask] = np.sin(x[mask])
            mask = ~mask
            u[mask] = x[mask] * x[mask]
            return u
        """,
        (V,),
    ),
    "a diagonal that is filled, of as many axes as there are": (
        """
        def f(x, a):
            d = np.exp(x) * 2.0
            np.fill_diagonal(d, a)
            d = d * x
            d[np.diag_indices_from(d)] *= a
            return d
        """,
        (np.array([[0.3, -0.7], [1.1, 0.4]]), 0.7),
    ),
    "one of two index arrays, twice": (
        """
        def f(x, m):
            # pullback: x: (n, p), m: (n, p)
            i, j = np.nonzero(m)
            return x[i, i] * np.array([1.0, 2.0]) + x[i, j]
        """,
        (A, MARKED),
    ),
    "index arrays of two calls": (
        """
        def places(m):
            i, j = np.nonzero(m)
            return i, j

        def f(x, m, k):
            # pullback: x: (n, p), m: (n, p), k: (n, p)
            a, b = places(m)
            c, d = places(k)
            return x[a, d] * np.array([1.0, 2.0]) + x[c, b] * x[a, b]
        """,
        (A, MARKED, COLUMN),
    ),
    "index arrays of two turns": (
        """
        def f(x, masks):
            # pullback: x: (n, p), masks: (k, n, p)
            total = 0.0
            for t in range(2):
                i, j = np.nonzero(masks[t])
                if t > 0:
                    total = total + np.sum(x[old, j] * np.array([1.0, 3.0]))
                old = i
            return total
        """,
        (A, np.array([MARKED, COLUMN])),
    ),
    "a loop over as many as a length leaves": (
        """
        def f(x):
            k = len(x) - 5
            t = 0.0
            for e in x.reshape(k):
                t = t + e**2
            return t
        """,
        (V,),
    ),
    "a name that is bound to a view of what it names, before a jump": (
        """
        def f(x):
            u = x * 5.0
            t = 0.0
            for k in range(4):
                t = t + np.sum(u**2)
                if k % 2:
                    u = x * (k + 3.0)
                    u = u[1:]
                    u[0] = u[0] * x[0]
                    continue
                if k == 2:
                    break
                u = x * 7.0
            return t + np.sum(u**2)
        """,
        (V,),
    ),
}
