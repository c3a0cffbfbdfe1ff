"""Loops over arrays that they write: each turn takes its element by position, when its turn comes.

    for e in y:            ->    for k in range(len(y)):
        y[0] = e * y[1]              e = y[k]
                                     y[0] = e * y[1]

May not know: how loops are reversed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..analysis.facts import Facts
from ..analysis.flow import bindings
from ..ir import (
    Assign,
    AugAssign,
    Call,
    Const,
    Expr,
    For,
    Name,
    Opaque,
    Star,
    Stmt,
    Tuple,
    statements,
)
from ..optimize.build import add
from .naming import Namer, describe


@dataclass(frozen=True)
class _Walk:
    """What a loop goes through: arrays side by side, a target for each, and the name that counts the turns."""

    arrays: tuple[Expr, ...]
    targets: tuple[Expr, ...]
    number: Name | None = None
    start: Expr | None = None
    backwards: bool = False


def by_position(s: For, facts: Facts, namer: Namer) -> list[Stmt]:
    """`s`, with names for what it runs over in front; `[s]` itself where it writes nothing of that."""
    walk = _walk(s.iter, s.target)
    changed = frozenset(o for x in statements(s.body) for o in facts.mutated.get(id(x), ()))
    written = facts.origins(changed)
    if walk is None or not any(_is_written(a, written, facts) for a in walk.arrays):
        return [s]
    if any(isinstance(a, Opaque) for a in walk.arrays):  # a generator has no positions
        return [s]
    if any(facts.type(a).kind == "list" and _grows(a, s, facts) for a in walk.arrays):
        return [s]
    out: list[Stmt] = []
    bound_again = {n for x in (s, *statements(s.body)) for n in bindings(x)}
    names = [_named(a, f"{describe(a)}_items", s, bound_again, namer, out) for a in walk.arrays]
    at, taken = Name(namer.fresh("k")), []
    if walk.number is not None and walk.start is None:
        at = walk.number
    elif walk.number is not None and walk.start is not None:
        start = walk.start
        if not isinstance(start, Const):
            start = _named(start, "start", s, bound_again, namer, out)
        taken = [Assign((walk.number,), add(at, start), origin=s.origin)]
    for t, n in zip(walk.targets, names):
        item = Call("operator.getitem", (replace(n), replace(at)))
        taken.append(Assign((t,), item, origin=s.origin))
    counts = tuple(Call("builtins.len", (n,)) for n in names)
    count = counts[0] if len(counts) == 1 else Call("builtins.min", counts)
    turns = Call("builtins.range", (count,))
    if walk.backwards:
        turns = Call("builtins.reversed", (turns,))
    return [*out, replace(s, target=at, iter=turns, body=(*taken, *s.body), verbatim=False)]


def _walk(it: Expr, target: Expr) -> _Walk | None:
    """What `for target in it` goes through; None where it is more than arrays, `zip`, `enumerate`, `reversed`."""
    if not isinstance(it, Call) or not it.fn.startswith("builtins."):
        return _Walk((it,), (target,))
    if any(isinstance(a, Star) for a in it.args) or not it.args:
        return None
    if it.fn == "builtins.reversed":
        inner = _walk(it.args[0], target)
        return None if inner is None or len(inner.arrays) > 1 else replace(inner, backwards=True)
    items = target.items if isinstance(target, Tuple) else ()
    if it.fn == "builtins.enumerate" and len(items) == 2 and isinstance(items[0], Name):
        inner = _walk(it.args[0], items[1])
        start = it.args[1] if len(it.args) > 1 else dict(it.kwargs).get("start")
        if inner is None or inner.number is not None or inner.backwards:
            return None
        return replace(inner, number=items[0], start=start)
    if it.fn != "builtins.zip" or it.kwargs or len(items) != len(it.args):
        return None
    if any(isinstance(a, Call) and a.fn.startswith("builtins.") for a in it.args):
        return None
    return _Walk(it.args, items)


def _is_written(a: Expr, written: frozenset[str], facts: Facts) -> bool:
    """Whether `a` is an array, or may be, and the loop writes it."""
    kinds = ("array", "number", "any", "list")
    return bool(facts.origins(facts.of(a).objs) & written) and facts.type(a).kind in kinds


def _grows(a: Expr, s: For, facts: Facts) -> bool:
    """Whether a turn does something else to list `a` than to store elements."""
    return any(
        facts.mutated.get(id(x), frozenset()) & facts.of(a).objs
        and not isinstance(x, (Assign, AugAssign))
        for x in statements(s.body)
    )


def _named(
    e: Expr, wanted: str, s: For, bound_again: set[str], namer: Namer, out: list[Stmt]
) -> Name:
    """A variable that holds `e` all through the loop."""
    if isinstance(e, Name) and e.id not in bound_again:
        return replace(e, origin=None)
    name = namer.fresh(wanted)
    out.append(Assign((Name(name),), e, origin=s.origin))
    return Name(name)
