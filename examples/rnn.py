"""A recurrent network that fills an array of states, one row a step."""

import numpy as np


def rnn_loss(W: np.ndarray, inputs: np.ndarray):
    # pullback: W: (k, k), inputs: (n, k)
    h = np.zeros((len(inputs) + 1, W.shape[1]))
    for t in range(len(inputs)):
        h[t + 1] = np.tanh(inputs[t] @ W + h[t])
    return np.sum(h[1:])
