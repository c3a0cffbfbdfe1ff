"""Channel flow, periodic along the channel, driven by a constant force, until it hardly changes.

Navier-Stokes as in the cavity: a pressure Poisson equation, upwind convection, central diffusion. The columns
wrap around, which is written with np.roll; the walls are rows. The loop ends when the relative change of the
total velocity falls under a tolerance.
"""

import numpy as np

DERIVATIVE = "vjp of channel_flow wrt u, v, p, rho, nu, F"


def arguments(size: int = 6):
    rng = np.random.default_rng(2)
    ny, nx = size, size - 1
    u = 0.2 + 0.05 * rng.random((ny, nx))
    v, p = (0.05 * rng.normal(size=(ny, nx)) for _ in range(2))
    return u, v, p, 1.0, 0.1, 1.0, 0.02, 0.4, 0.3, 3, 0.09, 50


def laplacian_x(q):
    return np.roll(q, -1, axis=1) - 2.0 * q + np.roll(q, 1, axis=1)


def channel_flow(u, v, p, rho, nu, F, dt, dx, dy, nit, tol=0.02, max_steps=50):
    udiff = 1.0
    steps = 0
    while udiff > tol and steps < max_steps:
        un = u.copy()
        vn = v.copy()

        du_dx = (np.roll(un, -1, axis=1) - np.roll(un, 1, axis=1))[1:-1] / (2 * dx)
        dv_dx = (np.roll(vn, -1, axis=1) - np.roll(vn, 1, axis=1))[1:-1] / (2 * dx)
        du_dy = (un[2:] - un[:-2]) / (2 * dy)
        dv_dy = (vn[2:] - vn[:-2]) / (2 * dy)
        b = rho * ((du_dx + dv_dy) / dt - du_dx**2 - 2 * du_dy * dv_dx - dv_dy**2)

        for _ in range(nit):
            pn = p.copy()
            p[1:-1] = (
                (np.roll(pn, -1, axis=1) + np.roll(pn, 1, axis=1))[1:-1] * dy**2
                + (pn[2:] + pn[:-2]) * dx**2
                - b * dx**2 * dy**2
            ) / (2 * (dx**2 + dy**2))
            p[-1, :] = p[-2, :]
            p[0, :] = p[1, :]

        dp_dx = (np.roll(p, -1, axis=1) - np.roll(p, 1, axis=1))[1:-1] / (2 * dx)
        dp_dy = (p[2:] - p[:-2]) / (2 * dy)
        u[1:-1] += dt * (
            -un[1:-1] * (un - np.roll(un, 1, axis=1))[1:-1] / dx
            - vn[1:-1] * (un[1:-1] - un[:-2]) / dy
            - dp_dx / rho
            + nu * laplacian_x(un)[1:-1] / dx**2
            + nu * (un[2:] - 2 * un[1:-1] + un[:-2]) / dy**2
            + F
        )
        v[1:-1] += dt * (
            -un[1:-1] * (vn - np.roll(vn, 1, axis=1))[1:-1] / dx
            - vn[1:-1] * (vn[1:-1] - vn[:-2]) / dy
            - dp_dy / rho
            + nu * laplacian_x(vn)[1:-1] / dx**2
            + nu * (vn[2:] - 2 * vn[1:-1] + vn[:-2]) / dy**2
        )

        # No slip at the walls
        u[0, :] = u[-1, :] = 0
        v[0, :] = v[-1, :] = 0

        udiff = (np.sum(u) - np.sum(un)) / np.sum(u)
        steps += 1
    return u, v, p
