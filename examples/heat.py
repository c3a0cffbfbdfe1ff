"""Heat in a rod: explicit steps of the diffusion equation through views of one array."""

import numpy as np


def heat_misfit(u: np.ndarray, target: np.ndarray, steps: int, rate: float = 0.1):
    # pullback: u: (n,), target: (n,)
    v = u.copy()
    left, mid, right = v[:-2], v[1:-1], v[2:]
    for _ in range(steps):
        mid += rate * (left - 2.0 * mid + right)
    return 0.5 * np.sum((v - target) ** 2)
