"""What the text of an expression shows of its value: a literal, a float, a list.

May not know: types, rules.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from fractions import Fraction
from math import isfinite
from re import compile as pattern

from ..ir import Call, Const, Dict, Expr, IfExp, Name, Opaque, Ref, Tuple
from .build import ADD, DIV, FLOAT_NAME, MUL, NEG, POS, POW, SUB, is_call, number

ARITHMETIC = (ADD, SUB, MUL, DIV, NEG, POS, POW)
_FLOAT_CALL = pattern(
    r"(numpy|math)\.(exp|expm1|log|log1p|log2|log10|sqrt|sin|cos|tan|sinh|cosh|tanh|arctan|mean|zeros)$"
)

_COUNTS = {
    "attr.size",
    "attr.ndim",
    "attr.shape",
    "numpy.size",
    "numpy.ndim",
    "numpy.shape",
    "builtins.len",
}
# what is floating of what is floating: arithmetic, and functions that move, choose or add up elements
_FOLLOWS = {*ARITHMETIC, "operator.getitem", "operator.floordiv", "operator.mod", "operator.matmul"}
_FOLLOWS |= {f"attr.{n}" for n in ("T", "real", "imag")}
_OF_ELEMENTS = """
    abs absolute add amax amin array asarray atleast_1d average broadcast_to ceil clip column_stack
    concatenate conj copy cross cumprod cumsum diag diagonal diff divide dot einsum expand_dims flatten flip
    floor fmax fmin full_like hstack inner kron matmul max maximum mean min minimum moveaxis multiply negative
    ones_like outer pad pop positive prod ravel real repeat reshape roll sign sort square squeeze stack std
    subtract sum swapaxes take tensordot tile trace transpose tril triu var vdot vstack where zeros_like
"""
_FOLLOWS |= {f"{of}.{n}" for of in ("numpy", "method", "builtins") for n in _OF_ELEMENTS.split()}
_CONSTANTS = {f"{of}.{n}" for of in ("math", "numpy") for n in ("pi", "e", "inf", "nan")}


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


def is_floating(e: Expr, narrow: AbstractSet[str]) -> bool:
    """Whether the value of `e` is surely floating, and makes floating what it meets.

    `narrow` names the variables that may hold something else: whole numbers, bools, short integers.
    """
    if isinstance(e, Const):
        return isinstance(e.value, (float, complex))
    if isinstance(e, Name):
        return e.id not in narrow
    if isinstance(e, Ref):
        return e.qualname in _CONSTANTS
    if isinstance(e, IfExp):
        return is_floating(e.body, narrow) and is_floating(e.orelse, narrow)
    if isinstance(e, Tuple):
        return any(is_floating(i, narrow) for i in e.items)
    if not isinstance(e, Call):
        return False
    if e.fn in (DIV, "builtins.float") or _FLOAT_CALL.match(e.fn) or e.fn.startswith("<"):
        return True
    if e.fn not in _FOLLOWS or _says_dtype(e):
        return False
    if e.fn in ("operator.getitem", POW) or e.fn.endswith("_like"):
        return is_floating(e.args[0], narrow)
    chosen = e.args[1:] if e.fn == "numpy.where" else e.args
    return any(is_floating(a, narrow) for a in chosen)


def _says_dtype(e: Call) -> bool:
    """Whether a function is told a dtype, or may be: by its keyword, or by a name of the module's."""
    named = any(isinstance(a, Ref) and a.qualname not in _CONSTANTS for a in e.args[1:])
    return "dtype" in dict(e.kwargs) or (named and not e.fn.startswith("operator."))


def is_wide(e: Expr, narrow: AbstractSet[str]) -> bool:
    """Whether arithmetic with `e` alone neither wraps nor is that of bools: it is floating, or a number of Python's.

    `True + True` is True in an array, and `-k` wraps where k has eight bits.
    """
    if is_floating(e, narrow):
        return True
    if isinstance(e, Const):
        return not isinstance(e.value, bool)
    if is_call(e, *ARITHMETIC, "operator.getitem"):
        whole = e.args[:1] if e.fn == "operator.getitem" else e.args
        return all(is_wide(a, narrow) for a in whole)
    return isinstance(e, Call) and e.fn in _COUNTS


def holds_container(e: Call) -> bool:
    """Whether `+` joins lists, tuples or strings here, as far as its operands show."""
    return any(
        isinstance(a, (Tuple, Dict, Opaque))
        or (isinstance(a, Const) and isinstance(a.value, (str, bytes)))
        for a in e.args
    )
