"""Before a function is reversed: each element that an unpacking stores into is stored by a statement of its own.

    e[i], f[i] = energies(x)    ->    e_i, f_i = energies(x)
                                      e[i] = e_i
                                      f[i] = f_i

    x[0] = x[1] = np.sum(x)    ->    sum_x = np.sum(x)
                                     x[0] = sum_x
                                     x[1] = sum_x

So what is unpacked are variables only, and what is stored is stored one by one, in the order of Python.

May not know: facts, rules, how anything is reversed.
"""

from __future__ import annotations

from dataclasses import replace

from ..ir import (
    Assign,
    Block,
    Const,
    Expr,
    For,
    Function,
    If,
    Name,
    Star,
    Stmt,
    Tuple,
    While,
    bound,
    reads,
    statements,
)
from .naming import Namer, describe, names_of


def with_plain_targets(fn: Function) -> Function:
    """`fn` without unpacking into elements or nested tuples, and with one value for chained stores."""
    if not any(isinstance(s, Assign) and _mixed(s) for s in statements(fn.body)):
        return fn
    return replace(fn, body=_block(fn.body, Namer(names_of(fn))))


def _mixed(s: Assign) -> bool:
    chained = len(s.targets) > 1 and _looks_at_targets(s)
    return chained or any(isinstance(t, Tuple) and not all(map(_plain, t.items)) for t in s.targets)


def _looks_at_targets(s: Assign) -> bool:
    """`x[0] = x[1] = np.sum(x)`: the value may read what the first store changes, but comes before it."""
    if isinstance(s.value, (Const, Name)):
        return False
    names = {n for t in s.targets for n in bound(t)}
    stores = any(not isinstance(t, (Name, Tuple)) for t in s.targets)
    return stores or bool(names & reads(s.value))


def _plain(t: Expr) -> bool:
    return isinstance(t, Name) or (isinstance(t, Star) and isinstance(t.value, Name))


def _block(block: Block, namer: Namer) -> Block:
    out: list[Stmt] = []
    for s in block:
        if isinstance(s, (If, For, While)):
            s = replace(s, body=_block(s.body, namer), orelse=_block(s.orelse, namer))
        out += _assigned(s, namer) if isinstance(s, Assign) and _mixed(s) else (s,)
    return tuple(out)


def _assigned(s: Assign, namer: Namer) -> list[Stmt]:
    """The targets one after the other, from a variable where there are several."""
    value, out = s.value, list[Stmt]()
    if len(s.targets) > 1:
        value = Name(namer.fresh(describe(value)))
        out.append(replace(s, targets=(value,), value=s.value, verbatim=False))
    for t in s.targets:
        value = replace(value) if isinstance(value, Name) else value
        out += _unpacked(replace(s, targets=(t,), value=value, verbatim=False), t, namer)
    return out


def _unpacked(s: Assign, target: Expr, namer: Namer) -> list[Stmt]:
    """`s`, whose one target is `target`, and then the stores into what is not a variable."""
    if not isinstance(target, Tuple):
        return [s]
    items: list[Expr] = []
    after: list[Stmt] = []
    looked: set[str] = set()  # what the targets so far read: it may not be bound before them
    for t in target.items:
        star = isinstance(t, Star)
        inner = t.value if isinstance(t, Star) else t
        if isinstance(inner, Name) and inner.id not in looked:
            items.append(t)
            continue
        looked |= reads(inner) - bound(inner)
        name = Name(namer.fresh(_called(inner)))
        items.append(Star(name) if star else name)
        store = Assign((inner,), replace(name), origin=s.origin)
        after += _unpacked(store, inner, namer)
    first = replace(s, targets=(replace(target, items=tuple(items)),))
    return [first, *after]


def _called(target: Expr) -> str:
    return "items" if isinstance(target, Tuple) else describe(target)
