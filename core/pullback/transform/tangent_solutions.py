"""The tangent of the solution of x = turn(x, p), by the implicit function theorem.

What a turn does with p_dot, and then over and over with what comes of that: the transpose of `solutions.py`.

May not know: statements, how holes are filled.
"""

from __future__ import annotations

from ..ir import Call, Const, Expr, Name
from ..optimize.build import DIV, sub
from .solutions import Equation, equation, series, together
from .tangent_holes import filled
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
        t.early.append(series(parts, totals, turn, numbers, what, t.stmt.origin))
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
    call = Call(f"helper.{made[0]}", (*values, *(filled(t, dots[a]) for a in wanted)))
    return Call("operator.getitem", (call, Const(1)))
