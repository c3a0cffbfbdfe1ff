"""The negative log marginal likelihood of a Gaussian process, squared exponential kernel with a length per input.

K = s^2 exp(-|(x - x') / l|^2 / 2) + n^2 I; with K = L L^T it is y^T K^-1 y / 2 + sum(log diag L) + n log(2 pi) / 2
(Rasmussen and Williams, 2006, algorithm 2.1). Hyperparameters come as logarithms.
"""

import numpy as np

DERIVATIVE = "vjp of nlml wrt log_ls, log_sf, log_sn, y"


def arguments(size: int = 5):
    rng = np.random.default_rng(26)
    return (
        np.array([0.1, -0.2]),
        0.2,
        -0.7,
        rng.normal(size=(size, 2)),
        rng.normal(size=size),
    )


def rbf(X1, X2, lengthscales, sf):
    A = X1 / lengthscales
    B = X2 / lengthscales
    sq = np.sum(A**2, axis=1)[:, None] + np.sum(B**2, axis=1)[None, :] - 2.0 * A @ B.T
    return sf**2 * np.exp(-0.5 * sq)


def nlml(log_ls, log_sf, log_sn, X, y):
    n = X.shape[0]
    K = rbf(X, X, np.exp(log_ls), np.exp(log_sf))
    K[np.diag_indices(n)] += np.exp(2.0 * log_sn) + 1e-10
    L = np.linalg.cholesky(K)
    alpha = np.linalg.solve(L.T, np.linalg.solve(L, y))
    return 0.5 * y @ alpha + np.sum(np.log(np.diag(L))) + 0.5 * n * np.log(2.0 * np.pi)
