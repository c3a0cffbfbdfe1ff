"""What nobody reads is called `_`: parts of a tuple (`n, _ = A.shape`), what counts the turns of a loop of ours.

Where the function reads a variable of that name, nothing else is called so.

May not know: rules, types.
"""

from __future__ import annotations

from dataclasses import replace

from ..ir import (
    Assign,
    Block,
    Call,
    Expr,
    For,
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
from .build import is_call
from .effects import captured

NOBODY = "_"


def name_unread(fn: Function) -> Function:
    """`fn` with `_` for what an unpacking binds, or a loop counts with, and no statement mentions again."""
    used = read_names(fn) | captured(fn)
    if NOBODY in used or NOBODY in _outside(fn):
        return fn
    body = _block(fn.body, used)
    return fn if body is fn.body else replace(fn, body=body)


def read_names(fn: Function) -> set[str]:
    """The variables that some statement reads, and does not just bind."""
    out: set[str] = set()
    for s in statements(fn.body):
        out.update(getattr(s, "reads", ()))
        targets = s.targets if isinstance(s, Assign) else (s.target,) if isinstance(s, For) else ()
        for e in stmt_exprs(s):
            out |= reads(e) - bound(e) if any(e is t for t in targets) else reads(e)
    return out


def only_counts(s: For) -> bool:
    """Whether a loop of ours is there for its turns alone; the user may have called `_` what the turns read."""
    named = Name(NOBODY) == s.target and s.made
    return named and not any(NOBODY in _mentioned(x) for x in statements(s.body))


def _outside(fn: Function) -> set[str]:
    """The names of the module that the function uses."""
    nodes = [n for s in statements(fn.body) for e in stmt_exprs(s) for n in walk(e)]
    callees = [n.callee for n in nodes if isinstance(n, Call)]
    return {n.text.partition(".")[0] for n in (*nodes, *callees) if isinstance(n, Ref)}


def _block(block: Block, used: set[str]) -> Block:
    return unless_same([_statement(s, used) for s in block], block)


def _statement(s: Stmt, used: set[str]) -> Stmt:
    if not isinstance(s, Assign):
        s = map_blocks(s, lambda b: _block(b, used))
        return _turns(s) if isinstance(s, For) and s.made else s
    targets = tuple(_parts(t, used) if isinstance(t, Tuple) else t for t in s.targets)
    return s if targets == s.targets else replace(s, targets=targets, verbatim=False)


def _parts(target: Expr, used: set[str]) -> Expr:
    if isinstance(target, Tuple):
        return replace(target, items=tuple(_parts(i, used) for i in target.items))
    if isinstance(target, Name) and target.id not in used:
        return Name(NOBODY)
    return target


def _turns(s: For) -> For:
    """A loop that only counts: `for _ in range(n)`, in either direction."""
    if bound(s.target) & frozenset().union(*(_mentioned(x) for x in statements(s.body))):
        return s
    it = s.iter
    if is_call(it, "builtins.reversed"):
        it = it.args[0]
        if isinstance(it, Name):  # what cannot be gone through twice must not pass in silence
            return replace(s, target=Name(NOBODY))
    if isinstance(s.target, Name) and is_call(it, "builtins.range", "numpy.arange"):
        return replace(s, target=Name(NOBODY), iter=it)
    return s


def _mentioned(s: Stmt) -> set[str]:
    return set(getattr(s, "reads", ())).union(*(reads(e) for e in stmt_exprs(s)))
