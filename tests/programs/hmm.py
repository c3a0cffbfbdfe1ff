"""The log likelihood of a hidden Markov model by the scaled forward algorithm (Rabiner, 1989).

Rows of the transition and emission matrices are softmax of free parameters, so that a fit needs no constraints.
"""

import numpy as np

DERIVATIVE = "vjp of hmm_log_likelihood wrt start, trans, emit"


def arguments(size: int = 6):
    rng = np.random.default_rng(23)
    start, trans, emit = (
        rng.normal(size=3),
        rng.normal(size=(3, 3)),
        rng.normal(size=(3, 4)),
    )
    return start, trans, emit, rng.integers(0, 4, size=size)


def softmax_rows(a):
    e = np.exp(a - a.max(axis=1)[:, None])
    return e / e.sum(axis=1)[:, None]


def hmm_log_likelihood(start, trans, emit, observations):
    pi = np.exp(start - start.max())
    pi /= pi.sum()
    A = softmax_rows(trans)
    B = softmax_rows(emit)

    alpha = pi * B[:, observations[0]]
    scale = alpha.sum()
    alpha /= scale
    log_likelihood = np.log(scale)
    for o in observations[1:]:
        alpha = (alpha @ A) * B[:, o]
        scale = alpha.sum()
        alpha /= scale
        log_likelihood += np.log(scale)
    return log_likelihood
