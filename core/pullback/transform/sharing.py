"""What changes while something else may be the same memory, or hold it: lists, dicts, arrays in them.

May not know: adjoints, how anything is reversed.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..analysis.containers import OWN, PUTS, is_container, own_memory, root, without_containers
from ..ir import Assign, AugAssign, Call, Expr, ExprStmt, Stmt
from .context import Context
from .naming import describe


def may_write_later(ctx: Context, store: Stmt, view: Stmt, made: set[int]) -> bool:
    """Whether `store` may write, after `view` was bound, into the array that `view` is part of.

    In a loop that makes the array anew each turn, only stores of the same turn can.
    """
    if store is view:
        return False
    shared = [x for x in ctx.flow.loops(store) if x in ctx.flow.loops(view)]
    if any(any(x not in ctx.flow.loops(ctx.flow.stmts[d]) for d in made) for x in shared):
        return True
    later = ctx.flow.order[id(store)] > ctx.flow.order[id(view)]
    return later and ctx.flow.may_follow(store, view)


def puts_into(ctx: Context, target: Expr) -> bool:
    """`xs[i] = …`, `d["k"] = …`: a store that replaces a part of a container."""
    place = isinstance(target, Call) and target.fn == "operator.getitem"
    return place and is_container(ctx.facts.type(target.args[0]))  # type: ignore[union-attr]


def is_put(ctx: Context, s: Stmt) -> bool:
    """`xs.append(value)`."""
    if not isinstance(s, ExprStmt) or not isinstance(s.value, Call) or s.value.fn not in PUTS:
        return False
    return ctx.facts.type(s.value.args[0]).kind == "list"


def report_shared(ctx: Context) -> None:
    """Reports containers that change while something else may be or hold them."""
    every = list(puts(ctx))
    for s, target, _ in every:
        base = root(target)
        if base is None:
            continue
        if target != base and "" in ctx.facts.of(target).objs:
            ctx.problem("PB201", s, written=base.id, other="another part of it")
        own = _identities(ctx, own_memory(ctx.facts.of(target).objs))
        own |= _written_part(ctx, s)
        made = {d for (d, n), _ in ctx.facts.bound.items() if n == base.id}
        for (d, n), other in ctx.facts.bound.items():
            if n != base.id and _identities(ctx, other.objs) & own:
                _check(ctx, s, ctx.flow.stmts[d], made, base.id, n)
        for p, holder, value in every:
            if _identities(ctx, ctx.facts.of(value).objs) & own and not (
                p is s and base == root(holder)
            ):
                _check(ctx, s, p, made, base.id, describe(holder))


def report_held(ctx: Context, stores: dict[str, list[Stmt]]) -> None:
    """Reports arrays that are written after they were put into a container."""
    for p, holder, value in puts(ctx):
        for obj in ctx.facts.origins(ctx.facts.of(value).objs) & stores.keys():
            made = {d for (d, _), v in ctx.facts.bound.items() if obj in v.objs and not v.view}
            for s in stores[obj]:
                _check(ctx, s, p, made, _written(s), describe(holder))


def _written(s: Stmt) -> str:
    target = (
        s.targets[0] if isinstance(s, Assign) else s.target if isinstance(s, AugAssign) else None
    )
    base = None if target is None else root(target)
    return "the array" if base is None else base.id


def _identities(ctx: Context, objs: frozenset[str]) -> set[str]:
    return {o.lstrip(OWN) for o in ctx.facts.origins(objs)}


def _written_part(ctx: Context, s: Stmt) -> set[str]:
    """The memory that `d["k"] += …` may write into: that of an array in the container."""
    if not isinstance(s, AugAssign) or ctx.facts.type(s.target).kind == "scalar":
        return set()
    return set(ctx.facts.origins(without_containers(ctx.facts.of(s.target).objs)))


def _check(ctx: Context, s: Stmt, view: Stmt, made: set[int], written: str, other: str) -> None:
    if may_write_later(ctx, s, view, made):
        ctx.problem("PB202", s, written=written, other=other)


def puts(ctx: Context) -> Iterator[tuple[Stmt, Expr, Expr]]:
    """The statements that put something into a container: the container, and the value."""
    for s in ctx.flow.stmts.values():
        if is_put(ctx, s):
            assert isinstance(s, ExprStmt) and isinstance(s.value, Call)
            yield s, s.value.args[0], s.value.args[-1]
        elif isinstance(s, (Assign, AugAssign)):
            for t in s.targets if isinstance(s, Assign) else (s.target,):
                if isinstance(t, Call) and t.fn == "operator.getitem":
                    if is_container(ctx.facts.type(t.args[0])):
                        yield s, t.args[0], s.value
