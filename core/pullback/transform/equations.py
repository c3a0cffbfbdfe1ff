"""Derivatives of the solution x of f(x, p) = 0 that a solver found, by the implicit function theorem.

    unit = np.eye(len(x))                          unit = np.eye(len(x))
    slopes = np.zeros_like(unit)                   slopes = np.zeros_like(unit)
    for k in range(len(x)):                        for k in range(len(x)):
        slopes[k] = _f_vjp(x, p, unit[k])              slopes[:, k] = _f_jvp(x, p, unit[k])[1]
    x_bar = -np.linalg.solve(slopes.T, x_bar)      x_dot = -np.linalg.solve(slopes, _f_jvp2(x, p, p_dot)[1])
    p_bar += _f_vjp2(x, p, x_bar)

Nothing says that an iteration with f would converge: the equation is solved as it is, where x is one number by a
division.

May not know: how contributions are added up, how holes are filled.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..analysis.facts import Facts
from ..analysis.types import Type
from ..ir import Assign, Call, Const, Expr, For, Name, Span, Stmt
from ..optimize.build import DIV, neg
from .by_rule import result_hole
from .context import Bar, Calls, Context
from .gather import Shares, argument
from .shaping import materialize
from .solutions import shared_out

EYE, SOLVE = "numpy.eye", "numpy.linalg.solve"


@dataclass(frozen=True)
class Root:
    """`<mark>.root(solution, function, kind, *args)`; `params` are what the function calls the solution and those."""

    solution: Expr
    function: str
    args: tuple[Expr, ...]
    params: tuple[str, ...]

    def moving(self, facts: Facts) -> list[int]:
        return [k for k, a in enumerate(self.args) if facts.active(a)]

    def types(self, facts: Facts) -> tuple[Type, ...]:
        return tuple(facts.type(a) for a in (self.solution, *self.args))


def root(e: Call, calls: Calls) -> Root:
    solution, function, _, *args = e.args
    assert isinstance(function, Const)
    fn = calls.function(function.value)
    assert fn is not None
    return Root(solution, function.value, tuple(args), tuple(p.name for p in fn.params))


def cotangents(ctx: Context, e: Call, bar: Bar, s: Stmt) -> Shares:
    """The cotangents of what the equation is called with besides the solution."""
    eq = root(e, ctx.calls)
    moving = eq.moving(ctx.facts)
    x = result_hole(ctx, e, s)
    values = (x, *(argument(ctx, a, s) for a in eq.args))

    def vjp(wanted: list[int], seed: Expr) -> Call:
        made = ctx.calls.private(
            eq.function, tuple(eq.params[k] for k in wanted), eq.types(ctx.facts)
        )
        assert made is not None
        call = Call(f"<helper>.{made[0]}", (*values, seed))
        ctx.vjps.add(call.fn)
        return call

    x_bar = materialize(ctx, bar, e, s).expr
    if ctx.facts.type(e).kind == "scalar":
        solved = neg(Call(DIV, (x_bar, vjp([0], Const(1.0)))))
    else:
        unit = ctx.bind(Call(EYE, (Call("builtins.len", (x,)),)), "unit", s)
        slopes = ctx.bind(Call("numpy.zeros_like", (unit,)), "slopes", s)
        k = Name(ctx.namer.fresh("k"))
        ctx.made[k.id] = ctx.facts.of(Const(0))
        row = Call("operator.getitem", (slopes, k))
        ctx.emit(each(k, x, row, vjp([0], Call("operator.getitem", (unit, k))), s.origin))
        solved = neg(Call(SOLVE, (Call("attr.T", (slopes,)), x_bar)))
    call = vjp([k + 1 for k in moving], solved)
    yield from shared_out(ctx, [eq.args[k] for k in moving], call, s)


def each(k: Name, x: Expr, place: Expr, value: Expr, at: Span | None) -> For:
    """The loop that fills the slopes of f, a row or column of them for each element of x."""
    turns = Call("builtins.range", (Call("builtins.len", (x,)),))
    return For(k, turns, (Assign((place,), value, origin=at, made=True),), origin=at, made=True)
