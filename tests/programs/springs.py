"""A net of springs, its forces assembled edge by edge with np.add.at, moved by Verlet's method.

A spring between i and j pulls both with k (length - rest) along the line between them; positions follow
x(t + h) = 2 x(t) - x(t - h) + h^2 a(t).
"""

import numpy as np

DERIVATIVE = "vjp of settle wrt x, k, rest, gravity"


def arguments(size: int = 4):
    rng = np.random.default_rng(36)
    edges = np.array([(k, k + 1) for k in range(size - 1)] + [(0, size - 1)])
    return (
        rng.normal(size=(size, 2)),
        edges,
        1.0 + rng.random(size),
        0.5 + rng.random(size),
        9.8,
        np.array([0]),
        0.05,
        4,
    )


def forces(x, edges, k, rest, gravity):
    f = np.zeros_like(x)
    f[:, 1] -= gravity
    i, j = edges[:, 0], edges[:, 1]
    d = x[j] - x[i]
    length = np.linalg.norm(d, axis=1)
    pull = (k * (length - rest) / length)[:, None] * d
    np.add.at(f, i, pull)
    np.add.at(f, j, -pull)
    return f


def settle(x, edges, k, rest, gravity, fixed, dt, steps):
    old = x.copy()
    x = x.copy()
    for _ in range(steps):
        f = forces(x, edges, k, rest, gravity)
        f[fixed] = 0.0
        x, old = x + 0.99 * (x - old) + dt**2 * f, x
    return x
