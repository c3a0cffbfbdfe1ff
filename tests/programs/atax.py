"""Matrix transpose and vector multiplication (PolyBench: atax).

y = A^T (A x) for A of m rows and n columns. Each row of A is read twice: for its product with x, and for
what it adds to y.
"""

import numpy as np

DERIVATIVE = "vjp of atax wrt A, x"


def arguments(size: int = 4):
    rng = np.random.default_rng(0)
    m, n = size + 1, size
    return rng.normal(size=(m, n)), rng.normal(size=n)


def atax(A, x):
    m, n = A.shape
    y = np.zeros(n)
    for i in range(m):
        tmp = 0.0
        for j in range(n):
            tmp += A[i, j] * x[j]
        for j in range(n):
            y[j] += A[i, j] * tmp
    return y
