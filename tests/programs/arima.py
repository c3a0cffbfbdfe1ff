"""The conditional sum of squares of an ARMA(p, q) model of a differenced series (Box and Jenkins, 1970).

w = difference of the series, d times; e_t = w_t - c - sum phi_i w_{t-i} - sum theta_j e_{t-j}, with zeros before the
beginning.
"""

import numpy as np

DERIVATIVE = "vjp of css wrt c, phi, theta, series"


def arguments(size: int = 10):
    rng = np.random.default_rng(37)
    return (
        0.1,
        np.array([0.4, -0.2]),
        np.array([0.3, 0.1]),
        np.cumsum(rng.normal(size=size)),
        1,
    )


def css(c, phi, theta, series, d=1):
    w = np.diff(series, n=d)
    p, q = len(phi), len(theta)
    n = len(w)
    e = np.zeros(n)
    for t in range(p, n):
        prediction = c
        for i in range(p):
            prediction += phi[i] * w[t - 1 - i]
        for j in range(q):
            if t - 1 - j >= 0:
                prediction += theta[j] * e[t - 1 - j]
        e[t] = w[t] - prediction
    return np.sum(e[p:] ** 2) / (n - p)
