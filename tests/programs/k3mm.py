"""Three matrix products (PolyBench: 3mm).

G = (A B) (C D).
"""

import numpy as np

DERIVATIVE = "vjp of k3mm wrt A, B, C, D"


def arguments(size: int = 3):
    rng = np.random.default_rng(0)
    p, q, r, s, t = size, size + 1, size + 2, size + 1, size
    shapes = (p, q), (q, r), (r, s), (s, t)
    return tuple(rng.normal(size=shape) for shape in shapes)


def k3mm(A, B, C, D):
    E = np.zeros((A.shape[0], B.shape[1]))
    F = np.zeros((C.shape[0], D.shape[1]))
    G = np.zeros((A.shape[0], D.shape[1]))
    for i in range(A.shape[0]):
        for j in range(B.shape[1]):
            for k in range(A.shape[1]):
                E[i, j] += A[i, k] * B[k, j]
    for i in range(C.shape[0]):
        for j in range(D.shape[1]):
            for k in range(C.shape[1]):
                F[i, j] += C[i, k] * D[k, j]
    for i in range(E.shape[0]):
        for j in range(F.shape[1]):
            for k in range(E.shape[1]):
                G[i, j] += E[i, k] * F[k, j]
    return G
