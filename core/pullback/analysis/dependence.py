"""Whether an element of an array may be written after it was read: the test that saves tapes.

Indices that are a loop variable plus a constant are compared by their distance; everything else is
taken to overlap. A negative index counts from the end, so nothing is concluded from an index that may
be negative.

May not know: rules, the transformation.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..ir import Assign, AugAssign, Call, Const, Expr, For, Name, Stmt
from .flow import Flow
from .indexing import index_items


@dataclass(frozen=True)
class Affine:
    """`var + off`; a constant where `var` is empty."""

    var: str
    off: int


def affine(e: Expr) -> Affine | None:
    """An index as a variable plus a constant; None for any other."""
    if isinstance(e, Const) and type(e.value) is int:
        return Affine("", e.value)
    if isinstance(e, Name):
        return Affine(e.id, 0)
    if isinstance(e, Call) and e.fn in ("operator.add", "operator.sub") and len(e.args) == 2:
        a, b = affine(e.args[0]), affine(e.args[1])
        if a is None or b is None:
            return None
        if e.fn == "operator.sub":
            return Affine(a.var, a.off - b.off) if not b.var else None
        if a.var and b.var:
            return None
        return Affine(a.var or b.var, a.off + b.off)
    return None


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
        if not any(_differ(a, b, loop, shared[:k], s, d, flow) for a, b in pairs):
            return False
    if d is s:
        return skip_self or any(_same_turn_differ(a, b, shared, s, d, flow) for a, b in pairs)
    behind = flow.order[id(d)] > flow.order[id(s)]
    if behind and flow.may_follow(d, s):  # in the same turn of all shared loops
        return any(_same_turn_differ(a, b, shared, s, d, flow) for a, b in pairs)
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


def _same_turn_differ(a: Expr, b: Expr, shared: list[Stmt], s: Stmt, d: Stmt, flow: Flow) -> bool:
    x, y = affine(a), affine(b)
    if x is None or y is None or x.var != y.var or x.off == y.off:
        return False
    if x.var and not any(_target_is(loop, x.var, flow) for loop in shared):
        return False
    return _not_negative(a, s, flow) and _not_negative(b, d, flow)


def _differ(a: Expr, b: Expr, loop: Stmt, outer: list[Stmt], s: Stmt, d: Stmt, flow: Flow) -> bool:
    """Index `a` at some turn of `loop` never equals index `b` at a later turn."""
    x, y = affine(a), affine(b)
    if x is None or y is None:
        return False
    if not (_not_negative(a, s, flow) and _not_negative(b, d, flow)):
        return False
    if x.var == y.var and x.var and _target_is(loop, x.var, flow):
        step = _step(loop)
        if step is None:
            return False
        gap = x.off - y.off  # b at turn t + k step reaches a at turn t iff k * step == gap
        return gap * step <= 0 or gap % abs(step) != 0
    if x.var == y.var and any(_target_is(o, x.var, flow) for o in outer):
        return x.off != y.off
    return not x.var and not y.var and x.off != y.off


def _target_is(loop: Stmt, var: str, flow: Flow) -> bool:
    """`var` is bound by `loop` alone, so that it means the same all through a turn."""
    return isinstance(loop, For) and loop.target == Name(var) and flow.defs.get(var) == [loop]


def _step(loop: Stmt) -> int | None:
    """The constant step of a loop over a range, 0 excluded."""
    if not isinstance(loop, For) or not isinstance(loop.iter, Call) or loop.iter.kwargs:
        return None
    it = loop.iter
    sign = 1
    if it.fn == "builtins.reversed" and it.args and isinstance(it.args[0], Call):
        it, sign = it.args[0], -1
    if it.fn not in ("builtins.range", "numpy.arange"):
        return None
    if len(it.args) < 3:
        return sign
    step = affine(it.args[2]) if not _negated(it.args[2]) else Affine("", -1 * _negated(it.args[2]))
    return None if step is None or step.var or step.off == 0 else sign * step.off


def _negated(e: Expr) -> int:
    if isinstance(e, Call) and e.fn == "operator.neg" and isinstance(e.args[0], Const):
        return int(e.args[0].value)
    return 0


def _not_negative(e: Expr, s: Stmt, flow: Flow) -> bool:
    low = lower_bound(e, s, flow)
    return low is not None and low >= 0


def lower_bound(e: Expr, s: Stmt, flow: Flow) -> int | None:
    """A number that the index `e` at `s` is never below; None where the text does not tell."""
    x = affine(e)
    if x is None:
        if isinstance(e, Call) and e.fn == "builtins.len":
            return 0
        return None
    if not x.var:
        return x.off
    for loop in flow.loops(s):
        if _target_is(loop, x.var, flow):
            low = _range_low(loop, flow)
            return None if low is None else low + x.off
    return None


def _range_low(loop: Stmt, flow: Flow) -> int | None:
    if not isinstance(loop, For) or not isinstance(loop.iter, Call):
        return None
    it = loop.iter
    if it.fn == "builtins.reversed" and it.args and isinstance(it.args[0], Call):
        it = it.args[0]
    if it.fn not in ("builtins.range", "numpy.arange") or it.kwargs:
        return None
    if len(it.args) == 1:
        return 0
    step = _step(loop)
    if len(it.args) == 2 or (step is not None and step > 0 and it is loop.iter):
        return lower_bound(it.args[0], loop, flow)
    if step is not None and step < 0 and it is loop.iter:
        stop = it.args[1]
        n = -_negated(stop) if _negated(stop) else None
        low = n if n is not None else lower_bound(stop, loop, flow)
        return None if low is None else low + 1
    return None
