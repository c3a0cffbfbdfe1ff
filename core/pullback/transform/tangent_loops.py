"""Loops over arrays and their tangents: `for row in X` becomes `for row, row_dot in zip(X, X_dot)`.

May not know: what stands in the loop.
"""

from __future__ import annotations

from dataclasses import replace

from ..ir import Call, Expr, For, Name, Star, Tuple
from .plan import with_names
from .tangent_expressions import whole_tangent
from .tangent_holes import filled
from .tangent_state import Tangents

ZIP, ENUMERATE, REVERSED = "builtins.zip", "builtins.enumerate", "builtins.reversed"
Stream = tuple[Expr, Expr]  # a target, and what it takes its values from


def with_tangents(t: Tangents, s: For) -> Stream | None:
    """The header of `s` that also binds tangents; None where it binds nothing that has one."""
    if not t.lives(s.iter) or target_tangent(t, s.target) is None:
        return None
    streams = _streams(t, s.target, s.iter)
    if len(streams) == 1:
        return streams[0]
    return _zipped(streams)


def _streams(t: Tangents, target: Expr, it: Expr) -> list[Stream]:
    if isinstance(it, Call) and it.fn == ENUMERATE and isinstance(target, Tuple):
        number, item = target.items
        inner = _streams(t, item, it.args[0])
        item, over = inner[0] if len(inner) == 1 else _zipped(inner)
        counted = replace(it, args=(over, *it.args[1:]), origin=None)
        return [(Tuple((number, item)), counted)]
    if isinstance(it, Call) and it.fn == ZIP and isinstance(target, Tuple):
        if len(target.items) == len(it.args) and not any(isinstance(a, Star) for a in it.args):
            return [x for part, a in zip(target.items, it.args) for x in _streams(t, part, a)]
    if isinstance(it, Call) and it.fn == "method.items" and isinstance(target, Tuple):
        values = Call("method.values", (it.args[0],))
        part = target_tangent(t, target.items[1])
        whole = whole_tangent(t, it.args[0]).expr
        return [(target, it), *([(part, Call(values.fn, (filled(t, whole),)))] if part else [])]
    if isinstance(it, Call) and it.fn == REVERSED:
        inside = _streams(t, target, it.args[0])
        return [(x, replace(it, args=(a,), origin=None)) for x, a in inside]
    dot = target_tangent(t, target) if t.lives(it) else None
    if dot is None:
        return [(target, it)]
    made = filled(t, whole_tangent(t, it).expr)
    own = Name(t.held[id(it)]) if id(it) in t.held else with_names(it, t.held)
    return [(target, own), (dot, made)]


def _zipped(streams: list[Stream]) -> Stream:
    targets, iterables = zip(*streams)
    return Tuple(tuple(targets)), Call(ZIP, tuple(iterables))


def target_tangent(t: Tangents, target: Expr) -> Expr | None:
    """The target that takes the tangent of what `target` takes; None where nothing of it has one."""
    if isinstance(target, Name):
        return Name(t.name(target.id)) if target.id in t.named else None
    if isinstance(target, Star):
        inner = target_tangent(t, target.value)
        return None if inner is None else Star(inner)
    if isinstance(target, Tuple):
        parts = [target_tangent(t, i) for i in target.items]
        if all(p is None for p in parts):
            return None
        return Tuple(tuple(Name(t.ctx.namer.fresh("rest")) if p is None else p for p in parts))
    if isinstance(target, Call) and target.fn == "operator.getitem":
        base, index = target.args
        if not t.lives(base) and not t.lives(target):
            return None
        dot = _base_tangent(t, base)
        return None if dot is None else Call(target.fn, (dot, t.ctx.index(index, t.stmt)))
    return None


def _base_tangent(t: Tangents, base: Expr) -> Expr | None:
    """The tangent of the array that is written: a variable's, or a part of it."""
    if isinstance(base, Name):
        return Name(t.name(base.id)) if base.id in t.named else None
    if isinstance(base, Call) and base.fn == "operator.getitem":
        dot = _base_tangent(t, base.args[0])
        return None if dot is None else Call(base.fn, (dot, t.ctx.index(base.args[1], t.stmt)))
    t.ctx.problem("PB109", base, construct="this target")
    return None
