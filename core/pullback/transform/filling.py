"""Backward code with holes, made whole: each hole becomes what the plan says.

May not know: how a value is had.
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from dataclasses import replace

from ..ir import (
    Assign,
    AugAssign,
    Call,
    Expr,
    ExprStmt,
    For,
    If,
    Note,
    Return,
    Stmt,
    rebuild,
    statements,
    stmt_exprs,
    walk,
)
from ..optimize.liveness import negated
from .context import is_hole
from .floating import written_out
from .plan import Plan
from .remade import AGAIN


def holes_of(codes: Iterable[Iterable[Stmt]]) -> list[str]:
    """The holes in the backward code, in order of first use."""
    found: dict[str, None] = {}
    for code in codes:
        for s in statements(tuple(code)):
            for e in stmt_exprs(s):
                found.update((n.id, None) for n in walk(e) if is_hole(n))
    return list(found)


def filled(code: Iterable[Stmt], plan: Plan, narrow: AbstractSet[str]) -> list[Stmt]:
    """Backward code with its values in place, and what was recorded restored where its blocks begin."""
    out: list[Stmt] = []
    for s in code:
        if isinstance(s, Note) and s.text.startswith("\0"):
            owner, _, arm = s.text[1:].partition(":")
            out += plan.restores.get((int(owner), arm), [])
        elif isinstance(s, Note) and s.text.startswith(AGAIN):
            out += plan.remade[s.text.removeprefix(AGAIN)]
        else:
            out.append(_filled_statement(s, plan, narrow))
    return out


def _filled_value(e: Expr, plan: Plan) -> Expr:
    return plan.filled[e.id] if is_hole(e) else rebuild(e, lambda c: _filled_value(c, plan))


def _filled_statement(s: Stmt, plan: Plan, narrow: AbstractSet[str]) -> Stmt:
    """Values are simplified now that they are whole."""

    def value(e: Expr) -> Expr:
        return _filled_value(e, plan)

    def full(e: Expr) -> Expr:
        return written_out(value(e), narrow)

    if isinstance(s, Assign):
        return replace(s, targets=tuple(value(t) for t in s.targets), value=full(s.value))
    if isinstance(s, AugAssign):
        return replace(s, target=value(s.target), value=full(s.value))
    if isinstance(s, ExprStmt):
        return replace(s, value=full(s.value))
    if isinstance(s, Return) and s.value is not None:
        return replace(s, value=full(s.value))
    if isinstance(s, If):
        test = value(s.test)
        if isinstance(test, Call) and test.fn == "operator.not_":
            test = negated(test.args[0])
        return replace(
            s,
            test=test,
            body=tuple(filled(s.body, plan, narrow)),
            orelse=tuple(filled(s.orelse, plan, narrow)),
        )
    if isinstance(s, For):
        return replace(s, iter=full(s.iter), body=tuple(filled(s.body, plan, narrow)))
    return s
