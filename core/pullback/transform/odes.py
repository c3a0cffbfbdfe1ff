"""Cotangents through solutions of differential equations, by the adjoint equation.

Between two times the adjoint of the state obeys an equation of its own, which is solved backwards with the
private vjp of the right-hand side: nothing of the solver is differentiated.

May not know: how contributions are added up, how holes are filled.
"""

from __future__ import annotations

from ..analysis.signatures import bind, of_function
from ..analysis.types import Dim, Type, scalar
from ..ir import Assign, Call, Const, Expr, Name, Ref, Stmt, Tuple, is_expr
from .by_rule import result_hole
from .context import Bar, Context
from .gather import Shares, argument
from .naming import describe
from .shaping import materialize

ODEINT = "scipy.integrate.odeint"
_SIGNATURE = "func, y0, t, args=()"
_OPTIONS = {
    "rtol",
    "atol",
    "hmax",
    "mxstep",
    "tcrit",
}  # the adjoint equation is solved with them, too
_HELPER = "_odeint_bar"


def odeint(ctx: Context, e: Call, bar: Bar, s: Stmt) -> Shares:
    """`odeint(func, y0, t, args)`: the cotangents of the start and of further arguments of `func`."""
    options = tuple((k, v) for k, v in e.kwargs if k in _OPTIONS)
    plain = Call(e.fn, e.args, tuple(kv for kv in e.kwargs if kv[0] not in _OPTIONS))
    bound = bind(_SIGNATURE, plain)
    func, args = (bound.get(k) for k in ("func", "args")) if bound is not None else (None, None)
    fn = ctx.calls.function(func.qualname) if isinstance(func, Ref) else None
    if bound is None or fn is None or not isinstance(func, Ref) or not isinstance(args, Tuple):
        _refuse(ctx, e, "its function is one of a module, and its further arguments are a tuple")
        return
    y0, t = bound["y0"], bound["t"]
    assert is_expr(y0) and is_expr(t)
    if ctx.facts.active(t):
        _refuse(ctx, e, "no derivative in the times is known")
        return
    moving = [k for k, a in enumerate(args.items) if ctx.facts.active(a)]
    names = [p.name for p in of_function(fn)]
    if len(names) != 2 + len(args.items):
        _refuse(ctx, e, "its further arguments are not those of its function")
        return
    state = Type("array", (Dim(f"{names[0]}.0"),), "float")
    types = (state, scalar("float"), *(ctx.facts.type(a) for a in args.items))
    wanted = (names[0], *(names[2 + k] for k in moving))
    made = ctx.calls.private(func.qualname, wanted, types)
    if made is None:
        return
    ctx.helpers.add(_HELPER)
    bar = materialize(ctx, bar, e, s)
    places = Tuple(tuple(Const(k) for k in moving))
    given = (bar.expr, result_hole(ctx, e, s), func, Ref(f".{made[0]}", made[0]), ctx.hole(t, s))
    values: tuple[Expr, ...] = (*given, argument(ctx, args, s), places)
    kwargs = tuple((k, argument(ctx, v, s)) for k, v in options)
    operands = [y0, *(args.items[k] for k in moving)]
    parts = [Name(ctx.namer.fresh(f"{describe(v)}_bar")) for v in operands]
    for v, part in zip(operands, parts):
        ctx.made[part.id] = ctx.facts.of(v)
        ctx.floats[part.id] = True
    call = Call(f"<helper>.{_HELPER}", values, kwargs)
    ctx.emit(Assign((Tuple(tuple(parts)),), call, origin=s.origin, made=True))
    for v, part in zip(operands, parts):
        if ctx.facts.active(v):
            yield v, Bar(part)


def _refuse(ctx: Context, e: Call, reason: str) -> None:
    ctx.problem("PB302", e, name=describe(e), reason=reason)
