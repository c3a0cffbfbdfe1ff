"""What Numba does with whole arrays only, along an axis: `np.max(x, axis=1)` as a call of a helper that goes along it.

Only where the axis is a literal: `None` would be the whole, and several axes are none that Numba sums over.

May not know: facts, how derivatives are made, text.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ..ir import Call, Const, Expr
from ..optimize.build import number

# a function -> the helper that does it along an axis
_REDUCED = {
    **dict.fromkeys(("max", "amax"), "_max_along"),
    **dict.fromkeys(("min", "amin"), "_min_along"),
    "mean": "_mean_along",
    "linalg.norm": "_norm_along",
}
_METHODS = ("max", "min", "mean", "sum")
FORM = "_jit"  # the end of a helper's name in the form that compiles
WithAxes = Callable[[Expr, Expr], Expr | None]  # an array with axes of length 1 put in


def reduced(e: Call, with_axes: WithAxes) -> Expr | None:
    """A reduction along one axis; its axis is put back where it keeps it."""
    name = e.fn.removeprefix("numpy.")
    words = dict(e.kwargs)
    at = 2 if name == "linalg.norm" else 1  # behind what kind of norm it is
    axis = words.pop("axis", e.args[at] if len(e.args) == at + 1 else None)
    keeps = words.pop("keepdims", Const(False))
    plain = len(e.args) == 1 or (len(e.args) == at + 1 and at == 1)
    if axis is None or not plain or words or not _one_axis(axis) or not isinstance(keeps, Const):
        return None
    made = Call(f"<helper>.{_REDUCED[name]}{FORM}", (e.args[0], axis))
    return with_axes(made, axis) if keeps.value else made


def rolled(e: Call) -> Expr | None:
    words = dict(e.kwargs)
    axis = words.pop("axis", e.args[2] if len(e.args) == 3 else None)
    shift = words.pop("shift", e.args[1] if len(e.args) > 1 else None)
    if axis is None or shift is None or words or not _one_axis(axis) or not _one_axis(shift):
        return None
    return Call(f"<helper>._roll_along{FORM}", (e.args[0], shift, axis))


def as_function(e: Call) -> Call:
    """A reduction that is asked of an array, as a function of it, where an axis is told."""
    name = e.fn.removeprefix("method.")
    if name not in _METHODS or not (len(e.args) > 1 or e.kwargs):
        return e
    return replace(e, fn=f"numpy.{name}")


def _one_axis(e: Expr) -> bool:
    return isinstance(number(e), int)


REDUCED = tuple(f"numpy.{name}" for name in _REDUCED)
