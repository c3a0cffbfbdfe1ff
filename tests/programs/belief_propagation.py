"""Belief propagation on a chain, in log space: forward and backward messages, marginals, and their fit to labels.

alpha_t(s) = unary_t(s) + logsumexp over s' of alpha_{t-1}(s') + pairwise(s', s); beta runs the other way; the
marginal is their sum less the log partition function.
"""

import numpy as np

DERIVATIVE = "vjp of chain_loss wrt unary, pairwise"


def arguments(size: int = 5):
    rng = np.random.default_rng(15)
    labels = rng.integers(0, 3, size=size)
    return rng.normal(size=(size, 3)), rng.normal(size=(3, 3)), labels


def logsumexp(a, axis):
    top = np.max(a, axis=axis, keepdims=True)
    return np.squeeze(top, axis=axis) + np.log(np.sum(np.exp(a - top), axis=axis))


def marginals(unary, pairwise):
    n, k = unary.shape
    forward = np.zeros((n, k))
    backward = np.zeros((n, k))
    forward[0] = unary[0]
    for t in range(1, n):
        forward[t] = unary[t] + logsumexp(forward[t - 1][:, None] + pairwise, 0)
    for t in range(n - 2, -1, -1):
        backward[t] = logsumexp(pairwise + (unary[t + 1] + backward[t + 1])[None, :], 1)
    log_z = logsumexp(forward[-1], 0)
    return forward + backward - log_z


def chain_loss(unary, pairwise, labels):
    """Minus the mean log marginal of the labels."""
    logp = marginals(unary, pairwise)
    return -np.mean(logp[np.arange(len(labels)), labels])
