"""Adjoint variables: which are set, and how contributions are added to them.

One adjoint variable goes with one primal variable and holds, at each point of the backward pass, the
cotangent of the value that the primal variable has at the mirrored point. A variable that is not in the
State has cotangent zero.

May not know: rules, how holes are filled.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ..analysis.containers import is_container
from ..analysis.facts import Val
from ..analysis.flow import BlockKey
from ..analysis.indexing import index_items
from ..analysis.types import SCALAR, may_be_complex
from ..ir import (
    Assign,
    AugAssign,
    Call,
    Const,
    Expr,
    Name,
    Stmt,
    Tuple,
    reads,
    stmt_exprs,
    walk,
)
from ..optimize.build import ADD, total
from . import containers
from .buffers import Buffer
from .complexes import PARTS, made_complex
from .context import Bar, Context
from .floating import copied, floated, is_floating
from .gather import Gather, shares_memory, static_scalar
from .shaping import is_elementwise, is_view, materialize, unbroadcast, zeros_like
from .structural import accumulate, subscripted
from .values import definition


@dataclass
class State:
    """Which adjoints are set; True where nothing else holds the memory.

    `pending` adjoints have no variable yet: they are a number that stands for an array filled with it.
    Those in `excess` have one, whose value is still to be summed to the shape of the primal.
    """

    owned: dict[str, bool] = field(default_factory=dict)
    pending: dict[str, tuple[Bar, Expr]] = field(default_factory=dict)
    masked: set[str] = field(default_factory=set)
    excess: dict[str, Expr] = field(default_factory=dict)

    def copy(self) -> State:
        return State(dict(self.owned), dict(self.pending), set(self.masked), dict(self.excess))

    def __contains__(self, name: str) -> bool:
        return name in self.owned or name in self.pending


@dataclass
class Slots:
    """What is known of adjoint variables all through one function.

    `open` are the blocks whose backward code is being made, outermost first.
    """

    buffers: dict[str, Buffer]
    open: list[BlockKey] = field(default_factory=list)

    def root(self, name: str) -> str:
        """The array that `name` is (part of), by name."""
        b = self.buffers.get(name)
        return b.root if b else name

    def roots(self, names: set[str]) -> set[str]:
        """`names`, and the arrays that those of them that are views are parts of."""
        return names | {self.buffers[n].root for n in names if n in self.buffers}


def bar_of(ctx: Context, name: str) -> Name:
    return Name(ctx.namer.adjoint(name))


def is_set(slots: Slots, state: State, name: str) -> bool:
    return slots.root(name) in state


def assign(
    ctx: Context, state: State, name: str, value: Expr, owned: bool, s: Stmt, val: Val | None = None
) -> None:
    """`name_bar = value`; an array's is floating whatever the arguments are."""
    bar = bar_of(ctx, name)
    val = val if val is not None else ctx.facts.var(s, name)
    floats = is_floating(ctx, value)
    if not floats and val.type.kind != "scalar" and not is_container(val.type):
        value, owned, floats = floated(value), True, True
    if may_be_complex(val.type.dtype) and val.type.kind != "scalar":
        if not made_complex(ctx, value, surely=True):
            value, owned = Call(ADD, (value, Const(0j))), True
        val = replace(val, type=replace(val.type, dtype="complex"))
    ctx.emit(Assign((bar,), value, origin=s.origin, made=True))
    state.owned[name] = owned
    ctx.made[bar.id] = val
    ctx.floats[bar.id] = (floats or is_container(val.type)) and ctx.floats.get(bar.id, True)


def take(ctx: Context, state: State, name: str) -> Bar:
    """The adjoint of `name`, which is zero from here on."""
    if name in state.pending:
        return state.pending.pop(name)[0]
    excess = state.excess.pop(name, None) is not None
    return Bar(bar_of(ctx, name), True, state.owned.pop(name), name in state.masked, excess)


def settle(ctx: Context, state: State, s: Stmt, when: str = "before") -> None:
    """Gives every adjoint its variable and shape, at the mirror of the place before or behind `s`."""
    for name in [*state.pending, *state.excess]:
        settle_one(ctx, state, name, s, when)


def settle_one(ctx: Context, state: State, name: str, s: Stmt, when: str = "before") -> None:
    """`settle` for one variable."""
    if name in state.excess:
        at = state.excess.pop(name)
        bar = unbroadcast(ctx, Bar(bar_of(ctx, name)), at, s, when)
        assign(ctx, state, name, bar.expr, True, s, ctx.facts.of(at))
    if name not in state.pending:
        return
    bar, at = state.pending.pop(name)
    made = materialize(ctx, bar, at, s, when)
    assign(ctx, state, name, made.expr, made.owned, s, ctx.facts.of(at))


def begin(
    ctx: Context,
    slots: Slots,
    state: State,
    name: str,
    s: Stmt,
    when: str = "before",
    *,
    bound: bool = False,
) -> None:
    """Makes sure that `name_bar` is an array (or number) that can be added to.

    `bound`: the name has a value here, or the primal would have raised.
    """
    b = slots.buffers.get(name)
    root = b.root if b else name
    settle_one(ctx, state, root, s, when)
    if root not in state:
        val = _val_at(ctx, root, s, when)
        unsure = not val.sure and not bound and root == name and b is None
        if unsure and not is_container(val.type):  # zero in any shape
            assign(ctx, state, root, Const(0.0), False, s, val)
            return
        assign(ctx, state, root, zeros_like(ctx, Name(root), s, when), True, s, val)
        views(ctx, slots, root)
    elif not state.owned[root]:
        bar = bar_of(ctx, root)
        if _val_at(ctx, root, s, when).type.kind != "scalar":
            assign(ctx, state, root, copied(ctx, bar), True, s, ctx.made.get(bar.id))


def _val_at(ctx: Context, name: str, s: Stmt, when: str) -> Val:
    if when == "after" and (id(s), name) in ctx.facts.bound:
        return ctx.facts.bound[(id(s), name)]
    return ctx.facts.before.get(id(s), {}).get(name, Val(sure=False))


def views(ctx: Context, slots: Slots, root: str, block: BlockKey | None = None) -> None:
    """Binds the adjoints of the views of `root` that are made in `block` (None: in any open block)."""
    made = [(n, b) for n, b in slots.buffers.items() if b.root == root and b.made_at is not None]
    for n, b in sorted(made, key=lambda x: ctx.flow.order[id(x[1].made_at)]):
        at = ctx.flow.block[id(b.made_at)]
        if at != block if block is not None else at not in slots.open:
            continue
        assert b.value is not None and b.made_at is not None
        bar = bar_of(ctx, n)
        ctx.made[bar.id] = ctx.facts.bound[(id(b.made_at), n)]
        value = _mirror(ctx, b.value, b.made_at)
        ctx.emit(Assign((bar,), value, origin=b.made_at.origin, made=True))


def _mirror(ctx: Context, value: Expr, s: Stmt) -> Expr:
    """The same view of the adjoint."""
    if isinstance(value, Name):
        return bar_of(ctx, value.id)
    assert isinstance(value, Call)
    if value.fn in ("attr.T", *PARTS):
        return Call(value.fn, (_mirror(ctx, value.args[0], s),))
    key = containers.step(ctx, value, s)
    if key is not None:
        return Call("operator.getitem", (_mirror(ctx, value.args[0], s), key))
    return Call("operator.getitem", (_mirror(ctx, value.args[0], s), ctx.index(value.args[1], s)))


def add_whole(
    ctx: Context, slots: Slots, state: State, name: str, bars: list[tuple[Bar, Expr]], s: Stmt
) -> None:
    """Adds contributions to all of `name_bar`."""
    if is_container(ctx.facts.type(bars[0][1])):
        _add_container(ctx, slots, state, name, bars, s)
        return
    if len(bars) == 1 and bars[0][0].excess and _may_wait(ctx, slots, state, name, s):
        _wait(ctx, slots, state, name, *bars[0], s)
        return
    if name in state.excess:
        settle_one(ctx, state, name, s)
    bars = [(unbroadcast(ctx, b, at, s) if b.excess else b, at) for b, at in bars]
    if any(b.masked for b, _ in bars) or name in state.masked:
        state.masked.add(name)
    value = ctx.simplified(total([b.expr for b, _ in bars]))
    full = any(b.full for b, _ in bars)
    if name in state.pending:
        old, at = state.pending.pop(name)
        bars = [(old, at), *bars]
        value, full = ctx.simplified(total([b.expr for b, _ in bars])), full or old.full
    owned = bars[0][0].owned if len(bars) == 1 else isinstance(value, Call)
    if not is_set(slots, state, name):
        b = slots.buffers.get(name)
        at = bars[0][1]
        if b is not None and b.value is not None:
            begin(ctx, slots, state, name, s)
        elif b is None and not full and ctx.declared(at) != SCALAR and static_scalar(ctx, value):
            state.pending[name] = (Bar(value, False, True), at)
            return
        else:
            made = materialize(ctx, Bar(value, full, owned), at, s)
            lent = b is not None and not made.owned
            if lent or _part_of_written(ctx, slots, state, made.expr):
                made = Bar(copied(ctx, made.expr, point=_may_be_a_point(ctx, name, at)))
            assign(ctx, state, name, made.expr, made.owned, s, ctx.facts.of(at))
            if b is not None:
                views(ctx, slots, name)
            return
    bar = bar_of(ctx, name)
    if state.owned[slots.root(name)]:
        ctx.emit(AugAssign(bar, "operator.add", value, origin=s.origin, made=True))
    else:
        both = ctx.simplified(total([bar, value]))
        assign(ctx, state, name, both, True, s, ctx.made.get(bar.id))


def _add_container(
    ctx: Context, slots: Slots, state: State, name: str, bars: list[tuple[Bar, Expr]], s: Stmt
) -> None:
    """Adds contributions to all parts of a container's adjoint."""
    base, chain = _mirrored(ctx, slots, name)
    if chain:
        begin(ctx, slots, state, name, s)
        place = subscripted(bar_of(ctx, base), chain)
        for b, _ in bars:
            value = containers.plus(ctx, place, b.expr)
            ctx.emit(Assign((place,), value, origin=s.origin, made=True))
        views(ctx, slots, slots.buffers[name].root)
        return
    there = is_set(slots, state, name)
    exprs = [*([bar_of(ctx, name)] if there else []), *(b.expr for b, _ in bars)]
    value = exprs[0] if there or bars[0][0].owned else containers.opened(ctx, exprs[0])
    for e in exprs[1:]:
        value = containers.plus(ctx, value, e)
    assign(ctx, state, name, value, True, s, ctx.facts.of(bars[0][1]))
    views(ctx, slots, name)


def _mirrored(ctx: Context, slots: Slots, name: str) -> tuple[str, tuple[Expr, ...]]:
    """The variable whose adjoint a mirror is part of, and the subscripts that lead there."""
    chain: tuple[Expr, ...] = ()
    b = slots.buffers.get(name)
    while b is not None and b.value is not None and b.made_at is not None:
        value = b.value
        while not isinstance(value, Name):
            assert isinstance(value, Call)
            key = containers.step(ctx, value, b.made_at)
            chain = (ctx.index(value.args[1], b.made_at) if key is None else key, *chain)
            value = value.args[0]
        name, b = value.id, slots.buffers.get(value.id)
    return name, chain


def _may_wait(ctx: Context, slots: Slots, state: State, name: str, s: Stmt) -> bool:
    """Whether the variable is what an elementwise function made, which can go on with a cotangent not summed yet."""
    made = definition(ctx, name, s, "before")
    if made is None or name in slots.buffers or name in state or not is_elementwise(made[1]):
        return False
    reading = [
        n
        for x in ctx.flow.stmts.values()
        if ctx.flow.reaching.get(id(x), {}).get(name) == id(made[0])
        for e in stmt_exprs(x)
        if not (isinstance(x, Assign) and e in x.targets)
        for n in walk(e)
        if n == Name(name)
    ]
    return len(reading) == 1


def _may_be_a_point(ctx: Context, name: str, at: Expr) -> bool:
    """Whether what is stored into `name` may go into an array without axes: `a[mask] = 0.0`, `a[...] = x`."""
    shape = ctx.declared(at)
    if isinstance(shape, tuple) and shape:  # it has axes
        return False
    for s in ctx.flow.stmts.values():
        targets = s.targets if isinstance(s, Assign) else (getattr(s, "target", None),)
        for t in targets:
            if isinstance(t, Call) and t.fn == "operator.getitem" and t.args[0] == Name(name):
                whole = t.args[1] in (Const(...), Tuple(()))
                if whole or ctx.facts.type(t.args[1]).dtype == "bool":
                    return True
    return False


def _wait(ctx: Context, slots: Slots, state: State, name: str, bar: Bar, at: Expr, s: Stmt) -> None:
    """`name_bar` is what broadcasting made of it, until something else is to be added or control flow begins."""
    lent = _part_of_written(ctx, slots, state, bar.expr)
    value = copied(ctx, bar.expr) if lent else bar.expr
    assign(ctx, state, name, value, lent or bar.owned, s, replace(ctx.val(value), active=True))
    state.excess[name] = at
    if bar.masked:
        state.masked.add(name)


def _part_of_written(ctx: Context, slots: Slots, state: State, e: Expr) -> bool:
    """`e` may be (part of) the adjoint of a written array, which goes on changing.

    An element that is read is a number, and changes no more.
    """
    if ctx.shape(e) == SCALAR and _is_element(ctx, e):
        return False
    while isinstance(e, Call) and e.args and (is_view(e) or shares_memory(e)):
        e = e.args[0]
    bars = {ctx.namer.adjoint(n) for n, b in slots.buffers.items() if b.root in state}
    return isinstance(e, Name) and e.id in bars


def _is_element(ctx: Context, e: Expr) -> bool:
    """A subscript by integers alone: where an ellipsis is, NumPy gives a view of no axes."""
    if not isinstance(e, Call) or e.fn != "operator.getitem":
        return False
    return all(ctx.val(i).type.dtype == "int" for i in index_items(e.args[1]))


def add_parts(ctx: Context, slots: Slots, state: State, to: Gather, s: Stmt) -> None:
    """Adds contributions to parts: `x_bar[i] += …`; those to the same part in one statement."""
    merged: dict[tuple[str, tuple[Expr, ...], str], list[Expr]] = {}
    for name, chain, bar, how in to.parts:
        merged.setdefault((name, chain, how), []).append(bar.expr)
    for (name, chain, how), values in merged.items():
        begin(ctx, slots, state, name, s, bound=True)
        state.masked.add(name)
        if how == containers.PLUS:
            place = value = subscripted(bar_of(ctx, name), chain)
            for v in values:
                value = containers.plus(ctx, value, v)
            ctx.emit(Assign((place,), value, origin=s.origin, made=True))
            continue
        added = ctx.simplified(total(values))
        ctx.emit(accumulate(bar_of(ctx, name), chain, added, how, s))


def _lend(to: Gather) -> None:
    """An adjoint that is handed on as it is to several variables belongs to none of them."""
    handed = [b.expr for bars in to.whole.values() for b, _ in bars if isinstance(b.expr, Name)]
    for name, bars in to.whole.items():
        to.whole[name] = [
            (
                replace(b, owned=False)
                if isinstance(b.expr, Name) and handed.count(b.expr) > 1
                else b,
                at,
            )
            for b, at in bars
        ]


def _hold(ctx: Context, slots: Slots, to: Gather, targets: set[str], s: Stmt) -> None:
    """`v = u; u = np.sin(v)`: the adjoint of v is that of the old u, which begins while the new one is read."""
    receivers = {*to.whole, *(n for n, *_ in to.parts)}
    roots = {n: slots.buffers[n].root for n in receivers if n in slots.buffers}
    bars = {bar_of(ctx, root).id for n, root in roots.items() if root != n and root in targets}

    def held(bar: Bar, name: str) -> Bar:
        if not reads(bar.expr) & bars:
            return bar
        return replace(bar, expr=ctx.bind(bar.expr, f"{name}_new_bar", s), owned=False)

    for name, whole in to.whole.items():
        to.whole[name] = [(held(b, name), at) for b, at in whole]
    to.parts = [(n, chain, held(b, n), how) for n, chain, b, how in to.parts]


def deliver(
    ctx: Context, slots: Slots, state: State, to: Gather, targets: set[str], s: Stmt
) -> None:
    """Adds what a statement's value contributes; the variables that it binds come last."""
    _lend(to)
    _hold(ctx, slots, to, targets, s)
    last = [n for n in to.whole if n in targets]
    for name in to.whole:
        if name not in targets:
            add_whole(ctx, slots, state, name, to.whole[name], s)
    for name in dict.fromkeys(n for n, *_ in to.parts):
        if name in targets:
            last = [n for n in last if n != name] + [name]
    others = Gather(parts=[p for p in to.parts if p[0] not in targets])
    add_parts(ctx, slots, state, others, s)
    for name in last:
        if name in to.whole:
            add_whole(ctx, slots, state, name, to.whole[name], s)
        own = Gather(parts=[p for p in to.parts if p[0] == name])
        add_parts(ctx, slots, state, own, s)
