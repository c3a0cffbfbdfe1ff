"""What the text of an expression shows of its value: a literal, a float, a list.

May not know: types, rules.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from fractions import Fraction
from math import isfinite
from re import compile as pattern

from ..ir import Call, Compare, Const, Dict, Expr, IfExp, Name, Opaque, Ref, Tuple
from .build import ADD, DIV, FLOAT_NAME, MUL, NEG, POS, POW, SUB, is_call, number

ARITHMETIC = (ADD, SUB, MUL, DIV, NEG, POS, POW)
_FLOAT_CALL = pattern(
    r"(numpy|math)\.(exp|expm1|log|log1p|log2|log10|sqrt|sin|cos|tan|sinh|cosh|tanh|arctan|mean|zeros)$"
)

_COUNTS = {"attr.size", "attr.ndim", "numpy.size", "numpy.ndim", "builtins.len", "builtins.float"}
_TESTS = {f"numpy.{n}" for n in ("isnan", "isfinite", "isinf", "isclose", "signbit", "isin")}
_TESTS |= {f"numpy.logical_{n}" for n in ("and", "or", "not", "xor")}
_TESTS |= {f"numpy.{n}equal" for n in ("", "not_", "less_", "greater_")}
_TESTS |= {"numpy.less", "numpy.greater", "operator.not_", "operator.invert"}
_TESTS |= {f"operator.{n}" for n in ("and_", "or_", "xor")} | {"method.astype"}


def literal(e: Expr) -> int | float | None:
    """The value of an unsigned real literal."""
    value = number(e) if isinstance(e, Const) else None
    return value if value is not None and isfinite(value) else None


def exact(a: int | float, b: int | float, op: str) -> int | float | None:
    """`a op b` where Python computes it without rounding."""
    try:
        if op == MUL:
            got, true = a * b, Fraction(a) * Fraction(b)
        elif op == ADD:
            got, true = a + b, Fraction(a) + Fraction(b)
        else:
            got, true = a / b, Fraction(a) / Fraction(b)
        return got if Fraction(got) == true else None
    except (OverflowError, ValueError, ZeroDivisionError):
        return None


def is_literal(e: Expr) -> bool:
    """Whether `e` is arithmetic on literals alone."""
    todo = [e]
    while todo:
        x = todo.pop()
        if is_call(x, *ARITHMETIC):
            todo.extend(x.args)
        elif literal(x) is None:
            return False
    return True


def shows_float(e: Expr) -> bool:
    """Whether the text of an arithmetic expression shows that its value is floating."""
    todo = [e]
    while todo:
        x = todo.pop()
        if is_call(x, DIV):
            return True
        if is_call(x, *ARITHMETIC):
            todo.extend(x.args)
        elif _is_float_atom(x):
            return True
    return False


def _is_float_atom(x: Expr) -> bool:
    if isinstance(x, Const):
        return type(x.value) is float
    if isinstance(x, Name):
        return FLOAT_NAME.match(x.id) is not None
    if not isinstance(x, Call):
        return False
    if x.fn == "operator.getitem":
        return isinstance(x.args[0], Name) and _is_float_atom(x.args[0])
    return _FLOAT_CALL.match(x.fn) is not None


def is_wide(e: Expr, narrow: AbstractSet[str]) -> bool:
    """Whether arithmetic with `e` neither wraps nor is that of bools: it is floating, or one of Python's numbers.

    `narrow` names the variables that may hold bools or short integers: `True + True` is True in an array, `-k` wraps.
    """
    if isinstance(e, Const):
        return not isinstance(e.value, bool)
    if isinstance(e, Name):
        return e.id not in narrow
    if isinstance(e, (Compare, Ref)):
        return False
    if isinstance(e, IfExp):
        return is_wide(e.body, narrow) and is_wide(e.orelse, narrow)
    if isinstance(e, Tuple):
        return any(is_wide(i, narrow) for i in e.items)
    if not isinstance(e, Call):
        return True
    return _is_wide_call(e, narrow)


def _is_wide_call(e: Call, narrow: AbstractSet[str]) -> bool:
    if e.fn in _COUNTS or e.fn == DIV or _FLOAT_CALL.match(e.fn) is not None:
        return True
    if e.fn in _TESTS:
        return False
    if e.fn in (ADD, SUB, MUL):
        return all(is_wide(a, narrow) for a in e.args) or any(_is_float(a, narrow) for a in e.args)
    if e.fn in ("operator.getitem", POW, "operator.floordiv", "operator.mod"):
        return is_wide(e.args[0], narrow)
    args = e.args[1:] if e.fn == "numpy.where" else e.args
    return not args or any(is_wide(a, narrow) and not isinstance(a, Const) for a in args)


def _is_float(e: Expr, narrow: AbstractSet[str]) -> bool:
    """Whether what `e` meets becomes floating: a number of Python's that is whole does not do that."""
    if isinstance(e, Const):
        return isinstance(e.value, (float, complex))
    return is_wide(e, narrow)


def holds_container(e: Call) -> bool:
    """Whether `+` joins lists, tuples or strings here, as far as its operands show."""
    return any(
        isinstance(a, (Tuple, Dict, Opaque))
        or (isinstance(a, Const) and isinstance(a.value, (str, bytes)))
        for a in e.args
    )
