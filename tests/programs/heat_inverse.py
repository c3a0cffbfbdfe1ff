"""An inverse problem of heat conduction: the conductivity of a rod from what sensors measured.

du/dt = d/dx(k(x) du/dx) + source, explicit in time, fluxes at the faces with the harmonic mean of the conductivities;
the ends are held at zero. The objective is the misfit at the sensors plus a smoothing penalty.
"""

import numpy as np

DERIVATIVE = "vjp of objective wrt k, source, u0"


def arguments(size: int = 7):
    rng = np.random.default_rng(31)
    n = size
    source, u0 = rng.normal(size=(2, n))
    data, sensors = rng.normal(size=(4, 2)), np.array([1, 2])
    return 1.0 + rng.random(n), source, u0, data, sensors, 0.01, 0.2, 0.1


def objective(k, source, u0, data, sensors, dt, dx, alpha):
    n_steps = data.shape[0]
    u = u0.copy()
    flux = np.empty(len(u) - 1)
    misfit = 0.0
    for step in range(n_steps):
        flux[:] = 2.0 * k[1:] * k[:-1] / (k[1:] + k[:-1]) * (u[1:] - u[:-1]) / dx
        u[1:-1] += dt * ((flux[1:] - flux[:-1]) / dx + source[1:-1])
        u[0] = u[-1] = 0.0
        misfit += 0.5 * np.sum((u[sensors] - data[step]) ** 2)
    return misfit + 0.5 * alpha * np.sum(np.diff(k) ** 2)
