"""Cahn and Hilliard's equation by a semi-implicit spectral method (Eyre's splitting, Chen and Shen, 1998).

dc/dt = M laplace(c^3 - c - kappa laplace c): the cubic part is explicit, the stiff part divides in Fourier space.
The free energy of the end is what is asked for.
"""

import numpy as np

DERIVATIVE = "vjp of final_energy wrt c, M, kappa"


def arguments(size: int = 4):
    return (
        0.3 * np.random.default_rng(35).normal(size=(size, size)),
        1.2,
        0.05,
        0.02,
        0.5,
        3,
    )


def final_energy(c, M, kappa, dt, dx, steps):
    n = c.shape[0]
    k = 2.0 * np.pi * np.fft.fftfreq(n, d=dx)
    kx, ky = np.meshgrid(k, k, indexing="ij")
    k2 = kx**2 + ky**2
    c_hat = np.fft.fft2(c)
    for _ in range(steps):
        mu_hat = np.fft.fft2(c**3 - c)
        c_hat = (c_hat - dt * M * k2 * mu_hat) / (1.0 + dt * M * kappa * k2**2)
        c = np.fft.ifft2(c_hat).real
    grad_x = np.fft.ifft2(1j * kx * c_hat).real
    grad_y = np.fft.ifft2(1j * ky * c_hat).real
    bulk = 0.25 * (c**2 - 1.0) ** 2
    return np.sum(bulk + 0.5 * kappa * (grad_x**2 + grad_y**2)) * dx**2
