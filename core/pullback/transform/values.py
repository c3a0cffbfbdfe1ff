"""A primal value in the backward pass: still there, computed again, or held by a temporary.

May not know: shapes, how temporaries and tapes are written down.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace

from ..analysis.containers import is_container
from ..analysis.dependence import overwritten_later
from ..analysis.facts import Val
from ..analysis.turns import every_turn
from ..analysis.types import same_shape
from ..ir import (
    Assign,
    Call,
    Const,
    Expr,
    For,
    Keep,
    Name,
    Opaque,
    Ref,
    Stmt,
    Tuple,
    children,
    reads,
    rebuild,
)
from .containers import is_step
from .context import Context
from .costs import SHAPE_CALLS, cost, pure
from .naming import describe
from .plan import SAVED, Maker, size_of


def variable(maker: Maker, var: str, s: Stmt, when: str) -> Expr:
    """The value of `var` just before or after `s`: itself, or a saved version."""
    ctx = maker.ctx
    if available(ctx, var, s, when):
        return Name(var)
    part = _part_of_container(maker, var, s, when)
    if part is not None:
        return part
    version = (var, reaching(ctx, var, s, when))
    if version not in maker.names:
        again = _again(maker, var, s, when)
        maker.names[version] = f"{SAVED}{len(maker.names)}"  # named when all that need it are known
        if again is not None:
            maker.again[version] = again
    if version not in maker.again:
        maker.needs.setdefault(version, []).append((s, when))
    return Name(maker.names[version])


def _part_of_container(maker: Maker, var: str, s: Stmt, when: str) -> Expr | None:
    """The part of a container that `var` is bound to there, where it can be had again by its subscripts."""
    ctx = maker.ctx
    version = reaching(ctx, var, s, when)
    d = ctx.flow.stmts.get(version) if isinstance(version, int) else None
    if not isinstance(d, Assign) or d.targets != (Name(var),) or not is_step(ctx, d.value):
        return None
    whole = d.value
    while is_step(ctx, whole):
        assert isinstance(whole, Call)
        whole = whole.args[0]
    if not isinstance(whole, Name) or not _reads_stay(maker, d.value, d, "before"):
        return None
    return _recomputed(maker, d.value, d, "before")


def _again(maker: Maker, var: str, s: Stmt, when: str) -> tuple[Stmt, Expr] | None:
    """The statement in a loop that binds the variable, and its value as the backward pass computes it again."""
    made = definition(maker.ctx, var, s, when)
    if made is None or not maker.ctx.flow.loops(made[0]) or isinstance(made[1], Name):
        return None
    d, e = made
    return (d, value(maker, e, d, "before")) if can_recompute(maker, e, d, "before") else None


def available(ctx: Context, var: str, s: Stmt, when: str) -> bool:
    """Whether `var` still has that value when the backward pass comes by."""
    return rebound_by_header(ctx, var, s, when) or not _changes_later(ctx, var, s, when)


def rebound_by_header(ctx: Context, var: str, s: Stmt, when: str) -> bool:
    """`var` is the target of a loop around `s`, and of none in it: the backward loop gives it again."""
    got = reaching(ctx, var, s, when)
    header = next((x for x in ctx.flow.loops(s) if isinstance(x, For) and got == id(x)), None)
    return header is not None and not any(
        isinstance(d, For) and header in ctx.flow.loops(d) for d in ctx.flow.defs[var]
    )


def _changes_later(ctx: Context, var: str, s: Stmt, when: str) -> bool:
    """Whether something may bind `var`, or write into its memory, after `s` and before the backward pass."""
    return any(_later(ctx, d, s, when) for d in ctx.flow.defs.get(var, ()))


def _later(ctx: Context, d: Stmt, s: Stmt, when: str) -> bool:
    """Whether `d` may run after the place before or behind `s`; behind a loop its own statements have run."""
    if when == "after" and not ctx.flow.loops(s) and (d is s or s in ctx.flow.chain(d)):
        return False
    return ctx.flow.may_follow(d, s)


def reaching(ctx: Context, var: str, s: Stmt, when: str) -> Hashable:
    """Which of its values `var` has there."""
    table = ctx.flow.after if when == "after" else ctx.flow.reaching
    return table.get(id(s), {}).get(var)


def bindings_stay(ctx: Context, var: str, s: Stmt, when: str = "before") -> bool:
    """No later statement binds `var` to something else (its contents may change)."""
    return not any(
        ((id(d), var) in ctx.facts.bound or isinstance(d, Keep)) and _later(ctx, d, s, when)
        for d in ctx.flow.defs.get(var, ())
    )


def definition(ctx: Context, var: str, s: Stmt, when: str) -> tuple[Stmt, Expr] | None:
    """The one assignment that gives `var` the value that it has there, and the expression that it assigns."""
    version = reaching(ctx, var, s, when)
    d = ctx.flow.stmts.get(version) if isinstance(version, int) else None
    if not isinstance(d, Assign) or (id(d), var) not in ctx.facts.bound:
        return None
    for target in d.targets:
        pairs = [(target, d.value)]
        if isinstance(target, Tuple) and isinstance(d.value, Tuple):
            pairs = list(zip(target.items, d.value.items))
        for t, e in pairs:
            if t == Name(var):
                return d, e
    return None


def shape_stays(ctx: Context, var: str, s: Stmt) -> bool:
    """Whether what later statements bind `var` to has the shape that it has at `s`."""
    here = ctx.facts.var(s, var).type.shape
    later = [d for d in ctx.flow.defs.get(var, ()) if ctx.flow.may_follow(d, s)]
    vals = [ctx.facts.bound.get((id(d), var)) for d in later]
    if any(isinstance(d, Keep) for d in later):  # `del`
        return False
    if not every_turn(here, s, ctx.flow, ctx.facts):
        return False
    return all(same_shape(v.type.shape, here) for v in vals if v is not None)


def value(maker: Maker, e: Expr, s: Stmt, when: str) -> Expr:
    """`e` computed again, or the temporary that holds it."""
    if isinstance(e, Name):
        return variable(maker, e.id, s, when)
    if isinstance(e, (Const, Ref)):
        return replace(e, origin=None)
    if can_recompute(maker, e, s, when):
        return _recomputed(maker, e, s, when)
    if when == "after":  # the element that the statement has just stored
        return _stored(maker, s)
    if _form_of_one(maker, e, s):
        return _recomputed(maker, e, s, when)
    return Name(hoist(maker, e, s))


def _form_of_one(maker: Maker, e: Expr, s: Stmt) -> bool:
    """Whether a tape may as well hold the one variable that cheap `e` lacks: of its size, and never written."""
    ctx = maker.ctx
    if not ctx.flow.loops(s) or not isinstance(e, Call) or not pure(e) or cost(ctx, e) > 3:
        return False
    lost = [n for n in sorted(reads(e)) if not available(ctx, n, s, "before")]
    if len(lost) != 1 or contents_change(ctx, lost[0], s):
        return False
    kept, made = ctx.facts.var(s, lost[0]).type, ctx.facts.type(e)
    view = e.fn == "operator.getitem" and kept.kind == made.kind == "array"
    return view or (kept.kind == made.kind and same_shape(kept.shape, made.shape))


def contents_change(ctx: Context, var: str, s: Stmt) -> bool:
    """Something writes into the memory of `var` in place after `s` (binding it anew leaves the old value alone)."""
    held = (ctx.facts.var(s, var), ctx.facts.bound.get((id(s), var)))
    if any(v is not None and written_later(ctx, v, s) for v in held):
        return True
    for d in ctx.flow.defs.get(var, ()):
        written = ctx.facts.origins(ctx.facts.mutated.get(id(d), frozenset()))
        if written & ctx.facts.origins(ctx.facts.var(d, var).objs) and ctx.flow.may_follow(d, s):
            return True
    return False


def written_later(ctx: Context, val: Val, s: Stmt) -> bool:
    """Whether something that may run after `s` writes into the memory of `val`, under whichever name."""
    own = ctx.facts.origins(val.objs)
    return any(
        ctx.facts.origins(objs) & own and ctx.flow.may_follow(ctx.flow.stmts[d], s)
        for d, objs in ctx.facts.mutated.items()
    )


def _recomputed(maker: Maker, e: Expr, s: Stmt, when: str) -> Expr:
    """`e` as it is written, of values that are there."""
    if isinstance(e, (Name, Const, Ref)):
        return value(maker, e, s, when)
    keeps_base = isinstance(e, Call) and (e.fn == "operator.getitem" or e.fn in SHAPE_CALLS)
    if (
        isinstance(e, Call)
        and e.fn in SHAPE_CALLS
        and is_container(maker.ctx.facts.type(e.args[0]))
    ):
        keeps_base = False  # a list may have grown
    if keeps_base and isinstance(e, Call) and isinstance(e.args[0], Name):
        base = e.args[0]
        stays = bindings_stay(maker.ctx, base.id, s) or (
            e.fn in SHAPE_CALLS and shape_stays(maker.ctx, base.id, s)
        )
        if stays and not available(maker.ctx, base.id, s, when):
            if e.fn == "operator.getitem":
                maker.last.add(base.id)
            rest = tuple(
                _recomputed(maker, a, s, when) for a in e.args[1:]
            )  # the contents that matter stay
            return Call(e.fn, (Name(base.id), *rest))
    return replace(rebuild(e, lambda c: _recomputed(maker, c, s, when)), origin=None)


def can_recompute(maker: Maker, e: Expr, s: Stmt, when: str) -> bool:
    """Whether `e` is cheap, and made of what is there."""
    if not pure(e) or cost(maker.ctx, e) > 3:
        return False
    return _reads_stay(maker, e, s, when)


def _reads_stay(maker: Maker, e: Expr, s: Stmt, when: str) -> bool:
    """Every value that `e` reads is there, or kept anyway."""
    ctx = maker.ctx
    if isinstance(e, Name):
        if available(ctx, e.id, s, when) or (e.id, reaching(ctx, e.id, s, when)) in maker.names:
            return True
        return _part_of_container(maker, e.id, s, when) is not None
    if isinstance(e, Call) and e.fn == "operator.getitem" and isinstance(e.args[0], Name):
        base, index = e.args[0].id, e.args[1]
        if not all(_reads_stay(maker, c, s, when) for c in children(e)[1:]):
            return False
        if available(ctx, base, s, when) or _part_of_container(maker, base, s, when) is not None:
            return True
        same = bindings_stay(ctx, base, s)
        return same and not overwritten_later(s, base, index, ctx.flow, when == "after")
    if isinstance(e, Call) and e.fn in SHAPE_CALLS and isinstance(e.args[0], Name):
        var, grows = e.args[0].id, is_container(ctx.facts.type(e.args[0]))
        stays = not grows and (bindings_stay(ctx, var, s) or shape_stays(ctx, var, s))
        return stays or _reads_stay(maker, e.args[0], s, when)
    if isinstance(e, Opaque):
        return all(available(ctx, n, s, when) for n in e.reads)
    return all(_reads_stay(maker, c, s, when) for c in children(e))


def hoist(maker: Maker, e: Expr, s: Stmt, size: int = 0, record: bool = True) -> str:
    """A temporary of the forward pass that holds `e` just before `s`, and that `s` then uses.

    Smaller expressions come first, since others may be made of them. With `record` the backward pass reads it.
    """
    ctx = maker.ctx
    key = (id(s), e)
    name = maker.hoisted.get(key)
    if name is None:
        name = ctx.namer.fresh(describe(e))
        maker.hoisted[key] = name
        maker.hoist_nodes.append((s, e, name, size or size_of(e)))
    if record:
        maker.recorded.add(name)
    return name


def _stored(maker: Maker, s: Stmt) -> Expr:
    """The element that `s` stores, when it will not stay: the value gets a name before it is stored."""
    value = s.value if isinstance(s, Assign) else maker.ctx.facts.augmented[id(s)]
    return Name(hoist(maker, value, s))
