"""Whether the value of a made expression is floating whatever the arguments are.

An adjoint that begins as `x.copy()` of an integer array would cut off what is added to it later.

May not know: statements, slots.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import replace

from ..analysis.containers import is_container
from ..analysis.types import floating
from ..ir import Call, Const, Expr, IfExp, Name, Ref, Tuple, rebuild, walk
from ..optimize.build import MUL
from ..optimize.simplify import simplify
from . import containers
from .context import Context

COPYING = ("method.copy", "numpy.positive")  # of an array, and of what may be a number
FLOATED = "floated"  # the call that stands for such a copy until all is simplified
_LIKE = {"numpy.zeros_like", "numpy.ones_like", "numpy.full_like"}  # made with a floating dtype
_MADE = _LIKE | {FLOATED, "operator.truediv"}
_COUNTING = {"compare", "attr.size", "attr.ndim", "attr.shape", "builtins.len", "builtins.int"}


def is_floating(ctx: Context, e: Expr) -> bool:
    """Surely floating: a float takes part in it, or its type is known."""
    if isinstance(e, Const):
        return isinstance(e.value, (float, complex))
    if isinstance(e, Name) and e.id in ctx.floats:
        return ctx.floats[e.id]
    if isinstance(e, Name) and e.id in ctx.values:
        return is_floating(ctx, ctx.values[e.id])
    if isinstance(e, (Name, Ref)):
        return _told(ctx, e)
    if isinstance(e, Tuple):
        return any(is_floating(ctx, i) for i in e.items)
    if isinstance(e, IfExp):
        return is_floating(ctx, e.body) and is_floating(ctx, e.orelse)
    if not isinstance(e, Call) or e.fn in _COUNTING:
        return False
    if e.fn in _MADE or e.fn in ctx.vjps or _told(ctx, e):
        return True
    if e.fn in ("operator.getitem", "numpy.where"):
        parts = e.args[:1] if e.fn == "operator.getitem" else e.args[1:]
        return any(is_floating(ctx, a) for a in parts)
    if e.fn.startswith(("operator.", "numpy.", "math.", "<helper>.", "method.", "attr.")):
        return any(is_floating(ctx, a) for a in e.args)
    return False


def _told(ctx: Context, e: Expr) -> bool:
    """Whether the type of `e` says that it is floating, on all paths."""
    return floating(ctx.val(e).type.dtype) and not any(_whole_on_a_path(ctx, n) for n in walk(e))


def _whole_on_a_path(ctx: Context, e: Expr) -> bool:
    """A primal variable that is a whole number on a path: joined with floats, it counts as one of them."""
    of = ctx.holes[e.id].expr if isinstance(e, Name) and e.id in ctx.holes else None
    if not isinstance(of, Name):
        return False
    vals = (v for (_, n), v in ctx.facts.bound.items() if n == of.id)
    return any(v.type.kind == "scalar" and v.type.dtype in ("int", "bool") for v in vals)


def floated(e: Expr) -> Expr:
    """A floating copy of `e` in its own precision."""
    return Call(FLOATED, (e,))


def copied(ctx: Context, e: Expr, *, point: bool = False) -> Expr:
    """A number or array of its own with the value of `e`, floating; for a `point`, an array even without axes."""
    if is_container(ctx.val(e).type):
        return containers.opened(ctx, e)
    array = ctx.val(e).type.kind == "array"
    if point:
        return Call("numpy.array", (e if is_floating(ctx, e) else floated(e),))
    return copy_of(e, array) if is_floating(ctx, e) else floated(e)


def copy_of(e: Expr, array: bool) -> Call:
    """A copy of `e`, surely an `array` or not: what may be a number stays what it is."""
    return Call(COPYING[0] if array else COPYING[1], (e,))


def _holds_floated(e: Expr) -> bool:
    return any(isinstance(n, Call) and n.fn == FLOATED for n in walk(e))


def written_out(e: Expr, narrow: AbstractSet[str]) -> Expr:
    """`e` simplified; a floating copy is `1.0 * e`, or `e` with its leading number as a float."""
    if isinstance(e, Tuple):
        return replace(e, items=tuple(written_out(i, narrow) for i in e.items))
    if not isinstance(e, Call) or e.fn != FLOATED:
        if _holds_floated(e):
            e = rebuild(e, lambda part: written_out(part, narrow))
        return simplify(e, narrow=narrow)
    made = simplify(e.args[0], narrow=narrow)
    if isinstance(made, Call) and made.fn == MUL:
        first, *rest = made.args
        if isinstance(first, Const) and type(first.value) is int:
            return Call(MUL, (Const(float(first.value)), *rest))
    return Call(MUL, (Const(1.0), made))
