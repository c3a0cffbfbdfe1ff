"""Toeplitz system with the autocorrelations as right-hand side (PolyBench: durbin).

The Levinson-Durbin recursion for T y = -r (Golub and Van Loan, Matrix Computations, 4.7.3).
"""

import numpy as np

DERIVATIVE = "vjp of durbin wrt r"


def arguments(size: int = 5):
    return (0.8 ** np.arange(1.0, size + 1.0) / np.arange(2.0, size + 2.0),)


def durbin(r):
    n = len(r)
    y = np.zeros(n)
    y[0] = -r[0]
    beta = 1.0
    alpha = -r[0]
    for k in range(1, n):
        beta = (1.0 - alpha * alpha) * beta
        total = 0.0
        for i in range(k):
            total += r[k - i - 1] * y[i]
        alpha = -(r[k] + total) / beta
        z = np.zeros(k)
        for i in range(k):
            z[i] = y[i] + alpha * y[k - i - 1]
        for i in range(k):
            y[i] = z[i]
        y[k] = alpha
    return y
