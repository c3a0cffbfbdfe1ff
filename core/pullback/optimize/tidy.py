"""The last touch: `x += -e` reads `x -= e`, what is new is not copied, `1.0 * x + y` is `x + y`.

May not know: rules, types.
"""

from __future__ import annotations

from dataclasses import replace

from ..ir import (
    Assign,
    AugAssign,
    Block,
    Const,
    Expr,
    For,
    Function,
    If,
    Return,
    Stmt,
    While,
    rebuild,
)
from .build import ADD, MUL, NEG, SUB, is_call, without_minus
from .evidence import ARITHMETIC


def tidy(fn: Function) -> Function:
    return replace(fn, body=_block(fn.body))


def _block(block: Block) -> Block:
    return tuple(_statement(s) for s in block)


def _statement(s: Stmt) -> Stmt:
    if isinstance(s, (Assign, AugAssign, Return)) and s.made and s.value is not None:
        value = _turned_once(_without_copies(_new_zeros(_without_ones(s.value))))
        s = replace(s, value=value)
    if isinstance(s, AugAssign) and s.made and s.op in (ADD, SUB):
        positive = without_minus(s.value)
        other = SUB if s.op == ADD else ADD
        return s if positive is None else replace(s, op=other, value=positive)
    if isinstance(s, (If, While)):
        return replace(s, body=_block(s.body), orelse=_block(s.orelse))
    if isinstance(s, For):
        return replace(s, body=_block(s.body), orelse=_block(s.orelse))
    return s


def _new_zeros(e: Expr) -> Expr:
    """`np.zeros_like(np.empty(n))` is `np.zeros(n)`."""
    e = rebuild(e, _new_zeros)
    if is_call(e, "numpy.zeros_like") and len(e.args) == 1 and not e.kwargs:
        [like] = e.args
        if is_call(like, "numpy.zeros", "numpy.empty", "numpy.ones") and not like.kwargs:
            return replace(e, fn="numpy.zeros", args=like.args)
    return e


def _without_copies(e: Expr) -> Expr:
    """`x.copy() + y` is `x + y`: arithmetic makes an array of its own."""
    e = rebuild(e, _without_copies)
    if not is_call(e, *ARITHMETIC):
        return e
    args = tuple(a.args[0] if is_call(a, "method.copy") and a.args else a for a in e.args)
    return e if args == e.args else replace(e, args=args)


def _turned_once(e: Expr) -> Expr:
    """`x.T.T` is `x`."""
    e = rebuild(e, _turned_once)
    if is_call(e, "attr.T") and is_call(inner := e.args[0], "attr.T"):
        return inner.args[0]
    return e


def _without_ones(e: Expr) -> Expr:
    """`1.0 * x + 2.0 * y` is `x + 2.0 * y`: the sum is new and floating without the first factor."""
    e = rebuild(e, _without_ones)
    if is_call(e, ADD) or is_call(e, SUB):
        a, b = e.args
        if (bare := _after_one(a)) is not None and _floats(b):
            return replace(e, args=(bare, b))
        if (bare := _after_one(b)) is not None and _floats(a):
            return replace(e, args=(a, bare))
    return e


def _after_one(e: Expr) -> Expr | None:
    """x of `1.0 * x`."""
    return e.args[1] if is_call(e, MUL) and e.args[0] == Const(1.0) else None


def _floats(e: Expr) -> bool:
    """A float takes part in the value, as the text shows."""
    if isinstance(e, Const):
        return isinstance(e.value, float)
    if is_call(e, ADD) or is_call(e, SUB) or is_call(e, MUL) or is_call(e, NEG):
        return any(_floats(a) for a in e.args)
    return is_call(e, "operator.truediv")
