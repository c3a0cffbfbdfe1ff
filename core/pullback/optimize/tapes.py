"""Tapes that record for nobody: every value that is popped is thrown away unread.

    y_tape = []
    for i in range(n):                   for i in range(n):
        y_tape.append(y)            ->       y = y * x
        y = y * x
    for i in reversed(range(n)):
        y = y_tape.pop()                 (y is not read again)

May not know: rules, types.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ..ir import (
    Assign,
    Block,
    Call,
    ExprStmt,
    For,
    Function,
    If,
    Name,
    Stmt,
    Tuple,
    While,
    reads,
    statements,
    stmt_exprs,
)
from .effects import Pure, captured, is_pure, names_bound


def drop_unread_tapes(fn: Function, after: Mapping[int, frozenset[str]], pure: Pure) -> Function:
    """`fn` without such tapes; `after` says what is live after each statement."""
    pops = [s for s in statements(fn.body) if isinstance(s, Assign) and popped(s)]
    dead = tapes(fn, pure) - {popped(s) for s in pops if names_bound(s) & after[id(s)]}
    return replace(fn, body=_without(fn.body, dead)) if dead else fn


def tapes(fn: Function, pure: Pure) -> set[str]:
    """The lists that are started empty, appended to, popped from, and used in no other way."""
    started: set[str] = set()
    other = captured(fn) | {p.name for p in fn.params}
    for s in statements(fn.body):
        tape = role(s, pure)
        if tape is not None:
            started |= {tape} & names_bound(s)
        for e in stmt_exprs(s):
            other |= reads(e) - ({tape} if tape is not None else set())
        other |= {*getattr(s, "reads", ()), *(names_bound(s) - ({tape} if tape else set()))}
    return started - other


def role(s: Stmt, pure: Pure) -> str | None:
    """The tape that a made statement starts, appends to or pops from."""
    if not s.made:
        return None
    if isinstance(s, Assign) and len(s.targets) == 1 and isinstance(s.targets[0], Name):
        if s.value == Tuple((), "list"):
            return s.targets[0].id
        return popped(s)
    if isinstance(s, ExprStmt) and isinstance(s.value, Call) and s.value.fn == "method.append":
        tape, *values = s.value.args
        used = {n for v in values for n in reads(v)}
        if isinstance(tape, Name) and tape.id not in used and all(is_pure(v, pure) for v in values):
            return tape.id
    return None


def popped(s: Assign) -> str | None:
    value = s.value
    if isinstance(value, Call) and value.fn == "method.pop" and len(value.args) == 1:
        tape = value.args[0]
        return tape.id if isinstance(tape, Name) and tape not in s.targets else None
    return None


def _without(block: Block, dead: set[str]) -> Block:
    out: list[Stmt] = []
    for s in block:
        if isinstance(s, (If, For, While)):
            s = replace(s, body=_without(s.body, dead), orelse=_without(s.orelse, dead))
        if role(s, lambda call: True) not in dead:
            out.append(s)
    return tuple(out)
