"""A multilayer perceptron whose parameters are a list of (weights, bias) pairs, with dropout masks given.

Hidden layers are tanh, the last is linear; the loss is the mean squared error with weight decay.
"""

import numpy as np

DERIVATIVE = "vjp of objective wrt layers"


def arguments(size: int = 5):
    rng = np.random.default_rng(22)
    sizes = ((3, 4), (4, 4), (4, 2))
    layers = [(rng.normal(size=s), rng.normal(size=s[1])) for s in sizes]
    masks = [(rng.random((size, 4)) > 0.3) / 0.7 for _ in range(2)]
    return layers, rng.normal(size=(size, 3)), rng.normal(size=(size, 2)), masks, 0.01


def forward(layers, X, masks):
    h = X
    for (W, b), mask in zip(layers[:-1], masks):
        h = np.tanh(h @ W + b) * mask
    W, b = layers[-1]
    return h @ W + b


def objective(layers, X, Y, masks, decay):
    penalty = 0.0
    for W, _ in layers:
        penalty += np.sum(W**2)
    residual = forward(layers, X, masks) - Y
    return np.mean(residual**2) + decay * penalty
