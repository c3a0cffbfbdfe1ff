"""The rule table's formulas as trees, specialized to what is known where they are used.

May not know: statements, adjoint slots.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

from ..analysis.types import MISSING, Type
from ..ir import BoolOp, Call, Compare, Const, Expr, IfExp, Name, Ref, Tuple, rebuild, walk
from ..lower import FORMULA, lower_expression

WORDS = ("unreduce", "count", "unbroadcast")
TypeOf = Callable[[str], "Type | None"]
Values = Callable[[str], "Expr | None"]
_COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}

# of a number they give NumPy's float64, which widens float32
_OF_NUMBERS = {
    "numpy.log": "math.log",
    "numpy.sin": "math.sin",
    "scipy.special.gammaln": "math.lgamma",
}
_HALVES: dict[str, Callable[[Any, Any], Any]] = {
    "operator.mul": operator.mul,
    "operator.truediv": operator.truediv,
}


@cache
def formula(text: str) -> Expr:
    """A formula's tree: helpers are called as "<helper>.NAME", the machinery's words as "<word>.NAME"."""
    return _named(lower_expression(text, FORMULA))


def _named(e: Expr) -> Expr:
    if isinstance(e, Ref) and e.qualname.startswith("builtins."):  # a parameter called `ord`
        return Name(e.text)
    e = rebuild(e, _named)
    if isinstance(e, Call) and e.fn == "?" and isinstance(e.callee, Name):
        name = e.callee.id
        return replace(e, fn=f"<word>.{name}" if name in WORDS else f"<helper>.{name}", callee=None)
    return e


@cache
def free_names(text: str) -> frozenset[str]:
    return frozenset(n.id for n in walk(formula(text)) if isinstance(n, Name))


def fold(e: Expr, type_of: TypeOf) -> Expr:
    """`e` without the conditional branches that what is known rules out, constants computed."""
    if isinstance(e, IfExp):
        test = static(e.test, type_of)
        if test is not MISSING:
            return fold(e.body if test else e.orelse, type_of)
        last = e.orelse
        while isinstance(last, IfExp):
            last = last.orelse
        if isinstance(last, Call) and last.fn.startswith("<helper>."):  # right for every case
            return fold(e.orelse, type_of)
    e = rebuild(e, lambda c: fold(c, type_of))
    if isinstance(e, Call) and e.fn == "operator.sub" and static(e.args[-1], type_of) == 0:
        t = type_of(e.args[0].id) if isinstance(e.args[0], Name) else None
        if t is not None and t.dtype not in ("int", "bool"):  # `np.sign(x - 0.0)` for a known 0.0
            return e.args[0]
    if isinstance(e, Call) and e.fn == "numpy.swapaxes" and _is_matrix(e.args[0], type_of):
        if [static(axis, type_of) for axis in e.args[1:]] == [-1, -2]:
            return Call("attr.T", e.args[:1])
    if isinstance(e, Call) and e.fn in _OF_NUMBERS:
        known = _number(e.args[0], type_of)
        if known is not None and _has_value(_OF_NUMBERS[e.fn], known):
            return Call(_OF_NUMBERS[e.fn], (Const(known),))
    if isinstance(e, Compare):
        value = static(e, type_of)
        if value is not MISSING:
            return Const(value)
    if isinstance(e, Call) and e.fn in ("operator.sub", "operator.add") and len(e.args) == 2:
        a, b = e.args
        if isinstance(b, Const) and isinstance(b.value, bool):  # `b - (b != 0)` for a known b
            if not b.value:
                return a
            known = static(a, type_of)
            one = -1 if e.fn == "operator.sub" else 1
            return (
                Const(known + one) if isinstance(known, (int, float)) else Call(e.fn, (a, Const(1)))
            )
    return e


def _has_value(fn: str, x: float) -> bool:
    """Whether Python's function of a number gives one: NumPy's gives inf or nan where that raises."""
    try:
        return math.isfinite(getattr(math, fn.removeprefix("math."))(x))
    except (OverflowError, ValueError):
        return False


def _number(e: Expr, type_of: TypeOf) -> int | float | None:
    """The number that `e` is, or twice it or half of it where the text says that."""
    if isinstance(e, Call) and e.fn in _HALVES and len(e.args) == 2:
        a, b = (_number(part, type_of) for part in e.args)
        divided_by_zero = e.fn == "operator.truediv" and b == 0
        return None if a is None or b is None or divided_by_zero else _HALVES[e.fn](a, b)
    known = static(e, type_of)
    return known if type(known) in (int, float) else None


def _is_matrix(e: Expr, type_of: TypeOf) -> bool:
    """Whether a name stands for an array of two axes."""
    t = type_of(e.id) if isinstance(e, Name) else None
    return t is not None and t.rank() == 2


def static(e: Expr, type_of: TypeOf) -> Any:
    """The value of `e` where the text decides it, else MISSING."""
    if isinstance(e, Const):
        return e.value
    if isinstance(e, Name):
        t = type_of(e.id)
        return (
            t.const
            if t is not None and (t.kind == "none" or isinstance(t.const, (int, float, str)))
            else MISSING
        )
    if isinstance(e, Call) and e.fn == "operator.getitem" and isinstance(e.args[0], Name):
        part = part_type(e, type_of)
        return MISSING if part is None or part.kind != "none" else None
    if isinstance(e, Call) and e.fn == "operator.getitem" and isinstance(e.args[0], Call):
        return _length(e.args[0], static(e.args[1], type_of), type_of)
    if isinstance(e, Call) and e.fn in ("numpy.ndim", "attr.ndim") and isinstance(e.args[0], Name):
        t = type_of(e.args[0].id)
        rank = t.rank() if t is not None else None
        return MISSING if rank is None else rank
    if isinstance(e, Call) and e.fn == "operator.not_":
        value = static(e.args[0], type_of)
        return MISSING if value is MISSING else not value
    if isinstance(e, Call) and e.fn == "operator.neg":
        value = static(e.args[0], type_of)
        return -value if isinstance(value, (int, float)) else MISSING
    if isinstance(e, Tuple):
        items = [static(i, type_of) for i in e.items]
        return MISSING if any(i is MISSING for i in items) else tuple(items)
    if isinstance(e, BoolOp):
        return _static_bool(e, type_of)
    if isinstance(e, Compare) and len(e.ops) == 1:
        return _static_compare(e, type_of)
    return MISSING


def _length(e: Call, axis: Any, type_of: TypeOf) -> Any:
    """The length of an axis, as `np.shape(x)[axis]` gives it."""
    t = type_of(e.args[0].id) if e.fn == "numpy.shape" and isinstance(e.args[0], Name) else None
    rank = None if t is None else t.rank()
    if t is None or rank is None or type(axis) is not int or not -rank <= axis < rank:
        return MISSING
    assert isinstance(t.shape, tuple)
    length = t.shape[axis]
    return MISSING if length.sym or length.cut else length.off


def part_type(e: Expr, type_of: TypeOf) -> Type | None:
    """The type of `y_bar[1]` where the parts are known."""
    if not isinstance(e, Call) or e.fn != "operator.getitem" or not isinstance(e.args[0], Name):
        return None
    t, k = type_of(e.args[0].id), e.args[1]
    if t is None or t.items is None or not isinstance(k, Const) or type(k.value) is not int:
        return None
    return t.items[k.value]


def _static_bool(e: BoolOp, type_of: TypeOf) -> Any:
    decisive = e.op == "or"
    open_ = False
    for v in e.values:
        value = static(v, type_of)
        if value is MISSING:
            open_ = True
        elif bool(value) is decisive:
            return decisive
    return MISSING if open_ else not decisive


def _static_compare(e: Compare, type_of: TypeOf) -> Any:
    op, (right,) = e.ops[0], e.rest
    a, b = static(e.first, type_of), static(right, type_of)
    if op in ("is", "is not") and b is None:
        if a is not MISSING:
            return (a is None) is (op == "is")
        t = type_of(e.first.id) if isinstance(e.first, Name) else part_type(e.first, type_of)
        if t is not None and t.kind in ("scalar", "array", "number", "tuple", "list", "str"):
            return op == "is not"
        return MISSING
    if a is MISSING or b is MISSING:
        return MISSING
    if op in ("in", "not in") and isinstance(b, (tuple, str)):
        return (a in b) is (op == "in")
    try:
        return _COMPARE[op](a, b) if op in _COMPARE else MISSING
    except TypeError:
        return MISSING


def substitute(e: Expr, values: Values, visit: Callable[[Call], Expr | None]) -> Expr:
    """`e` with the names that have values replaced; `visit` may replace a call before its arguments are looked at."""
    if isinstance(e, Name):
        return values(e.id) or e
    if isinstance(e, Call):
        got = visit(e)
        if got is not None:
            return got
    return rebuild(e, lambda c: substitute(c, values, visit))
