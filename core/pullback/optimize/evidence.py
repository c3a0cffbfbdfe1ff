"""What the text of an expression shows of its value: a literal, a float, a list.

May not know: types, rules.
"""

from __future__ import annotations

from fractions import Fraction
from math import isfinite
from re import compile as pattern

from ..ir import Call, Const, Dict, Expr, Name, Opaque, Tuple
from .build import ADD, DIV, FLOAT_NAME, MUL, NEG, POS, POW, SUB, is_call, number

ARITHMETIC = (ADD, SUB, MUL, DIV, NEG, POS, POW)
_FLOAT_CALL = pattern(
    r"(numpy|math)\.(exp|expm1|log|log1p|log2|log10|sqrt|sin|cos|tan|sinh|cosh|tanh|arctan|mean|zeros)$"
)


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


def holds_container(e: Call) -> bool:
    """Whether `+` joins lists, tuples or strings here, as far as its operands show."""
    return any(
        isinstance(a, (Tuple, Dict, Opaque))
        or (isinstance(a, Const) and isinstance(a.value, (str, bytes)))
        for a in e.args
    )
