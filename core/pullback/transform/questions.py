"""Questions about shapes, answered from anything that is still there in the backward pass.

May not know: how temporaries and tapes are written down.
"""

from __future__ import annotations

from dataclasses import replace

from ..analysis.containers import is_container, taking
from ..analysis.facts import Val
from ..analysis.indexing import BASIC, index_kind
from ..analysis.turns import every_turn
from ..analysis.types import SCALAR, Type, floating, same_shape
from ..ir import Assign, AugAssign, Call, Const, Expr, For, Name, Stmt, walk
from .context import Context, Hole, known_answer, question
from .costs import cost
from .plan import Maker, size_of
from .shaping import is_elementwise
from .values import (
    available,
    bindings_stay,
    can_recompute,
    definition,
    hoist,
    reaching,
    rebound_by_header,
    value,
    variable,
)


def answer(maker: Maker, h: Hole) -> Expr:
    """An answer from anything that has the shape, wherever it is still there."""
    ctx = maker.ctx
    if h.query != "like":
        h = replace(h, expr=_without_numbers(ctx, h.expr))
    t = _type_of(ctx, h)
    if is_container(t):
        return _of_container(maker, h)
    known = known_answer(t, h.query) or _counted(ctx, h, t)
    if known is not None:
        return known
    witness = _witness(maker, h, t)
    if witness is None:
        if h.query != "like" and h.when == "before":
            asked, size = _asked(maker, h, t)
            return Name(hoist(maker, asked, h.stmt, size))
        witness = value(maker, h.expr, h.stmt, h.when)
    if h.query == "like":
        return witness
    sure = ctx.facts.type(h.expr).kind == "array" or _is_array(maker, witness, h)
    return question(h.query, witness, sure)


def _without_numbers(ctx: Context, e: Expr) -> Expr:
    """`x` of `0.5 * x ** 2`, which has the same shape whatever that is; not what is computed of several."""
    inner = e
    while isinstance(inner, Call) and is_elementwise(inner):
        rest = [x for x in inner.args if ctx.declared(x) != SCALAR]
        if inner.kwargs or len(rest) != 1 or is_container(ctx.facts.type(rest[0])):
            return e
        inner = rest[0]
    return inner


def _of_container(maker: Maker, h: Hole) -> Expr:
    """The container itself as it was there, or one that differs from it in its parts alone; its length."""
    ctx, e = maker.ctx, h.expr
    if isinstance(e, Name) and bindings_stay(ctx, e.id, h.stmt) and _stores_only(ctx, e.id, h):
        e = Name(e.id)
    else:
        e = value(maker, e, h.stmt, h.when)
    if h.query == "like":
        return e
    return question(h.query, e, array=False)


def _stores_only(ctx: Context, name: str, h: Hole) -> bool:
    """Whether all that changes a list later puts other values into its places."""
    listed = ctx.facts.var(h.stmt, name).type.kind == "list"
    return listed and all(
        (isinstance(d, (Assign, AugAssign)) and not taking(d)) or not ctx.flow.may_follow(d, h.stmt)
        for d in ctx.flow.defs.get(name, ())
    )


def _counted(ctx: Context, h: Hole, t: Type) -> Expr | None:
    """The length of an axis as the function's own variable holds it: n of `n, m = A.shape`."""
    if not h.query.startswith("dim ") or not isinstance(t.shape, tuple):
        return None
    length = t.shape[int(h.query[4:])]
    if length.cut:
        return None
    if not length.sym:
        return Const(length.off)
    for n, v in ctx.facts.before.get(id(h.stmt), {}).items():
        if v.sure and v.type.const == length and available(ctx, n, h.stmt, "before"):
            return Name(n)
    return None


def _asked(maker: Maker, h: Hole, t: Type) -> tuple[Expr, int]:
    """The question put to the expression itself, or to a variable of its shape, in the forward pass."""
    ctx = maker.ctx
    env = ctx.facts.before.get(id(h.stmt), {})
    names = [n.id for n in walk(h.expr) if isinstance(n, Name)][::-1]
    same = [n for n in names if n in env and same_shape(env[n].type.shape, t.shape)]
    what: Expr = Name(same[0]) if same else h.expr
    size = size_of(h.expr) + (2 if h.query.startswith("dim ") else 1)
    if not same and cost(ctx, what) > 3:  # what costs is computed once
        what = Name(hoist(maker, what, h.stmt, record=False))
    return question(h.query, what, array=False), size


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


def _is_array(maker: Maker, witness: Expr, h: Hole) -> bool:
    ctx = maker.ctx
    if isinstance(witness, Name):
        if any(name == witness.id for _, _, name, _ in maker.hoist_nodes):
            return True
        return ctx.facts.before.get(id(h.stmt), {}).get(witness.id, Val()).type.kind == "array"
    return False


def _witness(maker: Maker, h: Hole, t: Type) -> Expr | None:
    """Something of the same shape that is there in the backward pass."""
    ctx = maker.ctx
    env = ctx.facts.before.get(id(h.stmt), {})
    if isinstance(h.expr, Name) and _bindings_stay_after(ctx, h.expr.id, h):
        if h.query == "like" or h.expr.id in maker.used:
            return Name(h.expr.id)
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
        if h.query == "like" and not alike(v.type, t):
            continue
        if bindings_stay(ctx, n, h.stmt):
            return Name(n)
    if isinstance(h.expr, Name):
        saved = (h.expr.id, reaching(ctx, h.expr.id, h.stmt, h.when)) in maker.names
        kept = saved or available(ctx, h.expr.id, h.stmt, h.when)
        if kept:
            return variable(maker, h.expr.id, h.stmt, h.when)
    elif can_recompute(maker, h.expr, h.stmt, h.when):
        return value(maker, h.expr, h.stmt, h.when)
    part = _part_with_shape(maker, h, t) or _kept_with_shape(maker, h, t)
    if part is None and h.query == "like" and isinstance(h.expr, Name):
        return _created(maker, h.expr.id)
    return part


def alike(got: Type, t: Type) -> bool:
    """Whether zeros like the one can hold a cotangent, or a tangent, of the other."""
    if (got.dtype == "complex") != (t.dtype == "complex"):
        return False
    return floating(got.dtype) or t.dtype == got.dtype == "any"


def _part_with_shape(maker: Maker, h: Hole, t: Type) -> Expr | None:
    """A part of the expression, or of what its variable was bound to, that has the shape and is there."""
    ctx = maker.ctx
    whole, s = h.expr, h.stmt
    if isinstance(whole, Name):
        made = definition(ctx, whole.id, s, h.when)
        if made is None:
            return None
        s, whole = made
    elif h.when == "after":
        return None
    for e in walk(whole):
        got = ctx.facts.type(e)
        if got.kind not in ("array", "number", "any") or not same_shape(got.shape, t.shape):
            continue
        if h.query == "like" and not alike(got, t):
            continue
        form = _form(maker, e, s)
        if form is not None:
            return form
    return None


def _kept_with_shape(maker: Maker, h: Hole, t: Type) -> Expr | None:
    """A value of the same statement that is recorded anyway, and has the shape."""
    for s, e, name, _ in maker.hoist_nodes:
        got = maker.ctx.facts.type(e)
        if s is h.stmt and name in maker.recorded and got.kind == "array":
            if same_shape(got.shape, t.shape) and (h.query != "like" or alike(got, t)):
                return Name(name)
    for n in _assigned_here(h.stmt) if h.query != "like" else ():
        made = maker.ctx.facts.bound.get((id(h.stmt), n))
        if made is None or made.type.kind != "array" or not same_shape(made.type.shape, t.shape):
            continue
        if (n, reaching(maker.ctx, n, h.stmt, "after")) in maker.names:
            return variable(maker, n, h.stmt, "after")
    return None


def _form(maker: Maker, e: Expr, s: Stmt) -> Expr | None:
    """A variable, or a view of one, that still has the shape that `e` has at `s`: its contents may have changed."""
    ctx = maker.ctx
    if isinstance(e, Name):
        stays = bindings_stay(ctx, e.id, s) or rebound_by_header(ctx, e.id, s, "before")
        return Name(e.id) if stays else None
    if not isinstance(e, Call) or e.fn not in ("operator.getitem", "attr.T"):
        return None
    base = _form(maker, e.args[0], s)
    if base is None or e.fn == "attr.T":
        return None if base is None else Call(e.fn, (base,))
    index = e.args[1]
    if index_kind(index, ctx.facts.type) != BASIC or not can_recompute(maker, index, s, "before"):
        return None
    return Call(e.fn, (base, value(maker, index, s, "before")))


def _created(maker: Maker, var: str) -> Expr | None:
    """`np.zeros(k)` again, where that alone binds `var`: it has the shape, and costs what its adjoint does."""
    ctx = maker.ctx
    bound_by = [d for d in ctx.flow.defs.get(var, ()) if (id(d), var) in ctx.facts.bound]
    d = bound_by[0] if len(bound_by) == 1 else None
    if not isinstance(d, Assign) or not isinstance(d.value, Call) or d.value.kwargs:
        return None
    if d.value.fn not in ("numpy.zeros", "numpy.empty", "numpy.ones") or len(d.value.args) != 1:
        return None
    return (
        value(maker, d.value, d, "before") if can_recompute(maker, d.value, d, "before") else None
    )


def _assigned_here(s: Stmt) -> list[str]:
    return [t.id for t in s.targets if isinstance(t, Name)] if isinstance(s, Assign) else []


def _bindings_stay_after(ctx: Context, var: str, h: Hole) -> bool:
    if rebound_by_header(ctx, var, h.stmt, h.when):
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
        if not same or not every_turn(here.shape, h.stmt, ctx.flow, ctx.facts):
            return False
    return True
