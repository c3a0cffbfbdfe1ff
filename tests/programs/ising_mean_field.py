"""Mean field of the Ising model on a periodic grid: m_i = tanh(beta (h_i + J sum of neighbours)), and its free energy.

The magnetization is relaxed with damping, rows and columns wrap; the variational free energy of the last state is
the mean energy less the temperature times the entropy.
"""

import numpy as np

DERIVATIVE = "vjp of free_energy wrt h, J, beta"


def arguments(size: int = 4):
    return np.random.default_rng(30).normal(size=(3, size)), 0.3, 0.8, 5, 0.5


def neighbours(m):
    return np.roll(m, 1, 0) + np.roll(m, -1, 0) + np.roll(m, 1, 1) + np.roll(m, -1, 1)


def free_energy(h, J, beta, steps=5, damping=0.5):
    m = 0.1 * np.ones(h.shape)
    for _ in range(steps):
        target = np.tanh(beta * (h + J * neighbours(m)))
        m *= 1.0 - damping
        m += damping * target
    energy = -0.5 * J * np.sum(m * neighbours(m)) - np.sum(h * m)
    up, down = 0.5 * (1.0 + m), 0.5 * (1.0 - m)
    entropy = -np.sum(up * np.log(up) + down * np.log(down))
    return energy - entropy / beta
