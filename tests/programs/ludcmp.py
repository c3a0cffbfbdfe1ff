"""A linear system by LU decomposition and two triangular solves (PolyBench: ludcmp).

A = L U without pivoting, L with a unit diagonal; L y = b; U x = y.
"""

import numpy as np

DERIVATIVE = "vjp of ludcmp wrt A, b"


def arguments(size: int = 4):
    rng = np.random.default_rng(0)
    A = rng.uniform(size=(size, size)) + size * np.eye(size)
    return A, rng.normal(size=size)


def ludcmp(A, b):
    # pullback: A: (n, n), b: (n,)
    n = len(b)
    A = A.copy()
    for i in range(n):
        for j in range(i):
            w = A[i, j]
            for k in range(j):
                w -= A[i, k] * A[k, j]
            A[i, j] = w / A[j, j]
        for j in range(i, n):
            w = A[i, j]
            for k in range(i):
                w -= A[i, k] * A[k, j]
            A[i, j] = w
    y = np.empty(n)
    for i in range(n):
        w = b[i]
        for j in range(i):
            w -= A[i, j] * y[j]
        y[i] = w
    x = np.empty(n)
    for i in range(n - 1, -1, -1):
        w = y[i]
        for j in range(i + 1, n):
            w -= A[i, j] * x[j]
        x[i] = w / A[i, i]
    return x
