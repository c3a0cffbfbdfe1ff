"""Tangents of lists, tuples, dicts and records: structures of the same parts, which live as their primals do.

The tangent of a record is a dict, as its adjoint is. Seeds are brought into that form where a function
begins, results into that of their primals where it ends. A part that is not floating has the tangent 0.0
inside, and None outside.

May not know: rules, statements, how the tangents of parts are made.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ..analysis.containers import CHOICES, REPLACE, fields_of, is_container
from ..analysis.types import Type
from ..ir import Assign, Call, Const, Dict, Expr, Name, Stmt
from .containers import finished, helped, holds_floats, is_slice, is_step, piece, step
from .regrouping import makes_container, makes_record
from .tangent_state import Dot, Tangents, as_tangent

Full = Callable[[Expr], Dot]  # the tangent of an expression in its whole shape


def seeds_opened(t: Tangents, wrt: tuple[str, ...]) -> list[Stmt]:
    """The seeds of containers as tangents are kept."""
    out: list[Stmt] = []
    for w in wrt:
        kind = t.entry(w).type
        if is_container(kind) and not (kind.kind in ("tuple", "list") and holds_floats(kind)):
            dot = Name(t.name(w))
            out.append(Assign((dot,), as_tangent(t, dot, Name(w)), made=True))
    return out


def result(t: Tangents, dot: Expr, e: Expr, kind: Type) -> Expr:
    """The tangent of an output that is a container, in containers like its own."""
    if isinstance(e, Call) and e.fn == "<helper>._restored":  # a gradient's, and so is its tangent
        return dot
    return finished(t.ctx, dot, e, kind, t.stmt)


def of_call(t: Tangents, e: Call, full: Full) -> Dot | None:
    """The tangent of a call that makes a container, or is about its parts; None for all others."""
    if is_step(t.ctx, e):
        return _part(t, e, full)
    if makes_record(t.ctx, e):
        return Dot(_record(t, e, full))
    listed = bool(e.args) and is_container(t.ctx.facts.type(e.args[0]))
    if makes_container(t.ctx, e):
        return Dot(_container(t, e, full))
    if listed and e.fn == "builtins.sum":
        start = tuple(full(a).expr for a in e.args[1:])
        named = tuple((k, full(v).expr) for k, v in e.kwargs)
        return Dot(replace(e, args=(full(e.args[0]).expr, *start), kwargs=named, origin=None))
    if listed and e.fn in CHOICES and len(e.args) == 1:
        xs, y = t.ctx.hole(e.args[0], t.stmt), t.ctx.hole(e, t.stmt)
        return Dot(helped(t.ctx, "_chosen_dot", full(e.args[0]).expr, xs, y))
    return None


def _part(t: Tangents, e: Call, full: Full) -> Dot:
    """`p["w"]`, `p.w`: the part of the tangent at the same place."""
    key = step(t.ctx, e, t.stmt)
    assert key is not None
    whole = full(e.args[0])
    return Dot(piece(whole.expr, key), True, is_slice(t.ctx, e), whole.steep)


def _record(t: Tangents, e: Call, full: Full) -> Expr:
    """`State(x=x)` has the tangent `{"x": x_dot}`; fields that are left out do not vary."""
    made = t.ctx.facts.type(e)
    if e.fn in REPLACE:
        pairs = [(Const(k), full(v).expr) for k, v in e.kwargs]
        keys = (None, *(k for k, _ in pairs))
        return Dict(keys, (full(e.args[0]).expr, *(v for _, v in pairs)))
    given = fields_of(replace(made, const=made.keys), e) or {}
    names = made.keys or ()
    values = (full(given[n]).expr if n in given else Const(0.0) for n in names)
    return Dict(tuple(Const(n) for n in names), tuple(values))


def _container(t: Tangents, e: Call, full: Full) -> Expr:
    """`list(xs)`, `xs + ys`, `[x] * n`, `d.values()`: the same of the tangents, which share what primals share."""
    args = (
        full(a).expr if is_container(t.ctx.facts.type(a)) else t.ctx.hole(a, t.stmt) for a in e.args
    )
    return replace(e, args=tuple(args), origin=None)


def parts_of_record(t: Tangents, dot: Expr, value: Expr) -> Expr:
    """A tangent that is taken apart by position: that of a record has names."""
    if t.ctx.facts.type(value).kind == "record":
        return Call("method.values", (dot,))
    return dot


def as_array(t: Tangents, d: Dot | None, e: Expr) -> Dot | None:
    """The tangent of a list that a function takes as an array."""
    if d is None or not is_container(t.ctx.facts.type(e)):
        return d
    return replace(d, expr=Call("numpy.array", (d.expr,)), full=True, owned=True)
