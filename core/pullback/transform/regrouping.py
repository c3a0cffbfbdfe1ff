"""Cotangents through what makes containers of parts: displays, records, copies, joined and repeated lists, sums.

Each function yields the operands with their cotangents.

May not know: how contributions are added up, how holes are filled.
"""

from __future__ import annotations

from dataclasses import replace

from ..analysis.containers import CHOICES, COPIES, REPLACE, fields_of, is_container, made_by
from ..analysis.types import SCALAR, element
from ..ir import Call, Const, Dict, Expr, Slice, Star, Stmt, Tuple
from ..optimize.build import MUL
from .containers import as_parts, field_of, helped, piece
from .context import Bar, Context
from .floating import copied
from .gather import Shares, argument, shared
from .shaping import fit, materialize, zeros_like

# helpers of derivatives that give the parts of their first argument in other containers
_SAME_PARTS = frozenset(f"<helper>.{n}" for n in ("_opened", "_restored", "_as_tangent"))
_SUM = "<helper>._plus"


def display(ctx: Context, e: Tuple | Dict, bar: Bar, s: Stmt) -> Shares:
    """The items of a display, each with its part of the cotangent."""
    items = e.items if isinstance(e, Tuple) else e.values
    if isinstance(e, Dict) and e.keys[:1] == (None,) and None not in e.keys[1:]:
        yield from _merged(ctx, e, bar, s)
        return
    if any(isinstance(i, Star) for i in items) or (isinstance(e, Dict) and None in e.keys):
        ctx.problem("PB113", e, name="*")
        return
    if not isinstance(bar.expr, (Tuple, Dict)):
        bar = shared(ctx, bar, sum(1 for i in items if ctx.facts.active(i)), e, s)
    keys = [Const(k) for k in range(len(items))] if isinstance(e, Tuple) else list(e.keys)
    for key, item in zip(keys, items):
        if ctx.facts.active(item) and key is not None:
            yield item, Bar(piece(bar.expr, ctx.hole(key, s)), True, False)


def _merged(ctx: Context, e: Dict, bar: Bar, s: Stmt) -> Shares:
    """`{**d, "k": v}`: what `d` has under other names is as it was there."""
    whole, bar = e.values[0], shared(ctx, bar, 2, e, s)
    for key, value in zip(e.keys[1:], e.values[1:]):
        if ctx.facts.active(value) and key is not None:
            yield value, Bar(piece(bar.expr, ctx.hole(key, s)), True, False)
    if ctx.facts.active(whole):
        zeros = tuple(Const(0.0) for _ in e.keys[1:])
        names = tuple(k if k is None else ctx.hole(k, s) for k in e.keys)
        own = helped(ctx, "_fitted", Dict(names, (bar.expr, *zeros)), ctx.hole(whole, s))
        yield whole, Bar(helped(ctx, "_plus", zeros_like(ctx, whole, s), own))


def makes_record(ctx: Context, e: Call) -> bool:
    return is_container(ctx.facts.type(e)) and made_by(ctx.primal, e) is not None


def record(ctx: Context, e: Call, bar: Bar, s: Stmt) -> Shares:
    """What a record is made of, each with its part of the cotangent."""
    made = ctx.facts.type(e)
    replaced = e.fn in REPLACE
    given = dict(e.kwargs) if replaced else fields_of(replace(made, const=made.keys), e)
    if not isinstance(bar.expr, Dict):
        bar = shared(ctx, bar, 2, e, s)
    for name, value in (given or {}).items():
        yield value, Bar(piece(bar.expr, Const(name)), True, False)
    if replaced:
        rest = [(n, zeros_like(ctx, field_of(ctx, e.args[0], n), s)) for n in given or {}]
        keys = (None, *(Const(n) for n, _ in rest))
        yield e.args[0], Bar(Dict(keys, (bar.expr, *(z for _, z in rest))), True, bar.owned)


def makes_container(ctx: Context, e: Call) -> bool:
    """`list(xs)`, `xs + ys`, `[x] * n`, `d.values()`."""
    makes = e.fn in COPIES or e.fn in ("operator.add", "operator.mul", "method.values")
    return makes and is_container(ctx.facts.type(e)) and is_container(ctx.facts.type(e.args[0]))


def container(ctx: Context, e: Call, bar: Bar, s: Stmt) -> Shares:
    first = e.args[0]
    if e.fn in COPIES:
        yield first, bar
    elif e.fn == "method.values":
        names = ctx.hole(first, s, query="like")
        yield first, Bar(Call("builtins.dict", (Call("builtins.zip", (names, bar.expr)),)))
    elif e.fn == "operator.add":
        yield from _joined(ctx, e, bar, s)
    elif isinstance(first, Tuple) and len(first.items) == 1 and not _holds_containers(ctx, first):
        yield first.items[0], Bar(Call("builtins.sum", (bar.expr,)))
    else:
        ctx.problem("PB110", e, construct="a list that is repeated")


def _holds_containers(ctx: Context, e: Expr) -> bool:
    every = element(ctx.facts.type(e), "")
    return every is not None and is_container(every)


def _joined(ctx: Context, e: Call, bar: Bar, s: Stmt) -> Shares:
    """`xs + ys`: each gets its run of the parts."""
    first, second = e.args
    known = ctx.facts.type(first).items
    count: Expr = Const(len(known)) if known is not None else ctx.hole(first, s, query="dim 0")
    bar = shared(ctx, bar, 2, e, s)
    yield first, Bar(Call("operator.getitem", (bar.expr, Slice(None, count, None))), True, False)
    yield second, Bar(Call("operator.getitem", (bar.expr, Slice(count, None, None))), True, False)


def moves_parts(e: Call) -> bool:
    """A derivative's own call that copies or adds containers part by part."""
    return e.fn in _SAME_PARTS or e.fn == _SUM


def moved(ctx: Context, e: Call, bar: Bar, s: Stmt) -> Shares:
    """The cotangent of the container that is copied, or of both that are added: parts are where they were."""
    if e.fn != _SUM:
        yield e.args[0], bar
        return
    bar = shared(ctx, bar, 2, e, s)
    yield e.args[0], bar
    yield e.args[1], replace(bar, owned=False)


def total(ctx: Context, e: Call, bar: Bar, s: Stmt) -> Shares:
    """`sum(xs)` of a list."""
    xs = e.args[0]
    start = e.args[1] if len(e.args) > 1 else dict(e.kwargs).get("start")
    bar = shared(ctx, materialize(ctx, bar, e, s), 2, e, s)
    if start is not None:
        yield start, fit(ctx, bar, e, start, s)
    if isinstance(xs, Tuple):
        for item in xs.items:
            yield item, fit(ctx, replace(bar, owned=False), e, item, s)
        return
    every = element(ctx.facts.type(xs), "")
    if every is not None and every.kind == "scalar":
        count = ctx.hole(xs, s, query="dim 0")
        yield xs, Bar(Call(MUL, (Tuple((bar.expr,), "list"), count)))
    else:
        yield xs, Bar(helped(ctx, "_spread", bar.expr, ctx.hole(xs, s)))


def chooses(ctx: Context, e: Call) -> bool:
    """`max(xs)` of a list."""
    return e.fn in CHOICES and len(e.args) == 1 and is_container(ctx.facts.type(e.args[0]))


def chosen(ctx: Context, e: Call, bar: Bar, s: Stmt) -> Shares:
    xs = argument(ctx, e.args[0], s)
    yield e.args[0], Bar(helped(ctx, "_chosen", bar.expr, xs, ctx.hole(e, s)))


def of_array(ctx: Context, x: Expr, bar: Bar, s: Stmt) -> Bar:
    """The cotangent of a list that a function took as an array."""
    if not bar.full:
        made = "numpy.full" if ctx.shape(bar.expr) == SCALAR else "numpy.broadcast_to"
        shape = ctx.hole(x, s, query="shape")
        pair = (shape, bar.expr) if made == "numpy.full" else (bar.expr, shape)
        bar = Bar(Call(made, pair), True, made == "numpy.full")
    bar = materialize(ctx, bar, x, s)
    if isinstance(x, Tuple):
        return bar
    return Bar(as_parts(ctx, bar.expr if bar.owned else copied(ctx, bar.expr), x, s))
