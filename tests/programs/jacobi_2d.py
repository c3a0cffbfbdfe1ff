"""Jacobi's stencil of five points in the plane (PolyBench: jacobi-2d).

Each step takes the mean of a point and its four neighbours, from A to B and back to A. The border
stays as it was.
"""

import numpy as np

DERIVATIVE = "vjp of jacobi_2d wrt A, B"


def arguments(size: int = 5):
    rng = np.random.default_rng(0)
    A, B = rng.normal(size=(2, size, size))
    return 2, A, B


def jacobi_2d(tsteps, A, B):
    n, m = A.shape
    for t in range(tsteps):
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                B[i, j] = 0.2 * (
                    A[i, j] + A[i, j - 1] + A[i, j + 1] + A[i + 1, j] + A[i - 1, j]
                )
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                A[i, j] = 0.2 * (
                    B[i, j] + B[i, j - 1] + B[i, j + 1] + B[i + 1, j] + B[i - 1, j]
                )
