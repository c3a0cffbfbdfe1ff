"""How a staged loop counts: from where to where, and what a turn is given.

    for i in range(n - 1, -1, -1):      k from 0 to n, i = n - 1 - k
    for x in xs:                        k from 0 to len(xs), x = xs[k]
    for j in range(i):                  j from 0 to n, where i is less than n; a turn takes place while j < i

May not know: what a turn does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from ..ir import Assign, Call, Compare, Const, Expr, For, Name, Tuple
from ..optimize.build import add, mul, number, sub
from .backwards import range_backwards, shifted
from .bounds import Interval, extremes
from .static import RANGE, Static


@dataclass(frozen=True)
class Counting:
    """`counter` goes from `start` to before `stop`; `looks` bind what a turn is given. A turn takes place where
    all `guards` hold. Where `known` is False, only the run knows how many there are."""

    counter: str
    start: Expr
    stop: Expr
    looks: tuple[Assign, ...] = ()
    guards: tuple[Expr, ...] = ()
    known: bool = True
    intervals: Mapping[str, Interval] = field(default_factory=dict)


def counting(
    s: For, static: Static, intervals: Mapping[str, Interval], fresh: Callable[[str], str]
) -> Counting | None:
    """How the loop `s` counts; None where what it runs over is none that has positions."""
    it = s.iter
    if isinstance(it, Call) and it.fn == "builtins.reversed":
        it = range_backwards(it.args[0]) or it
    if isinstance(it, Call) and it.fn == RANGE and isinstance(s.target, Name):
        return _range(s.target, it, static, intervals, fresh)
    at = Name(fresh("k"))
    looks: list[Assign] = []
    count = _positions(s.target, it, at, looks)
    return None if count is None else Counting(at.id, Const(0), count, tuple(looks))


def _range(
    target: Name,
    it: Call,
    static: Static,
    intervals: Mapping[str, Interval],
    fresh: Callable[[str], str],
) -> Counting:
    start, stop = (Const(0), it.args[0]) if len(it.args) == 1 else it.args[:2]
    step = it.args[2] if len(it.args) == 3 else Const(1)
    if number(step) == 1:
        return _upwards(target, start, stop, static, intervals)
    at = Name(fresh("k"))
    if number(step) == -1:
        return _downwards(target, at, start, stop, static, intervals)
    known = all(map(static.holds, it.args))
    look = Assign((target,), add(start, mul(at, step)), made=True)
    return Counting(at.id, Const(0), Call("builtins.len", (it,)), (look,), known=known)


def _upwards(
    target: Name, start: Expr, stop: Expr, static: Static, intervals: Mapping[str, Interval]
) -> Counting:
    first, last = extremes(start, intervals, static), extremes(stop, intervals, static)
    if first is None or last is None:
        return Counting(target.id, start, stop, known=False)
    guards = []
    if not static.holds(start):
        guards.append(Compare(target, (">=",), (start,)))
    if not static.holds(stop):
        guards.append(Compare(target, ("<",), (stop,)))
    within = {target.id: (first[0], shifted(last[1], -1))}
    return Counting(target.id, first[0], last[1], guards=tuple(guards), intervals=within)


def _downwards(
    target: Name,
    at: Name,
    start: Expr,
    stop: Expr,
    static: Static,
    intervals: Mapping[str, Interval],
) -> Counting:
    first, last = extremes(start, intervals, static), extremes(stop, intervals, static)
    if first is None or last is None:
        look = Assign((target,), sub(start, at), made=True)
        return Counting(at.id, Const(0), _difference(start, stop), (look,), known=False)
    guards = []
    if not static.holds(start):
        guards.append(Compare(target, ("<=",), (start,)))
    if not static.holds(stop):
        guards.append(Compare(target, (">",), (stop,)))
    look = Assign((target,), sub(first[1], at), made=True)
    within = {target.id: (shifted(last[0], 1), first[1])}
    return Counting(
        at.id, Const(0), _difference(first[1], last[0]), (look,), tuple(guards), intervals=within
    )


def _difference(a: Expr, b: Expr) -> Expr:
    known = number(b)
    return shifted(a, -known) if isinstance(known, int) else sub(a, b)


def _positions(target: Expr, it: Expr, at: Expr, looks: list[Assign]) -> Expr | None:
    """The number of turns over `it`; what `target` is at position `at` is added to `looks`."""
    if isinstance(it, Call) and it.fn == "builtins.enumerate" and isinstance(target, Tuple):
        start = it.args[1] if len(it.args) > 1 else dict(it.kwargs).get("start", Const(0))
        looks.append(Assign((target.items[0],), add(at, start), made=True))
        return _positions(target.items[1], it.args[0], at, looks)
    if isinstance(it, Call) and it.fn == "builtins.zip" and isinstance(target, Tuple):
        counts = [_positions(t, a, at, looks) for t, a in zip(target.items, it.args)]
        known = [c for c in counts if c is not None]
        return Call("builtins.min", tuple(known)) if len(known) == len(counts) else None
    if isinstance(it, Call) and it.fn == "builtins.reversed":
        last = sub(Call("builtins.len", it.args), Const(1))
        return _positions(target, it.args[0], sub(last, at), looks)
    if isinstance(it, Call) and it.fn == RANGE:
        return None
    looks.append(Assign((target,), Call("operator.getitem", (it, at)), made=True))
    return Call("builtins.len", (it,))
