"""Cotangents through the solution of x = turn(x, p), by the implicit function theorem.

    for _ in range(100000):  # x_bar (1 - turn_x)^-1 = x_bar + x_bar turn_x + x_bar turn_x turn_x + …
        x_part_bar = _turn_vjp(x, p, x_part_bar)
        x_total_bar = x_total_bar + x_part_bar
        if not np.any(np.abs(x_part_bar) > 1e-16 * np.abs(x_total_bar)):
            break
    p_bar += _turn_vjp2(x, p, x_total_bar)

Near the solution the terms shrink as fast as the errors of the loop itself: at once where it is Newton's method. A sum
of terms is not disturbed by what rounding leaves of a turn that undoes itself, as an iteration of the adjoint would be.
Where the state is one number the equation is solved by a division.

May not know: how contributions are added up, how holes are filled.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..analysis.facts import Facts
from ..analysis.types import may_be_complex
from ..ir import (
    Assign,
    BoolOp,
    Call,
    Compare,
    Const,
    Expr,
    For,
    If,
    Keep,
    Name,
    Span,
    Stmt,
    Tuple,
)
from ..optimize.build import DIV, MUL, add, sub
from .context import Bar, Context
from .gather import Shares, argument
from .naming import describe
from .shaping import materialize, zeros_like

_MOST = 100_000  # terms
_NEGLIGIBLE = 1e-16


@dataclass(frozen=True)
class Equation:
    """`<mark>.solved(state, turn, *args)`: the names of the state, the function, and what it is called with."""

    state: tuple[Name, ...]
    turn: str
    args: tuple[Name, ...]

    @property
    def inputs(self) -> tuple[Name, ...]:
        return tuple(a for a in self.args if a in self.state)

    def moving(self, facts: Facts) -> tuple[Name, ...]:
        """What the solution varies with."""
        return tuple(a for a in self.args if a not in self.state and facts.active(a))

    def one_number(self, facts: Facts) -> bool:
        """Whether the state is one real number, which a turn reads."""
        t = facts.type(self.state[0])
        real = t.kind == "scalar" and not may_be_complex(t.dtype)
        return real and len(self.state) == 1 and self.inputs == self.state


def equation(e: Call) -> Equation:
    state, turn, *args = e.args
    assert isinstance(turn, Const)
    names = state.items if isinstance(state, Tuple) else (state,)
    return Equation(_all_names(names), turn.value, _all_names(args))


def _all_names(exprs: object) -> tuple[Name, ...]:
    assert isinstance(exprs, (tuple, list))
    return tuple(n for n in exprs if isinstance(n, Name))


def cotangents(ctx: Context, e: Call, bar: Bar, s: Stmt) -> Shares:
    """The cotangents of what the solution varies with."""
    eq = equation(e)
    moving = eq.moving(ctx.facts)
    if not moving:
        return
    bars = (
        list(bar.expr.items) if isinstance(bar.expr, Tuple) else [materialize(ctx, bar, e, s).expr]
    )
    totals = _totals(ctx, eq, bars, s)
    yield from shared_out(ctx, list(moving), _vjp(ctx, eq, moving, totals, s), s)


def shared_out(ctx: Context, moving: list[Expr], call: Call, s: Stmt) -> Shares:
    """What the private vjp that `call` calls gives: the cotangents of `moving`, one by one."""
    if len(moving) == 1:
        yield moving[0], Bar(call)
        return
    names = [Name(ctx.namer.fresh(f"{describe(a)}_bar")) for a in moving]
    for a, name in zip(moving, names):
        ctx.made[name.id] = ctx.facts.of(a)
        ctx.floats[name.id] = True
    ctx.emit(Assign((Tuple(tuple(names)),), call, origin=s.origin, made=True))
    for a, name in zip(moving, names):
        yield a, Bar(name)


def _totals(ctx: Context, eq: Equation, bars: list[Expr], s: Stmt) -> list[Expr]:
    """The cotangents of one turn whose effect is that of all of them."""
    if not eq.inputs:
        return bars
    if eq.one_number(ctx.facts):
        slope = _vjp(ctx, eq, eq.inputs, [Const(1.0)], s)
        return [Call(DIV, (bars[0], sub(Const(1.0), slope)))]
    totals = [_named(ctx, n, "total", b, s) for n, b in zip(eq.state, bars)]
    of = dict(zip(eq.state, totals))
    parts = [_named(ctx, n, "part", of[n], s) for n in eq.inputs]
    ends: dict[Name, Expr] = {n: zeros_like(ctx, n, s, "after") for n in eq.state}
    if eq.inputs != eq.state:  # what is no input gives to the first term alone
        once = _vjp(ctx, eq, eq.inputs, list(totals), s)
        ctx.emit(Assign((together(parts),), once, origin=s.origin, made=True))
        for n, part in zip(eq.inputs, parts):
            ctx.emit(Assign((of[n],), add(of[n], part), origin=s.origin, made=True))
    ends |= zip(eq.inputs, parts)
    turn = _vjp(ctx, eq, eq.inputs, [ends[n] for n in eq.state], s)
    numbers = [ctx.facts.type(n).kind == "scalar" for n in eq.inputs]
    sums = [of[n] for n in eq.inputs]
    what = f"cotangent of {eq.inputs[0].id}"
    ctx.emit(series(Name(ctx.namer.fresh("k")), parts, sums, turn, numbers, what, s.origin))
    return list(totals)


def _named(ctx: Context, of: Name, what: str, value: Expr, s: Stmt) -> Name:
    name = Name(ctx.namer.fresh(f"{of.id}_{what}_bar"))
    ctx.made[name.id] = ctx.facts.of(of)
    ctx.floats[name.id] = True
    ctx.emit(Assign((name,), value, origin=s.origin, made=True))
    return name


def _vjp(ctx: Context, eq: Equation, wanted: tuple[Name, ...], seeds: list[Expr], s: Stmt) -> Call:
    """The call that gives the cotangents of some of a turn's arguments."""
    values = [ctx.hole(a, s, "after") if a in eq.state else argument(ctx, a, s) for a in eq.args]
    types = tuple(ctx.facts.type(a) for a in eq.args)
    made = ctx.calls.private(eq.turn, tuple(a.id for a in wanted), types)
    assert made is not None
    call = Call(f"<helper>.{made[0]}", (*values, together(seeds)))
    ctx.vjps.add(call.fn)
    return call


def together(parts: list[Name] | list[Expr]) -> Expr:
    return parts[0] if len(parts) == 1 else Tuple(tuple(parts))


def series(
    k: Name,
    parts: list[Name],
    totals: list[Name],
    turn: Expr,
    numbers: list[bool],
    what: str,
    at: Span | None,
) -> For:
    """The loop over `k` that adds terms to `totals`, each a `turn` of the one before it, until they are negligible."""
    sums = [Assign((t,), add(t, p), origin=at, made=True) for t, p in zip(totals, parts)]
    counts = [_counts(p, t, number) for p, t, number in zip(parts, totals, numbers)]
    more: Expr = counts[0] if len(counts) == 1 else BoolOp("or", tuple(counts))
    leave = If(
        Call("operator.not_", (more,)), (Keep("break", "break", made=True),), origin=at, made=True
    )
    fails = Keep("raise", f'raise ArithmeticError("the {what} does not converge")', made=True)
    return For(
        k,
        Call("builtins.range", (Const(_MOST),)),
        (Assign((together(parts),), turn, origin=at, made=True), *sums, leave),
        (fails,),
        origin=at,
        made=True,
    )


def _counts(part: Name, total: Name, number: bool) -> Expr:
    """Whether a term still changes the sum; nan ends it."""
    size = "builtins.abs" if number else "numpy.abs"
    bound = Call(MUL, (Const(_NEGLIGIBLE), Call(size, (total,))))
    test = Compare(Call(size, (part,)), (">",), (bound,))
    return test if number else Call("numpy.any", (test,))
