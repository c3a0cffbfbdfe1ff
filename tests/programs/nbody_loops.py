"""N bodies under gravity, pair by pair, with the leapfrog method (kick, drift, kick).

The force of body j on body i is G m_i m_j (r_j - r_i) / (|r_j - r_i|^2 + eps^2)^(3/2); what one body gets, the
other gets with the opposite sign (Newton's third law), so that each pair is visited once.
"""

import numpy as np

DERIVATIVE = "vjp of total_energy_after wrt pos, vel, mass, G"


def arguments(size: int = 4):
    rng = np.random.default_rng(5)
    n = size
    return (
        rng.normal(size=(n, 3)),
        0.3 * rng.normal(size=(n, 3)),
        1.0 + rng.random(n),
        0.7,
        0.1,
        0.05,
        4,
    )


def accelerations(pos, mass, G, eps, acc):
    n = len(mass)
    acc[:] = 0.0
    for i in range(n):
        for j in range(i + 1, n):
            dx = pos[j, 0] - pos[i, 0]
            dy = pos[j, 1] - pos[i, 1]
            dz = pos[j, 2] - pos[i, 2]
            r2 = dx * dx + dy * dy + dz * dz + eps**2
            f = G / (r2 * np.sqrt(r2))
            acc[i, 0] += mass[j] * f * dx
            acc[i, 1] += mass[j] * f * dy
            acc[i, 2] += mass[j] * f * dz
            acc[j, 0] -= mass[i] * f * dx
            acc[j, 1] -= mass[i] * f * dy
            acc[j, 2] -= mass[i] * f * dz


def energy(pos, vel, mass, G, eps):
    kinetic = 0.5 * np.sum(mass * np.sum(vel**2, axis=1))
    potential = 0.0
    for i in range(len(mass)):
        for j in range(i):
            d = pos[i] - pos[j]
            potential -= G * mass[i] * mass[j] / np.sqrt(d @ d + eps**2)
    return kinetic + potential


def total_energy_after(pos, vel, mass, G, eps, dt, steps):
    pos = pos.copy()
    vel = vel.copy()
    acc = np.zeros_like(pos)
    accelerations(pos, mass, G, eps, acc)
    for _ in range(steps):
        vel += 0.5 * dt * acc
        pos += dt * vel
        accelerations(pos, mass, G, eps, acc)
        vel += 0.5 * dt * acc
    return energy(pos, vel, mass, G, eps)
