"""Covariance of the columns of a data set (PolyBench: covariance).

For data of n points (rows) and m attributes (columns), centred first:
cov[i, j] = sum over k of data[k, i] data[k, j] / (n - 1).
"""

import numpy as np

DERIVATIVE = "vjp of covariance wrt data"


def arguments(size: int = 4):
    rng = np.random.default_rng(0)
    return (rng.normal(size=(size + 2, size)),)


def covariance(data):
    n, m = data.shape
    mean = np.zeros(m)
    for j in range(m):
        for i in range(n):
            mean[j] += data[i, j]
        mean[j] /= n
    centred = np.empty((n, m))
    for i in range(n):
        for j in range(m):
            centred[i, j] = data[i, j] - mean[j]
    cov = np.zeros((m, m))
    for i in range(m):
        for j in range(i, m):
            for k in range(n):
                cov[i, j] += centred[k, i] * centred[k, j]
            cov[i, j] /= n - 1.0
            cov[j, i] = cov[i, j]
    return cov
