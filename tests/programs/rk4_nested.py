"""A double pendulum by Runge-Kutta: the right-hand side is a function inside the function, and sees its parameters.

The equations are those of two point masses on massless rods, angles from the vertical (Lagrange's equations solved
for the accelerations); the whole trajectory is kept, and its end compared with a goal.
"""

import numpy as np

DERIVATIVE = "vjp of end_error wrt start, m1, m2, l1, l2"


def arguments(size: int = 4):
    start = np.array([0.8, 0.3, 0.1, -0.2])
    return start, 1.0, 0.8, 1.1, 0.9, np.array([0.1, 0.2, 0.0, 0.0]), 0.05, size


def end_error(start, m1, m2, l1, l2, goal, h, n):
    g = 9.81

    def rhs(s):
        t1, t2, w1, w2 = s[0], s[1], s[2], s[3]
        d = t1 - t2
        den = 2.0 * m1 + m2 - m2 * np.cos(2.0 * d)
        a1 = (
            -g * (2.0 * m1 + m2) * np.sin(t1)
            - m2 * g * np.sin(t1 - 2.0 * t2)
            - 2.0 * np.sin(d) * m2 * (w2**2 * l2 + w1**2 * l1 * np.cos(d))
        ) / (l1 * den)
        a2 = (
            2.0
            * np.sin(d)
            * (
                w1**2 * l1 * (m1 + m2)
                + g * (m1 + m2) * np.cos(t1)
                + w2**2 * l2 * m2 * np.cos(d)
            )
        ) / (l2 * den)
        return np.array([w1, w2, a1, a2])

    path = np.empty((n + 1, 4))
    path[0] = start
    for k in range(n):
        y = path[k]
        k1 = rhs(y)
        k2 = rhs(y + h / 2 * k1)
        k3 = rhs(y + h / 2 * k2)
        k4 = rhs(y + h * k3)
        path[k + 1] = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return np.sum((path[-1] - goal) ** 2)
