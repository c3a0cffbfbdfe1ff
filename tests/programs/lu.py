"""LU decomposition in place, without pivoting (PolyBench: lu).

A = L U; L has a unit diagonal, which is not stored.
"""

import numpy as np

DERIVATIVE = "vjp of lu wrt A"


def arguments(size: int = 4):
    rng = np.random.default_rng(0)
    return (rng.uniform(size=(size, size)) + size * np.eye(size),)


def lu(A):
    n = len(A)
    for i in range(n):
        for j in range(i):
            for k in range(j):
                A[i, j] -= A[i, k] * A[k, j]
            A[i, j] /= A[j, j]
        for j in range(i, n):
            for k in range(i):
                A[i, j] -= A[i, k] * A[k, j]
