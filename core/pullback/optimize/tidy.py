"""The last touch: `x += -e` reads `x -= e`, `x = x` goes, loops blind to their counter run forward.

May not know: rules, types.
"""

from __future__ import annotations

from dataclasses import replace

from ..ir import (
    Assign,
    AugAssign,
    Block,
    Call,
    Const,
    Expr,
    For,
    Function,
    If,
    Name,
    Stmt,
    While,
    bound,
    reads,
    statements,
    stmt_exprs,
)
from .build import ADD, MUL, NEG, SUB, is_call, neg, number


def tidy(fn: Function) -> Function:
    return replace(fn, body=_block(fn.body))


def _block(block: Block) -> Block:
    return tuple(_statement(s) for s in block if not _idle(s))


def _idle(s: Stmt) -> bool:
    """`x = x` of our own."""
    return (
        isinstance(s, Assign) and s.made and isinstance(s.value, Name) and s.targets == (s.value,)
    )


def _statement(s: Stmt) -> Stmt:
    if isinstance(s, AugAssign) and s.made and s.op == ADD:
        positive = _negated(s.value)
        return s if positive is None else replace(s, op=SUB, value=positive)
    if isinstance(s, (If, While)):
        return replace(s, body=_block(s.body), orelse=_block(s.orelse))
    if isinstance(s, For):
        s = replace(s, body=_block(s.body), orelse=_block(s.orelse))
        return _loop(s) if s.made else s
    return s


def _negated(e: Expr) -> Expr | None:
    """-e where `e` is written with a leading minus."""
    if is_call(e, NEG):
        return e.args[0]
    value = number(e)
    if value is not None and value < 0:
        return Const(-value)
    if is_call(e, MUL):
        first = _negated(e.args[0])
        return None if first is None else Call(MUL, (first, *e.args[1:]))
    return None


def _loop(s: For) -> For:
    names = bound(s.target)
    used: set[str] = set()
    for x in statements(s.body):
        used |= set(getattr(x, "reads", ()))
        for e in stmt_exprs(x):
            used |= reads(e)
    if names & used or not isinstance(s.target, Name):
        return s
    it = s.iter
    if isinstance(it, Call) and it.fn == "builtins.reversed":
        it = it.args[0]
    if isinstance(it, Call) and it.fn in ("builtins.range", "numpy.arange"):
        return replace(s, target=Name("_"), iter=it)
    return s


__all__ = ["Assign", "neg", "tidy"]
