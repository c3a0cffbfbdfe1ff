"""Jacobi's stencil of three points on a line (PolyBench: jacobi-1d).

Each step takes the mean of three neighbours, from A to B and back to A. The ends stay as they were.
"""

import numpy as np

DERIVATIVE = "vjp of jacobi_1d wrt A, B"


def arguments(size: int = 6):
    rng = np.random.default_rng(0)
    A, B = rng.normal(size=(2, size))
    return 3, A, B


def jacobi_1d(tsteps, A, B):
    for t in range(tsteps):
        B[1:-1] = 0.33333 * (A[:-2] + A[1:-1] + A[2:])
        A[1:-1] = 0.33333 * (B[:-2] + B[1:-1] + B[2:])
