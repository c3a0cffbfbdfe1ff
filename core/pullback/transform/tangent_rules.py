"""The tangent that a rule of the table gives to a call.

An elementwise function adds up its partial derivatives times the tangents of its arguments; a linear one
is the function itself on tangents; any other states its tangent. Of a stated tangent only the terms of
active arguments stay.

May not know: which functions are taken apart otherwise, statements.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from ..analysis.calls import argument_types
from ..analysis.signatures import Bound, bind, misfit, parameters
from ..analysis.types import SCALAR
from ..ir import Call, Compare, Const, Expr, IfExp, Name, Tuple, is_expr, rebuild, walk
from ..optimize.build import ADD, MUL, NEG, SUB, add, mul, neg, number, sub
from ..rules import Rule, rule_for
from .by_rule import as_taken, cheapest, chooses, is_unbounded, specialized
from .gather import argument, is_active, shares_memory
from .naming import describe
from .tangent_state import Dot, Tangents, is_full, zero

Full = Callable[
    [Expr], Dot
]  # the tangent of an expression in its whole shape, zeros where it is zero


def by_rule(
    t: Tangents, e: Call, rule: Rule, tangent: Callable[[Expr], Dot | None], full: Full
) -> Dot | None:
    """The tangent of `e`, which the entry `rule` covers; None where it does not vary."""
    bound = bind(rule.signature, e)
    if bound is None:  # it has been told, unless the call was made on the way here
        if not t.ctx.facts.problems:
            t.ctx.problem("PB302", e, name=describe(e), reason=misfit(rule.signature, e)[1])
        return None
    if rule.kind == "elementwise":
        return _elementwise(t, e, rule, bound, tangent)
    if rule.kind == "linear":
        return _linear(t, e, rule, bound, full)
    return _stated(t, e, rule, bound, full)


# --- elementwise -----------------------------------------------------------------------------------


def _elementwise(
    t: Tangents, e: Call, rule: Rule, bound: Bound, tangent: Callable[[Expr], Dot | None]
) -> Dot | None:
    terms: list[Expr] = []
    steep = False
    for p in rule.reverse:
        arg = bound.get(p)
        if not _moves(t, rule, arg):
            continue
        if not is_expr(arg) or isinstance(arg, Tuple):
            t.ctx.problem("PB110", e, construct=f"argument {p} of {describe(e)}")
            continue
        d = tangent(arg)
        if d is None:
            continue
        tree = partial(t, e, rule, bound, p)
        terms.append(_chosen(t, e, d, tree) if chooses(e) and d.steep else _times(d.expr, tree))
        powers = "/" in rule.reverse[p] or "**" in rule.reverse[p]
        steep = steep or d.steep or powers or is_unbounded(t.ctx, tree)
    if not terms:
        return None
    whole = terms[0]
    for term in terms[1:]:
        whole = add(whole, term)
    whole = t.ctx.simplified(whole)
    if any(_is_complex_zero(v) for v in bound.values()):  # `x + 0j` is complex, whatever x is
        whole = Call(ADD, (whole, Const(0j)))
    return Dot(whole, is_full(t, whole, e), not shares_memory(whole), steep)


def _moves(t: Tangents, rule: Rule, arg: object) -> bool:
    """Whether an argument varies, or may share with the result what varies at another time."""
    if is_active(t.ctx, arg):
        return True
    return rule.memory != "fresh" and is_expr(arg) and t.lives(arg)


def _is_complex_zero(v: object) -> bool:
    return isinstance(v, Const) and isinstance(v.value, complex) and v.value == 0


def _times(dot: Expr, slope: Expr) -> Expr:
    return mul(dot, slope) if number(slope) is None else mul(slope, dot)


def partial(t: Tangents, e: Call, rule: Rule, bound: Bound, p: str) -> Expr:
    """The derivative of elementwise `e` with respect to its parameter `p`."""
    types = argument_types(t.ctx.primal, bound)
    text = cheapest(e, rule.reverse[p], p)
    return specialized(t.ctx, e, text, bound, types, _given(t, rule, bound), t.stmt)


def _chosen(t: Tangents, e: Call, d: Dot, tree: Expr) -> Expr:
    """The tangent of a value that `e` may pass over, which then must not matter even if it is infinite."""
    test = Compare(tree, ("!=",), (Const(0.0),))
    value = t.ctx.simplified(mul(d.expr, tree))
    if t.ctx.declared(e) == SCALAR:
        return IfExp(test, value, Const(0.0))
    return Call("numpy.where", (test, value, Const(0.0)))


def _given(t: Tangents, rule: Rule, bound: Bound) -> dict[str, Expr]:
    out: dict[str, Expr] = {}
    for p, v in bound.items():
        if isinstance(v, tuple):
            out[p] = Tuple(tuple(argument(t.ctx, i, t.stmt) for i in v))
        else:
            out[p] = as_taken(t.ctx, rule, p, v, t.stmt)
    return out


# --- linear ----------------------------------------------------------------------------------------


def _linear(t: Tangents, e: Call, rule: Rule, bound: Bound, full: Full) -> Dot | None:
    """The function itself, on the tangents of the parameters in which it is linear together."""
    whole = rule.shape != "broadcast"
    dots: dict[int, Dot] = {}
    for p in rule.reverse:
        v = bound.get(p)
        if isinstance(v, tuple):
            if is_active(t.ctx, v):
                t.ctx.problem("PB113", e, name=describe(e))
            return None
        if v is not None and t.lives(v):
            dots[id(v)] = full(v)
    if not dots:
        return None

    def moved(p: str | None, v: Expr) -> Expr:
        if id(v) in dots:
            return dots[id(v)].expr
        if p in rule.reverse:
            return zero(t, t.ctx.facts.type(v), t.ctx.hole(v, t.stmt)) if whole else Const(0.0)
        return argument(t.ctx, v, t.stmt)

    by_id = {id(v): p for p, v in bound.items()}
    args = tuple(moved(by_id.get(id(a)), a) for a in e.args)
    kwargs = tuple((k, moved(k, v)) for k, v in e.kwargs)
    made = replace(e, args=args, kwargs=kwargs, origin=None)
    steep = any(d.steep for d in dots.values())
    is_whole = whole or is_full(t, made, e)
    return Dot(made, is_whole, not shares_memory(made), steep)


# --- stated ----------------------------------------------------------------------------------------


def _stated(t: Tangents, e: Call, rule: Rule, bound: Bound, full: Full) -> Dot | None:
    active = [p for p in rule.reverse if _moves(t, rule, bound.get(p))]
    if not active:
        return None
    given = _given(t, rule, bound)
    steep = False
    for p in active:
        v = bound[p]
        if not is_expr(v):
            t.ctx.problem("PB113", e, name=describe(e))
            return None
        d = full(v)
        given[f"{p}_dot"] = d.expr
        steep = steep or d.steep
    still = {f"{p}_dot" for p in rule.reverse if p not in active}
    for p in rule.reverse:
        arg = bound.get(p)
        if p not in active and is_expr(arg):
            given[f"{p}_dot"] = zero(t, t.ctx.facts.type(arg), t.ctx.hole(arg, t.stmt))
    text = rule.tangent
    types = argument_types(t.ctx.primal, bound)
    tree = specialized(t.ctx, e, text, bound, types, given, t.stmt, lambda x: _varying(x, still))
    made = t.ctx.simplified(_without_defaults(tree))
    if number(made) == 0:
        return None
    is_whole = rule.shape != "broadcast" or is_full(t, made, e)
    return Dot(made, is_whole, not shares_memory(made), steep or "/" in text)


def _varying(e: Expr, still: set[str]) -> Expr:
    """A stated tangent without the terms in which only what stands still is named; a helper is passed its zeros."""
    dots = {n.id for n in walk(e) if isinstance(n, Name) and n.id.endswith("_dot")}
    if dots and dots <= still:
        return Const(0.0)
    if not dots & still or (isinstance(e, Call) and e.fn.startswith("<helper>.")):
        return e
    e = rebuild(e, lambda c: _varying(c, still))
    build: Mapping[str, Callable[..., Expr]] = {ADD: add, SUB: sub, MUL: mul, NEG: neg}
    return build[e.fn](*e.args) if isinstance(e, Call) and e.fn in build else e


def _without_defaults(e: Expr) -> Expr:
    """Calls of NumPy in a formula, without the arguments that say what is so anyway."""
    e = rebuild(e, _without_defaults)
    rule = rule_for(e.fn) if isinstance(e, Call) and e.fn.startswith("numpy.") else None
    if not isinstance(e, Call) or rule is None or rule.kind not in ("linear", "general"):
        return e
    usual = {p.name: p.default for p in parameters(rule.signature)}
    places = [p.name for p in parameters(rule.signature) if not p.keyword_only]
    args = e.args
    while args and len(args) <= len(places) and usual.get(places[len(args) - 1]) == args[-1]:
        args = args[:-1]
    kwargs = tuple((k, v) for k, v in e.kwargs if usual.get(k) != v)
    return replace(e, args=args, kwargs=kwargs)
