"""What changes while something else may be the same memory, or hold it: lists, dicts, arrays in them.

May not know: adjoints, how anything is reversed.
"""

from __future__ import annotations

from ..analysis.containers import OWN, own_memory, root, without_containers
from ..ir import Assign, AugAssign, Call, Expr, Name, Stmt
from .complexes import PARTS
from .containers import is_step, may_be_container
from .context import Context
from .held import apart, changed, puts
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


def report_shared(ctx: Context) -> None:
    """Reports containers that change while something else may be or hold them."""
    every = list(puts(ctx))
    for s, target in changed(ctx):
        base = root(target)
        if base is None:
            continue
        if target != base and "" in ctx.facts.of(target).objs:
            ctx.problem("PB201", s, written=base.id, other="another part of it")
        itself = identities(ctx, own_memory(ctx.facts.of(target).objs))
        own = itself | _written_part(ctx, s)
        once = own > itself and apart(ctx, base)
        made = {d for (d, n), _ in ctx.facts.bound.items() if n == base.id}
        for (d, n), other in ctx.facts.bound.items():
            if n != base.id and identities(ctx, other.objs) & own:
                _check(ctx, s, ctx.flow.stmts[d], made, base.id, n)
        for p, holder, value in every:
            same = base == root(holder)
            met = identities(ctx, ctx.facts.of(value).objs) & (itself if same and once else own)
            if met and not (same and p is s):
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


def identities(ctx: Context, objs: frozenset[str]) -> set[str]:
    """The memory that `objs` may be, whatever container holds it."""
    return {o.lstrip(OWN) for o in ctx.facts.origins(objs)}


def _written_part(ctx: Context, s: Stmt) -> set[str]:
    """The memory that `d["k"] += …` may write into: that of an array in the container."""
    if not isinstance(s, AugAssign) or ctx.facts.type(s.target).kind == "scalar":
        return set()
    return set(ctx.facts.origins(without_containers(ctx.facts.of(s.target).objs)))


def _check(ctx: Context, s: Stmt, view: Stmt, made: set[int], written: str, other: str) -> None:
    if may_write_later(ctx, s, view, made):
        ctx.problem("PB202", s, written=written, other=other)


# --- arrays that are written where a container holds them -------------------------------------------


def held_array(ctx: Context, target: Expr) -> Expr | None:
    """The part of a container that a store to `target` writes into: `d["u"]` of `d["u"][1:]`."""
    if not isinstance(target, Call) or not target.args:
        return None
    part = target.args[0]
    while isinstance(part, Call) and not is_step(ctx, part):
        if part.fn not in ("operator.getitem", *PARTS):
            return None
        part = part.args[0]
    whole = part
    while isinstance(whole, Call) and is_step(ctx, whole):
        whole = whole.args[0]
    return part if whole is not part and isinstance(whole, Name) else None


def report_held_array(ctx: Context, s: Stmt, part: Expr) -> None:
    """Reports what stands in the way of store `s` into `part` of a container."""
    base = root(part)
    assert base is not None
    own = identities(ctx, without_containers(ctx.facts.of(part).objs))
    lent = sorted(o[6:] for o in own if o.startswith("param "))
    if may_be_container(ctx, part):
        ctx.problem("PB110", s, construct="element of a container that is written")
    elif lent:
        construct = f"a store into {lent[0]}, which belongs to the caller"
        ctx.problem("PB110", s, construct=construct)
    elif "" in own or not apart(ctx, base):
        ctx.problem("PB201", s, written=base.id, other="another part of it")
    else:
        _report_names(ctx, s, base, own)


def _report_names(ctx: Context, s: Stmt, base: Name, own: set[str]) -> None:
    """Reports another name that may be or hold the array that is written, and is read later."""
    for (_, n), other in ctx.facts.bound.items():
        if n != base.id and n in ctx.live[id(s)] and identities(ctx, other.objs) & own:
            ctx.problem("PB202", s, written=base.id, other=n)
            return
    for _, holder, value in puts(ctx):
        if root(holder) != base and identities(ctx, ctx.facts.of(value).objs) & own:
            ctx.problem("PB202", s, written=base.id, other=describe(holder))
            return
