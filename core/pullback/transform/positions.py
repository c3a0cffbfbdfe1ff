"""Loops over arrays that they write: each turn takes its element by position, when its turn comes.

    for e in y:            ->    for k in range(len(y)):
        y[0] = e * y[1]              e = y[k]
                                     y[0] = e * y[1]

May not know: how loops are reversed.
"""

from __future__ import annotations

from dataclasses import replace

from ..analysis.facts import Facts
from ..analysis.flow import bindings
from ..ir import Assign, AugAssign, Call, Expr, For, Name, Star, Stmt, Tuple, statements
from .naming import Namer, describe


def by_position(s: For, facts: Facts, namer: Namer) -> list[Stmt]:
    """`s`, with names for what it runs over in front; `[s]` itself where it writes nothing of that."""
    changed = frozenset(o for x in statements(s.body) for o in facts.mutated.get(id(x), ()))
    written = facts.origins(changed)
    arrays = _arrays(s.iter)
    if not any(facts.origins(facts.of(a).objs) & written and _is_array(a, facts) for a in arrays):
        return [s]
    if any(facts.type(a).kind == "list" and _grows(a, s, facts) for a in arrays):
        return [s]
    counter = s.target if _is_enumerate(s.iter) else None
    number = counter.items[0] if isinstance(counter, Tuple) and len(counter.items) == 2 else None
    target = counter.items[1] if isinstance(counter, Tuple) and number is not None else s.target
    if (counter is not None and not isinstance(number, Name)) or not _plain(s.iter, target):
        return [s]
    out: list[Stmt] = []
    bound_again = {n for x in statements(s.body) for n in bindings(x)}
    names = [_named(a, s, bound_again, namer, out) for a in arrays]
    at = number if isinstance(number, Name) else Name(namer.fresh("k"))
    counts = tuple(Call("builtins.len", (n,)) for n in names)
    count = counts[0] if len(counts) == 1 else Call("builtins.min", counts)
    targets = target.items if _is_zip(s.iter) and isinstance(target, Tuple) else (target,)
    taken = tuple(
        Assign((t,), Call("operator.getitem", (replace(n), replace(at))), origin=s.origin)
        for t, n in zip(targets, names)
    )
    turns = Call("builtins.range", (count,))
    return [*out, replace(s, target=at, iter=turns, body=(*taken, *s.body), verbatim=False)]


def _is_enumerate(it: Expr) -> bool:
    return isinstance(it, Call) and it.fn == "builtins.enumerate"


def _is_zip(it: Expr) -> bool:
    return isinstance(it, Call) and it.fn == "builtins.zip"


def _arrays(it: Expr) -> list[Expr]:
    """What a loop runs over: the arguments of zip and enumerate, or the iterable itself."""
    if _is_zip(it):
        assert isinstance(it, Call)
        return list(it.args)
    if _is_enumerate(it):
        assert isinstance(it, Call)
        return list(it.args[:1])
    return [it]


def _plain(it: Expr, target: Expr) -> bool:
    """No starred arguments, no other start, no zip inside."""
    if not isinstance(it, Call) or not (_is_zip(it) or _is_enumerate(it)):
        return True
    if it.kwargs or any(isinstance(a, Star) for a in it.args):
        return False
    if _is_enumerate(it):
        return len(it.args) == 1 and not (
            isinstance(it.args[0], Call) and it.args[0].fn.startswith("builtins.")
        )
    return isinstance(target, Tuple) and len(target.items) == len(it.args)


def _is_array(e: Expr, facts: Facts) -> bool:
    return facts.type(e).kind in ("array", "number", "any", "list")


def _grows(a: Expr, s: For, facts: Facts) -> bool:
    """Whether a turn does something else to list `a` than to store elements."""
    return any(
        facts.mutated.get(id(x), frozenset()) & facts.of(a).objs
        and not isinstance(x, (Assign, AugAssign))
        for x in statements(s.body)
    )


def _named(a: Expr, s: For, bound_again: set[str], namer: Namer, out: list[Stmt]) -> Name:
    if isinstance(a, Name) and a.id not in bound_again:
        return replace(a, origin=None)
    name = namer.fresh(f"{describe(a)}_items")
    out.append(Assign((Name(name),), a, origin=s.origin))
    return Name(name)
