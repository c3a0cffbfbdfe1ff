"""Vector multiplication and matrix addition (updated BLAS; PolyBench: gemver).

A = A + u1 v1^T + u2 v2^T, x = beta A^T y + z, w = alpha A x. A, x and w are written in place.
"""

import numpy as np

DERIVATIVE = "vjp of gemver wrt alpha, beta, A, u1, v1, u2, v2, x, y, z"


def arguments(size: int = 4):
    rng = np.random.default_rng(0)
    u1, v1, u2, v2, w, x, y, z = rng.normal(size=(8, size))
    return 1.5, 1.2, rng.normal(size=(size, size)), u1, v1, u2, v2, w, x, y, z


def gemver(alpha: float, beta: float, A, u1, v1, u2, v2, w, x, y, z):
    # pullback: A: (n, n), u1: (n,), v1: (n,), u2: (n,), v2: (n,)
    # pullback: w: (n,), x: (n,), y: (n,), z: (n,)
    n = A.shape[0]
    for i in range(n):
        for j in range(n):
            A[i, j] = A[i, j] + u1[i] * v1[j] + u2[i] * v2[j]
    for i in range(n):
        for j in range(n):
            x[i] = x[i] + beta * A[j, i] * y[j]
    for i in range(n):
        x[i] = x[i] + z[i]
    for i in range(n):
        w[i] = 0.0
        for j in range(n):
            w[i] = w[i] + alpha * A[i, j] * x[j]
