"""Bringing a cotangent to its primal's shape: summing what was broadcast, spreading what was reduced.

May not know: statements, slots.
"""

from __future__ import annotations

from dataclasses import replace

from ..analysis.containers import is_container
from ..analysis.signatures import bind
from ..analysis.types import SCALAR, Dim, Shape, Type, floating, same_shape
from ..ir import Call, Const, Expr, Name, Slice, Stmt, Tuple
from ..optimize.build import MUL, is_one, mul
from ..rules import rule_for
from . import containers
from .context import Bar, Context

UNBROADCAST = "_unbroadcast"


def zeros_like(ctx: Context, e: Expr, s: Stmt, when: str = "before", final: bool = False) -> Expr:
    """Zeros for the adjoint of primal `e`, floating whatever `e` is.

    `final`: nothing is added to them, so that those of what may be complex need no room for it.
    """
    t = _type_at(ctx, e, s, when)
    if t.kind == "scalar" or t.shape == SCALAR or _is_unbound(ctx, e, s, when):
        return Const(0.0)
    if is_container(t):
        return containers.zeros(ctx, e, t, s, when)
    if final and t.dtype == "either":
        t = replace(t, dtype="any")
    return _like("numpy.zeros_like", ctx.hole(e, s, when, "like"), (), t)


def _type_at(ctx: Context, e: Expr, s: Stmt, when: str) -> Type:
    if isinstance(e, Name):
        if when == "after" and (id(s), e.id) in ctx.facts.bound:
            return ctx.facts.bound[(id(s), e.id)].type
        env = ctx.facts.before.get(id(s), {})
        if e.id in env:
            return env[e.id].type
    return ctx.facts.type(e)


def _is_unbound(ctx: Context, e: Expr, s: Stmt, when: str) -> bool:
    """Whether the variable has no value there on any path: its adjoint is never read."""
    env = ctx.facts.before.get(id(s))
    return isinstance(e, Name) and when == "before" and env is not None and e.id not in env


def _like(fn: str, template: Expr, args: tuple[Expr, ...], t: Type) -> Expr:
    if floating(t.dtype) and t.dtype != "either":
        return Call(fn, (template, *args))
    unit = Const(1j) if t.dtype == "either" else Const(0.0)
    kind = Call("numpy.result_type", (template, unit))
    return Call(fn, (template, *args), (("dtype", kind),))


def materialize(ctx: Context, bar: Bar, e: Expr, s: Stmt, when: str = "before") -> Bar:
    """`bar` with the shape of primal `e`."""
    shape = ctx.declared(e)
    if bar.excess:
        return unbroadcast(ctx, bar, e, s, when)
    if bar.full or shape == SCALAR or same_shape(ctx.shape(bar.expr), shape):
        return replace(bar, full=True)
    template = ctx.hole(e, s, when, "like")
    t = ctx.facts.type(e)
    if ctx.shape(bar.expr) == SCALAR:
        if is_one(bar.expr):
            return Bar(_like("numpy.ones_like", template, (), t))
        return Bar(_like("numpy.full_like", template, (bar.expr,), t))
    return replace(
        bar,
        expr=Call("numpy.broadcast_to", (bar.expr, ctx.hole(e, s, when, "shape"))),
        full=True,
        owned=False,
    )


def fit(ctx: Context, bar: Bar, whole: Expr, part: Expr, s: Stmt, lazily: bool = False) -> Bar:
    """The cotangent `bar` of elementwise `whole`, for its operand `part`, which may have been broadcast.

    `lazily`: where shapes are not known, leave it to the variables that `part` is made of.
    """
    big, small = ctx.declared(whole), ctx.declared(part)
    if bar.excess:
        return bar if lazily and small != SCALAR else unbroadcast(ctx, bar, part, s)
    if same_shape(big, small) or big == SCALAR:
        return bar
    if small == SCALAR:
        if not bar.full and ctx.shape(bar.expr) == SCALAR:
            return Bar(mul(bar.expr, ctx.hole(whole, s, query="size")))
        return Bar(_total(materialize(ctx, bar, whole, s).expr, ctx), masked=bar.masked)
    bar = materialize(ctx, bar, whole, s)
    axes = _broadcast_axes(big, small)
    if axes is None:
        if lazily:
            return replace(bar, excess=True)
        return unbroadcast(ctx, bar, part, s)
    lost, ones = axes
    out = bar.expr
    if lost:
        out = Call("numpy.sum", (out,), (("axis", _axis(lost)),))
    if ones:
        out = Call("numpy.sum", (out,), (("axis", _axis(ones)), ("keepdims", Const(True))))
    return Bar(out, True, bool(lost or ones) or bar.owned, bar.masked)


def unbroadcast(ctx: Context, bar: Bar, part: Expr, s: Stmt, when: str = "before") -> Bar:
    """Sums what was broadcast, by the helper that looks at the shapes when it runs."""
    if (
        ctx.declared(part) == SCALAR
    ):  # what is not summed up yet has more axes than its factors show
        whole = bar.expr if isinstance(bar.expr, Const) else Call("numpy.sum", (bar.expr,))
        return Bar(whole, masked=bar.masked)
    ctx.helpers.add(UNBROADCAST)
    shape = ctx.hole(part, s, when, "shape")
    return Bar(Call(f"<helper>.{UNBROADCAST}", (bar.expr, shape)), masked=bar.masked)


def is_elementwise(e: Expr) -> bool:
    """`e` is itself an elementwise function of active values: broadcasting can be undone below it."""
    if not isinstance(e, Call):
        return False
    rule = rule_for(e.fn)
    if rule is None or rule.kind != "elementwise":
        return False
    return bind(rule.signature, e) is not None  # `max(xs)` of a list is something else


def is_view(e: Expr) -> bool:
    """A part of an adjoint: a name for it would change with the adjoint."""
    while isinstance(e, Call) and e.fn in ("operator.getitem", "attr.T", "attr.real", "attr.imag"):
        e = e.args[0]
    return isinstance(e, Name)


def _total(e: Expr, ctx: Context) -> Expr:
    """The sum of all elements; of a product of two vectors it is their dot product."""
    if isinstance(e, Call) and e.fn == MUL:
        shapes = [ctx.shape(a) for a in e.args]
        if all(isinstance(x, tuple) and len(x) == 1 for x in shapes) and shapes[0] == shapes[1]:
            return Call("numpy.dot", e.args)
    return e if isinstance(e, Const) else Call("numpy.sum", (e,))


def _broadcast_axes(big: Shape, small: Shape) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """Leading axes that the operand lacks, and axes (of what is left) where it has length 1; None if unknown."""
    if not isinstance(big, tuple) or not isinstance(small, tuple) or len(small) > len(big):
        return None
    extra = len(big) - len(small)
    ones = []
    for k, (b, m) in enumerate(zip(big[extra:], small)):
        if b == m:
            continue
        if m != Dim("", 1):
            return None
        ones.append(k)
    return tuple(range(extra)), tuple(ones)


def _axis(axes: tuple[int, ...]) -> Expr:
    return Const(axes[0]) if len(axes) == 1 else Tuple(tuple(Const(a) for a in axes))


def unreduce(
    bar: Expr, axis: Expr, axis_type: Type | None, keepdims: object, rank: int | None, ctx: Context
) -> Expr:
    """`bar` with the reduced axes put back as axes of length 1."""
    if axis_type is not None and axis_type.kind == "none":
        return bar
    if keepdims is True or ctx.shape(bar) == SCALAR:
        return bar
    axes = _const_axes(axis_type)
    if axes is not None and keepdims is False and rank is not None:
        flat = {a % rank for a in axes}
        items = [Const(None) if k in flat else _full() for k in range(rank)]
        while len(items) > 1 and not isinstance(items[-1], Const):
            items.pop()
        return Call("operator.getitem", (bar, items[0] if len(items) == 1 else Tuple(tuple(items))))
    return Call("numpy.expand_dims", (bar, axis))


def _full() -> Expr:
    return Slice(None, None, None)


def _const_axes(t: Type | None) -> tuple[int, ...] | None:
    if t is None:
        return None
    if isinstance(t.const, int):
        return (t.const,)
    if t.items is not None and all(isinstance(i.const, int) for i in t.items):
        return tuple(i.const for i in t.items)
    return None
