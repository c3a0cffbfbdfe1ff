"""Python's order of evaluation inside of one statement.

May not know: what is evaluated for.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from itertools import pairwise

from ..ir import (
    Assign,
    AugAssign,
    BoolOp,
    Compare,
    Const,
    Expr,
    ExprStmt,
    For,
    If,
    IfExp,
    Name,
    Ref,
    Return,
    Slice,
    Star,
    Stmt,
    children,
    rebuild,
)

Path = tuple[Expr, ...]


def first(e: Expr, wanted: Collection[int]) -> Path | None:
    """The way from `e` to the first of the `wanted` nodes that is evaluated, if that is surely evaluated."""
    for c in _always(e):
        below = first(c, wanted)
        if below is not None:
            return (e, *below)
    return (e,) if id(e) in wanted else None


def before(path: Path) -> list[Expr]:
    """What is evaluated before the end of `path` and may give something else after it."""
    out: list[Expr] = []
    for above, at in pairwise(path):
        for c in children(above):
            if c is at:
                break
            out += _held(c)
    return out


def _held(e: Expr) -> list[Expr]:
    """The values in `e` that a name can hold and that may change."""
    if isinstance(e, (Slice, Star)):
        return [h for c in children(e) for h in _held(c)]
    return [] if isinstance(e, (Const, Name, Ref)) else [e]


def swapped(e: Expr, swaps: Mapping[int, Expr]) -> Expr:
    """`e` with the nodes that `swaps` knows by identity replaced."""
    return swaps[id(e)] if id(e) in swaps else rebuild(e, lambda c: swapped(c, swaps))


def _always(e: Expr) -> tuple[Expr, ...]:
    """The parts of `e` that are evaluated whatever the others give, in order."""
    if isinstance(e, IfExp):
        return (e.test,)
    if isinstance(e, BoolOp):
        return e.values[:1]
    if isinstance(e, Compare):
        return (e.first, *e.rest[:1])
    return children(e)


def value_of(s: Stmt) -> Expr | None:
    """The expression that `s` evaluates once and first."""
    if isinstance(s, If):
        return s.test
    if isinstance(s, For):
        return s.iter
    return s.value if isinstance(s, (Assign, AugAssign, ExprStmt, Return)) else None


def with_value(s: Stmt, value: Expr) -> Stmt:
    """`s` evaluating `value` in the place of that."""
    if isinstance(s, If):
        return replace(s, test=value, is_elif=False, verbatim=False)
    if isinstance(s, For):
        return replace(s, iter=value, verbatim=False)
    assert isinstance(s, (Assign, AugAssign, ExprStmt, Return))
    return replace(s, value=value, verbatim=False)
