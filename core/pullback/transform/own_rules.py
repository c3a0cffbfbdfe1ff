"""Calls of functions that have a rule of the user's own: the derivative calls it, or is what it says where it
is one expression.

May not know: how contributions are added up, how rules are found.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..analysis.own_rules import RESULT, OwnRule
from ..analysis.signatures import Bound, bind_to, of_function
from ..ir import Assign, Call, Const, Expr, Function, Name, Stmt, Tuple, is_expr, rebuild
from .by_rule import result_hole
from .context import Bar, Context
from .gather import Shares, argument, shared
from .naming import plain_name
from .shaping import materialize


def cotangents(ctx: Context, e: Call, fn: Function, bar: Bar, s: Stmt) -> Shares:
    """The cotangents that a rule gives to the active arguments of `e`."""
    found = followed(ctx, e, fn, "adjoint")
    if found is None:
        return
    rule, bound = found
    bar = materialize(ctx, bar, e, s)
    args = {own: bound[p.name] for own, p in zip(rule.params, fn.params)}
    active = [p for p in rule.moving if is_expr(v := args[p]) and ctx.facts.active(v)]
    if rule.formulas:
        bar = shared(ctx, bar, len(active), e, s)
    given = dict(values(ctx, e, fn, rule, bound, s))
    given[rule.last[-1]] = bar.expr
    parts = _formulas(rule, given) if rule.formulas else _called(ctx, e, fn, rule, given, s)
    for p in active:
        v = args[p]
        assert is_expr(v)
        yield v, Bar(parts[p])


def values(
    ctx: Context, e: Call, fn: Function, rule: OwnRule, bound: Bound, s: Stmt
) -> Iterator[tuple[str, Expr]]:
    """What a rule is given of the primal: the arguments and the result, None for what it does not look at."""
    written = {id(a) for a in e.args} | {id(v) for _, v in e.kwargs}
    for own, p in zip(rule.params, fn.params):
        v = bound[p.name]
        if own not in rule.reads:
            yield own, Const(None)
        elif is_expr(v) and id(v) in written:
            yield own, argument(ctx, v, s)
        else:
            yield own, ctx.calls.default(e.fn, p)
    if RESULT in rule.last:
        yield RESULT, result_hole(ctx, e, s) if RESULT in rule.reads else Const(None)


def call_of(rule: OwnRule, given: dict[str, Expr]) -> Call:
    """`drag_adjoint(speed, area, y_bar)`."""
    return Call(rule.name, tuple(given[p] for p in (*rule.params, *rule.last)))


def put_in(formula: Expr, given: dict[str, Expr]) -> Expr:
    """A rule's expression with its parameters replaced by what they are given."""
    if isinstance(formula, Name):
        return given.get(formula.id, formula)
    return rebuild(formula, lambda c: put_in(c, given))


def _formulas(rule: OwnRule, given: dict[str, Expr]) -> dict[str, Expr]:
    return {p: put_in(f, given) for p, f in zip(rule.params, rule.formulas)}


def _called(
    ctx: Context, e: Call, fn: Function, rule: OwnRule, given: dict[str, Expr], s: Stmt
) -> dict[str, Expr]:
    """The parts of what the rule's function returns, by parameter."""
    call = call_of(rule, given)
    ctx.vjps.add(call.fn)
    if len(rule.params) == 1:
        return {rule.params[0]: call}
    names = {p: Name(ctx.namer.fresh(f"{plain_name(fn)}_{p}_bar")) for p in rule.params}
    for p, name in names.items():
        ctx.floats[name.id] = p in rule.moving
    ctx.emit(Assign((Tuple(tuple(names.values())),), call, origin=s.origin, made=True))
    return dict(names)


def followed(ctx: Context, e: Call, fn: Function, mode: str) -> tuple[OwnRule, Bound] | None:
    """The rule of a mode and how the call `e` binds its parameters; reports why there is none."""
    rule, bound = ctx.calls.own_rule(e.fn, mode), bind_to(of_function(fn), e)
    there = "tangent" if mode == "adjoint" else "adjoint"
    if rule is not None and bound is not None:
        return rule, bound
    name = e.fn.rpartition(".")[2]
    if rule is not None:
        ctx.problem("PB113", e, name=name)
    elif ctx.calls.own_rule(e.fn, there) is not None:
        reason = (
            f"there is a rule for its {there} alone; `@pullback.{mode}({name})` states the {mode}"
        )
        ctx.problem("PB302", e, name=name, reason=reason)
    return None
