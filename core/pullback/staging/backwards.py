"""Loops that run backwards, for compilers that have no `reversed`: over ranges, or over positions.

    for i in reversed(range(1, n)):      ->      for i in range(n - 1, 0, -1):

    for y in reversed(y_tape):           ->      for k in range(len(y_tape) - 1, -1, -1):
                                                     y = y_tape[k]

May not know: which compiler, rules, types.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ..ir import Assign, Call, Const, Expr, For, Name, Slice, Stmt, Tuple, duplicate
from ..optimize.build import ADD, SUB, add, is_call, mul, number, sub
from ..optimize.unread import only_counts


def without_reversed(s: For, fresh: Callable[[str], str]) -> list[Stmt]:
    """`s` without `reversed` in its header; what it runs over has a name before, where it had none."""
    if not isinstance(s.iter, Call) or s.iter.fn != "builtins.reversed" or len(s.iter.args) != 1:
        return [s]
    over = s.iter.args[0]
    if isinstance(over, Tuple):
        return [_over(s, replace(over, items=over.items[::-1], origin=None))]
    backwards = range_backwards(over)
    if backwards is not None:
        return [_over(s, backwards)]
    before: list[Stmt] = []
    if not isinstance(over, Name):
        sequence = Name(fresh("sequence"))
        before.append(Assign((sequence,), over, origin=s.origin, made=True))
        over = sequence
    at = Name(fresh("k"))
    look = Assign(
        (s.target,),
        Call("operator.getitem", (duplicate(over), duplicate(at))),
        origin=s.origin,
        made=True,
    )
    turns = _counting(shifted(Call("builtins.len", (over,)), -1), Const(-1), -1)
    body = s.body if only_counts(s) else (look, *s.body)
    return [*before, replace(_over(s, turns), target=at, body=body)]


def _over(s: For, it: Expr) -> For:
    return replace(s, iter=it, verbatim=False)


def _counting(start: Expr, stop: Expr, step: int) -> Call:
    if step == 1:
        return Call("builtins.range", (stop,) if start == Const(0) else (start, stop))
    return Call("builtins.range", (start, stop, Const(step)))


def range_backwards(over: Expr) -> Call | None:
    """The range backwards; None for what is none, and for steps that only the run knows."""
    if isinstance(over, Call) and over.fn == "operator.getitem" and isinstance(over.args[1], Slice):
        return _taken(over.args[0], over.args[1])
    found = _parts(over)
    if found is None:
        return None
    start, stop, step = found
    sign = 1 if step > 0 else -1
    if abs(step) == 1:
        return _counting(shifted(stop, -step), shifted(start, -step), -step)
    # the last turn is as many whole steps from the first as there is room for
    room = sub(stop, start) if step > 0 else sub(start, stop)
    steps = Call("operator.floordiv", (shifted(room, -1), Const(abs(step))))
    way = mul(steps, Const(abs(step)))
    last = add(start, way) if step > 0 else sub(start, way)
    return _counting(last, shifted(start, -sign), -step)


def _taken(over: Expr, part: Slice) -> Call | None:
    """`range(…)[:turns]` backwards, of a loop that was left after so many turns."""
    found = _parts(over)
    if found is None or part.lower is not None or part.step is not None or part.upper is None:
        return None
    start, _, step = found
    last = add(start, mul(shifted(part.upper, -1), Const(step)))
    return _counting(last, shifted(start, -1 if step > 0 else 1), -step)


def _parts(over: Expr) -> tuple[Expr, Expr, int] | None:
    """Start, stop and step of a range whose step the text tells."""
    if not isinstance(over, Call) or over.fn != "builtins.range" or over.kwargs:
        return None
    if len(over.args) == 1:
        return Const(0), over.args[0], 1
    step = number(over.args[2]) if len(over.args) == 3 else 1
    whole = isinstance(step, int) and step != 0
    return (over.args[0], over.args[1], int(step or 0)) if whole else None


def shifted(e: Expr, by: int) -> Expr:
    """`e + by`, with the whole number that `e` ends in taken together with it."""
    known = number(e)
    if isinstance(known, int):
        return Const(known + by)
    if is_call(e, ADD, SUB) and isinstance(last := number(e.args[1]), int):
        return shifted(e.args[0], by + (last if e.fn == ADD else -last))
    if by == 0:
        return e
    return add(e, Const(by)) if by > 0 else sub(e, Const(-by))
