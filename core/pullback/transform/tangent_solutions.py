"""The tangent of a solution, by the implicit function theorem: the transposes of `solutions.py` and `equations.py`.

Of x = turn(x, p): what a turn does with p_dot, and then over and over with what comes of that. Of f(x, p) = 0: what f
does with p_dot, by the matrix of its slopes.

May not know: statements, how holes are filled.
"""

from __future__ import annotations

from ..ir import Call, Const, Expr, Name, Slice, Tuple
from ..optimize.build import DIV, neg, sub
from .equations import EYE, SOLVE, Root, each
from .solutions import Equation, equation, series, together
from .tangent_holes import filled, hold
from .tangent_state import Dot, Tangents

Dots = dict[Name, Expr]  # tangents of some of a turn's arguments


def solved(t: Tangents, e: Call, dots: Dots) -> Dot | None:
    """The tangent of the solution; `dots` are those of what it varies with."""
    eq = equation(e)
    if not dots:
        return None
    first = _tangent(t, eq, dots)
    if eq.one_number(t.ctx.facts):
        slope = _tangent(t, eq, {eq.state[0]: Const(1.0)})
        return Dot(Call(DIV, (first, sub(Const(1.0), slope))))
    totals = [_named(t, n, "total") for n in eq.state]
    t.emit_early(together(totals), first)
    if eq.inputs:
        parts = [_named(t, n, "part") for n in eq.state]
        for part, total in zip(parts, totals):
            t.emit_early(part, total)
        of = dict(zip(eq.state, parts))
        turn = _tangent(t, eq, {n: of[n] for n in eq.inputs})
        numbers = [t.ctx.facts.type(n).kind == "scalar" for n in eq.state]
        what = f"tangent of {eq.state[0].id}"
        k = Name(t.ctx.namer.fresh("k"))
        t.early.append(series(k, parts, totals, turn, numbers, what, t.stmt.origin))
    return Dot(together(totals))


def _named(t: Tangents, of: Name, what: str) -> Name:
    name = Name(t.ctx.namer.fresh(f"{of.id}_{what}_dot"))
    t.ctx.made[name.id] = t.ctx.facts.of(of)
    return name


def _tangent(t: Tangents, eq: Equation, dots: Dots) -> Expr:
    """The tangent of a turn, where these of its arguments move."""
    wanted = tuple(a for a in eq.args if a in dots)
    types = tuple(t.ctx.facts.type(a) for a in eq.args)
    made = t.ctx.calls.private(eq.turn, tuple(a.id for a in wanted), types)
    assert made is not None
    values = tuple(filled(t, t.ctx.hole(a, t.stmt)) for a in eq.args)
    call = Call(f"<helper>.{made[0]}", (*values, *(filled(t, dots[a]) for a in wanted)))
    return Call("operator.getitem", (call, Const(1)))


def root_found(t: Tangents, e: Call, eq: Root, dots: dict[int, Expr]) -> Dot | None:
    """The tangent of a root; `dots` are those of what the equation varies with, by their place behind the root."""
    if not dots:
        return None
    if id(e) not in t.held:  # the equation is looked at where the solver ended
        hold(t, e)
    x = Name(t.held[id(e)])
    values = (x, *(filled(t, t.ctx.hole(a, t.stmt)) for a in eq.args))
    types = eq.types(t.ctx.facts)

    def jvp(seeds: dict[int, Expr]) -> Expr:
        made = t.ctx.calls.private(eq.function, tuple(eq.params[k] for k in seeds), types)
        assert made is not None
        call = Call(f"<helper>.{made[0]}", (*values, *(filled(t, d) for d in seeds.values())))
        return Call("operator.getitem", (call, Const(1)))

    residual = jvp({k + 1: d for k, d in dots.items()})
    if t.ctx.facts.type(e).kind == "scalar":
        return Dot(neg(Call(DIV, (residual, jvp({0: Const(1.0)})))))
    unit, slopes, k = (Name(t.ctx.namer.fresh(n)) for n in ("unit", "slopes", "k"))
    t.emit_early(unit, Call(EYE, (Call("builtins.len", (x,)),)))
    t.emit_early(slopes, Call("numpy.zeros_like", (unit,)))
    column = Call("operator.getitem", (slopes, Tuple((Slice(None, None, None), k))))
    slope = jvp({0: Call("operator.getitem", (unit, k))})
    t.early.append(each(k, x, column, slope, t.stmt.origin))
    return Dot(neg(Call(SOLVE, (slopes, Call("numpy.asarray", (residual,))))))
