"""PageRank by power iteration until the change is small (Brin and Page, 1998).

Weights of links are made stochastic column by column, pages without links link to all; r = d S r + (1 - d) v.
"""

import numpy as np

DERIVATIVE = "vjp of pagerank wrt weights, v, damping"


def arguments(size: int = 4):
    rng = np.random.default_rng(24)
    links = rng.integers(0, 2, size=(size, size))
    links[:, 2] = 0
    return links, rng.random((size, size)), 0.5 + rng.random(size), 0.5, 1e-10, 200


def pagerank(links, weights, v, damping=0.85, tol=1e-10, max_iter=200):
    n = links.shape[0]
    S = np.empty((n, n))
    for j in range(n):
        out = links[:, j] * weights[:, j]
        total = out.sum()
        if total > 0:
            S[:, j] = out / total
        else:
            S[:, j] = 1.0 / n

    v = v / v.sum()
    rank = np.ones(n) / n
    for _ in range(max_iter):
        new = damping * (S @ rank) + (1.0 - damping) * v
        change = np.abs(new - rank).sum()
        rank = new
        if change < tol:
            return rank
    raise RuntimeError("no convergence")
