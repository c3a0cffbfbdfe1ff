"""The negative log likelihood of a GARCH(1, 1) model with an autoregressive mean (Bollerslev, 1986).

r_t = mu + phi r_{t-1} + e_t, h_t = omega + alpha e_{t-1}^2 + beta h_{t-1}; each e_t is normal with variance h_t.
"""

import numpy as np

DERIVATIVE = "vjp of garch_nll wrt theta, r"


def arguments(size: int = 8):
    rng = np.random.default_rng(25)
    return np.array([0.05, 0.2, 0.1, 0.15, 0.7]), rng.normal(size=size)


def garch_nll(theta, r):
    mu, phi, omega, alpha, beta = theta[0], theta[1], theta[2], theta[3], theta[4]
    if omega <= 0.0 or alpha < 0.0 or beta < 0.0 or alpha + beta >= 1.0:
        return np.inf
    T = len(r)
    e = np.zeros(T)
    h = np.zeros(T)
    e[0] = r[0] - mu
    h[0] = omega / (1.0 - alpha - beta)
    for t in range(1, T):
        e[t] = r[t] - mu - phi * r[t - 1]
        h[t] = omega + alpha * e[t - 1] ** 2 + beta * h[t - 1]
    return 0.5 * np.sum(np.log(2.0 * np.pi * h) + e**2 / h)
