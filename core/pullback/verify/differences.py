"""The slope of a number along one element, by differences.

It comes from central differences of fourth order at several steps; where neighbouring steps agree best, the
step is right, and how well they agree says how far it can be trusted. Where the function takes complex
numbers and the complex step agrees, it takes the place of the differences: it has no cancellation.

May not know: derivatives.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from .parts import Key, moved, part_at

STEPS = (1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8)  # relative to the element's size, or to 1


def difference(
    phi: Callable[[Mapping[str, Any]], Any],
    given: Mapping[str, Any],
    name: str,
    key: Key,
    index: Key,
    unit: complex,
) -> tuple[float, float]:
    """The derivative of phi along one element, and its doubt relative to `1 + |derivative|`."""
    size = max(float(abs(np.asarray(part_at(given[name], key))[index])), 1.0)

    def at(step: complex) -> Any:
        there = {**given, name: moved(given[name], key, index, step)}
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return phi(there)

    exact = _complex_step(at, size) if unit == 1.0 else float("nan")
    best = (np.inf, float("nan"), np.inf)
    last = float("nan")
    for step in STEPS:
        value, noise = _central(at, unit, step * size)
        gap = abs(value - last)
        # agreement counts relative to the values: far too large steps agree on nearly nothing
        score = max(gap - noise, 0.0) / (abs(value) + abs(last) + 1e-300)
        best = min(best, (score, value, gap + noise)) if np.isfinite(score) else best
        last = value
        if best[0] < 1e-10:
            break
    _, value, gap = best
    trusted = gap <= 1e-4 * (1 + abs(value))
    if trusted and abs(exact - value) <= 10 * gap + 1e-7 * (1 + abs(value)):
        return exact, 0.0
    return value, gap / (1 + abs(value)) if np.isfinite(value) else np.inf


def _central(at: Callable[[complex], Any], unit: complex, h: float) -> tuple[float, float]:
    """The central difference of fourth order, and how much of it may be rounding."""
    try:
        values = [_real(at(k * h * unit)) for k in (1.0, -1.0, 2.0, -2.0)]
    except (ArithmeticError, ValueError, np.linalg.LinAlgError):
        return float("nan"), np.inf  # the step leaves the function's domain
    near, far = values[0] - values[1], values[2] - values[3]
    return (8.0 * near - far) / (12.0 * h), 4e-16 * max(map(abs, values)) / h


def kinked(
    phi: Callable[[Mapping[str, Any]], Any],
    given: Mapping[str, Any],
    name: str,
    key: Key,
    index: Key,
    unit: complex,
    got: float,
) -> bool:
    """Whether the slopes to the left and to the right differ, however near, with `got` in between."""
    for h in (1e-5, 1e-6):
        try:
            with np.errstate(all="ignore"), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                low, mid, high = (
                    _real(phi({**given, name: moved(given[name], key, index, k * h * unit)}))
                    for k in (-1.0, 0.0, 1.0)
                )
        except (ArithmeticError, ValueError, np.linalg.LinAlgError):
            return False
        left, right = sorted(((mid - low) / h, (high - mid) / h))
        rounding = 1e-14 * max(abs(low), abs(mid), abs(high)) / h
        near = 1e-3 * (right - left)
        if not right - left > 1e-2 * (1 + abs(left) + abs(right)) + rounding:
            return False
        if not left - near <= got <= right + near:
            return False
    return True


def _complex_step(at: Callable[[complex], Any], size: float) -> float:
    try:
        value = at(1e-30j * size)
        return complex(value).imag / (1e-30 * size) if np.iscomplexobj(value) else float("nan")
    except Exception:
        return float("nan")  # a function that does not take complex numbers


def _real(value: Any) -> float:
    return float(np.real(value))
