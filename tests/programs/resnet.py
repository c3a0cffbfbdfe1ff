"""A small residual network in plain loops and slices: convolutions, batch normalization, relu, pooling, softmax.

One bottleneck block (1x1, 3x3 with padding, 1x1 and the shortcut; He and others, 2016), max pooling, mean pooling,
a linear layer and the cross-entropy of the labels. Layout (N, H, W, C).
"""

import numpy as np

DERIVATIVE = "vjp of resnet_loss wrt x, conv1, conv2, conv3, gamma, beta, W, b"


def arguments(size: int = 4):
    rng = np.random.default_rng(20)
    n, s, c, m = 2, size, 2, 2
    return (
        rng.normal(size=(n, s, s, c)), rng.normal(size=(1, 1, c, m)), rng.normal(size=(3, 3, m, m)),
        rng.normal(size=(1, 1, m, c)), 1.0 + 0.1 * rng.normal(size=3), 0.3 * rng.normal(size=3),
        rng.normal(size=(c, 3)), rng.normal(size=3), np.array([2, 0]),
    )  # fmt: skip


def relu(x):
    return np.maximum(x, 0)


def conv2d(x, w):
    K = w.shape[0]
    n, height, width, _ = x.shape
    out = np.zeros((n, height - K + 1, width - K + 1, w.shape[3]))
    for p in range(K):
        for q in range(K):
            out += x[:, p : p + out.shape[1], q : q + out.shape[2], :] @ w[p, q]
    return out


def batchnorm2d(x, gamma, beta, eps=1e-5):
    mean = np.mean(x, axis=(0, 1, 2), keepdims=True)
    std = np.std(x, axis=(0, 1, 2), keepdims=True)
    return gamma * (x - mean) / np.sqrt(std**2 + eps) + beta


def maxpool2d(x):
    n, height, width, c = x.shape
    out = np.empty((n, height // 2, width // 2, c))
    for i in range(height // 2):
        for j in range(width // 2):
            window = x[:, 2 * i : 2 * i + 2, 2 * j : 2 * j + 2, :]
            out[:, i, j, :] = np.max(window, axis=(1, 2))
    return out


def bottleneck(x, conv1, conv2, conv3, gamma, beta):
    n, height, width, _ = x.shape
    padded = np.zeros((n, height + 2, width + 2, conv1.shape[3]))
    padded[:, 1:-1, 1:-1, :] = conv2d(x, conv1)
    y = batchnorm2d(padded, gamma[0], beta[0])
    y = relu(y)
    y = conv2d(y, conv2)
    y = batchnorm2d(y, gamma[1], beta[1])
    y = relu(y)
    y = conv2d(y, conv3)
    y = batchnorm2d(y, gamma[2], beta[2])
    return relu(y + x)


def softmax_cross_entropy(z, labels):
    z = z - np.max(z, axis=-1, keepdims=True)
    logp = z - np.log(np.sum(np.exp(z), axis=-1, keepdims=True))
    return -np.mean(logp[np.arange(len(labels)), labels])


def resnet_loss(x, conv1, conv2, conv3, gamma, beta, W, b, labels):
    y = bottleneck(x, conv1, conv2, conv3, gamma, beta)
    y = maxpool2d(y)
    features = np.mean(y, axis=(1, 2))
    return softmax_cross_entropy(features @ W + b, labels)
