"""Static bounds of whole numbers that change with the turns of staged loops: `i + 1` for i in range(n) is from 1 to n.

May not know: the backend, how loops are staged.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..ir import Call, Const, Expr, Name
from ..optimize.build import ADD, MUL, NEG, SUB, add, is_call, mul, neg, number
from .backwards import shifted
from .static import Static

Interval = tuple[Expr, Expr]  # the least and the greatest, both static


def extremes(e: Expr, intervals: Mapping[str, Interval], static: Static) -> Interval | None:
    """The least and the greatest that `e` can be; None where the text does not tell."""
    if isinstance(e, Name) and e.id in intervals:
        return intervals[e.id]
    if static.holds(e):
        return e, e
    if not isinstance(e, Call):
        return None
    parts = [extremes(a, intervals, static) for a in e.args]
    known = [p for p in parts if p is not None]
    if len(known) < len(parts) or e.kwargs:
        return None
    if is_call(e, ADD):
        (a, b), (c, d) = known
        return _sum(a, c), _sum(b, d)
    if is_call(e, SUB):
        (a, b), (c, d) = known
        return _sum(a, neg(d)), _sum(b, neg(c))
    if is_call(e, NEG):
        [(a, b)] = known
        return neg(b), neg(a)
    if is_call(e, MUL):
        return _scaled(e, known)
    if e.fn in ("builtins.min", "builtins.max") and len(known) > 1:
        return Call(e.fn, tuple(a for a, _ in known)), Call(e.fn, tuple(b for _, b in known))
    return None


def _scaled(e: Call, known: list[Interval]) -> Interval | None:
    """A literal times what is known."""
    (a, b), (c, d) = known
    left, right = number(e.args[0]), number(e.args[1])
    by, low, high = (left, c, d) if left is not None else (right, a, b)
    if by is None:
        return None
    ends = mul(Const(by), low), mul(Const(by), high)
    return ends if by >= 0 else ends[::-1]


def _sum(a: Expr, b: Expr) -> Expr:
    """`a + b`, with whole numbers taken together."""
    known = number(b)
    return shifted(a, known) if isinstance(known, int) else add(a, b)
