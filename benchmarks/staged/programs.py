"""Ten programs in NumPy, as people write them: loops, branches, exits, writes."""

from __future__ import annotations

import numpy as np


def settle(x: float, n: int):
    y = x
    for _ in range(n):
        if y > 1.0:
            y = y * 0.5
        else:
            y = y * x
    return y


def square_root(x: float):
    y = x
    while abs(y * y - x) > 1e-9 * x:
        y = 0.5 * (y + x / y)
    return y


def bisection(low: float, high: float, level: float):
    while high - low > 1e-10:
        middle = 0.5 * (low + high)
        if middle**3 - middle < level:
            low = middle
        else:
            high = middle
    return low


def rows_until(x: np.ndarray, limit: float):
    # pullback: x: (n, m)
    total = 0.0
    for i in range(len(x)):
        s = np.sum(x[i])
        if s < 0.0:
            continue
        total += s
        if total > limit:
            break
    return total


def heat(u: np.ndarray, steps: int, c: float):
    # pullback: u: (n,)
    u = u.copy()
    for _ in range(steps):
        u[1:-1] = u[1:-1] + c * (u[2:] - 2.0 * u[1:-1] + u[:-2])
    return u


def recurrent(x: np.ndarray, w: np.ndarray, v: np.ndarray):
    # pullback: x: (t, n), w: (m, m), v: (n, m)
    h = np.zeros(len(w))
    for row in x:
        h = np.tanh(h @ w + row @ v)
    return np.sum(h * h)


def variance(r: np.ndarray, a: float, b: float):
    # pullback: r: (n,)
    s = np.zeros(len(r))
    s[0] = r[0] * r[0]
    for i in range(1, len(r)):
        s[i] = 0.1 + a * r[i - 1] ** 2 + b * s[i - 1]
    return np.sum(np.log(s) + r * r / s)


def forward(start: np.ndarray, trans: np.ndarray, emit: np.ndarray, seen: np.ndarray):
    # pullback: start: (k,), trans: (k, k), emit: (m, k), seen: (t,)
    alpha = start
    total = 0.0
    for o in seen:
        alpha = (alpha @ trans) * emit[o]
        scale = np.sum(alpha)
        alpha = alpha / scale
        total += np.log(scale)
    return total


def eigenvalue(a: np.ndarray, v: np.ndarray, n: int):
    # pullback: a: (k, k), v: (k,)
    value = 0.0
    for _ in range(n):
        w = a @ v
        new = np.sqrt(np.sum(w * w))
        v = w / new
        if abs(new - value) < 1e-12:
            break
        value = new
    return value


def perceptron(x: np.ndarray, w1: np.ndarray, b1: np.ndarray, w2: np.ndarray, y: np.ndarray):
    # pullback: x: (n, k), w1: (k, h), b1: (h,), w2: (h, m), y: (n, m)
    hidden = np.maximum(x @ w1 + b1, 0.0)
    scores = hidden @ w2
    highest = np.max(scores, axis=1, keepdims=True)
    logs = scores - highest - np.log(np.sum(np.exp(scores - highest), axis=1, keepdims=True))
    return -np.mean(np.sum(y * logs, axis=1))


def arguments(size: int = 1) -> dict[str, tuple[object, ...]]:
    """Arguments of each program; the long ones take `size` times as many turns or rows."""
    rng = np.random.default_rng(5)
    k = 32
    trans = rng.random((k, k)) + 0.1
    return {
        "settle": (1.4, 2000 * size),
        "square_root": (2.0,),
        "bisection": (0.0, 4.0, 5.0),
        "rows_until": (rng.normal(size=(400 * size, 50)), 1e6),
        "heat": (rng.random(1000), 300 * size, 0.2),
        "recurrent": (
            rng.normal(size=(200 * size, 16)),
            0.1 * rng.normal(size=(k, k)),
            rng.normal(size=(16, k)),
        ),
        "variance": (rng.normal(size=1000 * size), 0.1, 0.8),
        "forward": (
            np.full(k, 1.0 / k),
            trans / trans.sum(axis=1)[:, None],
            rng.random((8, k)) + 0.1,
            rng.integers(0, 8, size=300 * size),
        ),
        "eigenvalue": (rng.random((64, 64)), np.ones(64), 200 * size),
        "perceptron": (
            rng.normal(size=(200 * size, 32)),
            rng.normal(size=(32, 64)),
            rng.normal(size=64),
            rng.normal(size=(64, 10)),
            np.eye(10)[rng.integers(0, 10, size=200 * size)],
        ),
    }


PROGRAMS = {
    f.__name__: f
    for f in (
        *(settle, square_root, bisection, rows_until, heat),
        *(recurrent, variance, forward, eigenvalue, perceptron),
    )
}
