"""A long short-term memory network over a sequence, with the squared error of its predictions.

i, f, o = sigmoid of affine maps of (x_t, h_{t-1}), g = tanh of one; c_t = f c_{t-1} + i g; h_t = o tanh(c_t)
(Hochreiter and Schmidhuber, 1997; forget gate: Gers and others, 2000). The four maps are one matrix.
"""

import numpy as np

DERIVATIVE = "vjp of lstm_loss wrt Wx, Wh, b, Wy, by, h0, c0"


def arguments(size: int = 3):
    rng = np.random.default_rng(10)
    T, N, D, H, n_out = size, 2, 2, 3, 2
    Wx, Wh = 0.5 * rng.normal(size=(D, 4 * H)), 0.5 * rng.normal(size=(H, 4 * H))
    Wy, by = rng.normal(size=(H, n_out)), rng.normal(size=n_out)
    h0, c0 = rng.normal(size=(2, N, H))
    xs, ys = rng.normal(size=(T, N, D)), rng.normal(size=(T, N, n_out))
    return Wx, Wh, 0.5 * rng.normal(size=4 * H), Wy, by, h0, c0, xs, ys


def sigmoid(x):
    return 1.0 / (1.0 + np.exp(-x))


def lstm_loss(Wx, Wh, b, Wy, by, h0, c0, xs, ys):
    """Mean squared error over a sequence of batches: xs is (T, N, D), ys is (T, N, K)."""
    T, N = xs.shape[:2]
    H = h0.shape[1]
    h, c = h0, c0
    loss = 0.0
    for t in range(T):
        a = xs[t] @ Wx + h @ Wh + b
        i = sigmoid(a[:, :H])
        f = sigmoid(a[:, H : 2 * H])
        o = sigmoid(a[:, 2 * H : 3 * H])
        g = np.tanh(a[:, 3 * H :])
        c = f * c + i * g
        h = o * np.tanh(c)
        loss += np.sum((h @ Wy + by - ys[t]) ** 2)
    return loss / (T * N)
