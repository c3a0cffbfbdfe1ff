"""Before a function is reversed: active conditional expressions become if statements.

    y = a if c else b    ->    if c: y = a
                               else: y = b

A parameter that is written in place is copied first.

May not know: rules, how anything is reversed.
"""

from __future__ import annotations

from dataclasses import replace

from ..analysis.facts import Facts
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
    IfExp,
    Name,
    Return,
    Stmt,
    While,
    rebuild,
)


def desugar(fn: Function, facts: Facts) -> Function:
    """`fn` without active conditional expressions at the top of a statement's value; `fn` itself if there are none."""
    body = _block(fn.body, facts)
    return fn if body is fn.body else replace(fn, body=body)


def with_copies(fn: Function, written: dict[str, bool]) -> Function:
    """`fn` on copies of the parameters that it writes in place: the caller's arrays stay as they are.

    What may be a number is copied in a way that leaves numbers what they are.
    """
    copies = tuple(
        Assign(
            (Name(p.name),),
            Call("method.copy" if written[p.name] else "numpy.positive", (Name(p.name),)),
            made=True,
        )
        for p in fn.params
        if p.name in written
    )
    return replace(fn, body=(*copies, *fn.body))


def _block(block: Block, facts: Facts) -> Block:
    new = tuple(_statement(s, facts) for s in block)
    return block if all(a is b for a, b in zip(new, block)) else new


def _statement(s: Stmt, facts: Facts) -> Stmt:
    if (
        isinstance(s, (Assign, AugAssign, Return))
        and isinstance(s.value, IfExp)
        and facts.active(s.value)
    ):
        return _split(s, s.value, facts)
    if isinstance(s, (If, For, While)):
        body, orelse = _block(s.body, facts), _block(s.orelse, facts)
        return s if body is s.body and orelse is s.orelse else replace(s, body=body, orelse=orelse)
    return s


def _split(s: Assign | AugAssign | Return, value: IfExp, facts: Facts) -> If:
    def arm(e: Expr) -> Stmt:
        made = replace(_fresh(s), value=e, verbatim=False)
        return _split(made, e, facts) if isinstance(e, IfExp) else made

    return If(value.test, (arm(value.body),), (arm(value.orelse),), origin=s.origin)


def _fresh(s: Assign | AugAssign | Return) -> Assign | AugAssign | Return:
    """A copy whose targets are nodes of their own, so that facts can tell them apart."""
    if isinstance(s, Assign):
        return replace(s, targets=tuple(_copy(t) for t in s.targets))
    return replace(s, target=_copy(s.target)) if isinstance(s, AugAssign) else s


def _copy(e: Expr) -> Expr:
    return rebuild(replace(e), _copy) if not isinstance(e, (Const, Name)) else replace(e)
