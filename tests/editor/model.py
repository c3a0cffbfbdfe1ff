"""What the editor tests open. Importing it leaves a trace on disk; opening it must not."""

from pathlib import Path

import numpy as np

Path(__file__).with_suffix(".trace").touch()


def logistic_loss(w, X, y):
    # pullback: w: (d,), X: (n, d), y: (n,)
    z = X @ w
    p = 1.0 / (1.0 + np.exp(-z))
    losses = y * np.log(p) + (1.0 - y) * np.log(1.0 - p)
    return -np.mean(losses)


def spread(x):
    # pullback: differentiable
    distinct = np.unique(x)
    return np.sum(distinct * distinct)
