"""What makes arrays of indices: how many there are, and whether together they name no place twice.

May not know: subscripts, the transformation.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..ir import Call, Star
from .facts import Val
from .shapes import int_of
from .types import Dim, Type, fresh

_TRIANGLES = {"numpy.tril_indices", "numpy.triu_indices"}
_OF_MATRICES = {"numpy.tril_indices_from", "numpy.triu_indices_from"}
_DIAGONALS = {"numpy.diag_indices", "numpy.diag_indices_from"}
_ORDERS = {"numpy.argsort", "method.argsort"}


def index_arrays(e: Call, args: tuple[Val, ...], site: str) -> Val | None:
    """A tuple of arrays, or the one of `flatnonzero` and `argsort`; None where that is not known."""
    objs = frozenset((site,))
    if e.fn in _ORDERS and args and args[0].type.rank() == 1:
        return Val(Type("array", args[0].type.shape, "int", unique="alone"), objs)
    if e.fn == "numpy.flatnonzero":
        return Val(Type("array", (Dim(site),), "int", unique="alone"), objs)
    if e.fn == "numpy.ix_" and not any(isinstance(a, Star) for a in e.args):
        return Val(Type("tuple", items=_open(args, site)), objs)
    many = _many(e, args)
    if not many and e.fn in _DIAGONALS:  # an array for each axis, however many there are
        return Val(Type("any", fresh(site), "int", unique="alone"), objs)
    if not many:
        return None
    each = e.fn in _DIAGONALS or many == 1  # on a diagonal no row comes twice
    marks = ("alone" if each else f"{site}.{k}:{many}" for k in range(many))
    shape = (Dim(f"{site}.0"),)
    return Val(
        Type("tuple", items=tuple(Type("array", shape, "int", unique=m) for m in marks)), objs
    )


def names_each_once(types: Mapping[str, Type]) -> bool:
    """Whether `np.arange` of such arguments names no place twice: none of its numbers counts from the end."""
    start, stop, step = (types.get(p) for p in ("start", "stop", "step"))
    if stop is None or stop.kind == "none":
        return True
    by = 1 if step is None or step.kind == "none" else int_of(step)
    if by is None:
        return False
    end, least = (start, 0) if by > 0 else (stop, -1)
    smallest = int_of(end)
    return smallest is not None and smallest >= least


def _open(args: tuple[Val, ...], site: str) -> tuple[Type, ...]:
    """The arrays of `np.ix_`, each along an axis of its own."""
    once = all(a.type.unique == "alone" for a in args)
    marks = [f"{site}.{k}:{len(args)}" if once else "" for k in range(len(args))]
    shapes = (
        tuple(Dim(f"{site}.{k}") if n == k else Dim("", 1) for n in range(len(args)))
        for k in range(len(args))
    )
    return tuple(Type("array", shape, "int", unique=m) for shape, m in zip(shapes, marks))


def _many(e: Call, args: tuple[Val, ...]) -> int | None:
    """How many arrays `e` gives, one an axis."""
    if e.fn in _TRIANGLES | _OF_MATRICES:
        return 2
    if e.fn == "numpy.diag_indices" and not e.kwargs:
        many = args[1].type.const if len(args) > 1 else 2
        return many if isinstance(many, int) else None
    alone = len(args) == 1 and not e.kwargs
    if e.fn == "numpy.diag_indices_from" and alone:
        return args[0].type.rank()
    if e.fn in ("numpy.nonzero", "numpy.where") and alone and args[0].type.kind == "array":
        return args[0].type.rank()
    return None
