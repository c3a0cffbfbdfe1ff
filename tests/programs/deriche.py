"""Deriche's recursive edge filter (PolyBench: deriche; R. Deriche, 1987).

A causal and an anticausal second order recursion run over each row and are added; the same is done to
the columns of the result. The coefficients come from the width parameter alpha.
"""

import numpy as np

DERIVATIVE = "vjp of deriche wrt alpha, img"


def arguments(size: int = 4):
    rng = np.random.default_rng(0)
    return 0.25, rng.uniform(size=(size, size + 1))


def deriche(alpha: float, img):
    # pullback: img: (w, h)
    w, h = img.shape
    k = (1.0 - np.exp(-alpha)) ** 2
    k = k / (1.0 + 2.0 * alpha * np.exp(-alpha) - np.exp(2.0 * alpha))
    a1 = a5 = k
    a2 = a6 = k * np.exp(-alpha) * (alpha - 1.0)
    a3 = a7 = k * np.exp(-alpha) * (alpha + 1.0)
    a4 = a8 = -k * np.exp(-2.0 * alpha)
    b1 = 2.0 ** (-alpha)
    b2 = -np.exp(-2.0 * alpha)
    y1 = np.zeros_like(img)
    y2 = np.zeros_like(img)

    for i in range(w):
        ym1 = ym2 = xm1 = 0.0
        for j in range(h):
            y1[i, j] = a1 * img[i, j] + a2 * xm1 + b1 * ym1 + b2 * ym2
            xm1 = img[i, j]
            ym2 = ym1
            ym1 = y1[i, j]
    for i in range(w):
        yp1 = yp2 = xp1 = xp2 = 0.0
        for j in range(h - 1, -1, -1):
            y2[i, j] = a3 * xp1 + a4 * xp2 + b1 * yp1 + b2 * yp2
            xp2 = xp1
            xp1 = img[i, j]
            yp2 = yp1
            yp1 = y2[i, j]
    out = y1 + y2

    for j in range(h):
        tm1 = ym1 = ym2 = 0.0
        for i in range(w):
            y1[i, j] = a5 * out[i, j] + a6 * tm1 + b1 * ym1 + b2 * ym2
            tm1 = out[i, j]
            ym2 = ym1
            ym1 = y1[i, j]
    for j in range(h):
        tp1 = tp2 = yp1 = yp2 = 0.0
        for i in range(w - 1, -1, -1):
            y2[i, j] = a7 * tp1 + a8 * tp2 + b1 * yp1 + b2 * yp2
            tp2 = tp1
            tp1 = out[i, j]
            yp2 = yp1
            yp1 = y2[i, j]
    return y1 + y2
