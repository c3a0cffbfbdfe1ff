"""Arrays that are written in place, and the names that share their memory.

The adjoint of such an array is one array that is only ever accumulated into; the adjoint of a view is
the same view of it. What cannot be told for sure is reported.

May not know: how statements are reversed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..analysis.containers import is_container
from ..analysis.facts import Role, Val
from ..analysis.indexing import BASIC, index_kind
from ..ir import (
    Assign,
    AugAssign,
    Call,
    Expr,
    For,
    Name,
    Ref,
    Stmt,
    Tuple,
    bound,
    reads,
    root,
    stmt_exprs,
)
from .complexes import PARTS
from .containers import is_slice, is_step
from .context import Context
from .held import puts_into
from .sharing import held_array, may_write_later, report_held, report_held_array, report_shared


@dataclass(frozen=True)
class Buffer:
    """A name of a written array: the root, or a view `value` of another name made by `made_at`."""

    root: str
    value: Expr | None = None
    made_at: Stmt | None = None


def find_buffers(ctx: Context) -> dict[str, Buffer]:
    """Every name whose adjoint is (part of) an accumulated array, by name; problems go to the context."""
    active = _active_objects(ctx)
    stores: dict[frozenset[str], list[Stmt]] = {}
    written: set[str] = set()
    for s in ctx.flow.stmts.values():
        target = _store_target(ctx, s)
        if target is None or puts_into(ctx, target):
            continue
        part = held_array(ctx, target)
        if part is not None:
            if ctx.facts.active(part) or _stores_active(ctx, s):
                report_held_array(ctx, s, part)
            continue
        base = _base(target)
        if base is None:
            if isinstance(root(target), Ref):
                continue  # memory outside the function: reported when it was looked at
            if ctx.facts.active(target) or _stores_active(ctx, s):
                ctx.problem("PB109", s, construct="this target")
            continue
        val = ctx.facts.var(s, base.id)
        if not (ctx.facts.origins(val.objs) & active) and not (_stores_active(ctx, s)):
            continue
        if not _checked(ctx, s, base.id, val):
            continue
        stores.setdefault(val.objs, []).append(s)
        written.add(base.id)
    out: dict[str, Buffer] = {}
    for objs, where in _together(ctx, stores):
        _name(ctx, objs, where, written, out)
    _report_taken_names(ctx, out)
    _parts_of_containers(ctx, out)
    report_shared(ctx)
    report_held(ctx, {o: where for objs, where in _together(ctx, stores) for o in objs})
    return out


def _report_taken_names(ctx: Context, out: dict[str, Buffer]) -> None:
    """`v = u`, and a loop takes the name of u: its rows have an adjoint of that name, too, and v a part of it."""
    views = {b.root: name for name, b in out.items() if b.root != name}
    for s in ctx.flow.stmts.values():
        if not isinstance(s, For):
            continue
        for name in sorted(bound(s.target) & views.keys()):
            ctx.problem("PB202", s.target, written=name, other=views[name])


def _parts_of_containers(ctx: Context, out: dict[str, Buffer]) -> None:
    """`layer = params[name]`, a container in another: its adjoint is the same part of the other's."""
    put = {o for objs in ctx.facts.mutated.values() for o in objs}
    for (d, n), v in ctx.facts.bound.items():
        s = ctx.flow.stmts[d]
        if not is_container(v.type) or not isinstance(s, Assign) or s.targets != (Name(n),):
            continue
        whole: Expr = s.value
        while isinstance(whole, Call) and is_step(ctx, whole) and not is_slice(ctx, whole):
            whole = whole.args[0]
        if whole is s.value or not isinstance(whole, Name) or v.objs & put:
            continue
        if not is_container(ctx.facts.type(whole)) or len(_binds(ctx, n)) > 1:
            continue
        params = {p.name for p in ctx.fn.params}
        if n not in params and len(_binds(ctx, whole.id)) + (whole.id in params) == 1:
            known = out.setdefault(whole.id, Buffer(whole.id))
            out[n] = Buffer(known.root, s.value, s)


def _active_objects(ctx: Context) -> frozenset[str]:
    vals = [v for env in ctx.facts.before.values() for v in env.values()] + list(
        ctx.facts.bound.values()
    )
    return ctx.facts.origins(frozenset(o for v in vals if v.active for o in v.objs))


def _together(
    ctx: Context, stores: dict[frozenset[str], list[Stmt]]
) -> list[tuple[frozenset[str], list[Stmt]]]:
    """The stores by the memory that they write into; what one name holds in turn belongs together."""
    out: list[tuple[frozenset[str], list[Stmt]]] = []
    for objs, where in stores.items():
        own = ctx.facts.origins(objs)
        for other in [o for o in out if o[0] & own]:
            out.remove(other)
            own, where = own | other[0], [*other[1], *where]
        out.append((own, where))
    return out


def _store_target(ctx: Context, s: Stmt) -> Expr | None:
    """What `s` writes into in place, if anything."""
    if isinstance(s, Assign):
        flat = [t for target in s.targets for t in _flat(target)]
        return next((t for t in flat if isinstance(t, Call) and t.fn == "operator.getitem"), None)
    if isinstance(s, AugAssign):
        if isinstance(s.target, Name):
            return None if ctx.facts.rebinds.get(id(s), True) else s.target
        return (
            s.target if isinstance(s.target, Call) and s.target.fn == "operator.getitem" else None
        )
    return None


def _flat(target: Expr) -> list[Expr]:
    return [x for t in target.items for x in _flat(t)] if isinstance(target, Tuple) else [target]


def _stores_active(ctx: Context, s: Stmt) -> bool:
    return isinstance(s, (Assign, AugAssign)) and ctx.facts.active(s.value)


def _base(target: Expr) -> Name | None:
    while isinstance(target, Call) and target.fn in ("operator.getitem", *PARTS):
        target = target.args[0]
    return target if isinstance(target, Name) else None


def _checked(ctx: Context, s: Stmt, name: str, val: Val) -> bool:
    origins = ctx.facts.origins(val.objs)
    params = sorted(o[6:] for o in origins if o.startswith("param "))
    if val.type.kind in ("list", "dict", "tuple"):
        ctx.problem("PB110", s, construct="element of a container that is written")
        return False
    if val.type.kind == "scalar":
        ctx.problem("PB110", s, construct="a store into an array that has no axes")
        return False
    if params and len(val.objs) == 1:
        ctx.problem("PB205", s, name=params[0], reason="it is not copied first")
        return False
    if len(val.objs) != 1 or "" in val.objs or not val.exact:
        other = _other(ctx, s, name, val)
        places = (*_made_at(ctx, name), *_bound_at(ctx, other, "other"))
        named = other or "memory that the text does not tell"
        ctx.problem("PB201", s, *places, written=name, other=named)
        return False
    return True


def _other(ctx: Context, s: Stmt, name: str, val: Val) -> str:
    """Another name that may share memory with `name`, "" where there is none."""
    env = ctx.facts.before.get(id(s), {})
    others = [n for n, v in env.items() if n != name and v.objs & val.objs and n not in ("",)]
    return others[0] if others else ""


def _made_at(ctx: Context, name: str) -> tuple[Role, ...]:
    """The expression that makes what `name` may share with others; its bindings where it is not one."""
    unsure = [d for d in _binds(ctx, name) if not _alone(ctx.facts.bound[(d, name)])]
    made = _value_for(ctx.flow.stmts[unsure[0]], name) if len(unsure) == 1 else None
    if made is None or made.origin is None:
        return _bound_at(ctx, name, "bound")
    return (("made", made.origin),)


def _alone(v: Val) -> bool:
    return v.exact and len(v.objs) == 1 and "" not in v.objs


def _bound_at(ctx: Context, name: str, role: str) -> tuple[Role, ...]:
    """The places where `name` is bound: its parameter, its assignments."""
    places = [p.origin for p in ctx.fn.params if p.name == name]
    for s in (ctx.flow.stmts[d] for d in _binds(ctx, name)):
        places.append(s.target.origin if isinstance(s, For) else s.origin)
    return tuple((role, at) for at in dict.fromkeys(places) if at is not None)


def _name(
    ctx: Context,
    objs: frozenset[str],
    stores: list[Stmt],
    written: set[str],
    out: dict[str, Buffer],
) -> None:
    """Finds the roots of the memory `objs` and their views.

    A name that an array was made for is a root. So is one that an array is handed to, as in `u = v` or
    `u, v = v, u`, whose other name is not read again before it is bound anew.
    """
    binders = sorted(
        ((d, n, v) for (d, n), v in ctx.facts.bound.items() if objs & ctx.facts.origins(v.objs)),
        key=lambda b: ctx.flow.order[b[0]],
    )
    made = [(d, n) for d, n, v in binders if not v.view and not _is_alias(ctx, d, n)]
    if not made:
        names = _names(n for _, n, _ in binders)
        ctx.problem("PB201", stores[0], written=names, other="more than one array")
        return
    roots = dict.fromkeys(n for _, n in made)
    for n in roots:
        out[n] = Buffer(n)
    made_at = {d for d, _ in made}
    for d, n, v in binders:
        stmt = ctx.flow.stmts[d]
        if n in roots and not v.view:  # `u += …` in place, or handed over: still a root
            continue
        if n not in written and not any(may_write_later(ctx, s, stmt, made_at) for s in stores):
            continue  # nobody writes while this name lives: its adjoint is its own
        value = _value_for(stmt, n)
        root = None if value is None or not v.exact else _root_of(ctx, value, out)
        if v.type.kind == "scalar":
            _report_view(ctx, stmt, n, v, root or next(iter(roots)), stores)
        elif root is not None and value is not None and _stays(ctx, n, root, stmt):
            out[n] = Buffer(root, value, stmt)
        elif not v.view and isinstance(value, Name) and n not in _params(ctx):
            roots[n] = None
            out[n] = Buffer(n)
        else:
            _report_view(ctx, stmt, n, v, root or next(iter(roots)), stores)
    if len(roots) > 1:
        for s in stores:
            _apart(ctx, s, out)


def _apart(ctx: Context, s: Stmt, out: dict[str, Buffer]) -> None:
    """Reports a store into an array that another name, with an adjoint of its own, still stands for."""
    target = _store_target(ctx, s)
    base = None if target is None else _base(target)
    if base is None:
        return
    env = ctx.facts.before[id(s)]
    root = out[base.id].root if base.id in out else base.id
    for n, v in env.items():
        other = out[n].root if n in out else n
        if other != root and v.objs & env[base.id].objs and n in ctx.live[id(s)]:
            places = (*_made_at(ctx, base.id), *_bound_at(ctx, n, "other"))
            ctx.problem("PB201", s, *places, written=base.id, other=n)
            return


def _params(ctx: Context) -> set[str]:
    return {p.name for p in ctx.fn.params}


def _stays(ctx: Context, view: str, root: str, made: Stmt) -> bool:
    """Whether `view` is made at one place, and not read again once `root` is bound to another array."""
    if len(_binds(ctx, view)) != 1 or view in _params(ctx) or _read_outside(ctx, view, made):
        return False
    return all(view not in ctx.live[d] for d in _made(ctx, root))


def _report_view(
    ctx: Context, made: Stmt, name: str, val: Val, root: str, stores: list[Stmt]
) -> None:
    """`name` may be a view of `root`, which is written while it lives."""
    if val.type.kind in ("number", "any"):
        params = [p for p in ctx.fn.params if p.name in (name, root) and p.origin is not None]
        role = "viewed" if val.view else "parameter"
        places = tuple((role, p.origin) for p in params if p.origin is not None)
        ctx.problem("PB204", made, *places, name=name, parameter=_names(p.name for p in params))
        return
    value = _value_for(made, name)
    at = made.origin if value is None else value.origin
    role = "bound" if value is None else "made"
    places = () if at is None else ((role, at),)
    later = [s for s in stores if s is not made and ctx.flow.may_follow(s, made)]
    ctx.problem("PB202", (later or [made])[0], *places, written=root, other=name)


def _read_outside(ctx: Context, name: str, made: Stmt) -> bool:
    """Whether view `name` is read outside of the block that makes it: its adjoint is a view in there only."""
    around = ctx.flow.block[id(made)]
    return any(
        any(name in reads(e) for e in stmt_exprs(s))
        and all(ctx.flow.block[id(x)] != around for x in (s, *ctx.flow.chain(s)))
        for s in ctx.flow.stmts.values()
    )


def _is_alias(ctx: Context, d: int, name: str) -> bool:
    """Whether a binding gives `name` an array that was there: only an assignment of what is new does not."""
    s = ctx.flow.stmts[d]
    return not isinstance(s, Assign) or isinstance(_value_for(s, name) or s.value, Name)


def _names(names: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(names))


def _made(ctx: Context, name: str) -> list[int]:
    """The statements that bind `name` to an array; `y *= 2` leaves it the one that it is."""
    return [d for d in _binds(ctx, name) if not isinstance(ctx.flow.stmts[d], AugAssign)]


def _binds(ctx: Context, name: str) -> list[int]:
    return [d for (d, n) in ctx.facts.bound if n == name]


def _value_for(s: Stmt, name: str) -> Expr | None:
    """The expression that `s` binds `name` to."""
    if not isinstance(s, Assign) or len(s.targets) != 1:
        return None
    target = s.targets[0]
    if target == Name(name):
        return s.value
    if (
        isinstance(target, Tuple)
        and isinstance(s.value, Tuple)
        and len(target.items) == len(s.value.items)
    ):
        for t, v in zip(target.items, s.value.items):
            if t == Name(name):
                return v
    return None


def _root_of(ctx: Context, value: Expr, known: dict[str, Buffer]) -> str | None:
    """The root that `value` is, or is a view of; None for all else."""
    while isinstance(value, Call):
        basic = value.fn == "operator.getitem" and (
            index_kind(value.args[1], ctx.facts.type) == BASIC
        )
        if not basic and value.fn not in ("attr.T", *PARTS):
            return None
        value = value.args[0]
    return known[value.id].root if isinstance(value, Name) and value.id in known else None
