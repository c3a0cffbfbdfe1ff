"""Cotangents through what joins arrays: concatenate, stack, hstack, vstack, column_stack.

Each array gets its own part of the cotangent: a slice where the text tells which, else what a helper that
looks at the shapes cuts out.

May not know: how contributions are added up, how holes are filled.
"""

from __future__ import annotations

from ..analysis.containers import is_container
from ..ir import Assign, Call, Const, Expr, Name, Ref, Slice, Star, Stmt, Tuple
from ..optimize.build import add
from .context import Bar, Context
from .floating import copied
from .gather import Shares, dim, shared
from .naming import describe
from .shaping import materialize

JOINS = ("stack", "concatenate", "concat")


def stacked(ctx: Context, e: Call, bar: Bar, s: Stmt) -> Shares:
    """Each array gets its own slab of the cotangent."""
    x = e.args[0]
    if is_container(ctx.facts.type(x)) and not isinstance(x, Tuple):
        yield from _of_list(ctx, e, x, bar, s)
        return
    if not isinstance(x, Tuple) or any(isinstance(i, Star) for i in x.items):
        ctx.problem(
            "PB302", e, name=describe(e), reason="its arrays are not written out as a list or tuple"
        )
        return
    if {n for n, _ in e.kwargs} - {"axis"} or len(e.args) > 2:
        ctx.problem("PB302", e, name=describe(e), reason="these arguments are not understood")
        return
    bar = shared(ctx, materialize(ctx, bar, e, s), 2, e, s)
    ranks = [ctx.facts.type(i).rank() for i in x.items]
    name, at = _join(e, ranks)
    if name == "stack" and at is not None and (at >= -1 or None not in ranks):
        for k, item in enumerate(x.items):
            yield item, Bar(_along(bar.expr, at, Const(k), ranks[k], 1), True, False)
    elif name == "concatenate" and at is not None and (at >= 0 or None not in ranks):
        yield from _slabs(ctx, bar, at, x.items, ranks, s)
    else:
        yield from _unstacked(ctx, e, bar, x.items, s)


def _of_list(ctx: Context, e: Call, x: Expr, bar: Bar, s: Stmt) -> Shares:
    """The parts of the cotangent in a list, like the arrays."""
    if {n for n, _ in e.kwargs} - {"axis"} or len(e.args) > 2:
        ctx.problem("PB302", e, name=describe(e), reason="these arguments are not understood")
        return
    bar = materialize(ctx, bar, e, s)
    own = bar.expr if bar.owned else copied(ctx, bar.expr)
    if e.fn != "numpy.stack":
        ctx.helpers.add("_unstacked")
        shapes = Call("builtins.map", (Ref("numpy.shape", ""), ctx.hole(x, s)))
        parts = Call("<helper>._unstacked", (own, _true_axis(ctx, e, own, s), shapes))
        yield x, Bar(Call("builtins.list", (parts,)))
        return
    if _axis(e) != Const(0):
        own = Call("numpy.moveaxis", (own, ctx.hole(_axis(e), s), Const(0)))
    yield x, Bar(Call("builtins.list", (own,)))


def _join(e: Call, ranks: list[int | None]) -> tuple[str, int | None]:
    """stack or concatenate, and along which axis, where the text tells."""
    name = e.fn.removeprefix("numpy.")
    axis = _axis(e)
    at = axis.value if isinstance(axis, Const) and type(axis.value) is int else None
    known = [r for r in ranks if r is not None]
    if name == "hstack" and len(known) == len(ranks):
        return "concatenate", 0 if max(known) < 2 else 1
    return ("concatenate" if name == "concat" else name), at


def _axis(e: Call) -> Expr:
    return dict(e.kwargs).get("axis", e.args[1] if len(e.args) > 1 else Const(0))


def _slabs(
    ctx: Context,
    bar: Bar,
    at: int,
    items: tuple[Expr, ...],
    ranks: list[int | None],
    s: Stmt,
) -> Shares:
    start: Expr | None = None
    for k, item in enumerate(items):
        rank = ranks[k]
        real = at % rank if rank else at
        size = dim(ctx, item, real, s)
        stop = size if start is None else add(start, size)
        last = k == len(items) - 1
        part = Slice(start, None if last else stop, None)
        yield item, Bar(_along(bar.expr, real, part, rank, 0), True, False)
        start = stop


def _along(bar: Expr, axis: int, index: Expr, rank: int | None, more: int) -> Expr:
    """`bar` at `index` along `axis`; `more` is how many more axes it has than the operand of rank `rank`."""
    if axis < 0 and rank is not None:
        axis += rank + more
    if axis < 0:
        return Call("operator.getitem", (bar, Tuple((Const(Ellipsis), index))))
    full: tuple[Expr, ...] = (Slice(None, None, None),) * axis
    return Call("operator.getitem", (bar, index if axis == 0 else Tuple((*full, index))))


def _unstacked(ctx: Context, e: Call, bar: Bar, items: tuple[Expr, ...], s: Stmt) -> Shares:
    """The parts of the cotangent, cut out by the helper that looks at the shapes when it runs."""
    ctx.helpers.add("_unstacked")
    shapes = Tuple(tuple(ctx.hole(i, s, query="shape") for i in items))
    call = Call("<helper>._unstacked", (bar.expr, _true_axis(ctx, e, bar.expr, s), shapes))
    if len(items) == 1:
        yield items[0], Bar(Call("operator.getitem", (call, Const(0))), True, False)
        return
    parts = [Name(ctx.namer.fresh(f"{describe(i)}_part_bar")) for i in items]
    for item, part in zip(items, parts):
        ctx.made[part.id] = ctx.facts.of(item)
    ctx.emit(Assign((Tuple(tuple(parts)),), call, origin=s.origin, made=True))
    for item, part in zip(items, parts):
        yield item, Bar(part, True, False)


def _true_axis(ctx: Context, e: Call, bar: Expr, s: Stmt) -> Expr:
    """The axis along which `e`, which has the axes of `bar`, joins; vstack and its kin have theirs."""
    name = e.fn.removeprefix("numpy.")
    if name in JOINS:
        return ctx.hole(_axis(e), s)
    if name == "hstack":  # of vectors the only axis, else the second one
        rank = Call("numpy.ndim", (bar,))
        return Call("builtins.min", (Const(1), Call("operator.sub", (rank, Const(1)))))
    return Const(0 if name == "vstack" else 1)
