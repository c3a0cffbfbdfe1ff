"""Power steps with a sparse matrix in compressed row form, element by element.

y_i is the sum of values[k] x[col[k]] over the k of row i; each step divides by the norm, and the Rayleigh quotient
of the last vector estimates the largest eigenvalue.
"""

import numpy as np

DERIVATIVE = "vjp of rayleigh wrt values, x"


def arguments(size: int = 4):
    rng = np.random.default_rng(8)
    row_ptr = np.cumsum([0, *(1 + i % 3 for i in range(size))])
    col = rng.integers(0, size, size=row_ptr[-1])
    return row_ptr, col, 1.0 + rng.random(len(col)), 1.0 + rng.random(size), 3


def matvec(row_ptr, col, values, x):
    n = len(row_ptr) - 1
    y = np.zeros(n)
    for i in range(n):
        for k in range(row_ptr[i], row_ptr[i + 1]):
            y[i] += values[k] * x[col[k]]
    return y


def rayleigh(row_ptr, col, values, x, steps):
    for _ in range(steps):
        x = matvec(row_ptr, col, values, x)
        x /= np.sqrt(np.sum(x**2))
    return x @ matvec(row_ptr, col, values, x)
