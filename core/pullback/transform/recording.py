"""What the forward pass records, and where the backward pass takes it back: temporaries, saved versions, tapes.

May not know: why a value is needed.
"""

from __future__ import annotations

from dataclasses import replace

from ..analysis.containers import is_container
from ..analysis.facts import Val
from ..ir import (
    Assign,
    Call,
    Expr,
    ExprStmt,
    For,
    Name,
    Opaque,
    Stmt,
    Tuple,
    While,
    reads,
    rebuild,
    stmt_exprs,
    walk,
)
from ..optimize.keys import Keys
from .context import Context
from .costs import cost
from .plan import Maker, Place, Plan, with_names
from .remade import runs_again
from .values import contents_change, written_later


def write_temporaries(maker: Maker) -> None:
    """The temporaries, those inside others first, and the tapes of those in loops."""
    ctx, plan = maker.ctx, maker.plan
    share_temporaries(maker)
    for s, e, name, _ in sorted(maker.hoist_nodes, key=lambda x: x[3]):
        inside = {
            id(n): maker.hoisted[(id(s), n)]
            for n in walk(e)
            if n is not e and (id(s), n) in maker.hoisted
        }
        value = with_names(e, inside)
        val = ctx.facts.of(e)
        changes = _will_change(ctx, val, s)
        apart = (
            changes and cost(ctx, e) == 0
        )  # a view: the statement goes on using it, we keep a copy
        place = (ctx.flow.block[id(s)], ctx.flow.index[id(s)])
        lines = plan.inserts.setdefault(place, [])
        made = _copied(value, val) if apart else value
        lines.append(Assign((Name(name),), made, origin=s.origin, made=True))
        if not apart:
            known = plan.temporaries.setdefault(id(s), {})
            known.update((id(n), name) for n in _nodes(ctx, s) if n == e)
        kept = _copied(Name(name), val) if changes and not apart else Name(name)
        if name not in maker.recorded:
            continue
        if ctx.flow.loops(s):
            _record(maker, name, kept, place, s)
        elif kept != Name(name):
            saved = ctx.namer.fresh(f"{name}_0")
            lines.append(Assign((Name(saved),), kept, origin=s.origin, made=True))
            _rename(plan, {name: saved})


def share_temporaries(maker: Maker) -> None:
    """One temporary for statements that compute the same from the same values, made at the first of them."""
    ctx, keys = maker.ctx, Keys()
    groups: list[list[tuple[Stmt, Expr, str, int]]] = []
    for node in sorted(maker.hoist_nodes, key=lambda x: ctx.flow.order[id(x[0])]):
        s, e, *_ = node
        equal = [g for g in groups if keys.of(g[0][1]) == keys.of(e)]
        twins = next((g for g in equal if _lasts(ctx, e, g[0][0], s)), None)
        if twins is None:
            groups.append([node])
        else:
            twins.append(node)
    same: dict[str, str] = {}
    for group in groups:
        name = min((n for _, _, n, _ in group), key=lambda n: (len(n), n))
        for s, e, old, _ in group:
            same[old] = maker.hoisted[(id(s), e)] = name
            known = maker.plan.temporaries.setdefault(id(s), {})
            known.update((id(n), name) for n in _nodes(ctx, s) if n == e and s is not group[0][0])
    maker.recorded = {same.get(n, n) for n in maker.recorded}
    changed = {old: new for old, new in same.items() if old != new}
    maker.hoist_nodes = [
        (g[0][0], _named(g[0][1], changed), same[g[0][2]], g[0][3]) for g in groups
    ]
    _rename(maker.plan, changed)


def _lasts(ctx: Context, e: Expr, d: Stmt, s: Stmt) -> bool:
    """Whether `s` always comes behind `d`, in the same turn, and `e` has the same value at both."""
    if not any(
        ctx.flow.block[id(x)] == ctx.flow.block[id(d)]
        and ctx.flow.index[id(x)] > ctx.flow.index[id(d)]
        for x in (s, *ctx.flow.chain(s))
    ):
        return False
    at_d, at_s = ctx.flow.reaching[id(d)], ctx.flow.reaching[id(s)]
    return all(at_d.get(n) == at_s.get(n) for n in reads(e)) and not _opaque(e)


def _opaque(e: Expr) -> bool:
    return any(isinstance(n, Opaque) or (isinstance(n, Call) and n.fn == "?") for n in walk(e))


def _copied(e: Expr, val: Val) -> Expr:
    if is_container(val.type):
        return Call("method.copy", (e,)) if val.type.kind in ("list", "dict") else e
    return Call("method.copy" if val.type.kind == "array" else "numpy.copy", (e,))


def _nodes(ctx: Context, s: Stmt) -> list[Expr]:
    tops = list(stmt_exprs(s))
    if id(s) in ctx.facts.augmented:
        tops.append(ctx.facts.augmented[id(s)])
    return [n for top in tops for n in walk(top)]


def _will_change(ctx: Context, val: Val, s: Stmt) -> bool:
    """`val` is a view of memory that something writes into later."""
    if val.type.kind == "scalar" or not val.objs:
        return False
    return written_later(ctx, val, s)


def write_saves(maker: Maker) -> None:
    """The saved versions of variables: a name where there is one, a tape where there are many."""
    ctx, plan = maker.ctx, maker.plan
    real: dict[str, str] = {}
    for version, where in maker.needs.items():
        var, _ = version
        place = _save_place(ctx, var, where)
        name = _name_for(maker, var, place)
        real[maker.names[version]] = name
        s = where[0][0]
        val = _val_at(ctx, var, place, s)
        value: Expr = Name(var)
        if val.type.kind != "scalar" and contents_change(ctx, var, s):
            value = _copied(value, val)
        lines = plan.inserts.setdefault(place, [])
        if _in_loop(ctx, place):
            _record(maker, name, value, place, s)
        else:
            lines.insert(0, Assign((Name(name),), value, origin=s.origin, made=True))
    _write_again(maker, real)
    _rename(plan, real)


def _write_again(maker: Maker, real: dict[str, str]) -> None:
    """What is computed again, in the order of the forward pass."""
    flow = maker.ctx.flow
    for version, (d, e) in sorted(maker.again.items(), key=lambda x: flow.order[id(x[1][0])]):
        place = (flow.block[id(d)], flow.index[id(d)])
        name = real[maker.names[version]] = _name_for(maker, version[0], place)
        line = Assign((Name(name),), e, origin=d.origin, made=True)
        maker.plan.restores.setdefault(place[0], []).append(line)


def _rename(plan: Plan, names: dict[str, str]) -> None:
    """The backward pass reads other variables than those that the holes were filled with."""
    plan.filled = {h: _named(e, names) for h, e in plan.filled.items()}
    for lines in plan.restores.values():
        lines[:] = [
            replace(s, value=_named(s.value, names)) if isinstance(s, Assign) else s for s in lines
        ]


def _named(e: Expr, names: dict[str, str]) -> Expr:
    """`e` with other names for the temporaries that it reads; `e` itself where it reads none."""
    if not reads(e) & names.keys():
        return e
    return Name(names[e.id]) if isinstance(e, Name) else rebuild(e, lambda c: _named(c, names))


def _name_for(maker: Maker, var: str, place: Place) -> str:
    """One version of a variable that is restored in a loop takes the variable's own name."""
    ctx = maker.ctx
    bound_by_loop = any(isinstance(d, For) for d in ctx.flow.defs.get(var, ()))
    if (
        _in_loop(ctx, place)
        and var not in maker.own_name | maker.stays
        and var not in maker.last
        and not bound_by_loop
        and not _bound_again_inside(ctx, var, place)
        and not ctx.early_returns
    ):
        maker.own_name.add(var)
        return var
    return ctx.namer.fresh(f"{var}_0")


def _bound_again_inside(ctx: Context, var: str, place: Place) -> bool:
    """Whether turns that the backward pass runs again, in the block of `place`, bind or write the variable."""
    owner = ctx.flow.stmts.get(place[0][0])
    again = (
        x for d in ctx.flow.defs.get(var, ()) for x in (d, *ctx.flow.chain(d)) if runs_again(x)
    )
    return any(owner in ctx.flow.chain(x) for x in again)


def _val_at(ctx: Context, var: str, place: Place, s: Stmt) -> Val:
    body = ctx.flow.block_of(place[0])
    if place[1] < len(body):
        return ctx.facts.before.get(id(body[place[1]]), {}).get(var, Val())
    return ctx.facts.bound.get((id(s), var), ctx.facts.var(s, var))


def _save_place(ctx: Context, var: str, where: list[tuple[Stmt, str]]) -> Place:
    """The first place, in the innermost block around all that need the value, behind what defines it."""
    chains = [[s, *ctx.flow.chain(s)] for s, _ in where]
    keys = [[ctx.flow.block[id(x)] for x in chain] for chain in chains]
    common = next(k for k in keys[0] if all(k in other for other in keys[1:]))
    index = min(
        ctx.flow.index[id(chain[k.index(common)])]
        + (1 if when == "after" and chain[k.index(common)] is s else 0)
        for chain, k, (s, when) in zip(chains, keys, where)
    )
    place: Place = (common, index)
    return _climb(ctx, var, place)


def _climb(ctx: Context, var: str, place: Place) -> Place:
    """Out of loops that leave the variable alone: one record a turn of the loop around is enough."""
    while True:
        owner = ctx.flow.stmts.get(place[0][0])
        if owner is None:
            return place
        inside = [d for d in ctx.flow.defs.get(var, ()) if owner in ctx.flow.chain(d) or d is owner]
        if not isinstance(owner, For) or inside:
            return place
        place = (ctx.flow.block[id(owner)], ctx.flow.index[id(owner)])


def _in_loop(ctx: Context, place: Place) -> bool:
    owner = ctx.flow.stmts.get(place[0][0])
    if owner is None:
        return False
    return isinstance(owner, (For, While)) or bool(ctx.flow.loops(owner))


def _record(maker: Maker, name: str, value: Expr, place: Place, s: Stmt) -> None:
    """Pushes `value` at `place` and pops it at the mirrored place."""
    ctx, plan = maker.ctx, maker.plan
    tape = ctx.namer.fresh(f"{name}_tape")
    push = ExprStmt(Call("method.append", (Name(tape), value)), origin=s.origin, made=True)
    plan.inserts.setdefault(place, []).append(push)
    pop = Assign((Name(name),), Call("method.pop", (Name(tape),)), origin=s.origin, made=True)
    plan.restores.setdefault(place[0], []).append(pop)
    outer = _outermost_loop(ctx, place)
    start = (ctx.flow.block[id(outer)], ctx.flow.index[id(outer)])
    begin = Assign((Name(tape),), Tuple((), "list"), origin=s.origin, made=True)
    plan.inserts.setdefault(start, []).append(begin)


def _outermost_loop(ctx: Context, place: Place) -> Stmt:
    owner = ctx.flow.stmts[place[0][0]]
    return next(reversed(ctx.flow.loops(owner)), owner)
