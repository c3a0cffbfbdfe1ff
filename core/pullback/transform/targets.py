"""Before a function is reversed: each element that an unpacking stores into is stored by a statement of its own.

    e[i], f[i] = energies(x)    ->    e_i, f_i = energies(x)
                                      e[i] = e_i
                                      f[i] = f_i
    a = b[0] = np.sum(x)        ->    a = np.sum(x)
                                      b[0] = a
    a, a = pair                 ->    a2, a = pair
    for a, a in pairs: …        ->    for a2, a in pairs: …

So what is unpacked are variables only, and what is stored is stored one by one, in the order of Python. An array
that is assigned to two variables is made for the first one, and the other is a name of it.

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
    Name,
    Star,
    Stmt,
    Tuple,
    bound,
    duplicate,
    map_blocks,
    reads,
    root,
    statements,
    unless_same,
)
from ..optimize.unread import read_names
from .naming import Namer, describe, names_of


def with_plain_targets(fn: Function) -> Function:
    """`fn` without unpacking into elements or nested tuples, or several targets; `fn` itself if there are none."""
    read = read_names(fn)
    if not any(isinstance(s, Assign) and _mixed(s, read) for s in statements(fn.body)):
        return fn
    return replace(fn, body=_block(fn.body, read, Namer(names_of(fn))))


def with_targets_once(fn: Function) -> Function:
    """`fn` whose loops bind each variable once a turn; `fn` itself if they do."""
    read = read_names(fn)
    loops = [s for s in statements(fn.body) if isinstance(s, For) and _binds_twice(s.target, read)]
    if not loops:
        return fn
    namer, twice = Namer(names_of(fn)), {id(s) for s in loops}

    def block(b: Block) -> Block:
        return unless_same([map_blocks(loop(s), block) for s in b], b)

    def loop(s: Stmt) -> Stmt:
        if not isinstance(s, For) or id(s) not in twice:
            return s
        return replace(s, target=_each_once(s.target, set(), namer), verbatim=False)

    return replace(fn, body=block(fn.body))


def _each_once(target: Expr, later: set[str], namer: Namer) -> Expr:
    """`target` with other names for the variables that are bound again `later`, to the right of them."""
    if isinstance(target, Tuple):
        items = [_each_once(t, later, namer) for t in reversed(target.items)]
        return replace(target, items=tuple(reversed(items)))
    if isinstance(target, Star):
        return replace(target, value=_each_once(target.value, later, namer))
    if isinstance(target, Name) and target.id in later:
        return Name(namer.fresh(target.id))
    later |= bound(target)
    return target


def _mixed(s: Assign, read: set[str]) -> bool:
    if len(s.targets) > 1 and not _independent(s):
        return True
    unpacked = [t for t in s.targets if isinstance(t, Tuple)]
    return any(not all(map(_plain, t.items)) or _binds_twice(t, read) for t in unpacked)


def _binds_twice(target: Expr, read: set[str]) -> bool:
    """`a, a = pair`: the last one stays."""
    names = [n for n in _bound_in_order(target) if n in read]
    return len(set(names)) < len(names)


def _bound_in_order(target: Expr) -> list[str]:
    """The variables that `target` binds, as often as it does."""
    if isinstance(target, Tuple):
        return [n for t in target.items for n in _bound_in_order(t)]
    return sorted(bound(target))


def _independent(s: Assign) -> bool:
    """`u[0] = u[-1] = 0.0`, `a = b = 1.0`: the stores of one array, or names, that do not look at one another."""
    if not _there(s.value, s.targets) or any(isinstance(t, Tuple) for t in s.targets):
        return False
    stored = {root(t) for t in s.targets if not isinstance(t, Name)}
    if not stored:
        return isinstance(s.value, Const)
    return len(stored) == 1 and s.value not in stored and not any(map(_plain, s.targets))


def _plain(t: Expr) -> bool:
    return isinstance(t, Name) or (isinstance(t, Star) and isinstance(t.value, Name))


def _block(block: Block, read: set[str], namer: Namer) -> Block:
    out: list[Stmt] = []
    for s in block:
        s = map_blocks(s, lambda b: _block(b, read, namer))
        out += _assigned(s, namer) if isinstance(s, Assign) and _mixed(s, read) else (s,)
    return tuple(out)


def _assigned(s: Assign, namer: Namer) -> list[Stmt]:
    """The targets one after the other, from a variable where there are several."""
    value, targets, out = s.value, s.targets, list[Stmt]()
    if len(targets) > 1 and not _there(value, targets):
        first = targets[0]
        held = first if isinstance(first, Name) and _there(first, targets[1:]) else None
        value = held or Name(namer.fresh(describe(value)))
        targets = targets[1:] if held else targets
        out.append(Assign((value,), s.value, origin=s.origin))
    for t in targets:
        value = value if len(targets) == 1 and not out else duplicate(value)
        out += _unpacked(replace(s, targets=(t,), value=value, verbatim=False), t, namer)
    return out


def _there(value: Expr, targets: tuple[Expr, ...]) -> bool:
    """Whether `value` is a number or a variable, and still is when all the targets are assigned."""
    if isinstance(value, Const):
        return True
    return isinstance(value, Name) and not any(value.id in bound(t) for t in targets)


def _unpacked(s: Assign, target: Expr, namer: Namer) -> list[Stmt]:
    """`s`, whose one target is `target`, and then the stores into what is not a variable."""
    if not isinstance(target, Tuple):
        return [s]
    target, value = _flat(target, s.value)
    s = replace(s, value=value)
    items: list[Expr] = []
    after: list[Stmt] = []
    looked: set[str] = set()  # what the targets so far read: it may not be bound before them
    for k, t in enumerate(target.items):
        star = isinstance(t, Star)
        inner = t.value if isinstance(t, Star) else t
        if isinstance(inner, Name) and any(
            inner.id in bound(later) for later in target.items[k + 1 :]
        ):
            inner = Name(namer.fresh(inner.id))  # bound again right behind
            t = Star(inner) if star else inner
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


def _flat(target: Tuple, value: Expr) -> tuple[Tuple, Expr]:
    """`(a, b), c = (d, e), f` as `a, b, c = d, e, f`."""
    pairs = _pairs(target, value)
    if not isinstance(value, Tuple) or pairs == [(target, value)]:
        return target, value
    targets, values = (tuple(side) for side in zip(*pairs))
    return replace(target, items=targets), replace(value, items=values)


def _pairs(target: Expr, value: Expr) -> list[tuple[Expr, Expr]]:
    """The targets with their values, as far as displays say which is whose."""
    starred = isinstance(target, Tuple) and any(isinstance(t, Star) for t in target.items)
    if not isinstance(target, Tuple) or not isinstance(value, Tuple) or starred:
        return [(target, value)]
    if len(target.items) != len(value.items):
        return [(target, value)]
    return [p for t, v in zip(target.items, value.items) for p in _pairs(t, v)]


def _called(target: Expr) -> str:
    return "items" if isinstance(target, Tuple) else describe(target)
