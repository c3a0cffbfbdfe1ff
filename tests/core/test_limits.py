"""docs/limits.md: every line holds, at a small program that stands for it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pullback import derive
from pullback.source.header import parse_header
from tests.core.differences import assert_derivative, returning, space_of
from tests.core.structures import assert_right, parts

PAGE = (Path(__file__).parents[2] / "docs" / "limits.md").read_text(encoding="utf-8")
TOP = "import math\n\nimport numpy as np\n\n\n"
ROW = re.compile(r"^\| (.+?) \| \[(PB\d+)\]\(diagnostics/(PB\d+)\.md\) \|", re.M)
X = np.array([0.7, -1.2, 2.0])

# line of the page -> programs, each with the arguments at which its gradient is compared
DIFFERENTIATED: dict[str, list[tuple[str, tuple[Any, ...]]]] = {
    "module functions and methods, static and class methods, of floats and arrays": [
        ("def f(x: float):\n    return x * x\n", (1.5,)),
        ("def f(x: np.ndarray):\n    return np.sum(x * x)\n", (X,)),
    ],
    "arithmetic with broadcasting, whether shapes are known or not": [
        ("def f(x, y):\n    return np.sum(x * y / (1.0 + y * y))\n", (X, np.ones((2, 3)))),
        (
            "def f(x, y):\n    # pullback: x: (n,), y: (m, n)\n    return np.sum(x - y ** 2)\n",
            (X, np.ones((2, 3))),
        ),
    ],
    "`if`, `elif`, `else`; conditional expressions, `and` and `or` inside expressions; chained comparisons": [
        (
            "def f(x: float, y: float):\n    z = x * (y if 0.0 < x < 2.0 else x) + ((x and y) or x)\n"
            "    return z * y\n",
            (1.5, 0.3),
        ),
        (
            "def f(x: float):\n    if x > 2.0:\n        y = x\n    elif x > 1.0:\n        y = x * x\n"
            "    else:\n        y = 1.0 / x\n    return y if y > 0.0 else -y * y\n",
            (1.5,),
        ),
    ],
    "`for` over ranges, arrays, `enumerate` and `zip`": [
        (
            "def f(x: np.ndarray, y: np.ndarray):\n    # pullback: x: (n,), y: (n,)\n    t = 1.0\n"
            "    for i in range(len(x)):\n        t = t * x[i]\n    for v in y:\n        t += v * v\n"
            "    for i, v in enumerate(x):\n        t += i * v\n    for a, b in zip(x, y):\n"
            "        t += a * b\n    return t\n",
            (X, X * X),
        )
    ],
    "`for` over iterators and draws that are gone through to the end, as `itertools.combinations`": [
        (
            "import itertools\n\n\ndef f(x: np.ndarray):\n    # pullback: x: (n,)\n    t = 1.0\n"
            "    for i, j in itertools.combinations(range(3), 2):\n        t = np.sin(t * x[i] * x[j])\n"
            "    for i in np.random.default_rng(3).permutation(3):\n        t = np.cos(t * x[i])\n"
            "    return t\n",
            (X,),
        )
    ],
    "`for` over rows that are written, over `itertools.product` and `np.ndindex`": [
        (
            "def f(x: np.ndarray):\n    # pullback: x: (n,)\n    b = np.outer(x, x)\n    for row in b:\n"
            "        row *= row[0]\n    t = 0.0\n    for i, j in np.ndindex(b.shape):\n        t += i * b[i, j]\n"
            "    return t\n",
            (X,),
        ),
        (
            "def f(x: np.ndarray):\n    # pullback: x: (n,)\n    import itertools\n\n    t = 0.0\n"
            "    for i, j in itertools.product(range(3), range(2)):\n        t += i * x[j]\n"
            "    for i, j in itertools.combinations(range(3), 2):\n        t += x[i] * x[j]\n    return t\n",
            (X,),
        ),
    ],
    "`while`": [
        (
            "def f(x: float):\n    y = x\n    while y < 100.0:\n        y = y * y\n    return y\n",
            (1.5,),
        )
    ],
    "`match` on constants, with guards and a name for the subject": [
        (
            "def f(x: float, m: int = 7):\n    match m:\n        case 0 | 1:\n            x = x * x\n"
            "        case n if n > 5:\n            x = n * x * x\n        case _:\n            pass\n    return x\n",
            (1.5,),
        )
    ],
    "`with` whose context leaves data alone: `np.errstate`, `warnings.catch_warnings`, `open` and their kin": [
        (
            "def f(x: float):\n    with np.errstate(all='ignore'):\n        y = x * x\n        if y > 9.0:\n"
            "            return y * y\n    return y\n",
            (1.5,),
        )
    ],
    "`:=` in tests of `if`, `elif` and `while`, and inside expressions": [
        (
            "def f(x: float):\n    n = 0\n    while (y := x * 0.5**n) > 0.2:\n        n += 1\n"
            "    if n > 9:\n        return x\n    elif (z := y * y) > 0.0 and (u := z * x) > 0.0:\n"
            "        return u * z\n    return (t := x * x) * t\n",
            (1.5,),
        )
    ],
    "`break`, `continue`, `return` inside a loop, at any depth; `else` of loops": [
        (
            "def f(x: float):\n    for i in range(4):\n        if x > 1.0:\n            x = x * 0.9\n"
            "            if x > 90.0:\n                break\n        x = x * x\n"
            "    else:\n        x = 2.0 * x\n    return x\n",
            (1.5,),
        ),
        (
            "def f(x: float):\n    for i in range(9):\n        if i == 1:\n            continue\n"
            "        if x > 90.0:\n            break\n        if i == 8:\n            return x\n"
            "        x = x * x\n    return 2.0 * x\n",
            (1.5,),
        ),
    ],
    "elements and slices read and written, index arrays, masks": [
        (
            "def f(x: np.ndarray):\n    # pullback: x: (n,)\n    y = np.zeros(len(x))\n    y[0] = x[1]\n"
            "    y[1:] = x[1:] * x[:-1]\n    y[x < 0.0] = 0.5\n    return np.sum(y[np.array([0, 2, 2])] * x)\n",
            (X,),
        )
    ],
    "views, and writes through them": [
        (
            "def f(x: np.ndarray):\n    # pullback: x: (n,)\n    y = x * 2.0\n    tail = y[1:]\n"
            "    tail *= x[0]\n    return np.sum(y * y)\n",
            (X,),
        )
    ],
    "augmented assignment of floats and of arrays in place": [
        (
            "def f(x: np.ndarray, s: float):\n    # pullback: x: (n,)\n    y = x * s\n    s *= s\n"
            "    y -= s * x\n    return np.sum(y * y)\n",
            (X, 0.4),
        )
    ],
    "arrays that are swapped or handed to another name, and written": [
        (
            "def f(x: np.ndarray):\n    # pullback: x: (n,)\n    u = x.copy()\n    v = np.zeros_like(u)\n"
            "    for _ in range(3):\n        v[1:] = u[1:] * u[:-1]\n        u, v = v, u\n"
            "    w = u * x\n    prev = w\n    w = np.ones_like(u)\n    w[1:] = prev[1:]\n    return np.sum(v * w)\n",
            (X,),
        )
    ],
    "calls that write: `out=`, `np.add.at`, `np.copyto`, `np.put`, `fill`, `sort` and their kin": [
        (
            "def f(x: np.ndarray):\n    # pullback: x: (n,)\n    y = np.zeros(3)\n"
            "    np.multiply(x, x, out=y)\n    np.add.at(y, [1, 1], x[:2])\n    y.sort()\n    y[1:].fill(x[0])\n"
            "    np.copyto(y, x * y, where=x > 0.0)\n    return np.sum(y * x)\n",
            (X,),
        )
    ],
    "parameters that are written: the cotangent is for the value on entry": [
        (
            "def f(x: np.ndarray):\n    # pullback: x: (n,)\n    x[0] = x[1] * x[2]\n    return np.sum(x)\n",
            (X,),
        )
    ],
    "functions that return nothing: the arrays that they write are the outputs": [
        (
            "def f(x: np.ndarray, total: np.ndarray):\n    if len(x) == 0:\n        return\n"
            "    total[...] = np.sum(x * x)\n",
            (X, np.zeros(())),
        )
    ],
    "tuples, unpacked (into elements of arrays too) and returned; chained assignment": [
        (
            "def f(x: np.ndarray):\n    # pullback: x: (n,)\n    u = x * x\n    u[0], u[1] = u[1], u[0]\n"
            "    a = b = np.zeros(3)\n    a[0] = b[1] = u[0] * x[2]\n    return np.sum(a * b * x) + u[1]\n",
            (X,),
        ),
        (
            "def two(a, b):\n    return a * b, a + b\n\n\n"
            "def f(x: float, y: float):\n    p, s = two(x, y)\n    x, y = y, x\n"
            "    z = np.zeros(2)\n    z[0], z[1] = two(x, s)\n    return p * s * x * z[0] + z[1]\n",
            (1.5, 0.3),
        ),
    ],
    "dicts, lists, tuples, NamedTuples, objects as parameters, nested: the gradient has their form": [
        (
            "def f(p):\n    a, b = p['layers'][1]\n    return np.sum(p['layers'][0] * a) * b\n",
            ({"layers": [X, (X * X, 0.3)], "name": "net"},),
        ),
        ("def f(p: list):\n    return p[0] * p[1]\n", ([0.3, 0.4],)),
        (
            "from typing import NamedTuple\n\n\nclass Pair(NamedTuple):\n    a: float\n    b: float\n\n\n"
            "def g(p: Pair):\n    return p.a * p.b\n\n\n"
            "def f(x: float):\n    return g(Pair(x, b=x * x))\n",
            (1.5,),
        ),
    ],
    "dicts, lists, NamedTuples and dataclasses made in the function; `append`, `pop`, `np.stack` of a list": [
        (
            "def f(x: np.ndarray):\n    rows = []\n    scale = {'a': x[0]}\n    for k in range(3):\n"
            "        rows.append(x * scale['a'] ** k)\n    last = rows.pop()\n"
            "    return np.sum(np.stack(rows) ** 2 * last)\n",
            (X,),
        )
    ],
    "elements of dicts and lists, read and written": [
        (
            "def f(x: float):\n    d = {'a': x}\n    a = [0.0] * 3\n    for k in range(3):\n"
            "        a[k] = d['a'] * x\n        d['a'] += a[k]\n    return a[1] * d['a']\n",
            (1.5,),
        )
    ],
    "arrays in dicts, lists and objects, written where they are, those of parameters too": [
        (
            "def f(x: np.ndarray):\n    # pullback: x: (n,)\n    d = {'a': x * 1.0}\n    xs = [x * x, np.zeros(3)]\n"
            "    d['a'][1] *= x[0]\n    xs[1][:] = xs[0] * d['a']\n    return np.sum(xs[1])\n",
            (X,),
        ),
        (
            "def f(d: dict[str, np.ndarray]):\n    d['a'][0] = d['b'][1] * d['a'][1]\n"
            "    return np.sum(d['a'])\n",
            ({"a": X, "b": X * X},),
        ),
    ],
    "comprehensions of lists and dicts, generators in a call, `map` of a function": [
        (
            "def f(x: np.ndarray):\n    return sum(map(lambda e: e * x[0], x)) * max(map(np.sin, x))\n",
            (X,),
        ),
        (
            "def f(x: np.ndarray):\n    d = {k: v * v for k, v in enumerate(x)}\n"
            "    ys = [d[k] * v for k, v in enumerate(x) if v > 0.0]\n"
            "    return sum(y * y for y in ys) + max(ys)\n",
            (X,),
        ),
    ],
    '`{**d, "k": v}`, `dict(k=v)`, `d.get("k", v)`': [
        (
            "def f(x: np.ndarray):\n    d = dict(a=x[0], b=x[1])\n"
            "    e = {**d, 'b': d.get('b', 1.0) * d.get('c', x[0])}\n    return e['a'] * e['b']\n",
            (X,),
        )
    ],
    "loops over lists and over the keys, values and items of dicts, `a, *rest = p`": [
        (
            "def f(p):\n    first, *rest = p\n    y = first\n    for v in rest:\n        y = y * np.sin(v)\n"
            "    return y\n",
            ((0.3, 0.4, 0.5),),
        ),
        (
            "def f(p):\n    y = 1.0\n    for k, v in p.items():\n        y = y + v * p[k]\n"
            "    for v in p.values():\n        y = y * v\n    return y\n",
            ({"a": 0.3, "b": 0.4},),
        ),
    ],
    "calls of functions in this file and in modules beside it, recursion": [
        (
            "def power(a: float, n: int):\n    if n == 0:\n        return 1.0\n"
            "    return a * power(a, n - 1)\n\n\ndef f(x: float):\n    return power(x, 3) + power(x, 2)\n",
            (1.5,),
        )
    ],
    "methods and properties of objects whose class is known: by `self`, by annotation, or where they are made": [
        (
            "class A:\n    def __init__(self, k):\n        self.k = k\n\n    def g(self, x):\n"
            "        return self.half * self.h(x)\n\n    @property\n    def half(self):\n"
            "        return self.k / 2\n\n    @staticmethod\n    def h(x):\n        return x * x\n\n"
            "    @classmethod\n    def one(cls, x):\n        return cls.h(x) + cls.h(2.0)\n\n"
            "    def __call__(self, x):\n        return self.g(x) * x\n\n\n"
            "class B(A):\n    def __call__(self, x):\n        return super().__call__(x) + self.k\n\n\n"
            "MODEL = B(0.7)\n\n\ndef f(x: float):\n    return B.one(x) * MODEL(x) * A(0.3).g(x)\n",
            (1.5,),
        ),
        (
            "class A:\n    rate = 0.4\n\n    def g(self, x):\n        return self.rate * x * x\n\n\n"
            "def h(a: A, x):\n    return a.g(x)\n\n\ndef f(x: float):\n    return h(A(), x)\n",
            (1.5,),
        ),
    ],
    "calls that write into an array they are passed, whole or in part": [
        (
            "def g(a, k):\n    a[0] = k * a[1]\n    a *= k\n\n\ndef f(x: np.ndarray):\n    # pullback: x: (n,)\n"
            "    y = x.copy()\n    g(y, 2.0)\n    g(y[1:], k=y[0])\n    return np.sum(y)\n",
            (X,),
        )
    ],
    "nested functions and lambdas that are called, with what they capture": [
        (
            "def f(x: float, k: float):\n    def g(t, s=2.0):\n        if t > 90.0:\n            return t\n"
            "        return s * k * t\n\n    h = lambda t: g(t) * x\n    return h(x) + g(h(k), s=x)\n",
            (1.5, 0.3),
        )
    ],
    "functions passed by name, lambdas and `functools.partial` passed to functions of the workspace": [
        (
            "from functools import partial\n\n\ndef apply(g, t):\n    return g(g(t))\n\n\n"
            "def scale(k, t):\n    return k * t * t\n\n\ndef f(x: float, k: float):\n    g = partial(scale, k)\n"
            "    k = k * k\n    return apply(g, x) + apply(math.sin, k) * apply(lambda t: t * x, k)\n",
            (1.5, 0.3),
        )
    ],
    "functions of numbers mapped over arrays by `np.vectorize`, lines between samples by `interp1d`": [
        (
            "from scipy.interpolate import interp1d\n\n\ndef f(x: np.ndarray, v: np.ndarray):\n"
            "    # pullback: x: (n,), v: (n,)\n    g = interp1d([0.0, 1.0, 4.1], v)\n"
            "    h = np.vectorize(lambda t: t if t > 0.0 else -t * t)\n    return np.sum(g(x * x) * h(x))\n",
            (X, X * X),
        )
    ],
    "derivatives that a function takes itself, to any depth: `pullback.grad(g)(x)` and its kin": [
        (
            "import pullback\n\n\ndef g(y, k):\n    return np.sum(np.sin(k * y))\n\n\n"
            "def f(x: np.ndarray):\n    # pullback: x: (n,)\n"
            "    return np.sum(pullback.grad(g)(x, 2.0) * x)\n",
            (X,),
        ),
        (
            "from pullback import grad\n\n\ndef f(x: float):\n    def g(y):\n"
            "        return y * grad(lambda z: x * y * z)(y)\n\n    dg = grad(g)\n    return x * dg(x)\n",
            (0.7,),
        ),
    ],
    "functions picked by a condition or from a dict or list that is written out in the function": [
        (
            "def g(t):\n    return t * t\n\n\ndef f(x: float, k: int):\n    a = math.sin if k > 0 else g\n"
            "    for h in [math.cos, g]:\n        x = h(x)\n    return a(x) * {0: math.exp, 1: g}[k](x)\n",
            (1.5, 1),
        )
    ],
    "keyword arguments and defaults": [
        (
            "def g(a, b, c=2.0, *rest, **options):\n    return a * b**c\n\n\n"
            "def f(x: float, y: float = 1.0):\n    return g(b=x, a=y)\n",
            (1.5, 0.3),
        )
    ],
    "starred arguments of a known number, parameters `*args` and `**options`": [
        (
            "def g(*v, k=1.0, **o):\n    t = k\n    for a in v:\n        t = t * a\n    return t + o['c']\n\n\n"
            "def h(a, b):\n    return a * b, a + b\n\n\n"
            "def f(x: float, y: float):\n    p = {'k': y, 'c': x * x}\n    return g(*h(x, y), x, **p)\n",
            (1.5, 0.3),
        )
    ],
    "imports inside the function": [
        ("def f(x: float):\n    from math import sin\n\n    return sin(x)\n", (1.5,))
    ],
    "complex numbers, in between and as parameters and results": [
        (
            "def f(x: float):\n    z = np.exp(1j * x) / (x + 2j)\n    return z.real * abs(z)\n",
            (0.7,),
        ),
        ("def f(z: complex):\n    return abs(z * z + 1.0) + z.imag\n", (0.7 + 0.4j,)),
    ],
    "Fourier transforms": [
        (
            "def f(x: np.ndarray):\n    # pullback: x: (n,)\n    s = np.fft.fft(x)\n    return np.sum(np.abs(s[1:]))\n",
            (X,),
        ),
        ("def f(x):\n    return np.sum(np.fft.irfft(np.fft.rfft(x) * 1j, len(x)) ** 2)\n", (X,)),
    ],
    "functions with several results: `eigh`, `eig`, `svd`, `slogdet`, `divmod`, `split` and their like": [
        (
            "def f(a: np.ndarray):\n    # pullback: a: (n, n)\n    w, v = np.linalg.eigh(a + a.T)\n"
            "    return np.sum(w ** 3) + np.sum(v[0] ** 4)\n",
            (np.array([[2.0, 0.3], [0.1, 1.0]]),),
        ),
        (
            "def f(x: np.ndarray, y: float):\n    # pullback: x: (n,)\n    a, b = np.split(x, [1])\n"
            "    q, r = divmod(y, 0.3)\n    return np.sum(a * b) * r + q\n",
            (X, 0.7),
        ),
    ],
    "loops that lead to a fixed point, by the equation that they solve: `# pullback: implicit`": [
        (
            "def f(p: float):\n    x = 1.0\n    for _ in range(99):  # pullback: implicit\n"
            "        x = x - (x * x - p) / (2.0 * x)\n    return x * p\n",
            (1.7,),
        ),
    ],
    "roots that SciPy finds of a function whose source is known: `brentq`, `newton`, `fsolve`, `root` and their kin": [
        (
            "from scipy.optimize import brentq\n\n\ndef f(p: float):\n"
            "    return p * brentq(lambda x: x**3 + p * x - 1.0, 0.0, 2.0, xtol=1e-14, rtol=1e-14)\n",
            (0.7,),
        ),
    ],
    "solutions of `scipy.integrate.odeint`, by the adjoint equation: in the start and in further arguments": [
        (
            "from scipy.integrate import odeint\n\n\ndef rhs(y, t, k):\n    return -k * y\n\n\n"
            "def f(k: float):\n    y = odeint(rhs, np.ones(2), np.arange(3.0), (k,), rtol=1e-10, atol=1e-10)\n"
            "    return np.sum(y)\n",
            (0.7,),
        ),
    ],
    "the functions of NumPy, `math` and SciPy that `pullback rules` lists, with their keyword arguments": [
        (
            "from scipy.special import gammaln\n\n\ndef f(x: float):\n"
            "    return gammaln(x) + math.sin(x) + np.exp(x)\n",
            (1.5,),
        )
    ],
}

# construct of a row -> programs that are refused with the row's code
REFUSED: dict[str, list[str]] = {
    "inner functions that are kept in a container, or that call themselves": [
        "def f(x: float):\n    s = x\n    g = (lambda u: s * u, 2)\n    s = 2.0 * s\n    return g[0](x)\n",
        "def f(x: float):\n    def g(n):\n        return x if n == 0 else x * g(n - 1)\n\n    return g(3)\n",
    ],
    "generators": ["def f(x: float):\n    yield x\n"],
    "`async` functions": ["async def f(x: float):\n    return x\n"],
    "`try` around what is differentiated": [
        "def f(x: float):\n    try:\n        y = math.log(x)\n    except ValueError:\n        y = x\n    return y\n"
    ],
    "`global`, `nonlocal`": [
        "T = 0.0\n\n\ndef f(x: float):\n    global T\n    T = x\n    return x * T\n",
        "def f(x: float):\n    k = 1.0\n\n    def g():\n        nonlocal k\n        k = x\n\n"
        "    g()\n    return x * k\n",
    ],
    "unknown decorators": ["@timed\ndef f(x: float):\n    return x\n"],
    "`eval`, `exec`": [
        "def f(x: float):\n    return eval('x * x')\n",
        "def f(x: float):\n    exec('print(1)')\n    return x\n",
    ],
    "a write to what may or may not be a view": [
        "def f(m):\n    a = m.T * 1.0\n    b = a.reshape(-1)\n    b[0] = 1.0\n    return np.sum(a)\n"
    ],
    "a write under what may be a view and is read later": [
        "def f(m):\n    # pullback: m: (n, k)\n    a = m.T * 1.0\n    b = np.ravel(a)\n    a[0, 0] = 0.0\n"
        "    return np.sum(b * b)\n"
    ],
    "`y = x; y *= 2` where `x` may be a float or an array": [
        "def f(x):\n    y = x\n    y *= 2.0\n    return x * y\n"
    ],
    "functions whose source is not in the workspace": [
        "import pandas as pd\n\n\ndef f(x):\n    return pd.Series(x).sum()\n",
        "import scipy.sparse as sp\n\n\ndef f(x):\n    return sp.csr_matrix(x).sum()\n",
        "from lab import response\n\n\ndef f(x: float):\n    return response(x)\n",
    ],
    "derivatives of functions that the text does not show, taken in the function": [
        "import pullback\n\n\ndef f(x: float):\n    return pullback.grad(np.sin)(x)\n",
        "import pullback\n\n\ndef f(x: float, g):\n    return pullback.grad(g)(x)\n",
        "import pullback\n\n\ndef g(x):\n    return x * x\n\n\n"
        "def f(x: float, w):\n    return pullback.grad(g, w)(x)\n",
    ],
    "parameters that are called": ["def f(x: float, g):\n    return g(x)\n"],
    "recursive calls that write into an array they are passed": [
        "def g(a, n):\n    a[n] = 2.0 * a[n]\n    if n > 0:\n        g(a, n - 1)\n\n\n"
        "def f(x: np.ndarray):\n    # pullback: x: (n,)\n    y = x.copy()\n    g(y, 2)\n    return np.sum(y)\n"
    ],
    "casts to integers": ["def f(x: np.ndarray):\n    return np.sum(x.astype(int) * x)\n"],
    "floats stored in an integer array": [
        "def f(x: np.ndarray):\n    out = np.zeros(3, dtype=int)\n    out[0] = x[0]\n    return np.sum(out)\n"
    ],
    "random draws with differentiated parameters": [
        "def f(mu: float):\n    return np.random.normal(mu, 1.0)\n"
    ],
    "complex numbers stored in an array of floats": [
        "def f(x: np.ndarray):\n    # pullback: x: (n,)\n    y = np.zeros(3)\n    y[:] = x * 1j\n"
        "    return np.sum(y)\n",
        "def f(x: np.ndarray):\n    # pullback: x: (n,)\n    y = np.zeros_like(x)\n    y[0] = np.sqrt(x[0] + 0j)\n"
        "    return y[0]\n",
    ],
    "methods of objects that are not known": [
        "def f(x: float, model):\n    return model.predict(x)\n",
        "class A:\n    def f(self, x: float):\n        return self.g(x)\n",
    ],
    "writing attributes": ["def f(x: float, o):\n    o.a = x\n    return o.a\n"],
    "functions under a condition": [
        "if True:\n\n    def f(x: float):\n        return x\n",
        "def f(x: float, n: int):\n    if n:\n        def g(u):\n            return u\n    else:\n"
        "        def g(u):\n            return u * u\n    return g(x)\n",
    ],
    "`with` around what is differentiated, whose context may do anything": [
        "def f(x: float, lock):\n    with lock:\n        y = x * x\n    return y\n"
    ],
    "`match` that takes its subject apart": [
        "def f(x: float, p):\n    match p:\n        case (a, b):\n            x = x * a * b\n    return x\n"
    ],
    "`for` over iterators that a `break` or `zip` cuts short": [
        "def f(x: float):\n    for k in iter(int, 1):\n        x = x * x\n        if x > 9.0:\n"
        "            break\n    return x\n",
        "import itertools\n\n\ndef f(x: np.ndarray):\n    s = 1.0\n    for k, v in zip(itertools.count(), x):\n"
        "        s = s * v + k\n    return s\n",
    ],
    "comprehensions in the test of `elif` or `while`, behind `and`, `or`": [
        "def f(x: float):\n    return x > 1.0 and sum([x * k for k in range(3)])\n"
    ],
    "generators that are kept, handed to a function, or run between turns that change what they read": [
        "def f(x: float):\n    parts = (x * k for k in range(3))\n    x = 2.0 * x\n    return x * sum(parts)\n",
        "def f(x: float):\n    s = 0.0\n    for v in (x * k for k in range(3)):\n"
        "        x = x * 0.5\n        s = s * v + x\n    return s\n",
    ],
    "stores into arrays that have no axes, as `np.zeros(())`": [
        "def f(x: float):\n    v = np.zeros(())\n    v[()] = x\n    return v * x\n",
        "def f(x: float):\n    v = np.array(x)\n    np.multiply(v, x, out=v)\n    return v * x\n",
    ],
    "`:=` in what is printed, in keys of displays, in one of several targets": [
        "def f(x: float):\n    print((y := x * x))\n    return y * x\n",
        "def f(x: float):\n    d = {(k := 1): x * x}\n    return d[k]\n",
        "def f(x: np.ndarray):\n    # pullback: x: (n,)\n    y = x.copy()\n    y[0] = y[(k := 1)] = x[2]\n"
        "    return y[k]\n",
        "def f(x: float):\n    y = 1.0\n    y += (y := x * x)\n    return y\n",
    ],
    "`:=` in comprehensions and lambdas; sets": [
        "def f(x: np.ndarray):\n    return sum([y for v in x if (y := v * v) > 1.0])\n",
        "def f(x: float):\n    g = lambda v: (y := v * v) * y\n    return g(x)\n",
        "def f(x: float):\n    return max({x, 1.0})\n",
    ],
    "other iterators over what is differentiated": [
        "def f(x: np.ndarray):\n    import itertools\n\n    t = 0.0\n    for a, b in itertools.pairwise(x):\n"
        "        t += a * b\n    return t\n",
    ],
    "starred arguments whose number the text does not show, stars in lists, two in a dict": [
        "def g(a, b):\n    return a * b\n\n\ndef f(x):\n    return g(*x[:2])\n",
        "def g(*v):\n    return v[0] + g(*v[1:]) if v else 0.0\n\n\ndef f(x: float):\n    return g(x, x)\n",
        "def f(x: float, y: float):\n    pair = (x, y)\n    return np.sum(np.array([*pair]))\n",
        "def f(d: dict, c: dict):\n    e = {**d, **c}\n    return e['a'] * e['b']\n",
    ],
    "functions from a dict or list of the module": [
        "def g(t):\n    return t * t\n\n\nTABLE = {'g': g}\n\n\ndef f(x: float, name: str):\n"
        "    return TABLE[name](x)\n"
    ],
    "writes into what may be a list or an array in a container": [
        "def f(d: dict):\n    d['a'][0] = d['b'][1] * d['b'][0]\n    return d['a'][0]\n",
    ],
    "a list that has two names and grows": [
        "def f(x: float):\n    a = [x]\n    b = a\n    a.append(x * x)\n    return b[1]\n"
    ],
    "`dict \\| dict`, `sum`, `max`, `min` of lists or tuples": [
        "def f(d: dict):\n    e = d | {'b': d['a'] * 2.0}\n    return e['a'] * e['b']\n",
        "def f(x: float):\n    a = sum([[x], [x * x]], [])\n    return a[1]\n",
        "def f(x: np.ndarray):\n    v, k = max((e, k) for k, e in enumerate(x))\n    return v * x[k - 1]\n",
    ],
    "`zip`, `enumerate`, `reversed` elsewhere than in the header of a loop": [
        "def f(x: np.ndarray):\n    a, b = zip(*[(x[0], x[1]), (x[2], x[3])])\n    return a[0] * b[1]\n",
    ],
    "slices of lists that are stored into": [
        "def f(x: float):\n    a = [x, x * x]\n    a[1:] = [x, 2 * x]\n    return a[2]\n"
    ],
    "`remove` and other methods that change lists, `pop` inside an expression": [
        "def f(x: float):\n    a = [x, x * x]\n    return a.pop() + a[0]\n",
        "def f(x: float):\n    a = [x, x * x]\n    a.reverse()\n    return a[0]\n",
        "def f(x: float):\n    a = [x]\n    a.extend((x * x for _ in range(2)))\n    return a[1]\n",
    ],
    "`svd`, `split` and others whose results the text does not count": [
        "def f(x: np.ndarray, n: int):\n    # pullback: x: (m,)\n    return np.sum(np.split(x, n)[0])\n",
        "def f(a: np.ndarray, all: bool):\n    # pullback: a: (n, n)\n"
        "    return np.sum(np.linalg.svd(a, compute_uv=all))\n",
        "def f(a: np.ndarray):\n    # pullback: a: (n, n)\n    return np.sum(np.linalg.qr(a, mode='complete')[1])\n",
    ],
    "calls that reorder or multiply in place: `partition`, `np.multiply.at`": [
        "def f(x: np.ndarray):\n    # pullback: x: (n,)\n    x.partition(1)\n    return x[0]\n",
        "def f(x: np.ndarray):\n    # pullback: x: (n,)\n    np.multiply.at(x, [0, 0], x[1])\n    return x[0]\n",
    ],
    "`max`, `sort` and other functions of real numbers on complex arguments": [
        "def f(x: np.ndarray):\n    # pullback: x: (n,)\n    return np.max(x * 1j).imag\n",
        "def f(x: np.ndarray):\n    # pullback: x: (n,)\n    return np.sort(1j * x)[0].imag\n",
        "def f(x: np.ndarray):\n    # pullback: x: (n,)\n    z = np.abs(np.sign(x + 1j))\n    return np.sum(z)\n",
    ],
}
ROWS = {construct: code for construct, code, _ in ROW.findall(PAGE)}


def test_every_line_has_a_program() -> None:
    listed = re.findall(r"^- (.+)$", PAGE, re.M)
    assert listed == list(DIFFERENTIATED)
    assert list(ROWS) == list(REFUSED)
    assert all(code == link for _, code, link in ROW.findall(PAGE))
    assert PAGE.count("[PB") == len(ROWS)


@pytest.mark.parametrize("line", DIFFERENTIATED)
def test_differentiated(line: str) -> None:
    for program, args in DIFFERENTIATED[line]:
        derived = derive(TOP + program, "f", "grad", "*", modules={})
        assert derived.source is not None, derived.diagnostics
        space = space_of(TOP + program, derived.source)
        header = parse_header(derived.header)
        assert header is not None
        f = returning(space["f"], program)
        if any(parts(a) is not None for a in args):
            assert_right(f, space["f_grad"], args, header.wrt, "grad")
        else:
            assert_derivative(f, space["f_grad"], args, "grad", header.wrt, one=False)


@pytest.mark.parametrize("construct", REFUSED)
def test_refused(construct: str) -> None:
    for program in REFUSED[construct]:
        func = "A.f" if "class A" in program else "f"
        derived = derive(TOP + program, func, "vjp", modules={})
        assert derived.source is None
        assert ROWS[construct] in {d.code for d in derived.diagnostics}, derived.diagnostics
        assert all(d.severity == "error" and d.span.end > d.span.start for d in derived.diagnostics)


@pytest.mark.parametrize(
    ("kind", "code", "program"),
    [
        ("jacobian", "PB110", "def f(p: dict, x):\n    return p['a'] * x, p['b']\n"),
        ("hessian", "PB110", "def f(p: dict):\n    return p['a'] * p['b']\n"),
        ("sparse_jacobian", "PB110", "def f(x: np.ndarray):\n    return x * x, x[0]\n"),
        ("jacobian", "PB302", "def f(z: complex):\n    return z * np.array([1.0, 2.0])\n"),
        ("hvp", "PB302", "def f(a: np.ndarray):\n    return np.abs(np.linalg.eig(a)[1][0, 0])\n"),
    ],
)
def test_refused_of_these_kinds_alone(kind: str, code: str, program: str) -> None:
    assert derive(TOP + program, "f", "vjp", modules={}).source is not None
    derived = derive(TOP + program, "f", kind, modules={})
    assert derived.source is None
    assert code in {d.code for d in derived.diagnostics}


def test_a_name_for_what_may_be_a_float_is_no_obstacle_in_forward_mode() -> None:
    (program,) = REFUSED["`y = x; y *= 2` where `x` may be a float or an array"]
    assert derive(TOP + program, "f", "jvp", modules={}).source is not None
