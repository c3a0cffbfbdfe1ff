"""A fit of a B-spline curve to points, the basis by the recurrence of Cox and de Boor (1972).

N_{i,0} is one between two knots; N_{i,p} blends two of degree p - 1. The curve is the sum of control points times
basis functions; the cost adds the bending of the control polygon. The knots may move as well.
"""

import numpy as np

DERIVATIVE = "vjp of fit_error wrt control, knots, t"


def arguments(size: int = 4):
    rng = np.random.default_rng(33)
    knots = np.array([0.0, 0.0, 0.0, 0.35, 0.6, 1.0, 1.0, 1.0])
    return (
        rng.normal(size=(5, 2)),
        knots,
        np.linspace(0.1, 0.9, size),
        rng.normal(size=(size, 2)),
        2,
        0.1,
    )


def basis(i, p, t, knots):
    if p == 0:
        return 1.0 if knots[i] <= t < knots[i + 1] else 0.0
    value = 0.0
    if knots[i + p] > knots[i]:
        value += (t - knots[i]) / (knots[i + p] - knots[i]) * basis(i, p - 1, t, knots)
    if knots[i + p + 1] > knots[i + 1]:
        value += (
            (knots[i + p + 1] - t)
            / (knots[i + p + 1] - knots[i + 1])
            * basis(i + 1, p - 1, t, knots)
        )
    return value


def curve(t, control, knots, degree):
    point = np.zeros(control.shape[1])
    for i in range(control.shape[0]):
        point += basis(i, degree, t, knots) * control[i]
    return point


def fit_error(control, knots, t, points, degree, bending):
    error = 0.0
    for k in range(len(t)):
        r = curve(t[k], control, knots, degree) - points[k]
        error += r @ r
    second = control[2:] - 2.0 * control[1:-1] + control[:-2]
    return error + bending * np.sum(second**2)
