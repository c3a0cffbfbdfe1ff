"""Made variables that are a literal all along: the literal stands where they are read.

    s_bar = 1.0
    for i in reversed(range(n)):              for i in reversed(range(n)):
        x_bar[i] += s_bar * np.cos(x[i])  ->      x_bar[i] += np.cos(x[i])

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
    Function,
    Name,
    Return,
    Stmt,
    map_blocks,
    map_statement,
    reads,
    rebuild,
    statements,
    stmt_exprs,
    walk,
)
from .build import MUL, is_call
from .effects import Pure, captured, known_pure, names_bound, names_stored
from .evidence import literal
from .simplify import simplify


def literals_where_read(fn: Function, pure: Pure = known_pure) -> Function:
    """`fn` without made variables that are bound once, to a literal, and never written into."""
    done: set[str] = set()
    while left := [(n, v) for n, v in _values(fn, pure).items() if n not in done]:
        name, value = left[0]
        done.add(name)
        new = _replaced(fn, name, value)
        if _ones(new) <= _ones(fn):
            fn = new
    return fn


def _ones(fn: Function) -> int:
    """How often something is multiplied by one, which makes a float of it and says nothing."""
    exprs = (x for s in statements(fn.body) for e in stmt_exprs(s) for x in walk(e))
    return sum(1 for x in exprs if is_call(x, MUL) and Const(1.0) in x.args)


def _replaced(fn: Function, name: str, value: Const) -> Function:
    """`fn` with `value` in the place of `name`."""

    def named(e: Expr) -> Expr:
        if isinstance(e, Name) and e.id == name:
            return value
        e = rebuild(e, named)
        if is_call(e, "numpy.sum") and len(e.args) == 1 and isinstance(e.args[0], Const):
            return e if e.kwargs else e.args[0]
        return e

    def statement(s: Stmt) -> Stmt:
        if not any(name in reads(e) for x in statements((s,)) for e in stmt_exprs(x)):
            return s
        return _simplified(map_statement(s, named, statement))

    def block(b: Block) -> Block:
        return tuple(
            map_blocks(s, block)
            for s in b
            if not (isinstance(s, Assign) and s.targets == (Name(name),))
        )

    return replace(fn, body=tuple(statement(s) for s in block(fn.body)))


def _values(fn: Function, pure: Pure) -> dict[str, Const]:
    times: dict[str, int] = {p.name: 1 for p in fn.params}
    written = captured(fn)
    found: dict[str, Const] = {}
    for s in statements(fn.body):
        for n in names_bound(s) if not _idle(s) else ():
            times[n] = times.get(n, 0) + 1
        stored = names_stored(s, pure)
        if stored is None:
            return {}
        written |= stored
        if isinstance(s, Assign) and s.made and isinstance(s.value, Const):
            if literal(s.value) is not None:
                found.update(
                    {
                        t.id: s.value
                        for t in s.targets
                        if isinstance(t, Name) and len(s.targets) == 1
                    }
                )
    return {n: v for n, v in found.items() if times[n] == 1 and n not in written}


def _idle(s: Stmt) -> bool:
    """`x = x`"""
    return isinstance(s, Assign) and isinstance(s.value, Name) and s.targets == (s.value,)


def _simplified(new: Stmt) -> Stmt:
    """What the literal makes simpler; what is added to an adjoint is floating."""
    if isinstance(new, AugAssign):
        return replace(new, value=simplify(new.value))
    if isinstance(new, (Assign, Return)) and new.value is not None:
        return replace(new, value=simplify(new.value, floating=False))
    return new
