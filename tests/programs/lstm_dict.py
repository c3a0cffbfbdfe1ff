"""The same recurrent network with its parameters in a dict, as training scripts keep them.

Each gate has a matrix and a bias under its own key and sees the input and the last state side by side; the loss is
the cross-entropy of the next symbol.
"""

import numpy as np

DERIVATIVE = "vjp of nll wrt params"


def arguments(size: int = 4):
    rng = np.random.default_rng(11)
    V, H = 3, 2
    params = {}
    for gate in "fiog":
        params["W" + gate] = rng.normal(size=(H, H + V))
        params["b" + gate] = rng.normal(size=H)
    params["Wy"] = rng.normal(size=(V, H))
    params["by"] = rng.normal(size=V)
    return params, [0, *(i * i % 3 for i in range(size))], V, H


def sigmoid(x):
    return 0.5 * (np.tanh(x / 2.0) + 1.0)


def step(params, x, h, c):
    z = np.concatenate((h, x))
    f = sigmoid(params["Wf"] @ z + params["bf"])
    i = sigmoid(params["Wi"] @ z + params["bi"])
    o = sigmoid(params["Wo"] @ z + params["bo"])
    g = np.tanh(params["Wg"] @ z + params["bg"])
    c = f * c + i * g
    h = o * np.tanh(c)
    return h, c


def nll(params, text, n_symbols, n_hidden):
    h = np.zeros(n_hidden)
    c = np.zeros(n_hidden)
    total = 0.0
    for t in range(len(text) - 1):
        x = np.zeros(n_symbols)
        x[text[t]] = 1.0
        h, c = step(params, x, h, c)
        logits = params["Wy"] @ h + params["by"]
        logits = logits - np.max(logits)
        total -= logits[text[t + 1]] - np.log(np.sum(np.exp(logits)))
    return total / (len(text) - 1)
