"""A Kalman filter whose innovations are whitened by a Cholesky factor, for a target tracked in the plane.

The state is position and velocity, the noise of the process has the standard form of constant velocity with random
acceleration; steps without a measurement (nan) only predict.
"""

import numpy as np

DERIVATIVE = "vjp of tracking_nll wrt q, r, m0, p0"


def arguments(size: int = 5):
    rng = np.random.default_rng(13)
    ys = np.cumsum(rng.normal(size=(size, 2)), axis=0)
    ys[2] = np.nan
    return 0.3, 0.4, rng.normal(size=4), 0.5 + rng.random(4), ys, 0.5


def tracking_nll(q: float, r: float, m0, p0, ys, dt: float):
    """Negative log likelihood of the measured positions."""
    F = np.eye(4)
    F[0, 2] = F[1, 3] = dt
    Q = np.zeros((4, 4))
    for a in range(2):
        Q[a, a] = q * dt**3 / 3
        Q[a, a + 2] = Q[a + 2, a] = q * dt**2 / 2
        Q[a + 2, a + 2] = q * dt
    H = np.eye(2, 4)
    R = r**2 * np.eye(2)

    m = m0.copy()
    P = np.diag(p0)
    nll = 0.0
    for k in range(ys.shape[0]):
        m = F @ m
        P = F @ P @ F.T + Q
        if np.isnan(ys[k, 0]):
            continue
        e = ys[k] - H @ m
        S = H @ P @ H.T + R
        L = np.linalg.cholesky(S)
        z = np.linalg.solve(L, e)
        nll += 0.5 * (z @ z) + np.sum(np.log(np.diag(L)))
        W = np.linalg.solve(L, H @ P)
        m += W.T @ z
        P -= W.T @ W
    return nll
