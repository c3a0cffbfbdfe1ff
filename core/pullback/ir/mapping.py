"""Trees made from trees. What does not change is the same node, so that facts about it still hold.

May not know: what is changed, and why.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from operator import is_not
from typing import Any

from ..steps import spend
from .nodes import (
    Assign,
    AugAssign,
    Block,
    Call,
    Expr,
    ExprStmt,
    For,
    If,
    Insert,
    Return,
    Stmt,
    While,
)
from .walking import PARTS, is_expr


def rebuild(e: Expr, change: Callable[[Expr], Expr]) -> Expr:
    """`e` with each direct child replaced by change(child); `e` itself where nothing changed."""
    spend()
    parts = PARTS[type(e)]
    if isinstance(e, Call) and e.fn == "?":
        parts = (*parts, "callee")
    new: dict[str, Any] = {}
    for name in parts:
        old = getattr(e, name)
        got = _changed(old, change)
        if got is not old:
            new[name] = got
    return replace(e, **new) if new else e


def _changed(old: Any, change: Callable[[Expr], Expr]) -> Any:
    if type(old) is tuple:
        items = tuple([_changed(o, change) for o in old])
        return items if any(map(is_not, items, old)) else old
    return change(old) if is_expr(old) else old


def duplicate(e: Expr) -> Expr:
    """A copy of `e` whose nodes are its own, so that facts can tell the two apart."""
    made = rebuild(e, duplicate)
    return made if made is not e else replace(e)


def map_statement(s: Stmt, expr: Callable[[Expr], Expr], stmt: Callable[[Stmt], Stmt]) -> Stmt:
    """`s` with `expr` applied to its expressions and targets, and `stmt` to the statements in it."""
    if isinstance(s, Assign):
        return replace(s, targets=tuple(expr(t) for t in s.targets), value=expr(s.value))
    if isinstance(s, AugAssign):
        return replace(s, target=expr(s.target), value=expr(s.value))
    if isinstance(s, ExprStmt):
        return replace(s, value=expr(s.value))
    if isinstance(s, Return):
        return s if s.value is None else replace(s, value=expr(s.value))
    if isinstance(s, Insert):
        reads, body = tuple(expr(e) for e in s.reads), tuple(stmt(x) for x in s.body)
        return replace(s, name=expr(s.name), reads=reads, body=body)
    if not isinstance(s, (If, For, While)):
        return s
    body, orelse = tuple(stmt(x) for x in s.body), tuple(stmt(x) for x in s.orelse)
    if isinstance(s, For):
        return replace(s, target=expr(s.target), iter=expr(s.iter), body=body, orelse=orelse)
    return replace(s, test=expr(s.test), body=body, orelse=orelse)


def map_blocks(s: Stmt, block: Callable[[Block], Block]) -> Stmt:
    """`s` with `block` applied to the blocks in it; `s` itself where nothing changed."""
    if not isinstance(s, (If, For, While)):
        return s
    body, orelse = block(s.body), block(s.orelse)
    return s if body is s.body and orelse is s.orelse else replace(s, body=body, orelse=orelse)


def unless_same(new: Sequence[Stmt], old: Block) -> Block:
    """`new` as a block; `old` itself where its statements are the same nodes."""
    same = len(new) == len(old) and not any(map(is_not, new, old))
    return old if same else tuple(new)


def not_elif(s: Stmt) -> Stmt:
    """`s` as a statement of its own: an `elif` becomes an `if`."""
    return replace(s, is_elif=False) if isinstance(s, If) and s.is_elif else s


def else_of(block: Sequence[Stmt]) -> Block:
    """What can stand under an `else`: an `elif` that is no longer alone in it becomes an `if`."""
    return tuple(block) if len(block) < 2 else tuple(map(not_elif, block))
