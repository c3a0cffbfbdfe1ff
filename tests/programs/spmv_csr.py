"""Sparse matrix times vector in compressed row form.

y_i is the sum of values[k] x[col[k]] over the k from row_ptr[i] to row_ptr[i + 1]: one slice of each array a row.
"""

import numpy as np

DERIVATIVE = "vjp of spmv wrt values, x"


def arguments(size: int = 4):
    rng = np.random.default_rng(7)
    row_ptr = np.cumsum([0, *(i % 4 for i in range(size))])  # a row is empty
    col = rng.integers(0, size, size=row_ptr[-1])
    return row_ptr, col, rng.normal(size=len(col)), rng.normal(size=size)


def spmv(row_ptr, col, values, x):
    n = row_ptr.size - 1
    y = np.empty(n, dtype=values.dtype)
    for i in range(n):
        cols = col[row_ptr[i] : row_ptr[i + 1]]
        vals = values[row_ptr[i] : row_ptr[i + 1]]
        y[i] = vals @ x[cols]
    return y
