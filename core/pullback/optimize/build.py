"""Smart constructors for arithmetic: what the engine builds adjoints with.

Each looks one level down and no further, so that a contribution that is trivial (a factor one, a
literal zero, a double negation) never enters the tree. The whole is put in shape by simplify.py.

May not know: statements, rules, types.
"""

from __future__ import annotations

from re import compile as pattern
from typing import TypeGuard

from ..ir import Call, Const, Expr

ADD = "operator.add"
SUB = "operator.sub"
MUL = "operator.mul"
DIV = "operator.truediv"
NEG = "operator.neg"
POS = "operator.pos"
POW = "operator.pow"

FLOAT_NAME = pattern(r".*_(bar|dot)\d*$")  # adjoints and tangents are floating

ZERO = Const(0.0)
ONE = Const(1.0)


def number(e: Expr) -> int | float | None:
    """The value of a real numeric literal, its sign included; None for all else (bools too)."""
    if isinstance(e, Const):
        return e.value if type(e.value) in (int, float) else None
    if is_call(e, NEG):
        inner = number(e.args[0])
        return None if inner is None else -inner
    return None


def is_call(e: Expr, *fns: str) -> TypeGuard[Call]:
    """Whether `e` applies one of the operators `fns` to plain arguments."""
    return isinstance(e, Call) and e.fn in fns


def is_zero(e: Expr) -> bool:
    """Whether `e` is a literal zero."""
    return number(e) == 0


def is_one(e: Expr) -> bool:
    """Whether `e` is a literal one."""
    return number(e) == 1


def add(a: Expr, b: Expr) -> Expr:
    """`a + b`, without literal zeros and without a negation that a minus can say."""
    if is_zero(a):
        return b
    if is_zero(b):
        return a
    positive = without_minus(b) if number(b) is None else None
    return Call(ADD, (a, b)) if positive is None else sub(a, positive)


def sub(a: Expr, b: Expr) -> Expr:
    """`a - b`, likewise."""
    if is_zero(b):
        return a
    if is_zero(a):
        return neg(b)
    if is_call(b, NEG):
        return add(a, b.args[0])
    return Call(SUB, (a, b))


def mul(a: Expr, b: Expr) -> Expr:
    """`a * b`, without ones; a literal zero makes the whole a literal zero."""
    if is_zero(a) or is_zero(b):
        return ZERO
    if is_one(a):
        return b
    if is_one(b):
        return a
    if number(a) == -1:
        return neg(b)
    if number(b) == -1:
        return neg(a)
    return Call(MUL, (a, b))


def neg(a: Expr) -> Expr:
    """`-a`, without double negation."""
    if is_call(a, NEG):
        return a.args[0]
    if is_zero(a):
        return ZERO
    if is_call(a, SUB):
        return Call(SUB, (a.args[1], a.args[0]))
    return Call(NEG, (a,))


def without_minus(e: Expr) -> Expr | None:
    """-e where `e` is written with a leading minus; None for all else."""
    if is_call(e, NEG):
        return e.args[0]
    value = number(e)
    if value is not None and value < 0:
        return Const(-value)
    if is_call(e, MUL) and number(e.args[0]) is not None and is_call(e.args[1], NEG):
        return Call(MUL, (e.args[0], e.args[1].args[0]))
    if is_call(e, MUL) and (value := number(e.args[1])) is not None and value < 0:
        return Call(MUL, (e.args[0], Const(-value)))
    if is_call(e, MUL, DIV) or is_plain_sum(e):
        first = without_minus(e.args[0])
        return None if first is None else Call(e.fn, (first, *e.args[1:]), e.kwargs)
    return None


def is_plain_sum(e: Expr) -> TypeGuard[Call]:
    """`np.sum(x)`, `np.sum(x, axis=0)`: changes its sign with x."""
    return (
        is_call(e, "numpy.sum")
        and len(e.args) == 1
        and dict(e.kwargs).keys() <= {"axis", "keepdims"}
    )


def total(contributions: list[Expr]) -> Expr:
    """The sum of several contributions in their order; a literal zero where there is none."""
    out: Expr = ZERO
    for c in contributions:
        out = add(out, c)
    return out
