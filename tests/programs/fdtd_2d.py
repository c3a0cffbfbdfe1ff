"""Finite differences in time for Maxwell's equations in the plane (PolyBench: fdtd-2d; Yee, 1966).

ex and ey live on the edges of the cells of hz. The source fict drives the first row of ey. All
three fields are written in place.
"""

import numpy as np

DERIVATIVE = "vjp of fdtd_2d wrt ex, ey, hz, fict"


def arguments(size: int = 4):
    rng = np.random.default_rng(0)
    ex, ey, hz = rng.normal(size=(3, size, size + 1))
    return ex, ey, hz, rng.normal(size=3)


def fdtd_2d(ex, ey, hz, fict):
    # pullback: ex: (nx, ny), ey: (nx, ny), hz: (nx, ny), fict: (tmax,)
    for t in range(len(fict)):
        ey[0, :] = fict[t]
        ey[1:, :] -= 0.5 * (hz[1:, :] - hz[:-1, :])
        ex[:, 1:] -= 0.5 * (hz[:, 1:] - hz[:, :-1])
        hz[:-1, :-1] -= 0.7 * (ex[:-1, 1:] - ex[:-1, :-1] + ey[1:, :-1] - ey[:-1, :-1])
