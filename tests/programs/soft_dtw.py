"""Soft dynamic time warping of two series (Cuturi and Blondel, 2017).

R[i, j] is the cost of point i against point j plus the soft minimum of the three neighbours that come before, where
softmin_gamma(a) = -gamma log(sum(exp(-a / gamma))).
"""

import numpy as np

DERIVATIVE = "vjp of soft_dtw wrt x, y"


def arguments(size: int = 4):
    rng = np.random.default_rng(14)
    return rng.normal(size=(size, 2)), rng.normal(size=(size - 1, 2)), 0.7


def squared_distances(x, y):
    n, m = len(x), len(y)
    D = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            D[i, j] = np.sum((x[i] - y[j]) ** 2)
    return D


def soft_dtw(x, y, gamma):
    D = squared_distances(x, y)
    n, m = D.shape
    R = np.full((n + 1, m + 1), np.inf)
    R[0, 0] = 0.0
    for j in range(1, m + 1):
        for i in range(1, n + 1):
            r0 = -R[i - 1, j - 1] / gamma
            r1 = -R[i - 1, j] / gamma
            r2 = -R[i, j - 1] / gamma
            rmax = max(r0, r1, r2)
            rsum = np.exp(r0 - rmax) + np.exp(r1 - rmax) + np.exp(r2 - rmax)
            R[i, j] = D[i - 1, j - 1] - gamma * (np.log(rsum) + rmax)
    return R[n, m]
