"""The cotangent of an expression, handed down to the variables that it reads.

Which operands get which shares is said by a rule of the table (by_rule.py), for the structural functions
(subscripts, displays, stacking, einsum) by structural.py, and for a function of the workspace by its private vjp.

May not know: how contributions are added up, how holes are filled.
"""

from __future__ import annotations

from ..analysis.calls import rule_of
from ..analysis.containers import is_container
from ..analysis.own_rules import RULED
from ..analysis.several import REGROUPING
from ..analysis.signatures import Bound, bind_to, of_function
from ..analysis.structure import DISPLAYS, STACKING
from ..analysis.types import Type
from ..ir import Assign, Call, Dict, Expr, Function, Name, Param, Star, Stmt, Tuple, is_expr
from ..ir.marks import ROOT, SOLVED, THROUGH
from ..rules import Rule
from . import by_rule, equations, odes, own_rules, regrouping, several, solutions, structural
from .complexes import fitting
from .containers import is_step
from .context import Bar, Context
from .gather import Gather, Shares, argument
from .marks import straight_through
from .naming import construct, describe, plain_name
from .shaping import is_elementwise, materialize
from .stacking import stacked


def adjoint(ctx: Context, e: Expr, bar: Bar, s: Stmt, to: Gather) -> None:
    """Hands the cotangent `bar` of primal `e` in statement `s` down to variables."""
    if not ctx.facts.active(e):
        return
    if bar.excess and not isinstance(e, Name) and not is_elementwise(e):
        bar = materialize(ctx, bar, e, s)
    bar = fitting(ctx, bar, e)
    if isinstance(e, Name):
        to.add(e.id, bar, e)
    elif isinstance(e, Call):
        for operand, share in _shares(ctx, e, bar, s, to):
            adjoint(ctx, operand, fitting(ctx, share, operand, e), s, to)
    elif isinstance(e, (Tuple, Dict)):
        for operand, share in regrouping.display(ctx, e, bar, s):
            adjoint(ctx, operand, share, s, to)
    else:
        ctx.problem("PB110", e, construct=construct(e))


def _shares(ctx: Context, e: Call, bar: Bar, s: Stmt, to: Gather) -> Shares:
    """The operands of a call with their cotangents, one by one: code may be emitted between them."""
    if e.fn == "operator.getitem" or is_step(ctx, e):
        return structural.getitem(ctx, e, bar, s, to)
    if e.fn in DISPLAYS:
        return structural.display(ctx, e, bar, s)
    if e.fn in STACKING:
        return stacked(ctx, e, bar, s)
    if e.fn == "numpy.einsum":
        return structural.einsum(ctx, e, bar, s)
    if e.fn == THROUGH:
        return straight_through(ctx, e, bar)
    if e.fn == SOLVED:
        return solutions.cotangents(ctx, e, bar, s)
    if e.fn == ROOT:
        return equations.cotangents(ctx, e, bar, s)
    if e.fn == odes.ODEINT:
        return odes.odeint(ctx, e, bar, s)
    if regrouping.makes_record(ctx, e):
        return regrouping.record(ctx, e, bar, s)
    if regrouping.makes_container(ctx, e):
        return regrouping.container(ctx, e, bar, s)
    if regrouping.moves_parts(e):
        return regrouping.moved(ctx, e, bar, s)
    if regrouping.chooses(ctx, e):
        return regrouping.chosen(ctx, e, bar, s)
    if e.fn == "builtins.sum" and is_container(ctx.facts.type(e.args[0])):
        return regrouping.total(ctx, e, bar, s)
    if e.fn in REGROUPING:
        return several.regrouped(ctx, e, bar, s)
    rule = rule_of(e, ctx.facts.type)
    if rule is not None and rule.reversible:
        return _by_rule(ctx, e, rule, bar, s)
    fn = ctx.calls.signature(e.fn)
    if fn is not None and RULED in fn.flags:
        return own_rules.cotangents(ctx, e, fn, bar, s)
    if fn is None:
        ctx.unknown(e)
        return iter(())
    return _own_function(ctx, e, fn, bar, s)


def _by_rule(ctx: Context, e: Call, rule: Rule, bar: Bar, s: Stmt) -> Shares:
    """What the rule says; a list that was taken as an array gets its cotangent in a list."""
    for operand, share in by_rule.shares(ctx, e, rule, bar, s):
        if is_container(ctx.facts.type(operand)):
            share = regrouping.of_array(ctx, operand, share, s)
        yield operand, share


def _own_function(ctx: Context, e: Call, fn: Function, bar: Bar, s: Stmt) -> Shares:
    """A function of the workspace: its private vjp gives the cotangents of its active parameters."""
    if any(isinstance(a, Star) for a in e.args):
        ctx.problem("PB113", e, name=describe(e))
        return
    bound = bind_to(of_function(fn), e)
    if bound is None:
        ctx.problem("PB113", e, name=describe(e))
        return
    active = {p: v for p, v in bound.items() if is_expr(v) and ctx.facts.active(v)}
    if any(k not in bound for k, _ in e.kwargs) or any(
        v for v in bound.values() if isinstance(v, tuple)
    ):
        ctx.problem("PB113", e, name=describe(e))
        return
    wanted = [p.name for p in fn.params if p.name in active]
    types = tuple(argument_type(ctx, e.fn, p, bound.get(p.name)) for p in fn.params)
    made = ctx.calls.private(e.fn, tuple(wanted), types)
    if made is None:
        return
    bar = materialize(ctx, bar, e, s)
    private, seeds = made
    call = private_call(ctx, fn, private, [(seed, bar.expr) for seed in seeds], e, bound, s)
    ctx.vjps.add(call.fn)
    if len(wanted) == 1:
        yield active[wanted[0]], Bar(call)
        return
    names = [Name(ctx.namer.fresh(f"{plain_name(fn)}_{p}_bar")) for p in wanted]
    for p, name in zip(wanted, names):
        ctx.made[name.id] = ctx.facts.of(active[p])
        ctx.floats[name.id] = True
    ctx.emit(Assign((Tuple(tuple(names)),), call, origin=s.origin, made=True))
    for p, name in zip(wanted, names):
        yield active[p], Bar(name)


def argument_type(ctx: Context, fn: str, p: Param, v: Expr | tuple[Expr, ...] | None) -> Type:
    """What is known of an argument, or of the default that stands for it."""
    if p.kind.startswith("var-"):
        return Type("tuple" if p.kind == "var-positional" else "dict")
    assert is_expr(v)
    if id(v) in ctx.facts.vals:
        return ctx.facts.type(v)
    return ctx.walk.evaluate(ctx.calls.default(fn, p), {}).type


def private_call(
    ctx: Context,
    fn: Function,
    name: str,
    seeds: list[tuple[str, Expr]],
    e: Call,
    bound: Bound,
    s: Stmt,
) -> Call:
    """`_mix_vjp(a, b, mix_bar)`: every argument is passed, defaults included."""
    given = {id(a) for a in e.args} | {id(v) for _, v in e.kwargs}
    args: list[Expr] = []
    kwargs: list[tuple[str, Expr]] = []
    by_name = False
    for p in fn.params:
        if p.kind.startswith("var-"):  # collects nothing; a seed behind `*p` goes by name
            by_name = by_name or p.kind == "var-positional"
            continue
        v = bound[p.name]
        value = argument(ctx, v, s) if is_expr(v) and id(v) in given else ctx.calls.default(e.fn, p)
        if p.kind == "keyword-only":
            kwargs.append((p.name, value))
        else:
            args.append(value)
    if kwargs or by_name:
        return Call(f"<helper>.{name}", tuple(args), (*kwargs, *seeds))
    return Call(f"<helper>.{name}", (*args, *(bar for _, bar in seeds)))
