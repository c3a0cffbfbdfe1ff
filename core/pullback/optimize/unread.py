"""Parts of a tuple that nobody reads any more: `n, m = A.shape` is `n, _ = A.shape` where m is not used.

May not know: rules, types.
"""

from __future__ import annotations

from dataclasses import replace

from ..ir import (
    Assign,
    Block,
    Call,
    Expr,
    Function,
    Name,
    Ref,
    Stmt,
    Tuple,
    bound,
    map_blocks,
    reads,
    statements,
    stmt_exprs,
    unless_same,
    walk,
)
from .effects import captured

NOBODY = "_"


def name_unread_parts(fn: Function) -> Function:
    """`fn` with `_` for what an unpacking binds and no statement mentions again."""
    used = _read(fn) | captured(fn)
    if NOBODY in used or NOBODY in _outside(fn):
        return fn
    body = _block(fn.body, used)
    return fn if body is fn.body else replace(fn, body=body)


def _read(fn: Function) -> set[str]:
    out: set[str] = set()
    for s in statements(fn.body):
        out.update(getattr(s, "reads", ()))
        targets = s.targets if isinstance(s, Assign) else ()
        for e in stmt_exprs(s):
            out |= reads(e) - bound(e) if any(e is t for t in targets) else reads(e)
    return out


def _outside(fn: Function) -> set[str]:
    """The names of the module that the function uses."""
    nodes = [n for s in statements(fn.body) for e in stmt_exprs(s) for n in walk(e)]
    callees = [n.callee for n in nodes if isinstance(n, Call)]
    return {n.text.partition(".")[0] for n in (*nodes, *callees) if isinstance(n, Ref)}


def _block(block: Block, used: set[str]) -> Block:
    return unless_same([_statement(s, used) for s in block], block)


def _statement(s: Stmt, used: set[str]) -> Stmt:
    if not isinstance(s, Assign):
        return map_blocks(s, lambda b: _block(b, used))
    targets = tuple(_parts(t, used) if isinstance(t, Tuple) else t for t in s.targets)
    return s if targets == s.targets else replace(s, targets=targets, verbatim=False)


def _parts(target: Expr, used: set[str]) -> Expr:
    if isinstance(target, Tuple):
        return replace(target, items=tuple(_parts(i, used) for i in target.items))
    if isinstance(target, Name) and target.id not in used:
        return Name(NOBODY)
    return target
