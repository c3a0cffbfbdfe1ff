"""The classical Runge-Kutta method, the right-hand side passed to it as a function.

Here it is that of two species: dx/dt = a x - b x y, dy/dt = -c y + d x y (Lotka, 1925; Volterra, 1926), and the misfit
to observed populations is wanted, as a fit needs it.
"""

import numpy as np

DERIVATIVE = "vjp of misfit wrt theta, x0"


def arguments(size: int = 3):
    observed = 1.0 + np.random.default_rng(0).random((size, 2))
    return np.array([1.1, 0.8, 0.9, 0.7]), np.array([1.2, 0.8]), observed, 0.1, 3


def lotka_volterra(x, t, theta):
    a, b, c, d = theta[0], theta[1], theta[2], theta[3]
    return np.array([a * x[0] - b * x[0] * x[1], -c * x[1] + d * x[0] * x[1]])


def rk4_step(f, x, t, h, theta):
    k1 = f(x, t, theta)
    k2 = f(x + 0.5 * h * k1, t + 0.5 * h, theta)
    k3 = f(x + 0.5 * h * k2, t + 0.5 * h, theta)
    k4 = f(x + h * k3, t + h, theta)
    return x + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)


def misfit(theta, x0, observed, h, every):
    x = x0
    t = 0.0
    loss = 0.0
    for y in observed:
        for _ in range(every):
            x = rk4_step(lotka_volterra, x, t, h, theta)
            t += h
        loss += np.sum((np.log(x) - np.log(y)) ** 2)
    return loss
