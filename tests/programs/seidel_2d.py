"""Gauss-Seidel's stencil of nine points (PolyBench: seidel-2d).

Each point becomes the mean of its neighbourhood, the new values of the points before it included.
"""

import numpy as np

DERIVATIVE = "vjp of seidel_2d wrt A"


def arguments(size: int = 5):
    rng = np.random.default_rng(0)
    return 2, rng.normal(size=(size, size))


def seidel_2d(tsteps, A):
    n = A.shape[0]
    for t in range(tsteps):
        for i in range(1, n - 1):
            for j in range(1, n - 1):
                A[i, j] = (
                    A[i - 1, j - 1]
                    + A[i - 1, j]
                    + A[i - 1, j + 1]
                    + A[i, j - 1]
                    + A[i, j]
                    + A[i, j + 1]
                    + A[i + 1, j - 1]
                    + A[i + 1, j]
                    + A[i + 1, j + 1]
                ) / 9.0
