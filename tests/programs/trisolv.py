"""Forward substitution (PolyBench: trisolv).

L x = b for a lower triangular L.
"""

import numpy as np

DERIVATIVE = "vjp of trisolv wrt L, b"


def arguments(size: int = 4):
    rng = np.random.default_rng(0)
    return rng.uniform(size=(size, size)) + 2.0 * np.eye(size), rng.normal(size=size)


def trisolv(L, b):
    n = len(b)
    x = np.zeros(n)
    for i in range(n):
        x[i] = b[i]
        for j in range(i):
            x[i] -= L[i, j] * x[j]
        x[i] = x[i] / L[i, i]
    return x
