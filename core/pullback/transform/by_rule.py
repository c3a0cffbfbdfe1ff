"""The cotangents that a rule of the table gives to the arguments of a call.

An elementwise function multiplies by its partial derivative; any other rule states each cotangent. Its
formula is specialized to the call: names become holes, words what they stand for.

May not know: which functions are taken apart otherwise, how contributions are added up, how holes are filled.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ..analysis.calls import argument_types
from ..analysis.containers import is_container
from ..analysis.shapes import int_of
from ..analysis.signatures import Bound, bind, misfit
from ..analysis.types import MISSING, SCALAR, Type, same_shape
from ..ir import (
    Assign,
    AugAssign,
    Call,
    Compare,
    Const,
    Expr,
    IfExp,
    Name,
    Stmt,
    Tuple,
    is_expr,
    walk,
)
from ..optimize.build import is_zero, mul, number
from ..rules import Rule
from . import several
from .complexes import conjugate, made_complex
from .context import Bar, Context, weight
from .finite import may_be_unbounded, unbounded_names
from .formulas import Values, fold, formula, free_names, substitute
from .gather import Shares, argument, dim, is_active, shared, shares_memory
from .naming import describe
from .shaping import fit, is_elementwise, materialize, unreduce
from .symmetry import is_symmetric


def shares(ctx: Context, e: Call, rule: Rule, bar: Bar, s: Stmt) -> Shares:
    """The active arguments of `e`, each with the cotangent that the rule gives it."""
    bound = bind(rule.signature, e)
    if bound is None:  # it has been told, unless the call was made on the way here
        if not ctx.facts.problems:
            ctx.problem("PB302", e, name=describe(e), reason=misfit(rule.signature, e)[1])
        return
    types = argument_types(ctx.primal, bound)
    active = [p for p in rule.reverse if is_active(ctx, bound.get(p))]
    items = ctx.facts.type(e).items
    if items is not None:
        bar = replace(bar, expr=Tuple(several.parts(ctx, e, rule, bar.expr)))
    elif rule.kind != "elementwise" and (bar.excess or not rule.spread):
        bar = materialize(ctx, bar, e, s)
    uses = sum(
        1 for p in active if rule.kind == "elementwise" or "y_bar" in free_names(rule.reverse[p])
    )
    mine = bar.owned and len(active) == 1  # then the one argument may have the memory of `bar`
    if items is None:
        bar = shared(ctx, bar, uses, e, s)
    bar = replace(bar, owned=mine and items is None)
    given = _values(ctx, bound, s, bar, rule)
    for p in active:
        arg = bound[p]
        if isinstance(arg, tuple):
            ctx.problem("PB113", e, name=describe(e))
            continue
        if rule.kind == "elementwise" and isinstance(arg, Tuple):
            ctx.problem("PB110", arg, construct=f"{arg.kind} display as an array")
            continue
        text, turned = cheapest(e, rule.reverse[p], p), _conjugates(rule)
        if items is not None and _unused(text, types, items, bar.expr):
            continue
        tree = specialized(ctx, e, text, bound, types, given, s, conjugated=turned)
        if rule.kind == "elementwise":
            tree = conjugate(ctx, tree) if rule.conjugate else tree
            if _is_mask(tree):
                tree, bar = _weighted(ctx, tree, bar, e, s)
            made = _scaled(ctx, e, arg, tree, bar, s, _steep(rule.reverse[p], bound))
        else:
            made = _given(ctx, e, arg, tree, rule, bar, s)
        if not is_zero(made.expr):  # a literal zero has no shape, and adds nothing
            yield arg, made


def _scaled(ctx: Context, e: Call, arg: Expr, tree: Expr, bar: Bar, s: Stmt, steep: bool) -> Bar:
    """The cotangent of an operand of elementwise `e`: `bar` times the partial derivative `tree`.

    A `steep` partial may be infinite; so may one that is made of an infinite value.
    """
    one_for_all = ctx.shape(tree) == SCALAR != ctx.declared(e)  # infinite for all elements, or none
    guarded = bar.masked and not one_for_all and (steep or is_unbounded(ctx, tree))
    bar = shared(ctx, bar, 2 if guarded else 1, e, s)
    got = ctx.simplified(mul(bar.expr, tree))
    if guarded:
        got = _where_used(ctx, bar.expr, got, e)
    shape = ctx.declared(e)
    if is_zero(got):
        return Bar(got)
    full = bar.full or same_shape(ctx.shape(tree), shape) or shape == SCALAR
    made = weight(got) > 0 and not shares_memory(got)
    owned = made or bar.owned
    new = Bar(got, full, owned, _masked(ctx, e, bar, s), bar.excess)
    return fit(ctx, new, e, arg, s, isinstance(arg, Name) or is_elementwise(arg))


def is_unbounded(ctx: Context, tree: Expr) -> bool:
    """Whether a primal value that `tree` is made of may be infinite or nan."""
    if ctx.unbounded is None:
        ctx.unbounded = unbounded_names(ctx.fn)
    holes = (ctx.holes[n.id] for n in walk(tree) if isinstance(n, Name) and n.id in ctx.holes)
    return any(not h.query and may_be_unbounded(h.expr, ctx.unbounded) for h in holes)


def _steep(partial: str, bound: Bound) -> bool:
    """Whether a partial derivative may be infinite where its operands are not: no power of 1 and above is."""
    exponent = bound.get("b") if "**" in partial else None
    if isinstance(exponent, Const) and (number(exponent) or 0) >= 1:
        return False
    return "/" in partial or "**" in partial


def _given(ctx: Context, e: Call, arg: Expr, tree: Expr, rule: Rule, bar: Bar, s: Stmt) -> Bar:
    """The cotangent of an operand that the formula `tree` gives as it is."""
    got, shape = ctx.simplified(tree), ctx.declared(arg)
    if is_zero(got):
        return Bar(got)
    full = not rule.spread or shape == SCALAR or same_shape(ctx.shape(got), shape)
    made = isinstance(got, Call) and not shares_memory(got)
    owned = made or (bar.owned and not _read_only(got))
    new = Bar(got, full, owned, _masked(ctx, e, bar, s))
    return fit(ctx, new, e, arg, s) if rule.shape == "broadcast" else new


def _read_only(e: Expr) -> bool:
    """`e` may be a view that NumPy lets nobody write into."""
    names = {n.fn.rpartition(".")[2] for n in walk(e) if isinstance(n, Call)}
    return bool(names & {"broadcast_to", "diag", "diagonal", "_diag_bar"})


def _is_mask(e: Expr) -> bool:
    """Whether a partial derivative is an array of bools."""
    return isinstance(e, Compare) or (
        isinstance(e, Call) and e.fn in ("numpy.isfinite", "numpy.isnan")
    )


def _weighted(ctx: Context, mask: Expr, bar: Bar, e: Call, s: Stmt) -> tuple[Expr, Bar]:
    """A mask and a cotangent whose product is floating: `1.0 * mask` would be simplified to the bools."""
    if ctx.declared(e) == SCALAR:
        return Call("builtins.float", (mask,)), bar
    return mask, materialize(ctx, bar, e, s)


# what chooses among values, or reads one triangle: the cotangent of a value that is not used is exactly zero
_CHOOSING = {
    "where", "maximum", "minimum", "fmax", "fmin", "clip", "max", "min", "amax", "amin", "nan_to_num",
    "take", "choose", "select", "tril", "triu", "diag", "diagonal", "compress",
    "cholesky", "cho_factor", "eigh", "eigvalsh", "solve_triangular",
    "nansum", "nanmean", "nanprod", "nancumsum", "nancumprod", "nanmax", "nanmin", "nanvar", "nanstd",
}  # fmt: skip


_DECOMPOSING = ("cholesky", "eigh", "eigvalsh")


def chooses(e: Call) -> bool:
    """Whether `e` may pass over values of its arguments."""
    return e.fn.rpartition(".")[2] in _CHOOSING


def _masked(ctx: Context, e: Call, bar: Bar, s: Stmt) -> bool:
    """Whether the cotangent of an argument may be zero where its value is infinite and not used."""
    if e.fn.rpartition(".")[2] not in _DECOMPOSING or ctx.facts.type(e.args[0]).rank() != 2:
        return bar.masked or chooses(e)
    return not is_symmetric(ctx, e.args[0], s)  # an infinite value is in all that these give


def _where_used(ctx: Context, bar: Expr, value: Expr, e: Expr) -> Expr:
    """`value`, but zero where the cotangent is zero: an infinite slope there does not matter."""
    test = Compare(bar, ("!=",), (Const(0.0),))
    if ctx.declared(e) == SCALAR:
        return IfExp(test, value, Const(0.0))
    return Call("numpy.where", (test, value, Const(0.0)))


def _unused(text: str, types: dict[str, Type], items: tuple[Type, ...], y_bar: Expr) -> bool:
    """Whether the formula `text` is of results that nothing uses."""
    assert isinstance(y_bar, Tuple)
    known = {**types, "y_bar": several.cotangent_type(items, y_bar.items)}
    return several.gives_nothing(fold(formula(text), known.get), y_bar.items)


def _conjugates(rule: Rule) -> bool:
    """Whether the names in a formula stand for conjugates; an elementwise partial is conjugated as a whole."""
    return rule.conjugate and rule.kind != "elementwise"


def _values(ctx: Context, bound: Bound, s: Stmt, bar: Bar, rule: Rule) -> dict[str, Expr]:
    out: dict[str, Expr] = {}
    for p, v in bound.items():
        if isinstance(v, tuple):
            out[p] = Tuple(tuple(argument(ctx, i, s) for i in v))
        else:
            out[p] = as_taken(ctx, rule, p, v, s)
        out[p] = conjugate(ctx, out[p]) if _conjugates(rule) else out[p]
    return {"y_bar": bar.expr, **out}


def as_taken(ctx: Context, rule: Rule, p: str, v: Expr, s: Stmt) -> Expr:
    """What stands for `p` in a formula: an array where the function took a list for one."""
    value = argument(ctx, v, s)
    taken = p in rule.reverse or rule.kind == "elementwise" or ctx.facts.active(v)
    listed = taken and is_container(ctx.facts.type(v))
    return Call("numpy.asarray", (value,)) if listed else value


def result_hole(ctx: Context, e: Expr, s: Stmt) -> Expr:
    """The value of `e` itself: its variable where the statement gives it a name."""
    target = _holder(ctx, e, s)
    if isinstance(target, Name):
        return ctx.hole(target, s, "after")
    element = isinstance(target, Call) and target.fn == "operator.getitem"
    if isinstance(target, Call) and element and isinstance(target.args[0], Name):
        if same_shape(ctx.declared(target), ctx.declared(e)):
            return ctx.hole(target, s, "after")
    return ctx.hole(e, s)


def _holder(ctx: Context, e: Expr, s: Stmt) -> Expr | None:
    """The target that `s` stores the value of `e` into."""
    if isinstance(s, Assign) and s.value is e and len(s.targets) == 1:
        return s.targets[0]
    if isinstance(s, AugAssign) and ctx.facts.augmented.get(id(s)) is e:
        return s.target
    return None


def cheapest(e: Call, text: str, p: str) -> str:
    """The partial derivative `text`, or a simpler one: `1 / b` has the derivative -y * y: no division."""
    if e.fn == "operator.truediv" and p == "b" and e.args[0] in (Const(1.0), Const(1)):
        return "-y * y"
    return text


def specialized(
    ctx: Context,
    e: Call,
    text: str,
    bound: Bound,
    types: dict[str, Type],
    given: dict[str, Expr],
    s: Stmt,
    kept: Callable[[Expr], Expr] = lambda tree: tree,
    *,
    conjugated: bool = False,
) -> Expr:
    """The formula `text` at the call `e`; `kept` may drop parts of it before its names are looked at."""
    types = {**types, "y": ctx.facts.type(e), "y_bar": ctx.facts.type(e)}
    items, y_bar = types["y"].items, given.get("y_bar")
    if items is not None and isinstance(y_bar, Tuple):
        types["y_bar"] = several.cotangent_type(items, y_bar.items)
    tree = kept(fold(formula(text), types.get))
    for n in walk(tree):
        if isinstance(n, Call) and n.fn.startswith("<helper>."):
            ctx.helpers.add(n.fn.removeprefix("<helper>."))

    def values(name: str) -> Expr | None:
        """The result `y` becomes a hole only where the formula names it."""
        if name != "y" or name in given:
            return given.get(name)
        if items is not None:
            return Tuple(tuple(several.value(ctx, e, k, s) for k in range(len(items))))
        y = result_hole(ctx, e, s)
        return conjugate(ctx, y) if conjugated else y

    def visit(c: Call) -> Expr | None:
        return _word(ctx, c, e, bound, types, values, s)

    return substitute(tree, values, visit)


_QUERIES = {
    "numpy.shape": "shape",
    "attr.shape": "shape",
    "numpy.size": "size",
    "attr.size": "size",
}
_QUERIES |= {"numpy.ndim": "ndim", "attr.ndim": "ndim", "builtins.len": "dim 0"}


def _word(
    ctx: Context, c: Call, e: Call, bound: Bound, types: dict[str, Type], values: Values, s: Stmt
) -> Expr | None:
    """The machinery's words in a formula, and questions about shapes, which need no values."""
    if c.fn == "operator.getitem" and c.args[0] in (Name("y"), Name("y_bar")):
        return _one_of_several(ctx, c, e, values, s)
    if c.fn == "operator.getitem" and isinstance(c.args[0], Call) and c.args[0].fn in _QUERIES:
        k = c.args[1]
        if _QUERIES[c.args[0].fn] == "shape" and isinstance(k, Const) and type(k.value) is int:
            base = _primal_of(c.args[0].args[0], e, bound)
            return None if base is None else dim(ctx, base, k.value, s)
        return None
    if c.fn in _QUERIES and len(c.args) == 1:
        base = _primal_of(c.args[0], e, bound)
        return None if base is None else ctx.hole(base, s, query=_QUERIES[c.fn])
    if c.fn == "<word>.unbroadcast":
        base = _primal_of(c.args[1], e, bound)
        bar = Bar(
            substitute(c.args[0], values, lambda n: _word(ctx, n, e, bound, types, values, s)), True
        )
        if base is None or same_shape(ctx.shape(bar.expr), ctx.declared(base)):
            return bar.expr
        if c.args[0] == Name("y_bar"):  # of e's own shape
            return fit(ctx, bar, e, base, s).expr
        ctx.helpers.add("_unbroadcast")
        return Call("<helper>._unbroadcast", (bar.expr, ctx.hole(base, s, query="shape")))
    if c.fn == "numpy.conj" and c.args == (Name("y_bar"),):
        y_bar = values("y_bar")
        return None if y_bar is None or made_complex(ctx, y_bar) else y_bar
    if c.fn == "<word>.unreduce":
        inner = substitute(c.args[0], values, lambda n: _word(ctx, n, e, bound, types, values, s))
        return _unreduce(ctx, inner, c.args[1:], bound, types, values)
    if c.fn == "<word>.count":
        return _count(ctx, c, e, bound, types, values, s)
    return None


def _one_of_several(ctx: Context, c: Call, e: Call, values: Values, s: Stmt) -> Expr | None:
    """`y[1]`, `y_bar[1]` of a function with several results."""
    k = c.args[1]
    if ctx.facts.type(e).items is None or not isinstance(k, Const):
        return None
    if c.args[0] == Name("y"):
        return several.value(ctx, e, k.value, s)
    y_bar = values("y_bar")
    return y_bar.items[k.value] if isinstance(y_bar, Tuple) else None


def _primal_of(arg: Expr, e: Call, bound: Bound) -> Expr | None:
    if not isinstance(arg, Name):
        return None
    if arg.id in ("y", "y_bar"):
        return e
    got = bound.get(arg.id)
    return got if is_expr(got) and not isinstance(got, (Const, Tuple)) else None


def _unreduce(
    ctx: Context,
    bar: Expr,
    how: tuple[Expr, ...],
    bound: Bound,
    types: dict[str, Type],
    values: Values,
) -> Expr:
    axis, keep = how
    first = next(iter(bound.values()))
    shape = ctx.declared(first) if is_expr(first) else None
    rank = len(shape) if isinstance(shape, tuple) else None
    axis_type = types.get(axis.id) if isinstance(axis, Name) else None
    keep_type = types.get(keep.id) if isinstance(keep, Name) else None
    kept = (
        keep.value
        if isinstance(keep, Const)
        else keep_type.const
        if keep_type is not None
        else MISSING
    )
    may_be_none = axis_type is not None and axis_type.kind == "any" and kept is not True
    if kept is MISSING or (may_be_none and ctx.shape(bar) != SCALAR):
        ctx.helpers.add("_unreduced")
        flag = substitute(keep, values, lambda _: None)
        return Call("<helper>._unreduced", (bar, substitute(axis, values, lambda _: None), flag))
    return unreduce(bar, substitute(axis, values, lambda _: None), axis_type, kept, rank, ctx)


def _count(
    ctx: Context, c: Call, e: Call, bound: Bound, types: dict[str, Type], values: Values, s: Stmt
) -> Expr:
    base = _primal_of(c.args[0], e, bound)
    axis = c.args[1]
    if base is None:  # of what is written out
        whole = Call("numpy.size", (substitute(c.args[0], values, lambda _: None),))
        every = isinstance(axis, Name) and types[axis.id].kind == "none"
        return whole if every else Call("operator.truediv", (whole, ctx.hole(e, s, query="size")))
    t = types.get(axis.id) if isinstance(axis, Name) else None
    if t is not None and t.kind == "none":
        return ctx.hole(base, s, query="size")
    one = int_of(t)
    if one is not None:
        return dim(ctx, base, one, s)
    if (
        t is not None
        and t.items is not None
        and all(int_of(i) is not None for i in t.items)
        and t.items
    ):
        out = dim(ctx, base, t.items[0].const, s)
        for i in t.items[1:]:
            out = mul(out, dim(ctx, base, i.const, s))
        return out
    size, result = ctx.hole(base, s, query="size"), ctx.hole(e, s, query="size")
    return Call("operator.truediv", (size, result))
