"""What is added to zeros is stored: nothing has to be read, and nothing added.

    z_bar = np.zeros_like(z)             z_bar = np.zeros_like(z)
    z_bar[:, n:] += a             ->     z_bar[:, n:] = a
    z_bar[:, :n] += b                    z_bar[:, :n] = b

The first statement may store whatever its index is; another one only where it surely lies apart.

May not know: rules, types.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeGuard

from ..ir import (
    Assign,
    AugAssign,
    Block,
    Call,
    Const,
    Expr,
    Function,
    Name,
    Slice,
    Stmt,
    Tuple,
    map_blocks,
    reads,
    statements,
    stmt_exprs,
)
from .build import ADD, MUL, NEG, is_call, without_minus
from .effects import names_bound

_ZEROS = ("numpy.zeros", "numpy.zeros_like")


def store_first(fn: Function) -> Function:
    """`fn` with additions to what is still zero as stores."""
    lengths = _lengths(fn)
    return replace(fn, body=_block(fn.body, lengths))


def _lengths(fn: Function) -> set[str]:
    """The variables that are the length of something: no negative number."""
    bindings: dict[str, list[Stmt]] = {p.name: [] for p in fn.params}
    for s in statements(fn.body):
        for n in names_bound(s):
            bindings.setdefault(n, []).append(s)
    params = {p.name for p in fn.params}
    return {n for n, many in bindings.items() if n not in params and all(map(_is_length, many))}


def _is_length(s: Stmt) -> bool:
    if not isinstance(s, Assign) or not isinstance(s.value, Call):
        return False
    shape = s.value
    if all(isinstance(t, Name) for t in s.targets):
        if is_call(s.value, "builtins.len", "attr.size"):
            return True
        if not is_call(s.value, "operator.getitem") or not isinstance(s.value.args[0], Call):
            return False
        shape = s.value.args[0]
    return is_call(shape, "attr.shape", "numpy.shape")


def _block(block: Block, lengths: set[str]) -> Block:
    zero: dict[str, list[Expr]] = {}  # arrays of zeros, and where something was stored since
    out: list[Stmt] = []
    for s in block:
        stored = _first(s, zero, lengths)
        if stored is None:
            mentioned = {n for x in statements((s,)) for n in _mentioned(x)}
            zero = {n: v for n, v in zero.items() if n not in mentioned}
            if isinstance(s, Assign) and s.made and is_call(s.value, *_ZEROS):
                zero.update({t.id: [] for t in s.targets if isinstance(t, Name)})
        out.append(map_blocks(stored or s, lambda b: _block(b, lengths)))
    return tuple(out)


def _mentioned(s: Stmt) -> set[str]:
    names = names_bound(s) | set(getattr(s, "reads", ()))
    for e in stmt_exprs(s):
        names |= reads(e)
    return names


def _first(s: Stmt, zero: dict[str, list[Expr]], lengths: set[str]) -> Assign | None:
    """`a[i] += e` as `a[i] = e`, where a is zero there."""
    if not isinstance(s, AugAssign) or not s.made or s.op != ADD:
        return None
    place = s.target
    if not is_call(place, "operator.getitem") or not isinstance(place.args[0], Name):
        return None
    name, index = place.args[0].id, place.args[1]
    if name not in zero or name in reads(s.value) | reads(index):
        return None
    if not all(_apart(index, other, lengths) for other in zero[name]):
        return None
    zero[name].append(index)
    positive = without_minus(s.value)
    value = s.value if positive is None else Call(NEG, (positive,))
    return Assign((place,), value, origin=s.origin, made=True)


# --- slices that lie apart -------------------------------------------------------------------------


@dataclass(frozen=True)
class _Sum:
    """A sum of lengths times whole numbers, none negative, and a whole number: `2 * n + 1`."""

    parts: tuple[tuple[str, int], ...]
    rest: int

    def reaches(self, other: _Sum) -> bool:
        """Whether it is at least `other`, whatever the lengths are."""
        mine = dict(self.parts)
        return self.rest >= other.rest and all(mine.get(n, 0) >= k for n, k in other.parts)


def _apart(a: Expr, b: Expr, lengths: set[str]) -> bool:
    """Whether no element has both indices."""
    pairs = zip(_items(a), _items(b))
    return any(_items_apart(x, y, lengths) for x, y in pairs)


def _items(index: Expr) -> tuple[Expr, ...]:
    items = index.items if isinstance(index, Tuple) and index.kind == "tuple" else (index,)
    return items if all(isinstance(i, Slice) or _whole(i) for i in items) else ()


def _whole(e: Expr) -> TypeGuard[Const]:
    return isinstance(e, Const) and type(e.value) is int


def _items_apart(a: Expr, b: Expr, lengths: set[str]) -> bool:
    if isinstance(a, Const) and isinstance(b, Const):
        return a != b and (a.value < 0) == (b.value < 0)
    if not isinstance(a, Slice) or not isinstance(b, Slice) or a.step or b.step:
        return False
    return _ends_before(a, b, lengths) or _ends_before(b, a, lengths)


def _ends_before(a: Slice, b: Slice, lengths: set[str]) -> bool:
    if a.upper is None or b.lower is None:
        return False
    if a.upper == b.lower:  # the same place, counted from either end
        return True
    stop, start = _sum(a.upper, lengths), _sum(b.lower, lengths)
    return stop is not None and start is not None and start.reaches(stop)


def _sum(e: Expr, lengths: set[str]) -> _Sum | None:
    if _whole(e) and e.value >= 0:
        return _Sum((), e.value)
    if isinstance(e, Name) and e.id in lengths:
        return _Sum(((e.id, 1),), 0)
    if not is_call(e, ADD, MUL):
        return None
    a, b = (_sum(x, lengths) for x in e.args)
    if a is None or b is None:
        return None
    if e.fn == ADD:
        names = dict.fromkeys([n for n, _ in (*a.parts, *b.parts)])
        mine, other = dict(a.parts), dict(b.parts)
        return _Sum(tuple((n, mine.get(n, 0) + other.get(n, 0)) for n in names), a.rest + b.rest)
    if a.parts and b.parts:
        return None
    by, of = (a.rest, b) if not a.parts else (b.rest, a)
    return _Sum(tuple((n, k * by) for n, k in of.parts), of.rest * by)
