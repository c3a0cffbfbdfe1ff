"""The log likelihood of a linear Gaussian state space model, by the Kalman filter.

x_t = A x_{t-1} + w, y_t = C x_t + v, with w ~ N(0, Q), v ~ N(0, R). Each step predicts mean and covariance, scores
the innovation, and updates both (Kalman, 1960; the likelihood by prediction errors: Schweppe, 1965).
"""

import numpy as np

DERIVATIVE = "vjp of log_likelihood wrt A, C, Q, R, m0, P0, ys"


def arguments(size: int = 4):
    rng = np.random.default_rng(12)
    n, k, T = 3, 2, size
    A, C = 0.5 * rng.normal(size=(n, n)), rng.normal(size=(k, n))
    q, p = rng.normal(size=(2, n, n)) / n + np.eye(n)
    r = rng.normal(size=(k, k)) / k + np.eye(k)
    m0, ys = rng.normal(size=n), rng.normal(size=(T, k))
    return A, C, q @ q.T, r @ r.T, m0, p @ p.T, ys


def log_likelihood(A, C, Q, R, m0, P0, ys):
    m, P = m0, P0
    ll = 0.0
    for y in ys:
        # Predict
        m = A @ m
        P = A @ P @ A.T + Q

        # Score
        e = y - C @ m
        S = C @ P @ C.T + R
        _, logdet = np.linalg.slogdet(S)
        ll -= 0.5 * (logdet + e @ np.linalg.solve(S, e) + len(y) * np.log(2 * np.pi))

        # Update
        K = np.linalg.solve(S, C @ P).T
        m = m + K @ e
        P = P - K @ C @ P
    return ll
