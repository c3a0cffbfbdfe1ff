"""The two products of a step of the biconjugate gradient method (PolyBench: bicg).

s = A^T r and q = A p for A of n rows and m columns, row by row.
"""

import numpy as np

DERIVATIVE = "vjp of bicg wrt A, p, r"


def arguments(size: int = 4):
    rng = np.random.default_rng(0)
    n, m = size + 1, size
    return rng.normal(size=(n, m)), rng.normal(size=m), rng.normal(size=n)


def bicg(A, p, r):
    # pullback: A: (n, m), p: (m,), r: (n,)
    n, m = A.shape
    s = np.zeros(m)
    q = np.zeros(n)
    for i in range(n):
        s += r[i] * A[i]
        q[i] = A[i] @ p
    return s, q
