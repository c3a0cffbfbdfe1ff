"""How the backward pass gets the primal values that it needs: to be recorded, or not.

A variable that nothing changes between its use and the end of the forward pass is simply there. What is
cheap is computed again. What is expensive, or made of values that are gone, becomes a temporary of the
forward pass. What changes from turn to turn of a loop goes on a tape, at the first statement that needs
it, and comes back at the mirrored place. Of an array only the elements that are overwritten are kept.

May not know: rules, adjoint slots.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field, replace

from ..analysis.dependence import overwritten_later
from ..analysis.facts import Val
from ..analysis.flow import BlockKey
from ..analysis.indexing import BASIC, index_kind
from ..analysis.types import Type, same_shape
from ..ir import (
    Assign,
    Call,
    Compare,
    Const,
    Expr,
    ExprStmt,
    For,
    Name,
    Opaque,
    Ref,
    Slice,
    Stmt,
    Tuple,
    children,
    is_expr,
    reads,
    rebuild,
    walk,
)
from ..rules import rule_for
from .context import Context, Hole
from .naming import describe

Place = tuple[BlockKey, int]  # before the statement of that index in that block
Version = tuple[str, Hashable]  # a variable and which of its values
SAVED = "\1"  # stands for the name of a saved version until all are known
_SHAPE_CALLS = (
    "attr.shape",
    "attr.size",
    "attr.ndim",
    "numpy.shape",
    "numpy.size",
    "numpy.ndim",
    "builtins.len",
)


@dataclass
class Plan:
    """What the forward pass gets, and what each hole becomes."""

    filled: dict[str, Expr] = field(default_factory=dict)
    inserts: dict[Place, list[Stmt]] = field(default_factory=dict)
    restores: dict[BlockKey, list[Stmt]] = field(default_factory=dict)
    temporaries: dict[int, dict[int, str]] = field(
        default_factory=dict
    )  # statement -> subexpression -> name


@dataclass
class _Maker:
    ctx: Context
    plan: Plan
    needs: dict[Version, list[tuple[Stmt, str]]] = field(default_factory=dict)
    names: dict[Version, str] = field(default_factory=dict)
    hoisted: dict[tuple[int, Expr], str] = field(default_factory=dict)
    hoist_nodes: list[tuple[Stmt, Expr, str, int]] = field(default_factory=list)
    recorded: set[str] = field(default_factory=set)  # temporaries that the backward pass reads
    own_name: set[str] = field(default_factory=set)
    used: set[str] = field(default_factory=set)  # variables that the backward pass reads anyway
    last: set[str] = field(default_factory=set)  # arrays whose elements are read as they were left


def plan_residuals(ctx: Context, used: list[str]) -> Plan:
    """Fills the holes `used`, those in the final backward code, in order of first use."""
    maker = _Maker(ctx, Plan())
    holes = [(h, ctx.holes[h]) for h in used]
    plain = [(h, x) for h, x in holes if not x.query]
    for h, x in plain:
        if isinstance(x.expr, Name):
            maker.plan.filled[h] = _variable(maker, x.expr.id, x.stmt, x.when)
    for h, x in plain:
        if h not in maker.plan.filled:
            maker.plan.filled[h] = _value(maker, x.expr, x.stmt, x.when)
    maker.used = {p.name for p in ctx.fn.params}
    for e in maker.plan.filled.values():
        maker.used |= reads(e)
    for h, x in holes:
        if x.query:
            maker.plan.filled[h] = _query(maker, x)
    _write_temporaries(maker)
    _write_saves(maker)
    return maker.plan


# --- variables -----------------------------------------------------------------------------------


def _reaching(ctx: Context, var: str, s: Stmt, when: str) -> Hashable:
    table = ctx.flow.after if when == "after" else ctx.flow.reaching
    return table.get(id(s), {}).get(var)


def _rebound_by_header(ctx: Context, var: str, s: Stmt, when: str) -> bool:
    """`var` is the target of a loop around `s`: the backward loop gives it again."""
    got = _reaching(ctx, var, s, when)
    return any(isinstance(loop, For) and got == id(loop) for loop in ctx.flow.loops(s))


def _changes_later(ctx: Context, var: str, s: Stmt, when: str) -> bool:
    """Whether something may bind `var`, or write into its memory, after `s` and before the backward pass."""
    return any(
        ctx.flow.may_follow(d, s)
        for d in ctx.flow.defs.get(var, ())
        if not (d is s and when == "after" and not ctx.flow.loops(s))
    )


def available(ctx: Context, var: str, s: Stmt, when: str) -> bool:
    return _rebound_by_header(ctx, var, s, when) or not _changes_later(ctx, var, s, when)


def _variable(maker: _Maker, var: str, s: Stmt, when: str) -> Expr:
    ctx = maker.ctx
    if available(ctx, var, s, when):
        return Name(var)
    version = (var, _reaching(ctx, var, s, when))
    maker.needs.setdefault(version, []).append((s, when))
    if version not in maker.names:
        maker.names[version] = f"{SAVED}{len(maker.names)}"  # named when all that need it are known
    return Name(maker.names[version])


def _name_for(maker: _Maker, var: str, place: Place) -> str:
    """One version of a variable that is restored in a loop takes the variable's own name."""
    ctx = maker.ctx
    bound_by_loop = any(isinstance(d, For) for d in ctx.flow.defs.get(var, ()))
    if (
        _in_loop(ctx, place)
        and var not in maker.own_name
        and var not in maker.last
        and not bound_by_loop
        and not ctx.early_returns
    ):
        maker.own_name.add(var)
        return var
    return ctx.namer.fresh(f"{var}_0")


# --- expressions ---------------------------------------------------------------------------------


def _value(maker: _Maker, e: Expr, s: Stmt, when: str) -> Expr:
    """`e` computed again, or the temporary that holds it."""
    if isinstance(e, Name):
        return _variable(maker, e.id, s, when)
    if isinstance(e, (Const, Ref)):
        return replace(e, origin=None)
    if _can_recompute(maker, e, s, when):
        return _recomputed(maker, e, s, when)
    if when == "after":  # the element that the statement has just stored
        return _stored(maker, e, s)
    return Name(_hoist(maker, e, s))


def _recomputed(maker: _Maker, e: Expr, s: Stmt, when: str) -> Expr:
    keeps_base = isinstance(e, Call) and (e.fn == "operator.getitem" or e.fn in _SHAPE_CALLS)
    if keeps_base and isinstance(e, Call) and isinstance(e.args[0], Name):
        base = e.args[0]
        if not available(maker.ctx, base.id, s, when) and _bindings_stay(maker.ctx, base.id, s):
            if e.fn == "operator.getitem":
                maker.last.add(base.id)
            rest = tuple(
                _value(maker, a, s, when) for a in e.args[1:]
            )  # the contents that matter stay
            return Call(e.fn, (Name(base.id), *rest))
    return replace(rebuild(e, lambda c: _value(maker, c, s, when)), origin=None)


def _can_recompute(maker: _Maker, e: Expr, s: Stmt, when: str) -> bool:
    if not pure(e) or cost(maker.ctx, e) > 3:
        return False
    return _reads_stay(maker, e, s, when)


def _reads_stay(maker: _Maker, e: Expr, s: Stmt, when: str) -> bool:
    """Every value that `e` reads is there, or kept anyway."""
    ctx = maker.ctx
    if isinstance(e, Name):
        return available(ctx, e.id, s, when) or (e.id, _reaching(ctx, e.id, s, when)) in maker.names
    if isinstance(e, Call) and e.fn == "operator.getitem" and isinstance(e.args[0], Name):
        base, index = e.args[0].id, e.args[1]
        if not all(_reads_stay(maker, c, s, when) for c in children(e)[1:]):
            return False
        if available(ctx, base, s, when):
            return True
        same = _bindings_stay(ctx, base, s)
        return same and not overwritten_later(s, base, index, ctx.flow, ctx.facts, when == "after")
    if isinstance(e, Call) and e.fn in _SHAPE_CALLS and isinstance(e.args[0], Name):
        return _bindings_stay(ctx, e.args[0].id, s) or _reads_stay(maker, e.args[0], s, when)
    if isinstance(e, Opaque):
        return all(available(ctx, n, s, when) for n in e.reads)
    return all(_reads_stay(maker, c, s, when) for c in children(e))


def _bindings_stay(ctx: Context, var: str, s: Stmt) -> bool:
    """No later statement binds `var` to something else (its contents may change)."""
    return not any(
        (id(d), var) in ctx.facts.bound and ctx.flow.may_follow(d, s)
        for d in ctx.flow.defs.get(var, ())
    )


def pure(e: Expr) -> bool:
    """Computing `e` twice gives the same, and does nothing else."""
    for n in walk(e):
        if isinstance(n, Opaque):
            return n.kind in ("default", "f-string", "lambda")
        if isinstance(n, Call):
            if n.fn.startswith(("operator.", "attr.", "word.")) or n.fn in _SHAPE_CALLS:
                continue
            if n.fn in (
                "builtins.range",
                "builtins.reversed",
                "builtins.int",
                "builtins.float",
                "numpy.array",
            ):
                continue
            if n.fn.startswith(("numpy.random.", "random.")) or rule_for(n.fn) is None:
                return False
    return True


def cost(ctx: Context, e: Expr) -> int:
    """Roughly, how many array operations computing `e` again takes, in thirds; a scalar operation is one third."""
    own = 0
    if isinstance(e, Call):
        own = _call_cost(ctx, e)
    elif isinstance(e, Compare) or (isinstance(e, Tuple) and e.kind == "list"):
        own = 1
    return own + sum(cost(ctx, c) for c in children(e))


def _call_cost(ctx: Context, e: Call) -> int:
    t = ctx.facts.type(e)
    if (
        e.fn.startswith("attr.")
        or e.fn in _SHAPE_CALLS
        or e.fn in ("builtins.range", "builtins.reversed")
    ):
        return 0
    if e.fn == "operator.getitem":
        return 0 if index_kind(e.args[1], ctx.facts.type) == BASIC else 3
    if e.fn.startswith("operator.") and e.fn not in ("operator.matmul", "operator.pow"):
        return 1 if t.kind == "scalar" else 3
    if e.fn == "operator.pow":
        small = isinstance(e.args[1], Const) and e.args[1].value in (2, 2.0)
        return (1 if t.kind == "scalar" else 3) if small else 6
    if e.fn in ("numpy.arange", "numpy.zeros", "numpy.ones", "numpy.eye", "numpy.empty"):
        return 3
    return 6


def _hoist(maker: _Maker, e: Expr, s: Stmt, size: int = 0, record: bool = True) -> str:
    """A temporary of the forward pass that holds `e` just before `s`, and that `s` then uses.

    Smaller expressions come first, since others may be made of them. With `record` the backward pass reads it.
    """
    ctx = maker.ctx
    key = (id(s), e)
    name = maker.hoisted.get(key)
    if name is None:
        name = ctx.namer.fresh(describe(e))
        maker.hoisted[key] = name
        maker.hoist_nodes.append((s, e, name, size or _size(e)))
    if record:
        maker.recorded.add(name)
    return name


def _stored(maker: _Maker, e: Expr, s: Stmt) -> Expr:
    """The element that `s` stores, when it will not stay: the value gets a name before it is stored."""
    value = s.value if isinstance(s, Assign) else maker.ctx.facts.augmented[id(s)]
    return Name(_hoist(maker, value, s))


# --- questions of shape --------------------------------------------------------------------------


def _query(maker: _Maker, h: Hole) -> Expr:
    """An answer from anything that has the shape, wherever it is still there."""
    ctx = maker.ctx
    t = _type_of(ctx, h)
    if h.query == "ndim" and t.rank() is not None:
        return Const(t.rank())
    if t.kind == "scalar" and h.query == "size":
        return Const(1)
    if t.kind == "scalar" and h.query == "shape":
        return Tuple(())
    witness = _witness(maker, h, t)
    if witness is None:
        if h.query != "like" and h.when == "before":
            question, size = _asked(maker, h, t)
            return Name(_hoist(maker, question, h.stmt, size))
        witness = _value(maker, h.expr, h.stmt, h.when)
    if h.query == "like":
        return witness
    sure = ctx.facts.type(h.expr).kind == "array" or _is_array(ctx, witness, h)
    if h.query.startswith("dim "):
        axis = Const(int(h.query[4:]))
        if axis.value == 0 and not sure:
            return Call("builtins.len", (witness,))
        shape = Call("attr.shape" if sure else "numpy.shape", (witness,))
        return Call("operator.getitem", (shape, axis))
    return Call(f"attr.{h.query}" if sure else f"numpy.{h.query}", (witness,))


def _asked(maker: _Maker, h: Hole, t: Type) -> tuple[Expr, int]:
    """The question put to the expression itself, or to a variable of its shape, in the forward pass."""
    ctx = maker.ctx
    env = ctx.facts.before.get(id(h.stmt), {})
    names = [n.id for n in walk(h.expr) if isinstance(n, Name)][::-1]
    same = [n for n in names if n in env and same_shape(env[n].type.shape, t.shape)]
    what: Expr = Name(same[0]) if same else h.expr
    size = _size(h.expr) + (2 if h.query.startswith("dim ") else 1)
    if not same and cost(ctx, what) > 3:  # what costs is computed once
        what = Name(_hoist(maker, what, h.stmt, record=False))
    if h.query.startswith("dim "):
        return Call(
            "operator.getitem", (Call("numpy.shape", (what,)), Const(int(h.query[4:])))
        ), size
    return Call(f"numpy.{h.query}", (what,)), size


def _type_of(ctx: Context, h: Hole) -> Type:
    if h.when == "after" and isinstance(h.expr, Name):
        got = ctx.facts.bound.get((id(h.stmt), h.expr.id))
        if got is not None:
            return got.type
    if isinstance(h.expr, Name):
        env = ctx.facts.before.get(id(h.stmt), {})
        if h.expr.id in env:
            return env[h.expr.id].type
    return ctx.facts.type(h.expr)


def _is_array(ctx: Context, witness: Expr, h: Hole) -> bool:
    if isinstance(witness, Name):
        return ctx.facts.before.get(id(h.stmt), {}).get(witness.id, Val()).type.kind == "array"
    return False


def _witness(maker: _Maker, h: Hole, t: Type) -> Expr | None:
    """Something of the same shape that is there in the backward pass."""
    ctx = maker.ctx
    env = ctx.facts.before.get(id(h.stmt), {})
    own = isinstance(h.expr, Name) and _bindings_stay_after(ctx, h.expr.id, h)
    if own and (h.query == "like" or h.expr.id in maker.used):  # type: ignore[union-attr]
        return Name(h.expr.id)  # type: ignore[union-attr]
    order = [n.id for n in walk(h.expr) if isinstance(n, Name)][::-1]
    target = _assigned_here(h.stmt)
    names = list(dict.fromkeys([*order, *(target if h.when == "after" else ()), *sorted(env)]))
    for n in sorted(names, key=lambda n: n not in maker.used):
        v = env.get(n)
        if (
            v is None
            or not v.sure
            or not same_shape(v.type.shape, t.shape)
            or v.type.kind not in ("array", "number")
        ):
            continue
        if h.query == "like" and v.type.dtype != "float" and not (t.dtype == v.type.dtype == "any"):
            continue
        if _bindings_stay(ctx, n, h.stmt):
            return Name(n)
    if isinstance(h.expr, Name):
        saved = (h.expr.id, _reaching(ctx, h.expr.id, h.stmt, h.when)) in maker.names
        kept = saved or available(ctx, h.expr.id, h.stmt, h.when)
        return _variable(maker, h.expr.id, h.stmt, h.when) if kept else None
    return (
        _value(maker, h.expr, h.stmt, h.when)
        if _can_recompute(maker, h.expr, h.stmt, h.when)
        else None
    )


def _assigned_here(s: Stmt) -> list[str]:
    return [t.id for t in s.targets if isinstance(t, Name)] if isinstance(s, Assign) else []


def _bindings_stay_after(ctx: Context, var: str, h: Hole) -> bool:
    if _rebound_by_header(ctx, var, h.stmt, h.when):
        return True
    here = _type_of(ctx, h)
    for d in ctx.flow.defs.get(var, ()):
        got = ctx.facts.bound.get((id(d), var))
        if got is None or (d is h.stmt and h.when == "after") or not ctx.flow.may_follow(d, h.stmt):
            continue
        if isinstance(d, For) and d in ctx.flow.chain(h.stmt):
            continue
        same = (
            same_shape(got.type.shape, here.shape)
            and got.type.dtype == here.dtype
            and got.type.kind == here.kind
        )
        if not same:
            return False
    return True


# --- writing it down -----------------------------------------------------------------------------


def _write_temporaries(maker: _Maker) -> None:
    """The temporaries, those inside others first, and the tapes of those in loops."""
    ctx, plan = maker.ctx, maker.plan
    for s, e, name, _ in sorted(maker.hoist_nodes, key=lambda x: x[3]):
        inside = {
            id(n): maker.hoisted[(id(s), n)]
            for n in walk(e)
            if n is not e and (id(s), n) in maker.hoisted
        }
        value = with_names(e, inside)
        val = ctx.facts.of(e)
        changes = _will_change(ctx, e, val, s)
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


def _copied(e: Expr, val: Val) -> Expr:
    return Call("method.copy" if val.type.kind == "array" else "numpy.copy", (e,))


def _rename(plan: Plan, names: dict[str, str]) -> None:
    """The backward pass reads other variables than those that the holes were filled with."""

    def named(e: Expr) -> Expr:
        return Name(names[e.id]) if isinstance(e, Name) and e.id in names else rebuild(e, named)

    plan.filled = {h: named(e) for h, e in plan.filled.items()}


def _nodes(ctx: Context, s: Stmt) -> list[Expr]:
    from ..ir import stmt_exprs

    tops = list(stmt_exprs(s))
    if id(s) in ctx.facts.augmented:
        tops.append(ctx.facts.augmented[id(s)])
    return [n for top in tops for n in walk(top)]


def _size(e: Expr) -> int:
    return sum(1 for _ in walk(e))


def _will_change(ctx: Context, e: Expr, val: Val, s: Stmt) -> bool:
    """`e` is a view of memory that something writes into later."""
    if val.type.kind == "scalar" or not val.objs:
        return False
    return any(
        objs & val.objs and ctx.flow.may_follow(ctx.flow.stmts[d], s)
        for d, objs in ctx.facts.mutated.items()
    )


def _write_saves(maker: _Maker) -> None:
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
        if val.type.kind != "scalar" and _contents_change(ctx, var, s):
            value = _copied(value, val)
        lines = plan.inserts.setdefault(place, [])
        if _in_loop(ctx, place):
            _record(maker, name, value, place, s)
        else:
            lines.insert(0, Assign((Name(name),), value, origin=s.origin, made=True))
    _rename(plan, real)


def _val_at(ctx: Context, var: str, place: Place, s: Stmt) -> Val:
    body = ctx.flow.block_of(place[0])
    if place[1] < len(body):
        return ctx.facts.before.get(id(body[place[1]]), {}).get(var, Val())
    return ctx.facts.bound.get((id(s), var), ctx.facts.var(s, var))


def _contents_change(ctx: Context, var: str, s: Stmt) -> bool:
    """Something writes into the memory of `var` in place after `s` (binding it anew leaves the old value alone)."""
    for d in ctx.flow.defs.get(var, ()):
        if id(d) in ctx.facts.mutated and ctx.flow.may_follow(d, s):
            return True
    return False


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
    return isinstance(owner, For) or (not isinstance(owner, For) and _loop_like(ctx, owner, place))


def _loop_like(ctx: Context, owner: Stmt, place: Place) -> bool:
    from ..ir import While

    return isinstance(owner, While) or bool(ctx.flow.loops(owner))


def _record(maker: _Maker, name: str, value: Expr, place: Place, s: Stmt) -> None:
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
    loops = ctx.flow.loops(owner)
    if loops:
        return loops[-1]
    return owner


def with_names(e: Expr, names: dict[int, str]) -> Expr:
    """`e` with the subexpressions that temporaries hold replaced by their names."""

    def change(c: Expr) -> Expr:
        if id(c) in names:
            return Name(names[id(c)])
        return rebuild(c, change)

    return rebuild(e, change)


__all__ = ["Plan", "Slice", "is_expr", "plan_residuals", "reads", "with_names"]
