"""Correlation coefficients of the columns of a data set (PolyBench: correlation).

For data of n points (rows) and m attributes (columns): each column is centred, divided by
sqrt(n) times its standard deviation, and corr[i, j] is the scalar product of columns i and j. A
deviation that is nearly zero is taken for one.
"""

import numpy as np

DERIVATIVE = "vjp of correlation wrt data"


def arguments(size: int = 4):
    rng = np.random.default_rng(0)
    return (rng.normal(size=(size + 2, size)),)


def correlation(data):
    # pullback: data: (n, m)
    n, m = data.shape
    mean = np.mean(data, axis=0)
    stddev = np.sqrt(np.mean((data - mean) ** 2, axis=0))
    stddev[stddev <= 0.1] = 1.0
    data = (data - mean) / (np.sqrt(n) * stddev)
    corr = np.eye(m)
    for i in range(m - 1):
        for j in range(i + 1, m):
            corr[i, j] = data[:, i] @ data[:, j]
            corr[j, i] = corr[i, j]
    return corr
