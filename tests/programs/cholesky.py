"""Cholesky decomposition in place (PolyBench: cholesky).

A = L L^T for a symmetric positive definite A, of which the lower triangle is read; L overwrites it.
"""

import numpy as np

DERIVATIVE = "vjp of cholesky wrt A"


def arguments(size: int = 4):
    rng = np.random.default_rng(0)
    B = rng.normal(size=(size, size))
    return (B @ B.T + size * np.eye(size),)


def cholesky(A):
    # pullback: A: (n, n)
    n = A.shape[0]
    for i in range(n):
        for j in range(i):
            for k in range(j):
                A[i, j] -= A[i, k] * A[j, k]
            A[i, j] /= A[j, j]
        for k in range(i):
            A[i, i] -= A[i, k] * A[i, k]
        A[i, i] = np.sqrt(A[i, i])
