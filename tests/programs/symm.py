"""Symmetric matrix multiplication (BLAS xSYMM; PolyBench: symm).

C = alpha A B + beta C for a symmetric A, of which the lower triangle is read.
"""

import numpy as np

DERIVATIVE = "vjp of symm wrt alpha, beta, C, A, B"


def arguments(size: int = 4):
    rng = np.random.default_rng(0)
    C, B = rng.normal(size=(2, size, size + 1))
    return 1.5, 1.2, C, rng.normal(size=(size, size)), B


def symm(alpha: float, beta: float, C, A, B):
    # pullback: C: (m, n), A: (m, m), B: (m, n)
    m, n = C.shape
    for i in range(m):
        for j in range(n):
            temp = 0.0
            for k in range(i):
                C[k, j] += alpha * B[i, j] * A[i, k]
                temp += B[k, j] * A[i, k]
            C[i, j] = beta * C[i, j] + alpha * B[i, j] * A[i, i] + alpha * temp
