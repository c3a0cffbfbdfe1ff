"""Whether an element of an array may be written after it was read: the test that saves tapes.

Indices that are a loop variable plus a constant are compared by their distance, and by the ends of the
loops: `A[i, k]` with `k` from `range(j)` is never `A[i, j]`. Everything else is taken to overlap. A
negative index counts from the end, so nothing is concluded from an index that may be negative.

May not know: rules, the transformation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..ir import Assign, AugAssign, Call, Const, Expr, Name, Stmt
from .bounds import Term, not_negative, span, step_of, term
from .flow import Flow, bindings
from .indexing import index_items


def overwritten_later(s: Stmt, base: str, index: Expr, flow: Flow, skip_self: bool = False) -> bool:
    """Whether `base[index]`, as read at `s`, may be written by something that runs after `s`.

    `skip_self`: the read stands just behind `s`, so that this very run of `s` does not count.
    """
    for d in flow.defs.get(base, ()):
        if not flow.may_follow(d, s):
            continue
        target = _stored(d, base)
        if target is None:
            return True
        if not _apart(s, index, d, target, flow, skip_self):
            return True
    return False


def written_once(s: Stmt, base: str, index: Expr, flow: Flow) -> bool:
    """Whether no other run of a store reaches what `s` stores into `base[index]`, and nothing bound there matters."""
    for d in flow.defs.get(base, ()):
        target = _stored(d, base)
        if target is None and base not in bindings(d):
            return False  # `u[1:][0] = …`, `u.real[0] = …`: which elements that writes is not looked into
        if target is None:
            continue
        both = d is s
        if not _apart(s, index, d, target, flow, both):
            return False
        if not both and not _apart(d, target, s, index, flow, False):
            return False
    return True


def _stored(d: Stmt, base: str) -> Expr | None:
    """The index that `d` stores into `base` at, None where it is another kind of definition."""
    if isinstance(d, Assign) and len(d.targets) == 1:
        target: Expr = d.targets[0]
    elif isinstance(d, AugAssign):
        target = d.target
    else:
        return None
    if (
        isinstance(target, Call)
        and target.fn == "operator.getitem"
        and target.args[0] == Name(base)
    ):
        return target.args[1]
    return None


def _apart(s: Stmt, index: Expr, d: Stmt, target: Expr, flow: Flow, skip_self: bool) -> bool:
    """No run of `d` after the run of `s` touches what `s` does."""
    pairs = list(zip(_leading(index), _leading(target)))
    shared = [x for x in reversed(flow.loops(s)) if x in flow.loops(d)]
    for k, loop in enumerate(shared):  # a later turn of this loop, the same turn of those around it
        turns = _Turns(s, d, shared[:k], loop)
        if not any(turns.differ(a, b, flow) for a, b in pairs):
            return False
    turns = _Turns(s, d, shared, None)
    if d is s:
        return skip_self or any(turns.differ(a, b, flow) for a, b in pairs)
    behind = flow.order[id(d)] > flow.order[id(s)]
    if behind and flow.may_follow(d, s):
        return any(turns.differ(a, b, flow) for a, b in pairs)
    return True


def _leading(index: Expr) -> tuple[Expr, ...]:
    """The items whose axes are known: those before an ellipsis or a new axis."""
    items = index_items(index)
    stops = [
        n
        for n, i in enumerate(items)
        if isinstance(i, Const) and (i.value is None or i.value is Ellipsis)
    ]
    return items[: stops[0]] if stops else items


@dataclass(frozen=True)
class _Turns:
    """A run of `s` and one of `d` after it: in one turn of the loops `same`, `d` in a later turn of `later`."""

    s: Stmt
    d: Stmt
    same: Sequence[Stmt]
    later: Stmt | None

    def differ(self, a: Expr, b: Expr, flow: Flow) -> bool:
        """Index `a` of `s` is never index `b` of `d`."""
        if not (not_negative(a, self.s, flow) and not_negative(b, self.d, flow)):
            return False
        mine, others = span(a, self.s, flow), span(b, self.d, flow)
        return (
            any(self.before(x, y) for x in mine.highs for y in others.lows)
            or any(self.behind(x, y) for x in mine.lows for y in others.highs)
            or self.out_of_step(term(a, self.s, flow), term(b, self.d, flow))
        )

    def gap(self, x: Term, y: Term, ahead: int) -> int | None:
        """At least how far `y` of `d` is ahead of `x` of `s` in the direction `ahead`; None where nothing is known."""
        if x.of != y.of:
            return None
        gap = (y.off - x.off) * ahead
        if isinstance(x.of, str) or any(id(loop) == x.of for loop in self.same):
            return gap
        step = None if self.later is None or id(self.later) != x.of else step_of(self.later)
        return gap + abs(step) if step is not None and step * ahead > 0 else None

    def before(self, x: Term, y: Term) -> bool:
        gap = self.gap(x, y, 1)
        return gap is not None and gap > 0

    def behind(self, x: Term, y: Term) -> bool:
        gap = self.gap(x, y, -1)
        return gap is not None and gap > 0

    def out_of_step(self, x: Term | None, y: Term | None) -> bool:
        """The distance is no multiple of the loop's step."""
        if x is None or y is None or self.later is None or {x.of, y.of} != {id(self.later)}:
            return False
        step = step_of(self.later)
        return step is not None and (x.off - y.off) % abs(step) != 0
