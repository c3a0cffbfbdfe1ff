"""Functions with several results: their cotangents one by one, and the values that a formula names.

The cotangent of a result that nothing uses is None, and makes no code.

May not know: how rules are applied otherwise, how holes are filled.
"""

from __future__ import annotations

from ..analysis.calls import rule_of
from ..analysis.several import REFUSED, REGROUPING, SPLITS, grid_axis, results_of, split_axis
from ..analysis.signatures import bind
from ..analysis.types import NONE, SCALAR, Type, same_shape
from ..ir import Assign, Call, Const, Expr, Name, Stmt, Tuple, is_expr, walk
from ..rules import Rule
from .context import Bar, Context
from .gather import Shares
from .naming import describe
from .shaping import unbroadcast

NOTHING = Const(None)


def gives_several(ctx: Context, e: Expr) -> bool:
    """Whether `e` calls a function of NumPy's that gives several results here."""
    if not isinstance(e, Call) or ctx.facts.type(e).items is None:
        return False
    if e.fn in REGROUPING:
        return True
    rule = rule_of(e, ctx.facts.type)
    return rule is not None and bool(rule.results)


def alone(ctx: Context, e: Call, k: int, bar: Bar) -> Bar:
    """The cotangent of all results of `e` where only number `k` is used."""
    items = ctx.facts.type(e).items or ()
    return Bar(
        Tuple(tuple(bar.expr if i == k % len(items) else NOTHING for i in range(len(items))))
    )


def parts(ctx: Context, e: Call, rule: Rule, bar: Expr) -> tuple[Expr, ...]:
    """The cotangent of each result; one that has no derivative is reported where it is used."""
    results = results_of(rule)
    if isinstance(bar, Tuple):
        out = bar.items
    else:
        out = tuple(Call("operator.getitem", (bar, Const(k))) for k in range(len(results)))
    for r, part in zip(results, out):
        if r.shape == REFUSED and part != NOTHING:
            reason = f"no derivative of its result {r.name!r} is known"
            ctx.problem("PB302", e, name=describe(e), reason=reason)
    return out


def cotangent_type(items: tuple[Type, ...], given: tuple[Expr, ...]) -> Type:
    """The type of `y_bar` in a formula: what is not used is None."""
    return Type("tuple", items=tuple(NONE if g == NOTHING else t for t, g in zip(items, given)))


def value(ctx: Context, e: Call, k: int, s: Stmt) -> Expr:
    """The value of result number `k`: the variable that it is unpacked into, or a part of what is returned."""
    one = Call("operator.getitem", (e, Const(k)))
    target = s.targets[0] if isinstance(s, Assign) and len(s.targets) == 1 else None
    if isinstance(s, Assign) and s.value == one and isinstance(target, Name):
        return ctx.hole(target, s, "after")
    if isinstance(s, Assign) and s.value is e and isinstance(target, Tuple):
        items = target.items
        if all(isinstance(i, Name) for i in items) and items.count(items[k]) == 1:
            return ctx.hole(items[k], s, "after")
    return Call("operator.getitem", (ctx.hole(e, s), Const(k)))


def gives_nothing(tree: Expr, given: tuple[Expr, ...]) -> bool:
    """Whether a formula reads the cotangent of an unused result; a helper at its head asks for it by itself."""
    if isinstance(tree, Call) and tree.fn.startswith("<helper>."):
        return all(g == NOTHING for g in given)
    unused = [
        Call("operator.getitem", (Name("y_bar"), Const(k)))
        for k, g in enumerate(given)
        if g == NOTHING
    ]
    return any(x in unused for x in walk(tree))


# --- arrays taken apart, and broadcast -----------------------------------------------------------


def regrouped(ctx: Context, e: Call, bar: Bar, s: Stmt) -> Shares:
    """The cotangents of the arrays that a function of REGROUPING takes apart or broadcasts."""
    bound = bind(REGROUPING[e.fn], e) or {}
    items = ctx.facts.type(e).items or ()
    if isinstance(bar.expr, Tuple):
        given = bar.expr.items
    else:
        given = tuple(Call("operator.getitem", (bar.expr, Const(k))) for k in range(len(items)))
    if e.fn in SPLITS:
        x, axis = bound["x"], bound.get("axis")
        assert is_expr(x)
        known = ctx.primal.evaluate(axis, {}).type if is_expr(axis) else None
        at = split_axis(e.fn, ctx.facts.type(x).rank(), known)
        parts = tuple(
            Call("numpy.zeros_like", (value(ctx, e, k, s),)) if g == NOTHING else g
            for k, g in enumerate(given)
        )
        along = () if at == 0 else (("axis", Const(at)),)
        yield x, Bar(Call("numpy.concatenate", (Tuple(parts, "list"),), along))
        return
    args = bound["args"]
    assert isinstance(args, tuple)
    for k, (arg, part) in enumerate(zip(args, given)):
        if part == NOTHING or not ctx.facts.active(arg):
            continue
        if e.fn == "numpy.meshgrid":
            yield arg, Bar(_of_grid(ctx, part, k, len(args), bound["indexing"], arg))
        elif same_shape(ctx.shape(part), ctx.declared(arg)):
            yield arg, Bar(part, True, False)
        else:
            yield arg, unbroadcast(ctx, Bar(part), arg, s)


def _of_grid(ctx: Context, part: Expr, k: int, count: int, indexing: object, arg: Expr) -> Expr:
    """The sum over the axes of a grid along which its argument number `k` does not run."""
    assert isinstance(indexing, Const)
    if ctx.declared(arg) == SCALAR:
        return Call("numpy.sum", (part,))
    others = [Const(i) for i in range(count) if i != grid_axis(k, indexing.value)]
    axis: Expr = others[0] if len(others) == 1 else Tuple(tuple(others))
    return Call("numpy.sum", (part,), (("axis", axis),)) if others else part
