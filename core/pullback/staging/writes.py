"""Writes into arrays that do not change: `x[i] = v` as `x = x.at[i].set(v)`.

May not know: loops, branches.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ..analysis.facts import Facts
from ..analysis.types import same_shape
from ..ir import Assign, AugAssign, Call, Const, Expr, Name, Slice, Stmt, Tuple, duplicate

GETITEM = "operator.getitem"
ARRAY = "jax.numpy."
_UPDATES = {
    "operator.add": "add",
    "operator.sub": "subtract",
    "operator.mul": "multiply",
    "operator.truediv": "divide",
    "operator.pow": "power",
}
_HELD = ("list", "dict", "tuple", "record")


def stored(s: Assign, was: Expr, of: Callable[[Expr], Expr], facts: Facts) -> Stmt | None:
    """A store of an element or a part, whose value was `was` before its words were changed; None where it is of no
    array that has a name."""
    [target] = s.targets
    if is_mask(target, facts):
        return selected_by_mask(s, target, None, was, of, facts, ARRAY)
    place = place_of(target, of, facts)
    if place is None:
        return into_container(s, target, facts)
    base, index = place
    return _written(s, base, index, "set", s.value)


def updated(s: AugAssign, was: Expr, of: Callable[[Expr], Expr], facts: Facts) -> Stmt | None:
    """An update of a part. An element that an index array names twice is changed twice only where `s` says so."""
    if is_mask(s.target, facts):
        return selected_by_mask(s, s.target, s.op, was, of, facts, ARRAY)
    place = place_of(s.target, of, facts)
    if place is None:
        return into_container(s, s.target, facts)
    base, index = place
    word = _UPDATES.get(s.op)
    if word is not None and (s.repeats or _once(s.target, facts)):
        return _written(s, base, index, word, s.value)
    old = Call(GETITEM, (duplicate(base), duplicate(index)))
    return _written(s, base, index, "set", Call(s.op, (old, s.value)))


def into_container(s: Stmt, target: Expr, facts: Facts) -> Stmt | None:
    held = isinstance(target, Call) and target.fn == GETITEM
    if held and isinstance(target, Call) and facts.type(target.args[0]).kind in _HELD:
        return s
    return None


def place_of(target: Expr, of: Callable[[Expr], Expr], facts: Facts) -> tuple[Name, Expr] | None:
    """The array that a target is a part of, and the index of all subscripts together."""
    if not isinstance(target, Call) or target.fn != GETITEM:
        return None
    base, index = target.args
    if isinstance(base, Name):
        return None if facts.type(base).kind in _HELD else (base, of(index))
    inner = place_of(base, of, facts)
    if inner is None or not isinstance(base, Call) or not _whole_numbers(base.args[1], facts):
        return None
    name, first = inner
    return name, Tuple((*items_of(first), *items_of(of(index))))


def is_mask(target: Expr, facts: Facts) -> bool:
    return isinstance(target, Call) and facts.type(target.args[1]).dtype == "bool"


def selected_by_mask(
    s: Assign | AugAssign,
    target: Expr,
    op: str | None,
    was: Expr,
    of: Callable[[Expr], Expr],
    facts: Facts,
    array: str,
) -> Assign | None:
    """What a mask selects, replaced. A value of more axes than an element has would have a place for each element that
    is selected: how many those are only the run knows, and tracing such a value raises."""
    assert isinstance(target, Call)
    base, mask = target.args
    if not isinstance(base, Name):
        return None
    test, value = of(mask), s.value
    alike = same_shape(facts.type(mask).shape, facts.type(base).shape)
    ranks = facts.type(mask).rank(), facts.type(base).rank()
    behind = 0 if alike else None if None in ranks else (ranks[1] or 0) - (ranks[0] or 0)
    if behind is None:
        axes: Expr = Call("builtins.range", (_ndim(test), _ndim(base)))
        test = Call(f"{array}expand_dims", (test, Call("builtins.tuple", (axes,))))
    elif behind > 0:
        test = Call(GETITEM, (test, Tuple((Const(...), *(Const(None),) * behind))))
    if facts.type(was).kind != "scalar":
        form: Expr = Tuple(())
        if behind != 0:
            first = _ndim(of(mask)) if behind is None else Const(ranks[0])
            shape = Call("attr.shape", (duplicate(base),))
            form = Call(GETITEM, (shape, Slice(first, None, None)))
        value = Call(f"{array}broadcast_to", (value, form))
    if op is not None:
        value = Call(op, (duplicate(base), value))
    made = Call(f"{array}where", (test, value, duplicate(base)))
    return Assign((replace(base),), made, origin=s.origin)


def _ndim(e: Expr) -> Expr:
    return Call("attr.ndim", (duplicate(e),))


def items_of(index: Expr) -> tuple[Expr, ...]:
    return index.items if isinstance(index, Tuple) else (index,)


def _whole_numbers(index: Expr, facts: Facts) -> bool:
    """Whether each axis that is indexed goes: a second subscript is behind the first."""
    return all(facts.type(i).kind == "scalar" for i in items_of(index))


def _once(target: Expr, facts: Facts) -> bool:
    """Whether no element is named twice: by numbers and slices."""
    assert isinstance(target, Call)
    return all(
        isinstance(i, Slice) or facts.type(i).kind == "scalar" for i in items_of(target.args[1])
    )


def _written(s: Assign | AugAssign, base: Name, index: Expr, word: str, value: Expr) -> Assign:
    at = Call(GETITEM, (Call("attr.at", (duplicate(base),)), index))
    return Assign((replace(base),), Call(f"method.{word}", (at, value)), origin=s.origin)
