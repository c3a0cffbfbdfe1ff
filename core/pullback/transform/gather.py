"""What the adjoints of expressions have in common: contributions, and the cotangents that make them.

May not know: rules, which function is at hand, how contributions are added up.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from ..ir import Call, Const, Expr, Name, Stmt, Tuple, is_expr, walk
from .context import Bar, Context, weight
from .naming import describe
from .shaping import is_view

Shares = Iterator[tuple[Expr, Bar]]  # operands of a call, each with its cotangent


@dataclass
class Gather:
    """The contributions of one statement: to whole variables, and to parts of them."""

    whole: dict[str, list[tuple[Bar, Expr]]] = field(default_factory=dict)
    parts: list[tuple[str, tuple[Expr, ...], Bar, str]] = field(default_factory=list)

    def add(self, name: str, bar: Bar, at: Expr) -> None:
        self.whole.setdefault(name, []).append((bar, at))


def shared(ctx: Context, bar: Bar, uses: int, e: Expr, s: Stmt) -> Bar:
    """`bar`, bound to a name where it would be computed more than once."""
    if uses < 2 or is_view(bar.expr) or weight(bar.expr) == 0 or static_scalar(ctx, bar.expr):
        return bar
    bar = replace(bar, expr=ctx.simplified(bar.expr))
    if isinstance(bar.expr, Name):
        return bar
    return replace(bar, expr=ctx.bind(bar.expr, f"{describe(e)}_bar", s), owned=False)


def static_scalar(ctx: Context, e: Expr) -> bool:
    """A number made of literals and sizes: cheap to write twice."""
    for n in walk(e):
        if isinstance(n, Name) and not (n.id in ctx.holes and ctx.holes[n.id].query):
            return False
    return weight(e) <= 4


def is_active(ctx: Context, arg: object) -> bool:
    """Whether an argument, or one of those that `*args` takes, is differentiated."""
    if isinstance(arg, tuple):
        return any(ctx.facts.active(a) for a in arg)
    return is_expr(arg) and ctx.facts.active(arg)


def argument(ctx: Context, e: Expr, s: Stmt) -> Expr:
    """An argument's value in the backward pass; displays keep their form."""
    if isinstance(e, Tuple):
        return Tuple(tuple(argument(ctx, i, s) for i in e.items), e.kind)
    return ctx.hole(e, s)


def dim(ctx: Context, base: Expr, axis: int, s: Stmt) -> Expr:
    """The length of `base` along an axis."""
    shape = ctx.declared(base)
    if isinstance(shape, tuple) and -len(shape) <= axis < len(shape):
        d = shape[axis]
        if not d.sym and not d.cut:
            return Const(d.off)
    return ctx.hole(base, s, query=f"dim {axis}")


_FORMS = """
    reshape ravel transpose swapaxes moveaxis rollaxis squeeze expand_dims broadcast_to flip flipud
    fliplr rot90 diagonal diag real imag asarray atleast_1d atleast_2d split array_split
    _untranspose _rollaxis_bar _unpad _pad_bar _diag_bar _unreduced
"""  # functions and helpers
# those of a new array are the one name of its memory, which can be written
_MOVES = {"reshape", "ravel", "transpose", "swapaxes", "moveaxis", "squeeze", "expand_dims"}
_MOVES |= {"flip", "flipud", "fliplr", "rot90"}


def shares_memory(e: Expr) -> bool:
    """`e` may be another form of its argument's memory."""
    if not isinstance(e, Call):
        return True
    room, _, name = e.fn.rpartition(".")
    if room == "numpy" and name in _MOVES and e.args:
        inner = e.args[0]
        return not (isinstance(inner, Call) and inner.fn.startswith("numpy.")) or shares_memory(
            inner
        )
    if room in ("numpy", "method", "<helper>"):
        return name in _FORMS.split()
    return room == "attr" or e.fn == "operator.getitem"
