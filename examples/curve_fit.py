"""Fit of a damped oscillation, with the model in a function of its own."""

import numpy as np


def damped(t, amplitude, rate, frequency):
    return amplitude * np.exp(-rate * t) * np.cos(frequency * t)


def misfit(amplitude: float, rate: float, frequency: float, t: np.ndarray, data: np.ndarray):
    # pullback: t: (n,), data: (n,)
    residual = damped(t, amplitude, rate, frequency) - data
    return 0.5 * np.sum(residual**2)
