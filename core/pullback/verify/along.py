"""A derivative along one drawn direction, which all elements take part in, also those that are not sampled.

Taylor: what is left of `f(x + h d) - f(x) - h slope` shrinks as `h**2` where the slope is right, as `h` where it is
not. Dot product: forward and reverse mode give the same number, one as `bar · (J d)`, the other as `(bar J) · d`; of
a Hessian, whose two modes are one, `v · (H d)` is `(v H) · d`.

May not know: derivatives, how arguments are moved.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

HALVES = 22  # steps, from 1e-2 on
ENOUGH = 3  # remainders, one behind the other, that shrink as the step does


@dataclass(frozen=True)
class Check:
    """What one test along a direction found; `ok` is None where it cannot tell."""

    name: str
    ok: bool | None
    said: str


def taylor(at: Callable[[float], Any], slope: float, limit: float) -> Check:
    """Whether the remainder of first order shrinks faster than the step does, on both sides."""
    name = "Taylor remainder"
    sides = [_orders(at, side, slope, limit) for side in (1.0, -1.0)]
    if any(orders is None for orders in sides):
        return Check(name, None, "the function is not finite nearby")
    last = [orders[-ENOUGH:] for orders in sides if orders]
    if not last:
        return Check(name, True, "within the tolerance")
    said = f"order {np.median([o for orders in last for o in orders]):.1f}"
    long = [orders for orders in last if len(orders) == ENOUGH]
    if any(all(0.7 < o < 1.3 for o in orders) for orders in long):
        return Check(name, None if _bends(at) else False, said)
    return Check(name, True if all(min(orders) > 1.3 for orders in long) else None, said)


def _orders(
    at: Callable[[float], Any], side: float, slope: float, limit: float
) -> list[float] | None:
    """By which power of the step the remainder shrinks, from step to step; None where `at` is not finite."""
    remainders = []
    middle = _number(at, 0.0)
    for k in range(HALVES):
        h = side * 1e-2 * 0.5**k
        value = _number(at, h)
        if not math.isfinite(value):
            return None
        rest = abs(value - middle - h * slope)
        rounding = 1e-13 * (abs(value) + abs(middle))
        if rest > max(rounding, abs(h) * limit * (1.0 + abs(slope))):
            remainders.append(rest)
    return [math.log2(a / b) for a, b in pairwise(remainders)]


def _bends(at: Callable[[float], Any]) -> bool:
    """Whether the slopes to the left and to the right are not one, however near."""
    for h in (1e-5, 1e-6):
        low, middle, high = (_number(at, k * h) for k in (-1.0, 0.0, 1.0))
        left, right = (middle - low) / h, (high - middle) / h
        if not abs(right - left) > 1e-2 * (abs(left) + abs(right)):
            return False
    return True


def _number(at: Callable[[float], Any], h: float) -> float:
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return float(np.real(at(h)))
        except (ArithmeticError, ValueError, np.linalg.LinAlgError):
            return math.nan  # the step leaves the function's domain


def agreement(name: str, slope: float, other: float, limit: float) -> Check:
    """Whether the slope along the direction is the same in another way."""
    error = abs(slope - other) / (1.0 + abs(other))
    said = f"{slope:.12g} and {other:.12g}, error {error:.1e}"
    return Check(name, error <= limit, said)
