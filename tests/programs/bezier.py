"""A Bezier curve by de Casteljau's algorithm, and the length of its polygon.

Each round replaces the points by (1 - t) P_i + t P_{i+1}, in place, until one is left.
"""

import numpy as np

DERIVATIVE = "vjp of arc_length wrt control"


def arguments(size: int = 5):
    return np.random.default_rng(34).normal(size=(4, 2)), size


def de_casteljau(control, t):
    points = control.copy()
    n = len(points)
    for r in range(1, n):
        for i in range(n - r):
            points[i] = (1.0 - t) * points[i] + t * points[i + 1]
    return points[0]


def arc_length(control, pieces):
    length = 0.0
    last = control[0]
    for k in range(1, pieces + 1):
        here = de_casteljau(control, k / pieces)
        length += np.sqrt(np.sum((here - last) ** 2))
        last = here
    return length
