"""Symmetric update of rank k (BLAS xSYRK; PolyBench: syrk).

C = alpha A A^T + beta C, of which the lower triangle is written.
"""

import numpy as np

DERIVATIVE = "vjp of syrk wrt alpha, beta, C, A"


def arguments(size: int = 4):
    rng = np.random.default_rng(0)
    return 1.5, 1.2, rng.normal(size=(size, size)), rng.normal(size=(size, size - 1))


def syrk(alpha, beta, C, A):
    n, m = A.shape
    for i in range(n):
        for j in range(i + 1):
            C[i, j] *= beta
        for k in range(m):
            for j in range(i + 1):
                C[i, j] += alpha * A[i, k] * A[j, k]
