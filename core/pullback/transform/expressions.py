"""The cotangent of an expression, handed down to the variables that it reads.

Elementwise functions multiply by their partial; other rules give the cotangent of each argument; the
structural functions (subscripts, displays, stacking, einsum) are in structural.py.

May not know: how contributions are added up, how holes are filled.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ..analysis.calls import DISPLAYS, STACKING, argument_types
from ..analysis.shapes import int_of
from ..analysis.signatures import Bound, bind, bind_to, of_function
from ..analysis.types import MISSING, SCALAR, Dim, Type, same_shape
from ..ir import (
    Assign,
    AugAssign,
    Call,
    Compare,
    Const,
    Expr,
    Function,
    IfExp,
    Name,
    Param,
    Star,
    Stmt,
    Tuple,
    is_expr,
    walk,
)
from ..optimize.build import mul
from ..optimize.simplify import simplify
from ..rules import Rule, rule_for
from . import structural
from .context import Bar, Context, weight
from .formulas import fold, formula, free_names, substitute
from .naming import describe
from .shaping import fit, is_view, materialize, unreduce


@dataclass
class Gather:
    """The contributions of one statement: to whole variables, and to parts of them."""

    whole: dict[str, list[tuple[Bar, Expr]]] = field(default_factory=dict)
    parts: list[tuple[str, tuple[Expr, ...], Bar, str]] = field(default_factory=list)

    def add(self, name: str, bar: Bar, at: Expr) -> None:
        self.whole.setdefault(name, []).append((bar, at))


def adjoint(ctx: Context, e: Expr, bar: Bar, s: Stmt, to: Gather) -> None:
    """Hands the cotangent `bar` of primal `e` in statement `s` down to variables."""
    if not ctx.facts.active(e):
        return
    if bar.excess and not _elementwise(ctx, e):
        bar = materialize(ctx, bar, e, s)
    if isinstance(e, Name):
        to.add(e.id, bar, e)
    elif isinstance(e, Call):
        _call(ctx, e, bar, s, to)
    else:
        ctx.problem("PB110", e, construct=type(e).__name__.lower())


def _call(ctx: Context, e: Call, bar: Bar, s: Stmt, to: Gather) -> None:
    if ctx.facts.type(e).dtype == "complex":
        ctx.problem(
            "PB302", e, name=describe(e), reason="complex numbers are not differentiated yet"
        )
        return
    if e.fn == "operator.getitem":
        structural.getitem(ctx, e, bar, s, to)
    elif e.fn in DISPLAYS:
        structural.display(ctx, e, bar, s, to)
    elif e.fn in STACKING:
        structural.stacked(ctx, e, bar, s, to)
    elif e.fn == "numpy.einsum":
        structural.einsum(ctx, e, bar, s, to)
    else:
        rule = rule_for(e.fn)
        if rule is not None and rule.kind not in ("constant", "unsupported"):
            by_rule(ctx, e, rule, bar, s, to)
        elif ctx.calls.function(e.fn) is not None:
            _own_function(ctx, e, bar, s, to)


def result_hole(ctx: Context, e: Expr, s: Stmt) -> Expr:
    """The value of `e` itself: its variable where the statement gives it a name."""
    named = isinstance(s, Assign) and s.value is e and len(s.targets) == 1
    if named or (isinstance(s, AugAssign) and ctx.facts.augmented.get(id(s)) is e):
        target = s.targets[0] if isinstance(s, Assign) else s.target  # type: ignore[union-attr]
        if isinstance(target, Name):
            return ctx.hole(target, s, "after")
        if (
            isinstance(target, Call)
            and target.fn == "operator.getitem"
            and isinstance(target.args[0], Name)
        ):
            if same_shape(ctx.declared(target), ctx.declared(e)):
                return ctx.hole(target, s, "after")
    return ctx.hole(e, s)


def by_rule(ctx: Context, e: Call, rule: Rule, bar: Bar, s: Stmt, to: Gather) -> None:
    bound = bind(rule.signature, e)
    if bound is None:
        return
    types = argument_types(ctx.primal, bound)
    active = [p for p in rule.reverse if _is_active(ctx, bound.get(p))]
    if rule.kind != "elementwise" and (bar.excess or not rule.spread):
        bar = materialize(ctx, bar, e, s)
    uses = sum(
        1 for p in active if rule.kind == "elementwise" or "y_bar" in free_names(rule.reverse[p])
    )
    bar = shared(ctx, bar, uses, e, s)
    given = _values(ctx, e, bound, s, bar)
    for p in active:
        arg = bound[p]
        if isinstance(arg, tuple):
            ctx.problem("PB113", e, name=describe(e))
            continue
        if rule.kind == "elementwise" and isinstance(arg, Tuple):
            ctx.problem("PB110", arg, construct=f"{arg.kind} display as an array")
            continue
        tree = _specialized(ctx, e, _cheapest(e, rule.reverse[p], p), bound, types, given, s)
        if rule.kind == "elementwise":
            if _is_mask(tree):
                tree, bar = _weighted(ctx, tree, bar, e, s)
            got = simplify(mul(bar.expr, tree))
            if bar.masked and ("/" in rule.reverse[p] or "**" in rule.reverse[p]):
                got = _where_used(ctx, bar.expr, got, e)
            full = (
                bar.full
                or same_shape(ctx.shape(tree), ctx.declared(e))
                or ctx.declared(e) == SCALAR
            )
            made = weight(got) > 0 and not shares_memory(got)
            owned = (bar.owned and got is not bar.expr) or made
            masked = bar.masked or e.fn.rpartition(".")[2] in MASKING
            new = fit(
                ctx, Bar(got, full, owned, masked, bar.excess), e, arg, s, _elementwise(ctx, arg)
            )
        else:
            got = simplify(tree)
            full = (
                not rule.spread
                or ctx.declared(arg) == SCALAR
                or same_shape(ctx.shape(got), ctx.declared(arg))
            )
            owned = isinstance(got, Call) and not shares_memory(got)
            new = Bar(got, full, owned, bar.masked or e.fn.rpartition(".")[2] in MASKING)
            if rule.shape == "broadcast":
                new = fit(ctx, new, e, arg, s)
        adjoint(ctx, arg, new, s, to)


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


def shared(ctx: Context, bar: Bar, uses: int, e: Expr, s: Stmt) -> Bar:
    """`bar`, bound to a name where it would be computed more than once."""
    if uses < 2 or is_view(bar.expr) or weight(bar.expr) == 0 or static_scalar(ctx, bar.expr):
        return bar
    bar = replace(bar, expr=simplify(bar.expr))
    if isinstance(bar.expr, Name):
        return bar
    return replace(bar, expr=ctx.bind(bar.expr, f"{describe(e)}_bar", s), owned=False)


# what chooses among values: the cotangent of a value that is not chosen is exactly zero
MASKING = {
    "where", "maximum", "minimum", "fmax", "fmin", "clip", "max", "min", "amax", "amin", "nan_to_num",
    "take", "choose", "select", "tril", "triu", "diag", "diagonal", "compress",
}  # fmt: skip


def _where_used(ctx: Context, bar: Expr, value: Expr, e: Expr) -> Expr:
    """`value`, but zero where the cotangent is zero: an infinite slope there does not matter."""
    test = Compare(bar, ("!=",), (Const(0.0),))
    if ctx.declared(e) == SCALAR:
        return IfExp(test, value, Const(0.0))
    return Call("numpy.where", (test, value, Const(0.0)))


def _elementwise(ctx: Context, e: Expr) -> bool:
    """`e` is itself an elementwise function of active values: broadcasting can be undone below it."""
    if not isinstance(e, Call):
        return False
    rule = rule_for(e.fn)
    return rule is not None and rule.kind == "elementwise"


_FORMS = """
    reshape ravel transpose swapaxes moveaxis rollaxis squeeze expand_dims broadcast_to flip flipud
    fliplr rot90 diagonal diag real imag asarray atleast_1d atleast_2d split array_split
    _untranspose _rollaxis_bar _unpad _pad_bar _diag_bar _unreduced
"""  # functions and helpers


def shares_memory(e: Expr) -> bool:
    """`e` may be another form of its argument's memory."""
    if not isinstance(e, Call):
        return True
    room, _, name = e.fn.rpartition(".")
    if room in ("numpy", "method", "helper"):
        return name in _FORMS.split()
    return room == "attr" or e.fn == "operator.getitem"


def static_scalar(ctx: Context, e: Expr) -> bool:
    """A number made of literals and sizes: cheap to write twice."""
    for n in walk(e):
        if isinstance(n, Name) and not (n.id in ctx.holes and ctx.holes[n.id].query):
            return False
    return weight(e) <= 4


def _is_active(ctx: Context, arg: object) -> bool:
    if isinstance(arg, tuple):
        return any(ctx.facts.active(a) for a in arg)
    return is_expr(arg) and ctx.facts.active(arg)


def _values(ctx: Context, e: Call, bound: Bound, s: Stmt, bar: Bar) -> dict[str, Expr]:
    out: dict[str, Expr] = {"y_bar": bar.expr}
    for p, v in bound.items():
        if isinstance(v, tuple):
            out[p] = Tuple(tuple(argument(ctx, i, s) for i in v))
        else:
            out[p] = argument(ctx, v, s)
    return out


def argument(ctx: Context, e: Expr, s: Stmt) -> Expr:
    """An argument's value in the backward pass; displays keep their form."""
    if isinstance(e, Tuple):
        return Tuple(tuple(argument(ctx, i, s) for i in e.items), e.kind)
    return ctx.hole(e, s)


def _cheapest(e: Call, text: str, p: str) -> str:
    """`1 / b` has the derivative -y * y: no division."""
    if e.fn == "operator.truediv" and p == "b" and e.args[0] in (Const(1.0), Const(1)):
        return "-y * y"
    return text


class _Lazy(dict[str, Expr]):
    """Substitution values where the result `y` becomes a hole only if the formula names it."""

    def __init__(self, given: dict[str, Expr], ctx: Context, e: Call, s: Stmt) -> None:
        super().__init__(given)
        self.place = (ctx, e, s)

    def get(self, name: str, default: Expr | None = None) -> Expr | None:  # type: ignore[override]
        if name == "y" and "y" not in self:
            self["y"] = result_hole(*self.place)
        return super().get(name, default)


def _specialized(
    ctx: Context,
    e: Call,
    text: str,
    bound: Bound,
    types: dict[str, Type],
    given: dict[str, Expr],
    s: Stmt,
) -> Expr:
    types = {**types, "y": ctx.facts.type(e), "y_bar": ctx.facts.type(e)}
    tree = fold(formula(text), types.get)
    for n in walk(tree):
        if isinstance(n, Call) and n.fn.startswith("helper."):
            ctx.helpers.add(n.fn.removeprefix("helper."))

    def visit(c: Call) -> Expr | None:
        return _word(ctx, c, e, bound, types, values, s)

    values = _Lazy(given, ctx, e, s)
    return substitute(tree, values, visit)


_QUERIES = {
    "numpy.shape": "shape",
    "attr.shape": "shape",
    "numpy.size": "size",
    "attr.size": "size",
}
_QUERIES |= {"numpy.ndim": "ndim", "attr.ndim": "ndim", "builtins.len": "dim 0"}


def _word(
    ctx: Context, c: Call, e: Call, bound: Bound, types: dict[str, Type], values: _Lazy, s: Stmt
) -> Expr | None:
    """The machinery's words in a formula, and questions about shapes, which need no values."""
    if c.fn == "operator.getitem" and isinstance(c.args[0], Call) and c.args[0].fn in _QUERIES:
        k = c.args[1]
        if _QUERIES[c.args[0].fn] == "shape" and isinstance(k, Const) and type(k.value) is int:
            base = _primal_of(c.args[0].args[0], e, bound)
            return None if base is None else dim(ctx, base, k.value, s)
        return None
    if c.fn in _QUERIES and len(c.args) == 1:
        base = _primal_of(c.args[0], e, bound)
        return None if base is None else ctx.hole(base, s, query=_QUERIES[c.fn])
    if c.fn == "word.unbroadcast":
        base = _primal_of(c.args[1], e, bound)
        bar = Bar(
            substitute(c.args[0], values, lambda n: _word(ctx, n, e, bound, types, values, s)), True
        )
        if base is None:
            return bar.expr
        if c.args[0] == Name("y_bar"):  # of e's own shape
            return fit(ctx, bar, e, base, s).expr
        ctx.helpers.add("_unbroadcast")
        return Call("helper._unbroadcast", (bar.expr, ctx.hole(base, s, query="shape")))
    if c.fn == "word.unreduce":
        return _unreduce(ctx, c, bound, types, values)
    if c.fn == "word.count":
        return _count(ctx, c, e, bound, types, s)
    return None


def _primal_of(arg: Expr, e: Call, bound: Bound) -> Expr | None:
    if not isinstance(arg, Name):
        return None
    if arg.id in ("y", "y_bar"):
        return e
    got = bound.get(arg.id)
    return got if is_expr(got) and not isinstance(got, (Const, Tuple)) else None


def _unreduce(ctx: Context, c: Call, bound: Bound, types: dict[str, Type], values: _Lazy) -> Expr:
    what, axis, keep = c.args
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
    bar = substitute(what, values, lambda _: None)
    if kept is MISSING:
        ctx.helpers.add("_unreduced")
        flag = substitute(keep, values, lambda _: None)
        return Call("helper._unreduced", (bar, substitute(axis, values, lambda _: None), flag))
    return unreduce(bar, substitute(axis, values, lambda _: None), axis_type, kept, rank, ctx)


def _count(ctx: Context, c: Call, e: Call, bound: Bound, types: dict[str, Type], s: Stmt) -> Expr:
    base = _primal_of(c.args[0], e, bound)
    if base is None:
        return Call("numpy.size", c.args[:1])
    axis = c.args[1]
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


def dim(ctx: Context, base: Expr, axis: int, s: Stmt) -> Expr:
    """The length of `base` along an axis."""
    shape = ctx.declared(base)
    if isinstance(shape, tuple) and -len(shape) <= axis < len(shape):
        d = shape[axis]
        if d == Dim("", d.off) and not d.sym:
            return Const(d.off)
    return ctx.hole(base, s, query=f"dim {axis}")


def _own_function(ctx: Context, e: Call, bar: Bar, s: Stmt, to: Gather) -> None:
    """A function of the workspace: its private vjp gives the cotangents of its active parameters."""
    fn = ctx.calls.function(e.fn)
    if fn is None or any(isinstance(a, Star) for a in e.args):
        ctx.problem("PB113", e, name=describe(e))
        return
    bound = bind_to(of_function(fn), e)
    if bound is None:
        ctx.problem("PB113", e, name=describe(e))
        return
    named = [p for p, v in bound.items() if is_expr(v) and ctx.facts.active(v)]
    if len(named) != len([v for v in bound.values() if _is_active(ctx, v)]):
        ctx.problem("PB113", e, name=describe(e))
        return
    order = [p.name for p in fn.params]
    active = [p for p in order if p in named]
    types = tuple(_argument_type(ctx, e.fn, p, bound[p.name]) for p in fn.params)
    made = ctx.calls.private_vjp(e.fn, tuple(active), types)
    if made is None:
        return
    bar = materialize(ctx, bar, e, s)
    call = _private_call(ctx, fn, made, e, bound, bar, s)
    if len(active) == 1:
        adjoint(ctx, bound[active[0]], Bar(call, True, False), s, to)  # type: ignore[arg-type]
        return
    names = []
    for p in active:
        temp = ctx.namer.fresh(f"{fn.name}_{p}_bar")
        ctx.made[temp] = ctx.facts.of(bound[p])  # type: ignore[arg-type]
        names.append(temp)
    ctx.emit(Assign((Tuple(tuple(Name(n) for n in names)),), call, origin=s.origin, made=True))
    for p, n in zip(active, names):
        adjoint(ctx, bound[p], Bar(Name(n), True, False), s, to)  # type: ignore[arg-type]


def _argument_type(ctx: Context, fn: str, p: Param, v: Expr | tuple[Expr, ...]) -> Type:
    """What is known of an argument, or of the default that stands for it."""
    if isinstance(v, tuple):
        return Type("tuple")
    if id(v) in ctx.facts.vals:
        return ctx.facts.type(v)
    return ctx.walk.evaluate(ctx.calls.default(fn, p), {}).type


def _private_call(
    ctx: Context, fn: Function, made: tuple[str, str], e: Call, bound: Bound, bar: Bar, s: Stmt
) -> Call:
    """`_mix_vjp(a, b, mix_bar)`: every argument is passed, defaults included."""
    given = {id(a) for a in e.args} | {id(v) for _, v in e.kwargs}
    args: list[Expr] = []
    kwargs: list[tuple[str, Expr]] = []
    for p in fn.params:
        v = bound[p.name]
        value = argument(ctx, v, s) if id(v) in given else ctx.calls.default(e.fn, p)  # type: ignore[arg-type]
        if p.kind == "keyword-only":
            kwargs.append((p.name, value))
        else:
            args.append(value)
    name, seed = made
    if kwargs:
        return Call(f"helper.{name}", tuple(args), (*kwargs, (seed, bar.expr)))
    return Call(f"helper.{name}", (*args, bar.expr))
