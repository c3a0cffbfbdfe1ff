"""QR decomposition by the modified Gram-Schmidt process (PolyBench: gramschmidt).

A = Q R for A of m rows and n columns: column k is divided by its norm R[k, k], and its part is
taken out of the columns behind it.
"""

import numpy as np

DERIVATIVE = "vjp of gramschmidt wrt A"


def arguments(size: int = 4):
    rng = np.random.default_rng(0)
    return (rng.normal(size=(size + 1, size)),)


def gramschmidt(A):
    # pullback: A: (m, n)
    A = A.copy()
    m, n = A.shape
    Q = np.zeros((m, n))
    R = np.zeros((n, n))
    for k in range(n):
        R[k, k] = np.sqrt(np.sum(A[:, k] ** 2))
        Q[:, k] = A[:, k] / R[k, k]
        for j in range(k + 1, n):
            R[k, j] = Q[:, k] @ A[:, j]
            A[:, j] -= R[k, j] * Q[:, k]
    return Q, R
