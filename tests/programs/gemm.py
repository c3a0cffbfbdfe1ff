"""General matrix multiplication (BLAS xGEMM; PolyBench: gemm).

C = alpha A B + beta C, written into C.
"""

import numpy as np

DERIVATIVE = "vjp of gemm wrt alpha, beta, C, A, B"


def arguments(size: int = 3):
    rng = np.random.default_rng(0)
    n, m, p = size, size + 1, size + 2
    shapes = (n, m), (n, p), (p, m)
    return 1.5, 1.2, *(rng.normal(size=shape) for shape in shapes)


def gemm(alpha, beta, C, A, B):
    ni, nj = C.shape
    nk = A.shape[1]
    for i in range(ni):
        for j in range(nj):
            C[i, j] *= beta
        for k in range(nk):
            for j in range(nj):
                C[i, j] += alpha * A[i, k] * B[k, j]
