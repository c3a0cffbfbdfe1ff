"""Logistic regression: the loss of a linear classifier."""

import numpy as np


def logistic_loss(w, X, y):
    # pullback: w: (d,), X: (n, d), y: (n,)
    z = X @ w
    p = 1.0 / (1.0 + np.exp(-z))
    losses = y * np.log(p) + (1.0 - y) * np.log(1.0 - p)
    return -np.mean(losses)
