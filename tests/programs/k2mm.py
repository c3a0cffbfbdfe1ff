"""Two matrix products (PolyBench: 2mm).

D = alpha A B C + beta D, written into D.
"""

import numpy as np

DERIVATIVE = "vjp of k2mm wrt alpha, beta, A, B, C, D"


def arguments(size: int = 3):
    rng = np.random.default_rng(0)
    p, q, r, s = size, size + 1, size + 2, size
    shapes = (p, q), (q, r), (r, s), (p, s)
    return 1.5, 1.2, *(rng.normal(size=shape) for shape in shapes)


def k2mm(alpha, beta, A, B, C, D):
    ni, nk = A.shape
    nj, nl = C.shape
    tmp = np.zeros((ni, nj))
    for i in range(ni):
        for j in range(nj):
            for k in range(nk):
                tmp[i, j] += alpha * A[i, k] * B[k, j]
    for i in range(ni):
        for j in range(nl):
            D[i, j] *= beta
            for k in range(nj):
                D[i, j] += tmp[i, k] * C[k, j]
