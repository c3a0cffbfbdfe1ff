"""Small programs for the staging of loops, branches, exits and writes, each with arguments.

May not know: how anything is staged.
"""

from __future__ import annotations

from typing import Any

import numpy as np

X = np.array([0.7, -1.2, 2.0, 0.3])
A = np.arange(12.0).reshape(3, 4) / 7.0 - 0.6

# what is held -> the program, its arguments, and the parameters that its gradient is compared for
REVERSIBLE: dict[str, tuple[str, tuple[Any, ...], tuple[str, ...]]] = {
    "a loop that counts": (
        "def f(x: float, n: int):\n    y = x\n    for i in range(1, n):\n        y = y * x + i\n    return y\n",
        (0.7, 5),
        ("x",),
    ),
    "a loop that counts down, in steps": (
        "def f(x):\n    t = 0.0\n    for i in range(3, -1, -1):\n        t = 0.5 * t + x[i]\n"
        "    for i in range(0, 4, 2):\n        t = t * x[i]\n    return t\n",
        (X,),
        ("x",),
    ),
    "a whole number that becomes a float": (
        "def f(x):\n    t = 0\n    for i in range(len(x)):\n        t = t + x[i]\n    return t * t\n",
        (X,),
        ("x",),
    ),
    "a triangle": (
        "def f(a):\n    t = 0.0\n    for i in range(3):\n        for j in range(i + 1):\n"
        "            t = t * 0.5 + a[i, j]\n        for j in range(3, i, -1):\n            t += a[i, j] ** 2\n"
        "    return t\n",
        (A,),
        ("a",),
    ),
    "a branch": (
        "def f(x: float, y: float):\n    z = y\n    if x > y and x > 0.0:\n        z = x * y\n        y = z * z\n"
        "    elif not x > 0.5:\n        z = 2.0 * y\n    return z + y\n",
        (0.7, 0.3),
        ("x", "y"),
    ),
    "sums of numbers on either way": (
        "def f(x: float, y: float):\n    z = y\n    if x > y:\n        if x > 1.0:\n            w = 2.0 * x\n"
        "            z = z + w\n        else:\n            z -= x / 4.0\n        y = z + x if x > 1.0 else z\n"
        "    else:\n        z = -x\n    return z * y\n",
        (1.5, 0.3),
        ("x", "y"),
    ),
    "a break and a continue around sums": (
        "def f(x: np.ndarray, limit: float):\n    # pullback: x: (n, m)\n    t = 0.0\n    for i in range(len(x)):\n"
        "        s = np.sum(x[i] * x[i])\n        if s < 0.3:\n            continue\n        t += s\n"
        "        if t > limit:\n            break\n    return t * t\n",
        (A, 1.0),
        ("x",),
    ),
    "breaks behind one another": (
        "def f(x: float, n: int):\n    t = x\n    for i in range(n):\n        t += 0.5\n        if t > 3.0:\n"
        "            t = t - 1.0\n            if t > 2.6:\n                break\n            t = t + 0.75\n"
        "        if t > 2.9:\n            break\n        t += x\n    return t * t\n",
        (0.3, 9),
        ("x",),
    ),
    "an early return": (
        "def f(x: float, y: float):\n    if x < y:\n        return x * y\n    z = x * x\n    if z > 3.0:\n"
        "        z = z * y\n        return z\n    return z + y\n",
        (1.5, 0.3),
        ("x", "y"),
    ),
    "a test that is known": (
        'def f(x: float, n: int, mode="fast"):\n    if mode == "slow" or n > 3:\n        return x * x\n'
        "    return x * n\n",
        (1.5, 2, "fast"),
        ("x",),
    ),
    "break": (
        "def f(x: float, n: int):\n    y = x\n    for i in range(n):\n        y = y * x\n        if y > 4.0:\n"
        "            break\n        y = y + 0.25\n    return y\n",
        (1.4, 9),
        ("x",),
    ),
    "continue": (
        "def f(x):\n    t = 1.0\n    for i in range(4):\n        if x[i] < 0.0:\n            continue\n"
        "        t = t * x[i]\n    return t\n",
        (X,),
        ("x",),
    ),
    "the else of a loop": (
        "def f(x, limit: float):\n    t = 0.0\n    for i in range(4):\n        t += x[i] * x[i]\n"
        "        if t > limit:\n            break\n    else:\n        t = 2.0 * t\n    return t\n",
        (X, 1.0),
        ("x",),
    ),
    "return in a loop": (
        "def f(x: float, n: int):\n    y = x\n    for i in range(n):\n        y = y * y + 0.1\n"
        "        if y > 2.0:\n            return y * x\n    return y\n",
        (1.1, 7),
        ("x",),
    ),
    "elements that are written": (
        "def f(x):\n    y = np.zeros(5)\n    for i in range(4):\n        y[i + 1] = y[i] * 0.5 + x[i]\n"
        "        y[i] *= x[i]\n    return np.sum(y)\n",
        (X,),
        ("x",),
    ),
    "an index array": (
        "def f(x):\n    y = np.ones(5)\n    y[np.array([4, 0, 2, 1])] += x\n    return np.sum(y * y)\n",
        (X,),
        ("x",),
    ),
    "np.add.at": (
        "def f(x):\n    y = np.ones(3)\n    np.add.at(y, np.array([0, 0, 2, 1]), x)\n    return np.sum(y * y)\n",
        (X,),
        ("x",),
    ),
    "a mask that is written": (
        "def f(x: np.ndarray):\n    # pullback: x: (n,)\n    y = x * x\n    y[x < 0.0] = 0.0\n    y[x > 1.0] *= 3.0\n"
        "    return np.sum(y)\n",
        (X,),
        ("x",),
    ),
    "rows that a mask selects": (
        "def f(a: np.ndarray):\n    b = a * 2.0\n    b[a[:, 0] < 0.5] = 0.25\n    b[a[:, 0] > 0.5] *= a[0]\n"
        "    return np.sum(b * b)\n",
        (A[:, :3],),
        ("a",),
    ),
    "rows that a mask selects, where ranks are told": (
        "def f(a: np.ndarray):\n    # pullback: a: (n, n)\n    b = a * 2.0\n    m = a[:, 0] > 0.5\n    b[m] = a[0]\n"
        "    b[m] += 0.5\n    return np.sum(b * b)\n",
        (A[:, :3],),
        ("a",),
    ),
    "rows and chained subscripts": (
        "def f(a):\n    b = a * 1.0\n    for i in range(3):\n        b[i][1:] = b[i, :-1] * 2.0\n"
        "        b[i, 0] = b[i, 1] = a[i, 2]\n"
        "    return np.sum(b * b)\n",
        (A,),
        ("a",),
    ),
    "loops over arrays": (
        "def f(x: np.ndarray, y: np.ndarray):\n    # pullback: x: (n,), y: (n,)\n    t = 1.0\n    for v in x:\n"
        "        t = t * 0.5 + v\n    for i, (v, w) in enumerate(zip(x, y)):\n        t += i * v * w\n    return t\n",
        (X, X + 1.0),
        ("x", "y"),
    ),
    "a parameter that is filled": (
        "def f(x, out):\n    for i in range(len(x)):\n        out[i] = x[i] * x[i] + out[i]\n",
        (X, np.ones(4)),
        ("x",),
    ),
    "functions that are called": (
        "def g(a, n):\n    return a.reshape(n, -1) * 2.0\n\n\ndef h(a: float):\n    if a > 1.0:\n        return a\n"
        "    return a * a\n\n\ndef f(x, n):\n    t = 0.0\n    for i in range(4):\n        t += h(x[i])\n"
        "    return np.sum(g(x, n)[0]) * t\n",
        (X, 2),
        ("x",),
    ),
    "recursion on what is known": (
        "def power(x, n):\n    if n == 0:\n        return 1.0\n    return x * power(x, n - 1)\n\n\n"
        "def f(x: float, n: int):\n    return power(x, n) + x\n",
        (1.3, 4),
        ("x",),
    ),
    "a loop that has to be unrolled": (
        "def f(x):\n    t = 0.0\n    parts = []\n    for i in range(1, 4):\n        parts.append(np.max(x[:i]))\n"
        "    for p in parts:\n        t += p * p\n    return t\n",
        (X,),
        ("x",),
    ),
}

# loops whose turns only the run counts: the value is right, and reverse mode of JAX raises
FORWARD_ONLY: dict[str, tuple[str, tuple[Any, ...]]] = {
    "while": (
        "def f(x: float):\n    y = x\n    while abs(y * y - x) > 1e-9:\n        y = 0.5 * (y + x / y)\n    return y\n",
        (2.0,),
    ),
    "while with an exit": (
        "def f(x: float):\n    y = x\n    n = 0\n    while True:\n        y = y * 0.7\n        n += 1\n"
        "        if y < 0.2:\n            break\n    return y * n\n",
        (2.0,),
    ),
    "ends that an array holds": (
        "def f(x, ends):\n    t = 0.0\n    for i in range(3):\n        for k in range(ends[i], ends[i + 1]):\n"
        "            t = t * 0.5 + x[k]\n    return t\n",
        (X, np.array([0, 1, 1, 4])),
    ),
}
