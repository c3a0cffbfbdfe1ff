"""Cotangents through what gives arrays their structure: subscripts, displays, einsum.

Each function yields the operands of a call with their cotangents.

May not know: how contributions are added up, how holes are filled.
"""

from __future__ import annotations

from dataclasses import replace

from ..analysis.containers import is_container
from ..analysis.indexing import BASIC, MASK, UNIQUE, index_items, index_kind
from ..analysis.types import SCALAR, Dim
from ..ir import (
    Assign,
    AugAssign,
    Call,
    Const,
    Dict,
    Expr,
    ExprStmt,
    Name,
    Ref,
    Slice,
    Star,
    Stmt,
    Tuple,
    children,
)
from ..optimize.build import is_call
from .complexes import PARTS, conjugate, is_complex
from .containers import PLUS, as_parts, is_slice, is_step, piece, plus, step, way
from .context import Bar, Context
from .floating import copied
from .gather import Gather, Shares, shared
from .naming import describe
from .several import alone, gives_several
from .shaping import UNBROADCAST, materialize, zeros_like

ADD_AT = "numpy.add.at"


def getitem(ctx: Context, e: Call, bar: Bar, s: Stmt, to: Gather) -> Shares:
    """`x[i]` adds to the same part of x_bar, in O(1): nothing of x's size is made."""
    base = e.args[0]
    at = ctx.facts.type(e.args[1]).const if len(e.args) > 1 else None
    if isinstance(base, Call) and gives_several(ctx, base) and isinstance(at, int):
        yield base, alone(ctx, base, at, materialize(ctx, bar, e, s))
        return
    key = step(ctx, e, s)
    if key is None and ctx.facts.type(base).kind == "other":
        ctx.problem("PB110", e, construct=_element_of(base))
        return
    if key is None and _adds_axes(ctx, e):
        yield base, _without_axes(ctx, e, bar, s)
        return
    if is_container(ctx.facts.type(e)):
        how = PLUS
    elif key is not None:
        how = way(ctx, e)
    else:
        how = "add" if index_kind(e.args[1], ctx.facts.type) in (BASIC, MASK, UNIQUE) else "at"
    chain: tuple[Expr, ...] = (ctx.index(e.args[1], s) if key is None else key,)
    while (
        isinstance(base, Call)
        and not is_slice(ctx, base)
        and (is_step(ctx, base) or _is_view(ctx, base) or part_of_complex(ctx, base))
        and not gives_several(ctx, base.args[0])
    ):
        chain = (view_step(ctx, base, s), *chain)
        base = base.args[0]
    if isinstance(base, Name):
        to.parts.append((base.id, chain, bar, how))
        return
    if isinstance(base, (Tuple, Dict)) and len(chain) == 1:
        item = piece(base, chain[0])
        if any(item is i for i in children(base)):
            yield item, bar
            return
    zeros = ctx.bind(zeros_like(ctx, base, s), f"{describe(base)}_bar", s, ctx.facts.type(base))
    place = subscripted(zeros, chain)
    if how == PLUS:
        ctx.emit(Assign((place,), plus(ctx, place, bar.expr), origin=s.origin, made=True))
    else:
        ctx.emit(accumulate(zeros, chain, bar.expr, how, s))
    yield base, Bar(zeros, masked=True)


def _adds_axes(ctx: Context, e: Call) -> bool:
    """`x[:, None]`, `x[None]`, `x[..., None]`: all of x, with axes of length one."""
    items = index_items(e.args[1])
    all_of_it = (Const(Ellipsis), Slice(None, None, None))
    if Const(None) not in items or not all(i == Const(None) or i in all_of_it for i in items):
        return False
    # None alone may be the key of a dictionary
    return ctx.facts.type(e.args[0]).kind in ("array", "number") or len(items) > items.count(
        Const(None)
    )


def _without_axes(ctx: Context, e: Call, bar: Bar, s: Stmt) -> Bar:
    """The cotangent of `x` in `x[:, None]`: that of the whole, without the axes of length one."""
    if not bar.full and ctx.shape(bar.expr) == SCALAR:
        return bar
    bar = materialize(ctx, bar, e, s)
    items = list(index_items(e.args[1]))
    while items[-1] == Slice(None, None, None) and Const(Ellipsis) not in items:
        items.pop()
    places = [k for k, i in enumerate(items) if i == Const(None)]
    summed = bar.expr
    if Const(Ellipsis) not in items and is_call(summed, "numpy.sum"):
        axis = Const(places[0]) if len(places) == 1 else Tuple(tuple(map(Const, places)))
        if dict(summed.kwargs) == {"axis": axis, "keepdims": Const(True)}:
            return replace(bar, expr=replace(summed, kwargs=(("axis", axis),)))
    index = [Const(0) if i == Const(None) else i for i in items]
    whole = Tuple(tuple(index)) if len(index) > 1 else index[0]
    return replace(bar, expr=Call("operator.getitem", (bar.expr, whole)))


def _element_of(base: Expr) -> str:
    what = base.id if isinstance(base, Name) else "this"
    return f"an element of {what}, which is or may be a container; pass the arrays themselves"


def _is_view(ctx: Context, e: Expr) -> bool:
    return (
        isinstance(e, Call)
        and e.fn == "operator.getitem"
        and not is_container(ctx.facts.type(e.args[0]))
        and ctx.facts.type(e.args[0]).kind != "other"
        and index_kind(e.args[1], ctx.facts.type) == BASIC
    )


def part_of_complex(ctx: Context, e: Expr) -> bool:
    """`z.real`, `z.imag`: a view of half of a complex array."""
    return isinstance(e, Call) and e.fn in PARTS and is_complex(ctx, e.args[0])


def view_step(ctx: Context, view: Call, s: Stmt) -> Expr:
    """What leads from a value to a part of it: a subscript, or a reference to the attribute."""
    key = step(ctx, view, s)
    if key is not None:
        return key
    return Ref(view.fn, "") if view.fn in PARTS else ctx.index(view.args[1], s)


def subscripted(base: Expr, chain: tuple[Expr, ...]) -> Expr:
    """The part of `base` that the steps lead to."""
    for index in chain:
        if isinstance(index, Ref) and index.qualname in PARTS:
            base = Call(index.qualname, (base,))
        else:
            base = Call("operator.getitem", (base, index))
    return base


def spelled_index(index: Expr) -> Expr:
    """An index as an argument: slices are spelled through np.s_."""
    if any(isinstance(i, Slice) for i in index_items(index)):
        return Call("operator.getitem", (Ref("numpy.s_", ""), index))
    return index


def accumulate(base: Expr, chain: tuple[Expr, ...], value: Expr, how: str, s: Stmt) -> Stmt:
    """`base[chain] += value`; np.add.at where an element may be meant twice."""
    if how == "at":
        inner, index = subscripted(base, chain[:-1]), spelled_index(chain[-1])
        return ExprStmt(Call(ADD_AT, (inner, index, value)), origin=s.origin, made=True)
    return AugAssign(subscripted(base, chain), "operator.add", value, origin=s.origin, made=True)


def display(ctx: Context, e: Call, bar: Bar, s: Stmt) -> Shares:
    """`np.array(x)` passes on; `np.array([a, b])` hands each element its own."""
    x = e.args[0]
    if is_container(ctx.facts.type(x)) and not isinstance(x, Tuple):
        bar = materialize(ctx, bar, e, s)
        own = bar.expr if bar.owned else copied(ctx, bar.expr)
        yield x, Bar(as_parts(ctx, own, x, s))
        return
    if not isinstance(x, Tuple):
        yield x, Bar(bar.expr, bar.full, False)
        return
    bar = shared(ctx, materialize(ctx, bar, e, s), 2, e, s)
    yield from _elements(ctx, x, bar.expr, ())


def _elements(ctx: Context, x: Tuple, bar: Expr, path: tuple[int, ...]) -> Shares:
    """The items of a display, nested ones too, with the elements of `bar` at their places."""
    for k, item in enumerate(x.items):
        here = (*path, k)
        if isinstance(item, Tuple):
            yield from _elements(ctx, item, bar, here)
        elif isinstance(item, Star):
            ctx.problem("PB113", item, name="*")
        else:
            index = Const(here[0]) if len(here) == 1 else Tuple(tuple(Const(i) for i in here))
            yield item, Bar(Call("operator.getitem", (bar, index)), True, False)


def einsum(ctx: Context, e: Call, bar: Bar, s: Stmt) -> Shares:
    """The cotangent of an operand is the einsum of the rest; axes that only it has are spread."""
    spec = e.args[0].value.replace(" ", "") if isinstance(e.args[0], Const) else ""
    ins, out = _labels(spec)
    operands = e.args[1:]
    if len(ins) != len(operands):
        ctx.problem("PB302", e, name="einsum", reason="its subscripts and operands do not match")
        return
    active = [k for k, op in enumerate(operands) if ctx.facts.active(op)]
    bar = shared(ctx, materialize(ctx, bar, e, s), len(active), e, s)
    for k in active:
        others = [(ins[j], operands[j]) for j in range(len(ins)) if j != k]
        if "..." in spec:
            yield operands[k], Bar(_elliptic_bar(ctx, e, bar.expr, ins[k], out, others, k, s))
            continue
        yield operands[k], Bar(_einsum_bar(ctx, bar.expr, ins[k], out, others, operands[k], s))


def _einsum_bar(
    ctx: Context,
    bar: Expr,
    labels: str,
    out: str,
    others: list[tuple[str, Expr]],
    operand: Expr,
    s: Stmt,
) -> Expr:
    """The cotangent of the operand with `labels`: the einsum of `bar` and the other operands."""
    own = "".join(dict.fromkeys(labels))
    there = set(out) | {c for o, _ in others for c in o}
    present = "".join(c for c in own if c in there)
    subscripts = f"{','.join([out, *(o for o, _ in others)])}->{present}"
    values = [conjugate(ctx, ctx.hole(x, s)) for _, x in others]
    if out == present and not others:
        got = bar
    else:
        got = Call("numpy.einsum", (Const(subscripts), bar, *values))
    plain = len(own) == len(labels)
    if present != own and ctx.shape(got) != SCALAR:
        items: list[Expr] = [Slice(None, None, None) if c in there else Const(None) for c in own]
        got = Call("operator.getitem", (got, Tuple(tuple(items)) if len(items) > 1 else items[0]))
    if plain and not _keeps_lengths(ctx, labels, others, operand):
        ctx.helpers.add(UNBROADCAST)
        got = Call(f"<helper>.{UNBROADCAST}", (got, ctx.hole(operand, s, query="shape")))
    if plain and present != own:
        return Call("numpy.broadcast_to", (got, ctx.hole(operand, s, query="shape")))
    if plain:
        return got
    name = ctx.bind(
        zeros_like(ctx, operand, s), f"{describe(operand)}_bar", s, ctx.facts.type(operand)
    )
    diagonal = Call("numpy.einsum", (Const(f"{labels}->{own}"), name))
    target = Call("operator.getitem", (diagonal, Const(Ellipsis)))
    ctx.emit(Assign((target,), got, origin=s.origin, made=True))
    return name


def _elliptic_bar(
    ctx: Context,
    e: Call,
    bar: Expr,
    labels: str,
    out: str,
    others: list[tuple[str, Expr]],
    k: int,
    s: Stmt,
) -> Expr:
    """The cotangent of operand `k` of an einsum with an ellipsis, whose axes may have been broadcast."""
    letters = labels.replace("...", "")
    there = set(out) | {c for o, _ in others for c in o}
    if len(set(letters)) < len(letters) or not set(letters) <= there or "..." not in out:
        reason = (
            "with an ellipsis each axis of an operand must be in the result or in another one, once"
        )
        ctx.problem("PB302", e, name="einsum", reason=reason)
        return bar
    subscripts = f"{','.join([out, *(o for o, _ in others)])}->...{letters}"
    got: Expr = Call("numpy.einsum", (Const(subscripts), bar, *(ctx.hole(x, s) for _, x in others)))
    if labels[:3] != "..." and "..." in labels:
        at = labels.index("...")
        axes = tuple(Const(a) for a in range(-len(letters), -len(letters) + at))
        to = tuple(Const(a) for a in range(at))
        got = Call("numpy.moveaxis", (got, Tuple(axes), Tuple(to)))
    ctx.helpers.add(UNBROADCAST)
    return Call(f"<helper>.{UNBROADCAST}", (got, ctx.hole(e.args[1 + k], s, query="shape")))


def _keeps_lengths(
    ctx: Context, labels: str, others: list[tuple[str, Expr]], operand: Expr
) -> bool:
    """Known that no axis of `operand` has length 1 where another operand's is longer."""
    shape = ctx.declared(operand)
    if not isinstance(shape, tuple) or len(shape) != len(labels):
        return all(c not in o for c in labels for o, _ in others)
    for c, d in zip(labels, shape):
        for o, x in others:
            if c not in o:
                continue
            other = ctx.declared(x)
            if not isinstance(other, tuple) or len(other) != len(o) or other[o.index(c)] != d:
                return d != Dim("", 1) and not d.sym
    return True


def _labels(spec: str) -> tuple[list[str], str]:
    left, arrow, right = spec.partition("->")
    ins = left.split(",")
    if not arrow:
        joined = left.replace(",", "").replace("...", "")
        right = "..." * ("..." in left) + "".join(
            sorted(c for c in set(joined) if joined.count(c) == 1)
        )
    return ins, right
