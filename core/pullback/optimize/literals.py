"""Made variables that are a literal all along: the literal stands where they are read.

    s_bar = 1.0
    for i in reversed(range(n)):              for i in reversed(range(n)):
        x_bar[i] += s_bar * np.cos(x[i])  ->      x_bar[i] += np.cos(x[i])

May not know: rules, types.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import replace

from ..ir import (
    Assign,
    AugAssign,
    Block,
    Const,
    Expr,
    Function,
    Keep,
    Name,
    Return,
    Stmt,
    map_blocks,
    map_statement,
    reads,
    rebuild,
    statements,
    stmt_exprs,
    unless_same,
    walk,
)
from .build import MUL, is_call
from .effects import Changes, Pure, captured, known_pure, names_bound, names_stored
from .evidence import literal
from .simplify import simplify


def literals_where_read(
    fn: Function, pure: Pure = known_pure, narrow: AbstractSet[str] = frozenset()
) -> Function:
    """`fn` without made variables that are a literal and never written into: those that are bound once,
    and those that are bound again further down, until then."""
    done: set[str] = set()
    while left := [(n, v) for n, v in _values(fn, pure).items() if n not in done]:
        name, value = left[0]
        done.add(name)
        body = tuple(_with_literal(s, name, value, narrow) for s in _without(fn.body, name))
        if _ones(body) <= _ones(fn.body):
            fn = replace(fn, body=body)
    body = _until_bound_again(fn.body, Changes(pure), captured(fn), narrow)
    return fn if body is fn.body else replace(fn, body=body)


def _until_bound_again(
    b: Block, changes: Changes, held: frozenset[str], narrow: AbstractSet[str]
) -> Block:
    out = [map_blocks(s, lambda x: _until_bound_again(x, changes, held, narrow)) for s in b]
    for i in reversed(range(len(b))):
        name, value = _literal_of(out[i]) or ("", Const(None))
        end = _bound_again(out, i, name, changes) if name and name not in held else None
        if end is None:
            continue
        new = [_with_literal(s, name, value, narrow) for s in out[i + 1 : end]]
        new.append(_with_literal_read(out[end], name, value, narrow))
        if _ones(tuple(new)) <= _ones(tuple(out[i + 1 : end + 1])):
            out[i : end + 1] = new
    return unless_same(out, b)


def _bound_again(b: list[Stmt], i: int, name: str, changes: Changes) -> int | None:
    """Where the block itself assigns to `name` next, which nothing before does or stores into."""
    for k in range(i + 1, len(b)):
        s, change = b[k], changes.of(b[k])
        if change.stored is None or name in change.stored or _kept(s, name):
            return None
        if name in change.bound:
            return k if isinstance(s, Assign) and s.targets == (Name(name),) else None
        if change.leaves:
            return None
    return None


def _kept(s: Stmt, name: str) -> bool:
    """Whether text that stays as it is reads `name`."""
    return any(isinstance(x, Keep) and name in x.reads for x in statements((s,)))


def _ones(block: Block) -> int:
    """How often something is multiplied by one, which makes a float of it and says nothing."""
    exprs = (x for s in statements(block) for e in stmt_exprs(s) for x in walk(e))
    return sum(1 for x in exprs if is_call(x, MUL) and Const(1.0) in x.args)


def _with_literal(s: Stmt, name: str, value: Const, narrow: AbstractSet[str]) -> Stmt:
    """`s` with `value` in the place of `name`."""

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
        return _simplified(map_statement(s, named, statement), narrow)

    return statement(s)


def _with_literal_read(s: Stmt, name: str, value: Const, narrow: AbstractSet[str]) -> Stmt:
    """The same for an assignment to `name` itself."""
    new = _with_literal(s, name, value, narrow)
    return replace(new, targets=(Name(name),)) if isinstance(new, Assign) else new


def _without(b: Block, name: str) -> Block:
    """`b` without what binds `name`."""
    return tuple(
        map_blocks(s, lambda x: _without(x, name))
        for s in b
        if not (isinstance(s, Assign) and s.targets == (Name(name),))
    )


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
        if (one := _literal_of(s)) is not None:
            found.update((one,))
    return {n: v for n, v in found.items() if times[n] == 1 and n not in written}


def _literal_of(s: Stmt) -> tuple[str, Const] | None:
    """The made variable that `s` binds to a literal, and that."""
    if not (isinstance(s, Assign) and s.made and len(s.targets) == 1):
        return None
    target, value = s.targets[0], s.value
    if not (isinstance(target, Name) and isinstance(value, Const)) or literal(value) is None:
        return None
    return target.id, value


def _idle(s: Stmt) -> bool:
    """`x = x`"""
    return isinstance(s, Assign) and isinstance(s.value, Name) and s.targets == (s.value,)


def _simplified(new: Stmt, narrow: AbstractSet[str]) -> Stmt:
    """What the literal makes simpler; what is added to an adjoint is floating."""
    if isinstance(new, AugAssign):
        return replace(new, value=simplify(new.value, narrow=narrow))
    if isinstance(new, (Assign, Return)) and new.value is not None:
        return replace(new, value=simplify(new.value, floating=False, narrow=narrow))
    return new
