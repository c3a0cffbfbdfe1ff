"""Stores into arrays, and augmented assignment: what is written in place, taken backwards.

The adjoint of the element is read, then cleared (unless nothing looks at it again), then added to.

May not know: control flow, how holes are filled.
"""

from __future__ import annotations

from collections.abc import Callable

from ..analysis.containers import is_container
from ..analysis.dependence import written_once
from ..analysis.indexing import GATHER, UNKNOWN, index_kind
from ..analysis.types import SCALAR
from ..ir import (
    Assign,
    AugAssign,
    Call,
    Const,
    Expr,
    ExprStmt,
    Name,
    Stmt,
    reads,
)
from ..optimize.build import ADD, SUB, neg, total
from .complexes import PARTS
from .containers import helped, is_step
from .context import Bar, Context
from .expressions import adjoint
from .gather import Gather
from .held import puts_into
from .shaping import fit, is_elementwise, is_view
from .slots import (
    Slots,
    State,
    bar_of,
    begin,
    deliver,
    is_set,
)
from .structural import spelled_index, subscripted, view_step


def augment(ctx: Context, slots: Slots, state: State, s: AugAssign) -> None:
    """`a[i] op= value`, and `a op= value` of an array that has other names."""
    if s.op not in (ADD, SUB):
        store(ctx, slots, state, s.target, ctx.facts.augmented[id(s)], s)
        return
    base, chain = _place(ctx, s.target, s)
    if base is None or not is_set(slots, state, base):
        return
    _own(ctx, slots, state, base, s)
    if not s.repeats:
        _guard_repeats(ctx, base, s.target, s.value, s)
    place = subscripted(bar_of(ctx, base), chain)

    def gather(bar: Expr) -> Gather:
        to = Gather()
        signed = Bar(bar if s.op == ADD else neg(bar), True, False)
        lazily = is_elementwise(s.value)
        adjoint(ctx, s.value, fit(ctx, signed, s.target, s.value, s, lazily), s, to)
        return to

    names = ctx.namer.copy()
    to, code = _gathered(ctx, lambda: gather(place))
    if _clash(ctx, slots, to, base) or _lent(ctx, to, s.target):
        ctx.namer.restore(names)
        held = _held(ctx, place, base, s.target, s)
        to, code = _gathered(ctx, lambda: gather(held))
    ctx.out += code
    _in_order(ctx, slots, state, to, base, None, s)


def _lent(ctx: Context, to: Gather, target: Expr) -> bool:
    """Whether a variable gets the adjoint of part `target` of a container, which goes on being added to."""
    handed_on = any(is_view(b.expr) for bars in to.whole.values() for b, _ in bars)
    return handed_on and puts_into(ctx, target) and not _scalar(ctx, target)


def _gathered(ctx: Context, make: Callable[[], Gather]) -> tuple[Gather, list[Stmt]]:
    """The contributions that `make` gathers, and the temporaries that it needs, not yet emitted."""
    outer, ctx.out = ctx.out, []
    to = make()
    code, ctx.out = ctx.out, outer
    return to, code


def _held(ctx: Context, place: Expr, base: str, target: Expr, s: Stmt) -> Expr:
    """A copy of part of an adjoint, taken before that part changes."""
    if is_container(ctx.facts.type(target)) or puts_into(ctx, target):
        place = place if _scalar(ctx, target) else helped(ctx, "_opened", place)
    elif not _scalar(ctx, target):
        sure = ctx.facts.type(target).kind == "array"
        place = Call("method.copy" if sure else "numpy.copy", (place,))
    return ctx.bind(place, f"{base}_new_bar", s, ctx.facts.type(target))


def _split(slots: Slots, to: Gather, base: str) -> tuple[Gather, Gather]:
    """Contributions to other arrays, and those into the array that `base` is (part of)."""
    root = slots.root(base)
    apart, into = Gather(), Gather()
    for n, bars in to.whole.items():
        (into if slots.root(n) == root else apart).whole[n] = bars
    for p in to.parts:
        (into if slots.root(p[0]) == root else apart).parts.append(p)
    return apart, into


def _reading(ctx: Context, slots: Slots, into: Gather, base: str) -> tuple[int, int]:
    """How many contributions into the array of `base` read its adjoint, and how many there are."""
    names = {n for n in slots.buffers if slots.root(n) == slots.root(base)}
    bars = {ctx.namer.adjoint(n) for n in names | {base}}
    exprs = [b.expr for many in into.whole.values() for b, _ in many] + [
        b.expr for _, _, b, _ in into.parts
    ]
    return sum(1 for e in exprs if reads(e) & bars), len(exprs)


def _clash(ctx: Context, slots: Slots, to: Gather, base: str) -> bool:
    """Whether a contribution reads the array's adjoint after another has changed it."""
    reading, there = _reading(ctx, slots, _split(slots, to, base)[1], base)
    return reading > 1 or (reading == 1 and there > 1)


def _in_order(
    ctx: Context, slots: Slots, state: State, to: Gather, base: str, clear: Stmt | None, s: Stmt
) -> None:
    """What reads the element's adjoint comes first, then it is cleared, then its array is added to."""
    apart, into = _split(slots, to, base)
    deliver(ctx, slots, state, apart, set(), s)
    if clear is not None:
        ctx.emit(clear)
    deliver(ctx, slots, state, into, set(), s)


def _guard_repeats(ctx: Context, base: str, target: Expr, value: Expr, s: Stmt) -> None:
    """Where an index array may name an element twice, only the last value is stored: that is checked."""
    if not isinstance(target, Call) or target.fn != "operator.getitem":
        return
    if not ctx.facts.active(value) or puts_into(ctx, target):
        return
    if index_kind(target.args[1], ctx.facts.type) not in (GATHER, UNKNOWN):
        return
    inner = subscripted(bar_of(ctx, base), _place(ctx, target.args[0], s)[1])
    ctx.helpers.add("_check_distinct")
    index = spelled_index(ctx.index(target.args[1], s))
    guard = Call("<helper>._check_distinct", (index, Call("numpy.shape", (inner,))))
    ctx.emit(ExprStmt(guard, origin=s.origin, made=True))


def _place(ctx: Context, target: Expr, s: Stmt) -> tuple[str | None, tuple[Expr, ...]]:
    """The name and the chain of subscripts that a store goes to; `a[...]` is all of a."""
    chain: tuple[Expr, ...] = ()
    while isinstance(target, Call) and (
        target.fn in ("operator.getitem", *PARTS) or is_step(ctx, target)
    ):
        if target.fn != "operator.getitem" or target.args[1] != Const(Ellipsis):
            chain = (view_step(ctx, target, s), *chain)
        target = target.args[0]
    return (target.id if isinstance(target, Name) else None), chain


def _own(ctx: Context, slots: Slots, state: State, base: str, s: Stmt) -> None:
    """Makes sure that the adjoint of a container may be written."""
    if is_container(ctx.facts.var(s, base).type):
        begin(ctx, slots, state, base, s, "after")


def _scalar(ctx: Context, e: Expr) -> bool:
    return ctx.declared(e) == SCALAR


def store(ctx: Context, slots: Slots, state: State, target: Expr, value: Expr, s: Stmt) -> None:
    """`a[i] = value`: the adjoint of the element is taken, and is zero before."""
    base, chain = _place(ctx, target, s)
    if base is None or not is_set(slots, state, base):
        return
    _own(ctx, slots, state, base, s)
    _guard_repeats(ctx, base, target, value, s)
    place = subscripted(bar_of(ctx, base), chain)

    whole = puts_into(ctx, target)  # the value itself is stored, not broadcast

    def gather(bar: Expr) -> Gather:
        to = Gather()
        share = Bar(bar, True, False)
        lazily = is_elementwise(value)
        adjoint(ctx, value, share if whole else fit(ctx, share, target, value, s, lazily), s, to)
        return to

    names = ctx.namer.copy()
    to, code = _gathered(ctx, lambda: gather(place))
    _, into = _split(slots, to, base)
    own = [p for p in into.parts if p[0] == base and p[1] == chain and p[3] == "add"]
    stale = not whole and _stale(ctx, slots, base, target, s)
    kept = [p for p in own if p[2].expr == place]
    if chain and not stale and len(kept) == 1:
        _added(ctx, slots, state, base, place, target, gather, (to, code, names), s)
        return
    if not chain and set(into.whole) == {base} and not into.parts:
        ctx.out += code
        apart, _ = _split(slots, to, base)
        deliver(ctx, slots, state, apart, set(), s)
        made = ctx.simplified(total([b.expr for b, _ in into.whole[base]]))
        if made != place:
            ctx.emit(_whole(ctx, place, made, target, s))
        return
    if not stale and own and len(own) == len(into.parts) and not into.whole:
        ctx.out += code
        _over(ctx, slots, state, to, own, place, target, s)
        return
    reading, _ = _reading(ctx, slots, into, base)
    if _clash(ctx, slots, to, base) or (not stale and reading):
        ctx.namer.restore(names)
        if whole:  # its place gets zeros of its own
            held: Expr = ctx.bind(place, f"{base}_new_bar", s, ctx.facts.type(target))
        else:
            held = _held(ctx, place, base, target, s)
        to, code = _gathered(ctx, lambda: gather(held))
    ctx.out += code
    zero = _cleared(ctx, place, target) if whole else Const(0.0)
    clear = None if stale else _whole(ctx, place, zero, target, s)
    if clear is not None and chain and not whole:
        state.masked.add(slots.root(base))
    _in_order(ctx, slots, state, to, base, clear, s)


def _added(
    ctx: Context,
    slots: Slots,
    state: State,
    base: str,
    place: Expr,
    target: Expr,
    gather: Callable[[Expr], Gather],
    tried: tuple[Gather, list[Stmt], tuple[set[str], dict[str, str]]],
    s: Stmt,
) -> None:
    """`a[i] = a[i] + e`: the element keeps its adjoint, and that is what e gets."""

    def others(to: Gather, own: Expr) -> Gather:
        mine = (base, _place(ctx, target, s)[1], own)
        return Gather(to.whole, [p for p in to.parts if (p[0], p[1], p[2].expr) != mine])

    to, code, names = tried
    to = others(to, place)
    if _clash(ctx, slots, to, base) or _lent(ctx, to, target):
        ctx.namer.restore(names)
        held = _held(ctx, place, base, target, s)
        to, code = _gathered(ctx, lambda: others(gather(held), held))
    ctx.out += code
    _in_order(ctx, slots, state, to, base, None, s)


def _cleared(ctx: Context, place: Expr, target: Expr) -> Expr:
    """Zeros in the place of a part of a container, which its value will not be added to."""
    if _scalar(ctx, target):
        return Const(0.0)
    if ctx.facts.type(target).kind == "array":
        return Call("numpy.zeros_like", (place,))
    return helped(ctx, "_zeros_like", place)


def _whole(ctx: Context, place: Expr, value: Expr, target: Expr, s: Stmt) -> Stmt:
    """`place = value` in place, so that views of it see it; `target` is what the primal stores to."""
    element = isinstance(place, Call) and not _all_of_part(ctx, target)
    into = place if element else Call("operator.getitem", (place, Const(Ellipsis)))
    scaled = isinstance(value, Call) and value.fn == "operator.mul" and value.args[0] == place
    if scaled and (_scalar(ctx, target) or not puts_into(ctx, target)):  # others may hold a part
        assert isinstance(value, Call)
        return AugAssign(place, "operator.mul", value.args[1], origin=s.origin, made=True)
    return Assign((into,), value, origin=s.origin, made=True)


def _all_of_part(ctx: Context, target: Expr) -> bool:
    """`d["u"][...]`: all of an array that a container holds."""
    if not isinstance(target, Call) or target.args[-1] != Const(Ellipsis):
        return False
    return is_step(ctx, target.args[0])


def _over(
    ctx: Context,
    slots: Slots,
    state: State,
    to: Gather,
    own: list[tuple[str, tuple[Expr, ...], Bar, str]],
    place: Expr,
    target: Expr,
    s: Stmt,
) -> None:
    """The element's new adjoint is a function of the old one alone: it is replaced in one statement."""
    rest = Gather(to.whole, [p for p in to.parts if p not in own])
    deliver(ctx, slots, state, rest, set(), s)
    value = ctx.simplified(total([b.expr for _, _, b, _ in own]))
    if value != place:
        ctx.emit(_whole(ctx, place, value, target, s))


def _stale(ctx: Context, slots: Slots, base: str, target: Expr, s: Stmt) -> bool:
    """Nothing reads what is left in the adjoint of this element: it is written once, and starts as a constant."""
    b = slots.buffers.get(base)
    if (
        b is None
        or b.value is not None
        or not isinstance(target, Call)
        or target.args[0] != Name(base)
    ):
        return False
    if any(v.root == b.root and n != base for n, v in slots.buffers.items()):
        return False
    for d in ctx.flow.defs.get(base, ()):
        bound = ctx.facts.bound.get((id(d), base))
        if bound is not None and bound.active:
            return False
    return written_once(s, base, target.args[1], ctx.flow)
