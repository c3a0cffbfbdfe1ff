"""Adjoints of lists, tuples, dicts and records: structures of the same parts that are added to.

While it is added to, the adjoint of a tuple is a list and that of a record a dict, so that every part can
be reached by a subscript and replaced.

May not know: which statements there are, how contributions are added up.
"""

from __future__ import annotations

from ..analysis.containers import is_container, is_field, part
from ..analysis.types import Type, element
from ..ir import Assign, Call, Const, Dict, Expr, Name, Slice, Star, Stmt, Tuple, stmt_exprs, walk
from ..optimize.build import MUL
from .context import Context, Numbers

PLUS = "plus"  # how a part that is a container is added to


def helped(ctx: Context, name: str, *args: Expr) -> Call:
    ctx.helpers.add(name)
    return Call(f"<helper>.{name}", args)


def zeros(ctx: Context, e: Expr, t: Type, s: Stmt, when: str) -> Expr:
    """Zeros for the adjoint of container `e`, which is a `t`."""
    if t.items is not None and t.kind != "struct" and all(i.kind == "scalar" for i in t.items):
        flat = (Const(0.0),) * len(t.items)
        if t.keys is None:
            return Tuple(flat, "list")
        return Dict(tuple(Const(k) for k in t.keys), flat)
    every = element(t, "")
    if t.kind in ("list", "tuple") and every is not None and every.kind == "scalar":
        return Call(MUL, (Tuple((Const(0.0),), "list"), ctx.hole(e, s, when, "dim 0")))
    like = ctx.hole(e, s, when, "like")
    if t.kind == "tuple" and t.maker:  # np.linalg's results have names
        like = Call("builtins.tuple", (like,))
    return helped(ctx, "_zeros_like", like)


def opened(ctx: Context, bar: Expr) -> Expr:
    """A copy of a container's adjoint that may be added to."""
    return helped(ctx, "_opened", bar)


def plus(ctx: Context, a: Expr, b: Expr) -> Expr:
    return helped(ctx, "_plus", a, b)


def finished(ctx: Context, bar: Expr, e: Expr, t: Type, s: Stmt) -> Expr:
    """An adjoint in the containers of its primal `e`, as a result is given."""
    if holds_floats(t) and t.kind == "list":
        return bar
    if holds_floats(t) and t.kind == "tuple":
        return bar_tuple(bar)
    return helped(ctx, "_restored", bar, ctx.hole(e, s))


def fitted(ctx: Context, bar: Expr, e: Expr, s: Stmt) -> Expr:
    """The adjoint of container `e`, real where its parts are real."""
    return helped(ctx, "_fitted", bar, ctx.hole(e, s))


def bar_tuple(bar: Expr) -> Expr:
    return Tuple(bar.items) if isinstance(bar, Tuple) else Call("builtins.tuple", (bar,))


def holds_floats(t: Type) -> bool:
    """Whether all parts are floating numbers for certain."""
    every = t.items if t.items is not None else (t.each,) if t.each is not None else ()
    return bool(every) and all(i.kind == "scalar" and i.dtype == "float" for i in every)


def is_step(ctx: Context, e: Expr) -> bool:
    """Whether `e` is a part of a container: `p["w"]`, `p.w`, `p[0]`."""
    if not isinstance(e, Call) or not e.args:
        return False
    t = ctx.facts.type(e.args[0])
    if e.fn == "operator.getitem":
        return is_container(t) or (t.kind == "any" and ctx.facts.type(e.args[1]).kind == "str")
    return (is_container(t) or t.kind == "any") and is_field(t, e.fn)


def is_slice(ctx: Context, e: Call) -> bool:
    """`xs[1:]`: of a list it is a list of its own, so that nothing is added through it."""
    sliced = e.fn == "operator.getitem" and isinstance(e.args[1], Slice)
    return sliced and is_container(ctx.facts.type(e.args[0]))


def step(ctx: Context, e: Expr, s: Stmt) -> Expr | None:
    """The subscript by which the adjoint of the part `e` of a container is reached; None for other expressions."""
    if not is_step(ctx, e):
        return None
    assert isinstance(e, Call)
    if e.fn != "operator.getitem":
        return Const(e.fn[5:])
    t, key = ctx.facts.type(e.args[0]), ctx.facts.type(e.args[1]).const
    if t.kind == "record" and t.keys is not None and type(key) is int:
        return Const(t.keys[key])
    return ctx.index(e.args[1], s)


def field_of(ctx: Context, e: Expr, name: str) -> Call:
    """`e.name` as an expression of the primal's."""
    made = Call(f"attr.{name}", (e,))
    ctx.primal.alive.append(made)  # facts go by identity
    ctx.facts.vals[id(made)] = part(ctx.facts.of(e), name, ctx.primal.site(made))
    return made


# operators that lists do not have
_OF_NUMBERS = frozenset(
    f"operator.{n}" for n in ["sub", "truediv", "pow", "matmul", "neg", "floordiv", "mod"]
)


def may_be_container(ctx: Context, e: Expr) -> bool:
    """Whether the part `e`, or the variable that holds it, may itself be a container as far as its use shows."""
    t = ctx.facts.type(e)
    if is_container(t):
        return True
    if t.kind != "any":
        return False
    if ctx.numbers is None:
        ctx.numbers = _numbers(ctx)
    names = {e.id} if isinstance(e, Name) else ctx.numbers.held.get(id(e), set())
    return id(e) not in ctx.numbers.exprs and not names & ctx.numbers.names


def way(ctx: Context, e: Expr) -> str:
    """How the adjoint of part `e` is added to: anew where it is a container, or complex on some paths only."""
    return PLUS if may_be_container(ctx, e) or ctx.facts.type(e).dtype == "either" else "add"


def _numbers(ctx: Context) -> Numbers:
    """The expressions and variables that arithmetic shows to be numbers or arrays."""
    out = Numbers()
    for s in ctx.flow.stmts.values():
        if isinstance(s, Assign):
            for t in s.targets:
                if isinstance(t, Name):
                    out.held.setdefault(id(s.value), set()).add(t.id)
        tops = [
            *stmt_exprs(s),
            *([ctx.facts.augmented[id(s)]] if id(s) in ctx.facts.augmented else []),
        ]
        for c in (n for top in tops for n in walk(top)):
            if not isinstance(c, Call) or not c.fn.startswith("operator."):
                continue
            others = [ctx.facts.type(a) for a in c.args]
            sure = c.fn in _OF_NUMBERS or any(
                o.kind in ("array", "number") or (o.kind == "scalar" and o.dtype == "float")
                for o in others
            )
            if sure and c.fn != "operator.getitem":
                out.exprs.update(id(a) for a in c.args)
                out.names.update(a.id for a in c.args if isinstance(a, Name))
    return out


def nth(t: Type, k: int) -> Const:
    """The subscript of part number `k`."""
    return Const(t.keys[k] if t.kind == "record" and t.keys is not None else k)


def piece(bar: Expr, key: Expr) -> Expr:
    """The part of an adjoint at `key`: of a display, the item itself."""
    if isinstance(bar, Tuple) and isinstance(key, Const) and type(key.value) is int:
        if not any(isinstance(i, Star) for i in bar.items):
            return bar.items[key.value]
    if isinstance(bar, Dict) and key in bar.keys:
        return bar.values[bar.keys.index(key)]
    return Call("operator.getitem", (bar, key))


def targets(
    target: Expr, t: Type | None, chain: tuple[Expr, ...] = ()
) -> list[tuple[Name, tuple[Expr, ...], bool]]:
    """The variables of an unpacking target, each with the subscripts of its part, and whether it takes the rest."""
    if isinstance(target, Name):
        return [(target, chain, False)]
    if not isinstance(target, Tuple):
        return []
    out: list[tuple[Name, tuple[Expr, ...], bool]] = []
    star = next((k for k, i in enumerate(target.items) if isinstance(i, Star)), len(target.items))
    for k, item in enumerate(target.items):
        at = k if k <= star else k - len(target.items)
        if isinstance(item, Star) and isinstance(item.value, Name):
            stop = k + 1 - len(target.items)
            rest = Slice(Const(k) if k else None, Const(stop) if stop else None, None)
            out.append((item.value, (*chain, rest), True))
        else:
            inner = None if t is None or t.items is None or at >= len(t.items) else t.items[at]
            out += targets(item, inner, (*chain, nth(t, at) if t is not None else Const(at)))
    return out


def as_parts(ctx: Context, bar: Expr, x: Expr, s: Stmt) -> Expr:
    """The cotangent of `np.array(x)` as that of list `x`."""
    every = element(ctx.facts.type(x), "")
    if every is not None and every.kind in ("scalar", "array", "number"):
        return Call("builtins.list", (bar,))
    return helped(ctx, "_listed", bar, ctx.hole(x, s))
