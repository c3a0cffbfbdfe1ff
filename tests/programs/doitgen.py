"""A kernel of multiresolution analysis (PolyBench: doitgen, from MADNESS).

A[r, q, p] becomes the sum over s of A[r, q, s] C4[s, p], a row at a time.
"""

import numpy as np

DERIVATIVE = "vjp of doitgen wrt A, C4"


def arguments(size: int = 3):
    rng = np.random.default_rng(0)
    return rng.normal(size=(size, size + 1, size + 2)), rng.normal(
        size=(size + 2, size + 2)
    )


def doitgen(A, C4):
    nr, nq, n = A.shape
    total = np.zeros(n)
    for r in range(nr):
        for q in range(nq):
            for p in range(n):
                total[p] = 0.0
                for s in range(n):
                    total[p] += A[r, q, s] * C4[s, p]
            for p in range(n):
                A[r, q, p] = total[p]
