"""The backward pass of statements and blocks.

Each statement, taken in reverse order, turns the adjoints of what it binds into contributions to the
adjoints of what it reads. Branches and loops are processed until the set of adjoints that must exist
before them no longer grows.

May not know: rules, how holes are filled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from ..analysis.containers import COPIES, is_container
from ..analysis.facts import Problem, Val
from ..analysis.flow import BlockKey, live_at_head, upward
from ..analysis.types import may_be_complex
from ..ir import (
    Assign,
    AugAssign,
    Barrier,
    Block,
    Call,
    Expr,
    ExprStmt,
    For,
    If,
    Insert,
    Name,
    Note,
    Star,
    Stmt,
    Tuple,
    While,
    bound,
    reads,
    statements,
    walk,
)
from ..steps import spend
from .containers import is_slice, is_step, step, targets, way
from .context import Bar, Context
from .expressions import adjoint
from .floating import COPYING
from .gather import Gather
from .held import is_put, is_take
from .inserted import insert
from .loops import backward_header, turns_of
from .puts import put, take_out
from .remade import is_remade, remake
from .revolve import is_revolved, revolve
from .several import NOTHING, gives_several
from .shaping import zeros_like
from .slots import (
    Slots,
    State,
    bar_of,
    begin,
    deliver,
    is_set,
    settle,
    settle_one,
    take,
    views,
)
from .stores import augment, store


def block(ctx: Context, slots: Slots, state: State, stmts: Iterable[Stmt], later: set[str]) -> None:
    """The backward pass of a run of statements; `later` are the variables read behind it."""
    run = list(stmts)
    live = [set(later)]
    for s in reversed(run):
        live.append(upward((s,), live[-1]))
    for s, after in zip(reversed(run), live):
        statement(ctx, slots, state, s, after)


def statement(ctx: Context, slots: Slots, state: State, s: Stmt, later: set[str]) -> None:
    """The backward pass of one statement."""
    spend()
    if isinstance(s, (Assign, ExprStmt)) and is_take(ctx, s):
        take_out(ctx, slots, state, s)
    elif isinstance(s, Assign):
        _assign(ctx, slots, state, s)
    elif isinstance(s, AugAssign) and isinstance(s.target, Name) and ctx.facts.rebinds[id(s)]:
        _pairs(ctx, slots, state, [(s.target, ctx.facts.augmented[id(s)])], s)
    elif isinstance(s, AugAssign):
        augment(ctx, slots, state, s)
    elif isinstance(s, ExprStmt) and is_put(ctx, s):
        put(ctx, slots, state, s)
    elif isinstance(s, If):
        _if(ctx, slots, state, s, later)
    elif isinstance(s, (For, While)):
        _loop(ctx, slots, state, s, later)
    elif isinstance(s, Barrier):
        _barrier(ctx, state, s)
    elif isinstance(s, Insert):
        insert(ctx, slots, state, s)


# --- assignments ---------------------------------------------------------------------------------


def _assign(ctx: Context, slots: Slots, state: State, s: Assign) -> None:
    for target in reversed(s.targets[1:]):
        _one_target(ctx, slots, state, s, target)
    _one_target(ctx, slots, state, s, s.targets[0])


def _one_target(ctx: Context, slots: Slots, state: State, s: Assign, target: Expr) -> None:
    if isinstance(target, Name):
        b = slots.buffers.get(target.id)
        if (b is not None and b.made_at is s) or _is_already(ctx, slots, target, s):
            return  # the adjoint of a view is a view: there is nothing to add
        _pairs(ctx, slots, state, [(target, s.value)], s)
    elif (
        isinstance(target, Tuple)
        and isinstance(s.value, Tuple)
        and len(target.items) == len(s.value.items)
    ):
        pairs = list(zip(target.items, s.value.items))
        if all(isinstance(t, Name) for t, _ in pairs):
            _pairs(ctx, slots, state, [(t, v) for t, v in pairs if not _view_made(slots, t, s)], s)
        elif any(ctx.facts.active(v) or _set(slots, state, t) for t, v in pairs):
            ctx.problem("PB110", target, construct="starred target")
    elif isinstance(target, Tuple):
        _unpacked(ctx, slots, state, target, s)
    elif isinstance(target, Call) and target.fn == "operator.getitem":
        store(ctx, slots, state, target, s.value, s)


def _is_already(ctx: Context, slots: Slots, target: Name, s: Assign) -> bool:
    """`v = u; u = v`: what is bound is the array that the variable holds already, with the same adjoint."""
    if not isinstance(s.value, Name) or slots.root(target.id) != slots.root(s.value.id):
        return False
    env = ctx.facts.before.get(id(s), {})
    old, new = env.get(target.id), env.get(s.value.id)
    if old is None or new is None or old.type.kind != "array" or len(old.objs) != 1:
        return False
    return old.objs == new.objs and all(v.exact and v.sure and not v.view for v in (old, new))


def _view_made(slots: Slots, t: Expr, s: Stmt) -> bool:
    b = slots.buffers.get(t.id) if isinstance(t, Name) else None
    return b is not None and b.made_at is s


def _set(slots: Slots, state: State, t: Expr) -> bool:
    return any(is_set(slots, state, n) for n in bound(t))


def _pairs(
    ctx: Context, slots: Slots, state: State, pairs: list[tuple[Expr, Expr]], s: Stmt
) -> None:
    """`a, b = e, f`: the adjoints of a and b are taken, then e and f get their shares."""
    names = [t.id for t, _ in pairs if isinstance(t, Name)]
    if _permuted(ctx, slots, state, names, [v for _, v in pairs], s):
        return
    taken = [(n, v) for n, (_, v) in zip(names, pairs) if n in state]
    again = {n for n in names if any(n in reads(v) and ctx.facts.active(v) for _, v in pairs)}
    hold = (
        len(again) > 1
        or any(n in again and _regroups(ctx, v) for n, v in taken)
        or (len(taken) > 1 and len(again) > 0)
        or any(_reads_part(ctx, v, n) for _, v in taken for n in names)
    )
    bars: list[tuple[Expr, Bar]] = []
    for n, v in taken:
        got = take(ctx, state, n)
        if hold:
            got = replace(got, expr=ctx.bind(got.expr, f"{n}_new_bar", s), owned=got.owned)
        bars.append((v, got))
    to = Gather()
    for v, b in bars:
        adjoint(ctx, v, b, s, to)
    deliver(ctx, slots, state, to, set(names), s)


def _regroups(ctx: Context, value: Expr) -> bool:
    """A container that is made of others, not a mere copy."""
    copy = isinstance(value, Call) and value.fn in COPIES
    return is_container(ctx.facts.type(value)) and not copy


def _permuted(
    ctx: Context, slots: Slots, state: State, names: list[str], values: list[Expr], s: Stmt
) -> bool:
    """`a, b = b, a`: the adjoints change their names, too, where all of them are there."""
    olds = [v.id for v in values if isinstance(v, Name)]
    if len(names) < 2 or len(olds) != len(values) or sorted(olds) != sorted(names):
        return False
    for n in names:
        settle_one(ctx, state, n, s, "after")
    if any(n not in state.owned for n in names) or not all(map(ctx.facts.active, values)):
        return False
    news = tuple(bar_of(ctx, n) for n in names)
    ctx.emit(
        Assign(
            (Tuple(tuple(bar_of(ctx, n) for n in olds)),), Tuple(news), origin=s.origin, made=True
        )
    )
    owned = {old: state.owned[new] for old, new in zip(olds, names)}
    masked = {old for old, new in zip(olds, names) if new in state.masked}
    vals = {bar_of(ctx, old).id: ctx.facts.of(v) for old, v in zip(olds, values)}
    state.owned |= owned
    state.masked = (state.masked - set(names)) | masked
    ctx.made.update(vals)
    for n in olds:
        if n in slots.buffers:
            views(ctx, slots, n)
    return True


def _reads_part(ctx: Context, value: Expr, name: str) -> bool:
    """`y = y[1:]`: the new adjoint of y is read while the old one is built."""
    for e in walk(value):
        if isinstance(e, Call) and e.fn == "operator.getitem" and Name(name) in walk(e.args[0]):
            return ctx.facts.active(e)
    return False


def _unpacked(ctx: Context, slots: Slots, state: State, target: Tuple, s: Assign) -> None:
    """`a, b = x`: the adjoint of x is made of the adjoints of a and b."""
    value = s.value
    if is_container(ctx.facts.type(value)):
        _unpacked_container(ctx, slots, state, target, s)
        return
    names = [t.id for t in target.items if isinstance(t, Name)]
    if not any(n in state for n in names):
        return
    if len(names) != len(target.items) or ctx.facts.type(value).kind in (
        "list",
        "dict",
        "any",
        "other",
    ):
        if ctx.facts.active(value):
            what = f"unpacking of {value.id}" if isinstance(value, Name) else "unpacking of this"
            ctx.problem(
                "PB110", target, construct=f"{what}, which may be a tuple or an array; annotate it"
            )
        return
    parts: list[Expr] = []
    for n in names:
        if n in state:
            settle_one(ctx, state, n, s, "after")
            parts.append(take(ctx, state, n).expr)
        else:
            parts.append(zeros_like(ctx, Name(n), s, "after"))
    to = Gather()
    adjoint(ctx, value, Bar(Call("numpy.array", (Tuple(tuple(parts), "list"),))), s, to)
    deliver(ctx, slots, state, to, set(names), s)


def _unpacked_container(ctx: Context, slots: Slots, state: State, target: Tuple, s: Assign) -> None:
    """`a, (b, *c) = x`: the parts of x's adjoint get the adjoints of a, b and c."""
    parts = targets(target, ctx.facts.type(s.value))
    names = [n.id for n, *_ in parts]
    if not any(n in state for n in names):
        return
    value = s.value
    base: Expr = value
    chain: tuple[Expr, ...] = ()
    while isinstance(base, Call) and not is_slice(ctx, base) and is_step(ctx, base):
        key = step(ctx, base, s)
        assert key is not None
        base, chain = base.args[0], (key, *chain)
    to = Gather()
    if isinstance(base, Name):
        for n, inner in ((n, inner) for n, inner, _ in parts if n.id in state):
            settle_one(ctx, state, n.id, s, "after")
            bar = take(ctx, state, n.id)
            if base.id == n.id:  # `a, *b = b`: the old adjoint begins while the new one is read
                bar = replace(bar, expr=ctx.bind(bar.expr, f"{n.id}_new_bar", s))
            to.parts.append((base.id, (*chain, *inner), bar, way(ctx, n)))
    else:
        grouped = _regrouped(ctx, state, target, s)
        if isinstance(grouped, Tuple) and ctx.facts.type(value).kind == "tuple":
            grouped = replace(grouped, kind="tuple")
        adjoint(ctx, value, Bar(grouped, True, False), s, to)
    deliver(ctx, slots, state, to, set(names), s)


def _regrouped(ctx: Context, state: State, target: Expr, s: Stmt) -> Expr:
    """The adjoints of an unpacking's targets, grouped as the targets are."""
    if isinstance(target, Tuple):
        return Tuple(tuple(_regrouped(ctx, state, t, s) for t in target.items), "list")
    if isinstance(target, Star):
        return replace(target, value=_regrouped(ctx, state, target.value, s))
    assert isinstance(target, Name)
    if target.id not in state:
        unused = isinstance(s, Assign) and gives_several(ctx, s.value)
        return NOTHING if unused else zeros_like(ctx, target, s, "after")
    settle_one(ctx, state, target.id, s, "after")
    return take(ctx, state, target.id).expr


# --- control flow --------------------------------------------------------------------------------


def _trial(ctx: Context, state: State, make: Callable[[State], None]) -> tuple[list[Stmt], State]:
    """Runs `make` on a copy of the state and gives what it emitted."""
    outer, ctx.out = ctx.out, []
    inner = state.copy()
    make(inner)
    made, ctx.out = ctx.out, outer
    return made, inner


def _inside(
    ctx: Context, slots: Slots, state: State, stmts: Block, key: BlockKey, later: set[str]
) -> None:
    """The backward pass of a nested block."""
    slots.open.append(key)
    ctx.emit(marker(key))
    for name in dict.fromkeys(b.root for b in slots.buffers.values()):
        if name in state:
            views(ctx, slots, name, key)
    block(ctx, slots, state, stmts, later)
    if stmts:
        settle(ctx, state, stmts[0])
    slots.open.pop()


def marker(key: BlockKey) -> Note:
    """Where the backward code of a block begins: what was recorded in the block is restored here."""
    return Note(f"\0{key[0]}:{key[1]}")


def _if(ctx: Context, slots: Slots, state: State, s: If, later: set[str]) -> None:
    settle(ctx, state, s, "after")
    live = slots.roots(upward((s,), later))
    names = ctx.namer.copy()
    while True:
        ctx.namer.restore(names)
        made = dict(ctx.made)
        then, a = _trial(
            ctx, state, lambda st: _inside(ctx, slots, st, s.body, (id(s), "body"), later)
        )
        ended, ctx.made = ctx.made, {**ctx.made, **made}
        other, b = _trial(
            ctx, state, lambda st: _inside(ctx, slots, st, s.orelse, (id(s), "orelse"), later)
        )
        missing = [
            n for n in _order(a, b) if n not in state and ((n in a) != (n in b)) and n in live
        ]
        if not missing:
            break
        ctx.namer.restore(names)
        for n in missing:
            begin(ctx, slots, state, n, s, "after")
        names = ctx.namer.copy()
    for n in _order(a, b):
        if (n in a) == (n in b):
            continue
        if n in live:  # bound in one arm only: there its adjoint is zero now
            short, code = (b, other) if n in a else (a, then)
            outer, ctx.out = ctx.out, code
            begin(ctx, slots, short, n, s)
            ctx.out = outer
        else:
            a.owned.pop(n, None)
            b.owned.pop(n, None)
    _emit_if(ctx, s, then, other)
    state.owned = {n: a.owned[n] and b.owned[n] for n in _order(a, b) if n in a and n in b}
    _joined(ctx, state, ended)
    state.masked = a.masked | b.masked


def _joined(ctx: Context, state: State, other: dict[str, Val]) -> None:
    """An adjoint that is complex behind one arm may be complex behind both."""
    for bar in (bar_of(ctx, n).id for n in state.owned) if ctx.complex else ():
        mine, its = ctx.made.get(bar), other.get(bar)
        if mine is not None and its is not None and may_be_complex(its.type.dtype):
            ctx.made[bar] = replace(mine, type=replace(mine.type, dtype="either"))


def _order(a: State, b: State) -> list[str]:
    return list(dict.fromkeys([*a.owned, *b.owned]))


def only_markers(code: list[Stmt]) -> bool:
    return all(isinstance(x, Note) for x in code)


def _emit_if(ctx: Context, s: If, then: list[Stmt], other: list[Stmt]) -> None:
    if only_markers(then) and only_markers(other):
        return
    test = ctx.hole(s.test, s)
    if only_markers(then):
        ctx.emit(If(_negated(test), tuple(other), tuple(then), origin=s.origin, made=True))
    else:
        ctx.emit(If(test, tuple(then), tuple(other), origin=s.origin, made=True))


def _negated(test: Expr) -> Expr:
    return Call("operator.not_", (test,))


def _loop(ctx: Context, slots: Slots, state: State, s: For | While, later: set[str]) -> None:
    block(ctx, slots, state, s.orelse, later)
    settle(ctx, state, s, "after")
    head = slots.roots(live_at_head(s, later))
    if isinstance(s, For):
        head = (head - (bound(s.target) - later)) | reads(s.iter)
    start = state.copy()
    taken: set[str] = set()  # adjoints that a turn hands on: theirs is no memory of its own
    names = ctx.namer.copy()
    while True:
        ctx.namer.restore(names)
        header, body, end = _turn(ctx, slots, start, s, head)
        missing = [n for n in end.owned if n not in start and n in head]
        lent = [n for n in start.owned if start.owned[n] and n in end and not end.owned[n]]
        taken.update(lent)
        copied = [n for n in start.owned if not start.owned[n] and n not in taken]
        copied = [n for n in copied if _copies(ctx, body, n)]
        start.masked |= end.masked
        if not missing and not lent and not copied:
            break
        ctx.namer.restore(names)
        for n in (*missing, *copied):  # one copy before the loop instead of one in each turn
            begin(ctx, slots, start, n, s, "after")
        for n in lent:
            start.owned[n] = False
        names = ctx.namer.copy()
    if only_markers(body) and all(n in end for n in start.owned if n in head):
        state.owned = {n: o for n, o in start.owned.items() if n in head}
        return
    outer, ctx.out = ctx.out, body
    for n in list(start.owned):
        if n not in end and n in head:
            begin(ctx, slots, end, n, s.body[0])
    ctx.out = outer
    turns = header if header is not None else turns_of(ctx, s)
    target, it = turns
    if isinstance(s, For) and is_remade(s):
        remake(ctx, s)
    if isinstance(s, For) and is_revolved(s):
        target, body = revolve(ctx, s, body)
    ctx.emit(For(target, it, tuple(body), origin=s.origin, made=True))
    state.owned = {n: o for n, o in start.owned.items() if n in head}
    state.masked = start.masked


def _copies(ctx: Context, body: list[Stmt], name: str) -> bool:
    """Whether a turn begins to add to `name_bar` by copying it."""
    bar = bar_of(ctx, name)
    values = [
        x.value for x in statements(tuple(body)) if isinstance(x, Assign) and x.targets == (bar,)
    ]
    return any(isinstance(v, Call) and v.fn in COPYING and v.args == (bar,) for v in values)


def _turn(
    ctx: Context, slots: Slots, start: State, s: For | While, head: set[str]
) -> tuple[tuple[Expr, Expr] | None, list[Stmt], State]:
    """One turn backwards: its header, its body, and what is set at its end."""
    key = (id(s), "body")

    def make(state: State) -> None:
        for n in list(state.owned):
            if n not in head:
                del state.owned[n]
        _inside(ctx, slots, state, s.body, key, head)

    body, end = _trial(ctx, start, make)
    if isinstance(s, For):
        outer, ctx.out = ctx.out, []
        header = backward_header(ctx, slots, end, s)
        rest, ctx.out = ctx.out, outer
        target, it, looked = header
        body = [*looked, *body, *rest] if not only_markers([*body, *rest]) else body
        return (target, it), body, end
    return None, body, end


def _barrier(ctx: Context, state: State, s: Barrier) -> None:
    if any(n in state for n in s.writes):
        report_barrier(ctx, s)


_BARRIER_CODES = {
    "try": "PB104",
    "global": "PB105",
    "nonlocal": "PB105",
    "def": "PB101",
    "class": "PB109",
    "async for": "PB103",
    "async with": "PB103",
    "async def": "PB103",
}


def report_barrier(ctx: Context, s: Barrier) -> None:
    """The report of a construct that the language leaves out, at its own span."""
    code = _BARRIER_CODES.get(s.kind, "PB109")
    name = s.writes[0] if s.writes else s.kind
    if s.kind in ("global", "nonlocal"):
        name = s.text.split()[1].rstrip(",;")
    values = (("construct", s.kind), ("name", name))
    ctx.problems.append(Problem(code, s.at, values, ctx.module))
