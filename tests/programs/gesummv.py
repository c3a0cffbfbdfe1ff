"""Scalar, vector and matrix multiplication (PolyBench: gesummv).

y = alpha A x + beta B x.
"""

import numpy as np

DERIVATIVE = "vjp of gesummv wrt alpha, beta, A, B, x"


def arguments(size: int = 4):
    rng = np.random.default_rng(0)
    A, B = rng.normal(size=(2, size, size))
    return 1.5, 1.2, A, B, rng.normal(size=size)


def gesummv(alpha: float, beta: float, A, B, x):
    n = len(x)
    y = np.zeros(n)
    for i in range(n):
        tmp = 0.0
        acc = 0.0
        for j in range(n):
            tmp = A[i, j] * x[j] + tmp
            acc = B[i, j] * x[j] + acc
        y[i] = alpha * tmp + beta * acc
    return y
