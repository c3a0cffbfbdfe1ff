"""Ridge regression with weights that fall off around a query (locally weighted regression), left-one-out error.

For each example the others are weighted by a Gaussian of their distance; the normal equations with a ridge give the
local plane (Cleveland, 1979).
"""

import numpy as np

DERIVATIVE = "vjp of loo_error wrt X, y, bandwidth, ridge"


def arguments(size: int = 6):
    rng = np.random.default_rng(38)
    return rng.normal(size=(size, 2)), rng.normal(size=size), 1.2, 0.1


def loo_error(X, y, bandwidth, ridge):
    n, d = X.shape
    design = np.column_stack((np.ones(n), X))
    error = 0.0
    for i in range(n):
        dist2 = ((X - X[i]) ** 2).sum(axis=1)
        w = np.exp(-dist2 / (2.0 * bandwidth**2))
        w[i] = 0.0
        A = design.T @ (w[:, None] * design) + ridge * np.eye(d + 1)
        beta = np.linalg.solve(A, design.T @ (w * y))
        error += (design[i] @ beta - y[i]) ** 2
    return error / n
