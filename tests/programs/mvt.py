"""Matrix times vector, and its transpose times another (PolyBench: mvt).

x1 = x1 + A y1 and x2 = x2 + A^T y2, written in place.
"""

import numpy as np

DERIVATIVE = "vjp of mvt wrt x1, x2, y1, y2, A"


def arguments(size: int = 4):
    rng = np.random.default_rng(0)
    x1, x2, y1, y2 = rng.normal(size=(4, size))
    return x1, x2, y1, y2, rng.normal(size=(size, size))


def mvt(x1, x2, y1, y2, A):
    n = len(x1)
    for i in range(n):
        for j in range(n):
            x1[i] += A[i, j] * y1[j]
    for i in range(n):
        for j in range(n):
            x2[i] += A[j, i] * y2[j]
