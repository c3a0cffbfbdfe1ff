"""A convolution layer as a loop over the places of the output, with bias; layout (N, H, W, C).

out[n, i, j, c] = bias[c] + sum over the window at (i, j) of input times weights[:, :, :, c].
"""

import numpy as np

DERIVATIVE = "vjp of conv2d_bias wrt input, weights, bias"


def arguments(size: int = 4):
    rng = np.random.default_rng(18)
    return (
        rng.normal(size=(2, size, 5, 2)),
        rng.normal(size=(3, 3, 2, 3)),
        rng.normal(size=3),
    )


def conv2d(input, weights):
    K = weights.shape[0]
    N = input.shape[0]
    H_out = input.shape[1] - K + 1
    W_out = input.shape[2] - K + 1
    C_out = weights.shape[3]
    output = np.empty((N, H_out, W_out, C_out))

    for i in range(H_out):
        for j in range(W_out):
            window = input[:, i : i + K, j : j + K, :, np.newaxis]
            output[:, i, j, :] = np.sum(window * weights[np.newaxis], axis=(1, 2, 3))
    return output


def conv2d_bias(input, weights, bias):
    return conv2d(input, weights) + bias
