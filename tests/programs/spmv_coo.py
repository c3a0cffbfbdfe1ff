"""Graph diffusion on an edge list: a sparse matrix times a vector in coordinate form, by np.add.at.

In each step the flow over edge (i, j) is w_ij (u_i - u_j); it leaves i and enters j.
"""

import numpy as np

DERIVATIVE = "vjp of diffuse wrt u, w, rate"


def arguments(size: int = 4):
    rng = np.random.default_rng(9)
    src, dst = rng.integers(0, size, size=(2, 2 * size))
    return rng.normal(size=size), src, dst, rng.random(2 * size), 0.3, 3


def diffuse(u, src, dst, w, rate, steps):
    u = u.copy()
    for _ in range(steps):
        flow = rate * w * (u[src] - u[dst])
        np.subtract.at(u, src, flow)
        np.add.at(u, dst, flow)
    return u
