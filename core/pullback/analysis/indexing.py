"""Subscripts: what an index selects, whether it shares memory, and whether it may repeat an element.

May not know: the transformation, source text.
"""

from __future__ import annotations

from collections.abc import Callable

from ..ir import Const, Expr, Slice, Tuple
from .shapes import int_of, shape_of
from .types import SCALAR, Atoms, Dim, Shape, Type, broadcast, fresh, of_constant

BASIC, MASK, GATHER, UNIQUE, UNKNOWN = "basic", "mask", "gather", "unique", "unknown"


def index_items(index: Expr) -> tuple[Expr, ...]:
    """The parts of `x[index]`, one a subscript position."""
    return index.items if isinstance(index, Tuple) and index.kind == "tuple" else (index,)


def index_kind(index: Expr, type_of: Callable[[Expr], Type]) -> str:
    """BASIC gives a view or an element; MASK, UNIQUE and GATHER copy, GATHER may take an element twice."""
    types = _held(index, type_of)
    items = index_items(index)
    kinds = {_kind(t) for t in types} if types else {_item_kind(i, type_of) for i in items}
    if kinds <= {BASIC}:
        return BASIC
    if UNKNOWN in kinds:
        return UNKNOWN
    marks = [t.unique for t in types or map(type_of, items)]
    if UNIQUE in kinds or _grouped(marks):
        return UNIQUE  # one index without repeats makes the tuples differ
    if GATHER in kinds:
        return GATHER
    return MASK


def surely_copies(index: Expr, type_of: Callable[[Expr], Type]) -> bool:
    """Whether `x[index]` is memory of its own, whatever else is not known of the index."""
    return index_kind(index, type_of) in (MASK, GATHER, UNIQUE) or any(
        _item_kind(i, type_of) in (MASK, GATHER, UNIQUE) for i in index_items(index)
    )


def _held(index: Expr, type_of: Callable[[Expr], Type]) -> tuple[Type, ...]:
    """The types of the subscripts of `x[index]` where `index` is a tuple made before."""
    t = type_of(index)
    made = t.kind == "tuple" and not isinstance(index, Tuple)
    return t.items or () if made else ()


def _grouped(marks: list[str]) -> bool:
    """All members of a group that together never repeat are there, each of them."""
    members = {m for m in marks if ":" in m}
    groups = [(m.rpartition(":")[0].rpartition(".")[0], int(m.rpartition(":")[2])) for m in members]
    return any(groups.count(group) >= group[1] for group in groups)


def _item_kind(item: Expr, type_of: Callable[[Expr], Type]) -> str:
    if isinstance(item, Slice):
        return BASIC
    if isinstance(item, Const) and (item.value is None or item.value is Ellipsis):
        return BASIC
    return _kind(type_of(item))


def _kind(t: Type) -> str:
    if t.kind == "none" or t.kind == "slice":
        return BASIC
    if t.kind == "scalar":
        return UNKNOWN if t.dtype == "bool" else BASIC
    if t.unique == "alone":
        return UNIQUE
    if t.kind == "number" and t.dtype == "bool":
        return MASK
    if t.kind in ("array", "list"):
        if t.dtype == "bool" or (t.items and all(i.dtype == "bool" for i in t.items)):
            return MASK
        return GATHER if t.dtype in ("int", "any", "float") else UNKNOWN
    return UNKNOWN


def indexed_shape(base: Shape, index: Expr, type_of: Callable[[Expr], Type], site: str) -> Shape:
    """The shape of `x[index]` for an array x of shape `base`."""
    items = index_items(index)
    if not isinstance(base, tuple):
        return _unknown_rank(base, items, type_of, site)
    expanded = _spell_out(items, len(base), type_of)
    if expanded is None:
        return fresh(site)
    out: list[Dim] = []
    advanced: list[Shape] = []
    place: int | None = None
    apart = False
    axis = 0
    for n, item in enumerate(expanded):
        if isinstance(item, Slice):
            out.append(_slice_dim(base[axis], item, type_of, f"{site}.{n}"))
            axis += 1
            continue
        if isinstance(item, Const) and item.value is None:
            out.append(Dim("", 1))
            continue
        kind = _item_kind(item, type_of)
        if kind == BASIC:
            axis += 1
            continue
        if kind == UNKNOWN:
            return fresh(site)
        shape = shape_of(type_of(item))
        if kind == MASK:
            if not isinstance(shape, tuple):
                return fresh(site)
            axis += len(shape)
            shape = (Dim(f"{site}.{n}"),)
        else:
            axis += 1
        if shape is None:
            return fresh(site)
        if place is not None and n > 0 and _item_kind(expanded[n - 1], type_of) == BASIC:
            apart = True
        place = len(out) if place is None else place
        advanced.append(shape)
    if place is None:
        return tuple(out)
    both: Shape = SCALAR
    for s in advanced:
        got = broadcast(both, s)
        if not isinstance(got, tuple):
            return fresh(site)
        both = got
    if not isinstance(both, tuple) or apart:
        return fresh(site)
    return tuple(out[:place]) + both + tuple(out[place:])


def _unknown_rank(
    base: Atoms, items: tuple[Expr, ...], type_of: Callable[[Expr], Type], site: str
) -> Shape:
    """A name for the shape that tells which parts have the same: all of `v[:-2]`, `v[1:-1]`, `v[2:]` do."""
    if len(base.names) != 1 or any(_item_kind(i, type_of) != BASIC for i in items):
        return fresh(site)
    (name,) = base.names
    words = []
    for k, item in enumerate(items):
        if isinstance(item, Slice):
            words.append(str(_slice_dim(Dim(f"#{k}"), item, type_of, f"{site}.{k}")))
        elif isinstance(item, Const) and item.value in (None, Ellipsis):
            words.append("new" if item.value is None else "...")
        else:
            words.append("int")
    return fresh(f"{name}[{','.join(words)}]")


def _spell_out(
    items: tuple[Expr, ...], rank: int, type_of: Callable[[Expr], Type]
) -> tuple[Expr, ...] | None:
    """Index items with the ellipsis and missing trailing slices written as full slices."""
    full = Slice(None, None, None)
    masks = [type_of(i).rank() for i in items if _item_kind(i, type_of) == MASK]
    if None in masks:
        return None
    used = sum(
        1 for i in items if not (isinstance(i, Const) and (i.value is None or i.value is Ellipsis))
    )
    missing = rank - used - sum(m - 1 for m in masks if m is not None)
    if missing < 0:
        return None
    at = next(
        (n for n, i in enumerate(items) if isinstance(i, Const) and i.value is Ellipsis), None
    )
    if at is None:
        return items + (full,) * missing
    return items[:at] + (full,) * missing + items[at + 1 :]


def _slice_dim(n: Dim, s: Slice, type_of: Callable[[Expr], Type], site: str) -> Dim:
    step = type_of(s.step) if s.step is not None else of_constant(1)
    if int_of(step) == -1 and s.lower is None and s.upper is None:
        return n
    if int_of(step) not in (1, None) or (s.step is not None and int_of(step) is None):
        return Dim(site)
    low = _position(s.lower, n, Dim("", 0), type_of)
    high = _position(s.upper, n, n, type_of)
    if low is None or high is None:
        return Dim(site)
    if not (n.sym or n.cut or low.sym or high.sym):
        return Dim("", len(range(n.off)[max(low.off, 0) : max(high.off, 0)]))
    if low.sym == high.sym:
        return Dim("", max(high.off - low.off, 0), cut=True)
    if not low.sym:
        return Dim(high.sym, high.off - low.off, cut=n.cut or high.sym != n.sym)
    return Dim(f"({high})-({low})", cut=True)


def _position(e: Expr | None, n: Dim, default: Dim, type_of: Callable[[Expr], Type]) -> Dim | None:
    if e is None:
        return default
    t = type_of(e)
    if isinstance(t.const, Dim):
        return t.const
    value = int_of(t)
    if value is None:
        return None
    return Dim(n.sym, n.off + value) if value < 0 else Dim("", value)
