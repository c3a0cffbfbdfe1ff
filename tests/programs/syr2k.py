"""Symmetric update of rank 2k (BLAS xSYR2K; PolyBench: syr2k).

C = alpha A B^T + alpha B A^T + beta C, of which the lower triangle is written.
"""

import numpy as np

DERIVATIVE = "vjp of syr2k wrt alpha, beta, C, A, B"


def arguments(size: int = 4):
    rng = np.random.default_rng(0)
    A, B = rng.normal(size=(2, size, size - 1))
    return 1.5, 1.2, rng.normal(size=(size, size)), A, B


def syr2k(alpha: float, beta: float, C, A, B):
    # pullback: C: (n, n), A: (n, m), B: (n, m)
    n, m = A.shape
    for i in range(n):
        C[i, : i + 1] *= beta
        for k in range(m):
            C[i, : i + 1] += A[: i + 1, k] * alpha * B[i, k]
            C[i, : i + 1] += B[: i + 1, k] * alpha * A[i, k]
