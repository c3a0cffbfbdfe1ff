"""What is differentiated: functions as people write them for NumPy, and nothing about derivatives.

A perceptron, a loop of numbers and a lattice language model are the programs that the papers on Tangent time;
a mixture of Gaussians, bundle adjustment and an LSTM are the problems of ADBench, written anew.
"""

import math

import numpy as np


def mlp(W1, b1, W2, b2, X, Y):
    """Cross entropy of a perceptron with one hidden layer."""
    # pullback: W1: (d, h), b1: (h,), W2: (h, c), b2: (c,), X: (n, d), Y: (n, c)
    hidden = np.tanh(X @ W1 + b1)
    z = hidden @ W2 + b2
    log_total = np.log(np.sum(np.exp(z), axis=1, keepdims=True))
    return np.sum(Y * (log_total - z)) / X.shape[0]


def scalar_loop(x: float, n: int):
    """A loop of numbers, with a branch."""
    y = x
    for _ in range(n):
        if y > 1.0:
            y = y * 0.5
        else:
            y = y * x
    return y


def lattice(W, E, S, x):
    """Log of the summed weight of all ways to cut a sequence into segments of one to K elements."""
    # pullback: W: (d, d), E: (K, d), S: (K,), x: (n, d)
    n, d = x.shape
    K = E.shape[0]
    h = np.zeros((n + K, d))
    a = np.full(n + K, -30.0)
    a[0] = 0.0
    for t in range(n):
        state = np.tanh(h[t] @ W + x[t])
        scores = a[t] + E @ state
        for k in range(K):
            h[t + k + 1] += S[k] * state
            a[t + k + 1] = np.logaddexp(a[t + k + 1], scores[k])
    return a[n]


def indexed_loop(x):
    """A sum over neighbours, element by element."""
    # pullback: x: (n,)
    s = 0.0
    for i in range(1, x.shape[0]):
        s = s + x[i] * x[i - 1] + math.sin(x[i])
    return s


def heat(u0, k: float, steps: int):
    """Diffusion in one dimension, in place."""
    # pullback: u0: (n,)
    u = u0.copy()
    for _ in range(steps):
        u[1:-1] = u[1:-1] + k * (u[2:] - 2.0 * u[1:-1] + u[:-2])
    return np.sum(u * u)


def jacobi(A0, steps: int):
    """Relaxation in two dimensions, between two arrays."""
    # pullback: A0: (n, n)
    A = A0.copy()
    B = A0.copy()
    for _ in range(steps):
        B[1:-1, 1:-1] = 0.2 * (
            A[1:-1, 1:-1] + A[1:-1, :-2] + A[1:-1, 2:] + A[2:, 1:-1] + A[:-2, 1:-1]
        )
        A[1:-1, 1:-1] = 0.2 * (
            B[1:-1, 1:-1] + B[1:-1, :-2] + B[1:-1, 2:] + B[2:, 1:-1] + B[:-2, 1:-1]
        )
    return np.sum(A * A)


def rnn(W, U, b, h0, xs):
    """A recurrent net that keeps its states in an array."""
    # pullback: W: (d, h), U: (h, h), b: (h,), h0: (m, h), xs: (n, m, d)
    n = xs.shape[0]
    h = np.zeros((n + 1, h0.shape[0], h0.shape[1]))
    h[0] = h0
    for t in range(n):
        h[t + 1] = np.tanh(xs[t] @ W + h[t] @ U + b)
    return np.sum(h[1:] * h[1:])


def lstm(W, U, b, h0, c0, xs):
    """Long short-term memory, one matrix for each gate."""
    # pullback: W: (4, d, h), U: (4, h, h), b: (4, h), h0: (m, h), c0: (m, h), xs: (n, m, d)
    n = xs.shape[0]
    h, c, loss = h0, c0, 0.0
    for t in range(n):
        i = 1.0 / (1.0 + np.exp(-(xs[t] @ W[0] + h @ U[0] + b[0])))
        f = 1.0 / (1.0 + np.exp(-(xs[t] @ W[1] + h @ U[1] + b[1])))
        o = 1.0 / (1.0 + np.exp(-(xs[t] @ W[2] + h @ U[2] + b[2])))
        g = np.tanh(xs[t] @ W[3] + h @ U[3] + b[3])
        c = f * c + i * g
        h = o * np.tanh(c)
        loss += np.sum(h * h)
    return loss


def gmm(alphas, means, Q, L, X):
    """Log likelihood of a mixture of Gaussians: log diagonals Q and lower triangles L of the roots of precisions."""
    # pullback: alphas: (k,), means: (k, d), Q: (k, d), L: (k, d, d), X: (n, d)
    n, k = X.shape[0], alphas.shape[0]
    terms = np.zeros((k, n))
    for j in range(k):
        y = (X - means[j]) @ (np.tril(L[j], -1) + np.diag(np.exp(Q[j]))).T
        terms[j] = alphas[j] + np.sum(Q[j]) - 0.5 * np.sum(y * y, axis=1)
    total = np.sum(np.log(np.sum(np.exp(terms), axis=0)))
    return total - n * np.log(np.sum(np.exp(alphas)))


def bundle(cameras, points, seen_by, seen, features):
    """Squared errors of points as cameras see them: rotation, center, focal length, middle, distortion."""
    # pullback: cameras: (c, 11), points: (p, 3), features: (n, 2)
    cams = cameras[seen_by]
    r, f, middle = cams[:, :3], cams[:, 6:7], cams[:, 7:9]
    X = points[seen] - cams[:, 3:6]
    angle = np.sqrt(np.sum(r * r, axis=1, keepdims=True))
    axis = r / angle
    cosine = np.cos(angle)
    turned = (
        X * cosine
        + np.cross(axis, X) * np.sin(angle)
        + axis * (np.sum(axis * X, axis=1, keepdims=True) * (1.0 - cosine))
    )
    q = turned[:, :2] / turned[:, 2:]
    square = np.sum(q * q, axis=1, keepdims=True)
    bent = 1.0 + cams[:, 9:10] * square + cams[:, 10:] * (square * square)
    error = q * bent * f + middle - features
    return np.sum(error * error)


def logistic(w, b: float, X, y):
    """Logistic regression."""
    # pullback: w: (d,), X: (n, d), y: (n,)
    z = X @ w + b
    return np.mean(np.logaddexp(0.0, z) - y * z)


def gaussian_process(scale: float, noise: float, X, y):
    """Negative log marginal likelihood of a Gaussian process, without its constant."""
    # pullback: X: (n, d), y: (n,)
    n = X.shape[0]
    squares = np.sum(X * X, axis=1)
    distances = squares[:, None] + squares[None, :] - 2.0 * (X @ X.T)
    K = np.exp(-0.5 * math.exp(-scale) * distances) + math.exp(noise) * np.eye(n)
    L = np.linalg.cholesky(K)
    a = np.linalg.solve(L, y)
    return 0.5 * np.dot(a, a) + np.sum(np.log(np.diag(L)))
