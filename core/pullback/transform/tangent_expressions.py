"""The tangent of an expression, built like the expression itself.

Subscripts, displays, stacking and einsum are linear in their operands, so their tangent is the same
function of the operands' tangents. A function of the workspace is called once, by its private jvp, which
gives value and tangent.

May not know: statements, how holes are filled.
"""

from __future__ import annotations

from dataclasses import replace

from ..analysis.calls import rule_of
from ..analysis.containers import TAKE
from ..analysis.own_rules import RULED
from ..analysis.several import GRIDS, REFUSED, SPLITS, results_of
from ..analysis.signatures import Bound, bind_to, of_function
from ..analysis.structure import DISPLAYS, STACKING, makes_copy
from ..ir import (
    Assign,
    Call,
    Const,
    Dict,
    Expr,
    Function,
    IfExp,
    Name,
    Return,
    Star,
    Tuple,
    is_expr,
    reads,
    stmt_exprs,
)
from ..ir.marks import ROOT, SOLVED, THROUGH, is_mark
from ..optimize.build import add
from ..rules import Rule
from . import own_rules, tangent_containers
from .equations import root
from .expressions import argument_type, private_call
from .marks import identical
from .naming import construct, describe
from .odes import ODEINT
from .several import gives_several
from .solutions import equation
from .tangent_containers import as_array
from .tangent_holes import filled
from .tangent_rules import by_rule
from .tangent_solutions import root_found, solved
from .tangent_state import WHOLE, Dot, Tangents, own, widened, zero


def tangent(t: Tangents, e: Expr) -> Dot | None:
    """The tangent of primal `e` in the statement at hand; None where it is zero."""
    if not t.lives(e):
        return None
    if isinstance(e, Name):
        if e.id not in t.named:
            return None
        known = t.known
        return Dot(Name(t.name(e.id)), e.id not in known.thin, False, e.id in known.steep)
    if isinstance(e, Tuple):
        return Dot(replace(e, items=tuple(_item(t, i) for i in e.items), origin=None))
    if isinstance(e, Dict):
        return Dot(replace(e, values=tuple(_item(t, v) for v in e.values), origin=None))
    if isinstance(e, IfExp):
        return _conditional(t, e)
    if isinstance(e, Call):
        return _call(t, e)
    t.ctx.problem("PB110", e, construct=construct(e))
    return None


def whole_tangent(t: Tangents, e: Expr) -> Dot:
    """The tangent of `e` in its full shape: zeros where it does not vary."""
    d = tangent(t, e)
    like = t.ctx.hole(e, t.stmt)
    if d is None:
        return Dot(zero(t, t.ctx.facts.type(e), like))
    return widened(t, d, e, like)


def _item(t: Tangents, e: Expr) -> Expr:
    """The tangent of a part of a display."""
    if isinstance(e, Star):
        return Star(whole_tangent(t, e.value).expr)
    if t.ctx.facts.type(e).dtype in WHOLE:
        return Const(0.0)
    return held(t, e).expr


def held(t: Tangents, e: Expr) -> Dot:
    """The tangent of what a container takes in, which may be written there."""
    d = whole_tangent(t, e)
    return replace(d, expr=own(t, e, d))


def taken(t: Tangents, e: Call, whole: Name) -> Call:
    """The tangent of `xs.pop()`: it leaves the list of tangents as the value leaves that of values."""
    at = tuple(t.ctx.hole(a, t.stmt) for a in e.args[1:])
    return replace(e, args=(Name(t.name(whole.id)), *at), origin=None)


def _conditional(t: Tangents, e: IfExp) -> Dot:
    inline, t.inline = t.inline, True
    body, orelse = whole_tangent(t, e.body), whole_tangent(t, e.orelse)
    made = filled(t, IfExp(t.ctx.hole(e.test, t.stmt), body.expr, orelse.expr))
    t.inline = inline
    return Dot(made, True, body.owned and orelse.owned, body.steep or orelse.steep)


def _call(t: Tangents, e: Call) -> Dot | None:
    part = tangent_containers.of_call(t, e, lambda x: held(t, x))
    if part is not None:
        return part
    if e.fn == "operator.getitem":
        return _element(t, e)
    if e.fn in DISPLAYS:
        return _display(t, e)
    if e.fn in STACKING:
        return _stacked(t, e)
    if e.fn == "numpy.einsum":
        return _einsum(t, e)
    if e.fn == ROOT:
        eq = root(e, t.ctx.calls)
        places = eq.moving(t.ctx.facts)
        return root_found(t, e, eq, {k: whole_tangent(t, eq.args[k]).expr for k in places})
    if e.fn == SOLVED:
        moving = equation(e).moving(t.ctx.facts)
        return solved(t, e, {a: whole_tangent(t, a).expr for a in moving})
    if is_mark(e):
        same = identical(t.ctx, e) if e.fn == THROUGH else None
        return None if same is None else tangent(t, same)
    if e.fn == TAKE and isinstance(e.args[0], Name):
        return Dot(taken(t, e, e.args[0])) if e.args[0].id in t.named else None
    if e.fn in SPLITS:
        return Dot(_on_first(t, e, whole_tangent(t, e.args[0]).expr), True, False)
    if e.fn in GRIDS:
        dots = tuple(whole_tangent(t, a).expr for a in e.args)
        return Dot(replace(e, args=dots, origin=None), True, e.fn == "numpy.meshgrid")
    if e.fn == ODEINT:
        reason = "in forward mode it is not differentiated yet; `vjp` differentiates it"
        t.ctx.problem("PB302", e, name=describe(e), reason=reason)
        return None
    rule = rule_of(e, t.ctx.facts.type)
    if rule is not None and rule.kind not in ("constant", "unsupported"):
        report_refused(t, e, rule)
        if e.fn.startswith("<helper>."):  # takes containers as they are
            return by_rule(t, e, rule, lambda x: tangent(t, x), lambda x: whole_tangent(t, x))
        return by_rule(t, e, rule, lambda x: _operand(t, x), lambda x: _whole_operand(t, x))
    fn = t.ctx.calls.function(e.fn)
    if fn is not None and RULED in fn.flags:
        return _own_rule(t, e, fn)
    if fn is None and rule is None and t.ctx.facts.active(e):
        t.ctx.unknown(e)
    return None if fn is None or rule is not None else own_function(t, e)


def report_refused(t: Tangents, e: Call, rule: Rule) -> None:
    """Reports results of `e` that nobody has given a derivative, where they are used."""
    for k, r in enumerate(results_of(rule) if gives_several(t.ctx, e) else ()):
        if r.shape == REFUSED and _is_used(t, e, k):
            reason = f"no derivative of its result {r.name!r} is known"
            t.ctx.problem("PB302", e, name=describe(e), reason=reason)


def _is_used(t: Tangents, e: Call, k: int) -> bool:
    """Whether result number `k` of `e` may be read."""
    s = t.stmt
    if isinstance(s, Assign) and s.value is e and isinstance(s.targets[0], Tuple):
        target = s.targets[0].items[k]
        tops = (x for other in t.ctx.flow.stmts.values() for x in stmt_exprs(other))
        return not isinstance(target, Name) or any(target.id in reads(x) for x in tops)
    part = s.value if isinstance(s, (Assign, Return)) else None
    if isinstance(part, Call) and part.fn == "operator.getitem" and part.args[0] is e:
        return part.args[1] == Const(k)
    return True


def _operand(t: Tangents, e: Expr) -> Dot | None:
    """The tangent of what a rule takes: numbers and arrays."""
    return as_array(t, tangent(t, e), e)


def _whole_operand(t: Tangents, e: Expr) -> Dot:
    d = whole_tangent(t, e)
    return as_array(t, d, e) or d


# --- subscripts, displays, products --------------------------------------------------------------


def _element(t: Tangents, e: Call) -> Dot | None:
    """`x[i]` has the tangent `x_dot[i]`: a view of it where `x[i]` is one."""
    base, index = e.args
    d = tangent(t, base)
    if d is None:
        return None
    d = widened(t, d, base, t.ctx.hole(base, t.stmt))
    made = Call("operator.getitem", (d.expr, t.ctx.index(index, t.stmt)))
    return Dot(made, True, False, d.steep)


def _display(t: Tangents, e: Call) -> Dot | None:
    """`np.array([a, b])` has the tangent `np.array([a_dot, b_dot])`."""
    if not e.args:
        return None
    made = _on_first(t, e, _numbers(t, e.args[0]))
    return Dot(made, True, makes_copy(e))


def _numbers(t: Tangents, e: Expr) -> Expr:
    """The tangent of a display that becomes an array: whole numbers have the tangent zero, not None."""
    if isinstance(e, Tuple):
        return replace(e, items=tuple(_numbers(t, i) for i in e.items), origin=None)
    if isinstance(e, Star):
        return Star(whole_tangent(t, e.value).expr)
    return whole_tangent(t, e).expr


def _stacked(t: Tangents, e: Call) -> Dot:
    return Dot(_on_first(t, e, _numbers(t, e.args[0])))


def _on_first(t: Tangents, e: Call, first: Expr) -> Expr:
    """The call `e` on another first argument."""
    args = (first, *(t.ctx.hole(a, t.stmt) for a in e.args[1:]))
    kwargs = tuple((k, t.ctx.hole(v, t.stmt)) for k, v in e.kwargs)
    return replace(e, args=args, kwargs=kwargs, origin=None)


def _einsum(t: Tangents, e: Call) -> Dot | None:
    """A product: the sum of it with each operand in turn replaced by its tangent."""
    terms: list[Expr] = []
    for k, x in enumerate(e.args[1:], 1):
        if t.ctx.facts.active(x):
            dot = whole_tangent(t, x).expr
            args = (*(t.ctx.hole(a, t.stmt) for a in e.args[:k]), dot)
            rest = tuple(t.ctx.hole(a, t.stmt) for a in e.args[k + 1 :])
            terms.append(replace(e, args=(*args, *rest), origin=None))
    if not terms:
        return None
    out = terms[0]
    for term in terms[1:]:
        out = add(out, term)
    return Dot(out)


# --- functions of the workspace ------------------------------------------------------------------


def _own_rule(t: Tangents, e: Call, fn: Function) -> Dot | None:
    """The tangent that the user's own rule gives."""
    found = own_rules.followed(t.ctx, e, fn, "tangent")
    if found is None:
        return None
    rule, bound = found
    given = dict(own_rules.values(t.ctx, e, fn, rule, bound, t.stmt))
    for name, p in zip(rule.params, fn.params):
        if name in rule.moving and is_expr(v := bound[p.name]):
            given[f"{name}_dot"] = whole_tangent(t, v).expr
    if rule.formulas:
        return Dot(own_rules.put_in(rule.formulas[0], given), owned=False)
    return Dot(own_rules.call_of(rule, given))


def own_function(t: Tangents, e: Call) -> Dot | None:
    """Value and tangent from the private jvp, in temporaries that the statement then uses."""
    found = own_call(t, e)
    if found is None:
        return None
    call = found
    if t.inline:
        return Dot(Call("operator.getitem", (call, Const(1))), True, _is_fresh(t, e))
    value = t.ctx.namer.fresh(describe(e))
    dot = t.ctx.namer.fresh(f"{value}_dot")
    t.ctx.made[dot] = t.ctx.facts.of(e)
    t.emit_early(Tuple((Name(value), Name(dot))), filled(t, call))
    t.held[id(e)] = value
    return Dot(Name(dot), True, _is_fresh(t, e))


def _is_fresh(t: Tangents, e: Call) -> bool:
    return not t.ctx.facts.of(e).view


def own_call(t: Tangents, e: Call) -> Call | None:
    """The call of the private jvp in the place of `e`, which gives value and tangent."""
    ctx = t.ctx
    fn = ctx.calls.function(e.fn)
    if fn is None:
        return None
    bound = None if any(isinstance(a, Star) for a in e.args) else bind_to(of_function(fn), e)
    if bound is None or not _plain(bound, e):
        ctx.problem("PB113", e, name=describe(e))
        return None
    wanted = [p for p in fn.params if is_expr(v := bound.get(p.name)) and t.lives(v)]
    types = tuple(argument_type(ctx, e.fn, p, bound.get(p.name)) for p in fn.params)
    made = ctx.calls.private(e.fn, tuple(p.name for p in wanted), types)
    if made is None:
        return None
    name, seeds = made
    dots = [whole_tangent(t, v).expr for p in wanted if is_expr(v := bound[p.name])]
    return private_call(ctx, fn, name, list(zip(seeds, dots)), e, bound, t.stmt)


def _plain(bound: Bound, e: Call) -> bool:
    """Nothing is collected by `*args` or `**kwargs`."""
    return all(k in bound for k, _ in e.kwargs) and not any(
        v for v in bound.values() if isinstance(v, tuple)
    )
