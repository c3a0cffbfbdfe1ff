"""Triangular matrix multiplication (BLAS xTRMM; PolyBench: trmm).

B = alpha A^T B for a lower triangular A with a unit diagonal; both are implied, B is written.
"""

import numpy as np

DERIVATIVE = "vjp of trmm wrt alpha, A, B"


def arguments(size: int = 4):
    rng = np.random.default_rng(0)
    return 1.5, rng.normal(size=(size, size)), rng.normal(size=(size, size + 1))


def trmm(alpha: float, A, B):
    m, n = B.shape
    for i in range(m):
        for j in range(n):
            for k in range(i + 1, m):
                B[i, j] += A[k, i] * B[k, j]
            B[i, j] = alpha * B[i, j]
