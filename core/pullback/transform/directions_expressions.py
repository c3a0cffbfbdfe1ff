"""Expressions of tangents that have one more axis behind all others, for the directions.

Every entry of the table is linear in what has that axis. What stands beside it gets an axis of length one, which
takes that its number of axes is known.

May not know: statements.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from ..analysis.facts import Facts
from ..analysis.indexing import UNKNOWN, index_items, index_kind
from ..ir import Call, Const, Expr, IfExp, Name, Slice, Star, Tuple, reads
from ..optimize.build import ADD, DIV, MUL, NEG, POS, SUB, is_zero
from ..optimize.evidence import is_floating, is_wide

_ALL = Slice(None, None, None)
_FACTORS = {MUL: MUL, DIV: DIV, "numpy.multiply": MUL, "numpy.divide": DIV}


class Unclear(Exception):
    """What is at hand is not known to work with an axis of directions."""


@dataclass(frozen=True)
class Directions:
    """What is known while a function is rewritten.

    carriers  the variables that have the axis
    count     how many directions there are
    called    the call of a private derivative that takes them all at once, where there is one
    paired    the function gives its value beside its tangents
    narrow    the variables that may hold something that is not floating
    """

    facts: Facts
    carriers: frozenset[str]
    count: Expr
    called: Callable[[Call, Callable[[Expr], bool]], str | None]
    paired: bool
    narrow: frozenset[str]

    def carries(self, e: Expr) -> bool:
        return bool(reads(e) & self.carriers)

    def rank(self, e: Expr) -> int:
        """The number of axes without that of the directions."""
        rank = 0 if isinstance(e, Const) else self.facts.type(e).rank()
        if rank is None or self.facts.type(e).kind in ("tuple", "list"):
            raise Unclear
        return rank


def along(d: Directions, e: Expr) -> Expr:
    """`e` with the axis, which something in it has."""
    if isinstance(e, Name):
        return e
    if isinstance(e, Tuple):
        return replace(e, items=tuple(_part(d, i) for i in e.items))
    if isinstance(e, IfExp) and not d.carries(e.test):
        return replace(e, body=begun(d, e.body), orelse=begun(d, e.orelse))
    if isinstance(e, Call):
        own = d.called(e, d.carries)
        if own is not None:
            return replace(e, fn=own, args=tuple(_part(d, a) for a in e.args))
        write = _TABLE.get(e.fn)
        if write is not None:
            return write(d, e)
    raise Unclear


def _part(d: Directions, e: Expr) -> Expr:
    """One of several things that stay apart."""
    if isinstance(e, Star):
        raise Unclear
    return along(d, e) if d.carries(e) else e


def begun(d: Directions, e: Expr) -> Expr:
    """The value of a variable that has the axis at some time."""
    if d.carries(e):
        return along(d, e)
    if is_zero(e):
        return Call("numpy.zeros", (d.count,))
    if isinstance(e, Call) and e.fn in ("numpy.zeros", "numpy.empty") and e.args:
        return replace(e, args=(_longer(d, e.args[0]), *e.args[1:]))
    if isinstance(e, Call) and e.fn == "numpy.zeros_like" and len(e.args) == 1:
        [x] = e.args
        dtype = dict(e.kwargs).get("dtype", Call("attr.dtype", (x,)))
        if {n for n, _ in e.kwargs} <= {"dtype"} and d.facts.type(x).kind == "array":
            return Call("numpy.zeros", (_longer(d, Call("attr.shape", (x,))),), (("dtype", dtype),))
    raise Unclear


def beside(d: Directions, e: Expr) -> Expr:
    """What stands beside a tangent in arithmetic: with an axis of length one, or without any."""
    if d.carries(e):
        return along(d, e)
    return _raised(e, d.rank(e))


def _raised(e: Expr, rank: int) -> Expr:
    if rank == 0:
        return e
    leading = _ALL if rank == 1 else Const(Ellipsis)
    return Call("operator.getitem", (e, Tuple((leading, Const(None)))))


def subscript(d: Directions, index: Expr) -> Expr:
    """An index of what has the axis: an ellipsis ends before it."""
    if d.carries(index) or index_kind(index, d.facts.type) == UNKNOWN:
        raise Unclear
    items = index_items(index)
    if Const(Ellipsis) in items:
        return Tuple((*items, _ALL))
    return index


def _longer(d: Directions, shape: Expr) -> Expr:
    """A shape with the directions behind it."""
    if isinstance(shape, Tuple):
        return Tuple((*shape.items, d.count))
    kind = d.facts.type(shape).kind
    if kind == "scalar":
        return Tuple((shape, d.count))
    if kind == "tuple" or (isinstance(shape, Call) and shape.fn in ("attr.shape", "numpy.shape")):
        return Tuple((Star(shape), d.count))
    raise Unclear


# --- calls -----------------------------------------------------------------------------------------


def _sum(d: Directions, e: Call) -> Expr:
    if e.kwargs:
        raise Unclear
    return replace(e, args=tuple(beside(d, a) for a in e.args))


def _scaled(d: Directions, e: Call) -> Expr:
    """A product in which one factor has the axis, a quotient above whose line it is."""
    a, b = e.args
    if e.kwargs or d.carries(a) == d.carries(b) or (_FACTORS[e.fn] == DIV and d.carries(b)):
        raise Unclear
    moving, factors, negative = _factors(d, e)
    ranks = [d.rank(c) for _, c in factors]
    if len(factors) == 1 or max(ranks) == 0:
        return replace(e, args=(beside(d, a), beside(d, b)))
    (op, first), *others = _wide_first(d, factors)
    together = first if op == MUL else Call(DIV, (Const(1.0), first))
    together = (
        (Const(-1.0) if together == Const(1.0) else Call(NEG, (together,)))
        if negative
        else together
    )
    for op, c in others:
        together = Call(op, (together, c))
    return Call(MUL, (along(d, moving), _raised(together, max(ranks))))


def _factors(d: Directions, e: Expr) -> tuple[Expr, list[tuple[str, Expr]], bool]:
    """What has the axis, and what it is multiplied with and divided by, which have fewer elements: these come
    together first. Whether there is an odd number of minuses."""
    found: list[tuple[str, Expr]] = []
    negative = False
    while isinstance(e, Call) and not e.kwargs:
        if e.fn == NEG:
            e, negative = e.args[0], not negative
            continue
        op = _FACTORS.get(e.fn)
        if op is None or d.carries(e.args[0]) == d.carries(e.args[1]):
            break
        a, b = e.args
        if not d.carries(a) and op == DIV:
            break
        found.insert(0, (op, b if d.carries(a) else a))
        e = a if d.carries(a) else b
    return e, found, negative


def _wide_first(d: Directions, factors: list[tuple[str, Expr]]) -> list[tuple[str, Expr]]:
    """The factors, whose product is now taken on its own, with something in front that makes it floating."""
    if all(is_wide(c, d.narrow) for _, c in factors):
        return factors
    floats = (f for f in factors if f[0] == MUL and is_floating(f[1], d.narrow))
    first = next(floats, (MUL, Const(1.0)))
    return [first, *(f for f in factors if f is not first)]


def _each(d: Directions, e: Call) -> Expr:
    """What acts on every element: the rest of its arguments says how."""
    if e.kwargs or len(e.args) != 1:
        raise Unclear
    return replace(e, args=(along(d, e.args[0]),))


def _like(d: Directions, e: Call) -> Expr:
    """Zeros in the form of a tangent."""
    if len(e.args) != 1 or not {n for n, _ in e.kwargs} <= {"dtype"}:
        raise Unclear
    return replace(e, args=(along(d, e.args[0]),))


def _item(d: Directions, e: Call) -> Expr:
    x, index = e.args
    held = d.facts.type(x).kind
    if held in ("tuple", "list"):
        return replace(e, args=(along(d, x), index))
    if held not in ("array", "number"):
        raise Unclear
    return replace(e, args=(along(d, x), subscript(d, index)))


def _chosen(d: Directions, e: Call) -> Expr:
    if len(e.args) != 3 or e.kwargs or d.carries(e.args[0]):
        raise Unclear
    return replace(e, args=tuple(beside(d, a) for a in e.args))


def _reduced(d: Directions, e: Call) -> Expr:
    """A sum or mean over some axes, or over all that are not the directions."""
    x, axis, kwargs = _with_axis(e, Const(None), ("axis", "keepdims"))
    if axis == Const(None):
        every = range(d.rank(x))
        found: Expr = Const(0) if len(every) == 1 else Tuple(tuple(Const(k) for k in every))
    else:
        found = _moved(axis)
    return replace(e, args=(along(d, x),), kwargs=(("axis", found), *kwargs))


def _along_axis(default: int | None, *known: str) -> Callable[[Directions, Call], Expr]:
    """What goes along one axis, by `default` all elements (None) or that one; `known` are its arguments."""

    def write(d: Directions, e: Call) -> Expr:
        x, axis, kwargs = _with_axis(e, Const(default), known)
        if axis == Const(None) and d.rank(x) != 1:
            raise Unclear
        found = Const(0) if axis == Const(None) else _moved(axis)
        return replace(e, args=(along(d, x),), kwargs=(*kwargs, ("axis", found)))

    return write


def _with_axis(
    e: Call, default: Expr, known: tuple[str, ...]
) -> tuple[Expr, Expr, tuple[tuple[str, Expr], ...]]:
    """The array of a call, its axis, and its other keywords."""
    given = dict(e.kwargs)
    if len(e.args) > 2 or not set(given) <= set(known) or (len(e.args) == 2 and "axis" in given):
        raise Unclear
    if len(e.args) == 2 and known[0] != "axis":
        raise Unclear
    axis = e.args[1] if len(e.args) == 2 else given.pop("axis", default)
    given.pop("axis", None)
    return e.args[0], axis, tuple(given.items())


def _moved(axis: Expr) -> Expr:
    """Where an axis is among one more behind it."""
    if isinstance(axis, Tuple):
        return replace(axis, items=tuple(_moved(a) for a in axis.items))
    if isinstance(axis, Call) and axis.fn == NEG and isinstance(axis.args[0], Const):
        axis = Const(-axis.args[0].value)
    if not isinstance(axis, Const) or type(axis.value) is not int:
        raise Unclear
    return Const(axis.value - 1) if axis.value < 0 else axis


def _rolled(d: Directions, e: Call) -> Expr:
    given = dict(e.kwargs)
    if len(e.args) != 2 or not set(given) <= {"axis"}:
        raise Unclear
    x, shift = e.args
    axis = given.get("axis", Const(None))
    if axis == Const(None) and d.rank(x) != 1:
        raise Unclear
    found = Const(0) if axis == Const(None) else _moved(axis)
    return replace(e, args=(along(d, x), shift), kwargs=(("axis", found),))


def _product(d: Directions, e: Call) -> Expr:
    """A product of matrices and vectors: one that has the axis stands behind, a stack of what is multiplied."""
    a, b = e.args
    if (
        d.carries(a) == d.carries(b)
        or not 1 <= min(d.rank(a), d.rank(b)) <= max(d.rank(a), d.rank(b)) <= 2
    ):
        raise Unclear
    if d.carries(a):
        turned = b if d.rank(b) == 1 else Call("attr.T", (b,))
        return Call("operator.matmul", (turned, along(d, a)))
    if d.rank(b) == 1:
        return Call("operator.matmul", (a, along(d, b)))
    return Call("numpy.tensordot", (a, along(d, b), Const(1)))


def _outer(d: Directions, e: Call) -> Expr:
    a, b = e.args
    if e.kwargs or d.carries(a) == d.carries(b) or (d.rank(a), d.rank(b)) != (1, 1):
        raise Unclear
    rows = along(d, a) if d.carries(a) else beside(d, a)
    rows = Call("operator.getitem", (rows, Tuple((_ALL, Const(None)))))
    return Call(MUL, (rows, beside(d, b)))


def _solved(d: Directions, e: Call) -> Expr:
    a, b = e.args
    if e.kwargs or d.carries(a) or d.rank(b) != 1 or d.rank(a) != 2:
        raise Unclear
    return replace(e, args=(a, along(d, b)))


def _transposed(d: Directions, e: Call) -> Expr:
    [x] = e.args
    if d.rank(x) > 2 or e.kwargs:
        raise Unclear
    if d.rank(x) < 2:
        return along(d, x)
    return Call("numpy.swapaxes", (along(d, x), Const(0), Const(1)))


def _reshaped(d: Directions, e: Call) -> Expr:
    if e.kwargs or len(e.args) < 2:
        raise Unclear
    x, *shape = e.args
    sizes = shape[0] if len(shape) == 1 else Tuple(tuple(shape))
    return Call("numpy.reshape", (along(d, x), _longer(d, sizes)))


def _flat(d: Directions, e: Call) -> Expr:
    if e.kwargs or len(e.args) != 1:
        raise Unclear
    x = along(d, e.args[0])
    if d.rank(e.args[0]) == 1:
        return x
    return Call("numpy.reshape", (x, Tuple((Const(-1), d.count))))


def _spread(d: Directions, e: Call) -> Expr:
    if e.kwargs or len(e.args) != 2:
        raise Unclear
    return replace(e, args=(along(d, e.args[0]), _longer(d, e.args[1])))


def _made(d: Directions, e: Call) -> Expr:
    """An array of numbers, or a copy of one."""
    x, *rest = e.args
    if rest or not {n for n, _ in e.kwargs} <= {"dtype", "copy"}:
        raise Unclear
    if not isinstance(x, Tuple):
        return replace(e, args=(along(d, x),))
    for i in x.items:
        if d.rank(i) != 0:
            raise Unclear
    return replace(e, args=(replace(x, items=tuple(begun(d, i) for i in x.items)),))


def _joined(d: Directions, e: Call) -> Expr:
    """Arrays of known axes, joined along one that is counted from the front."""
    x, axis, kwargs = _with_axis(e, Const(0), ("axis",))
    if not isinstance(x, Tuple):
        raise Unclear
    if len({d.rank(i) for i in x.items}) != 1 or not all(d.carries(i) for i in x.items):
        raise Unclear
    return replace(e, args=(along(d, x),), kwargs=(("axis", _moved(axis)), *kwargs))


_TABLE: dict[str, Callable[[Directions, Call], Expr]] = {
    **dict.fromkeys((ADD, SUB, "numpy.add", "numpy.subtract"), _sum),
    **dict.fromkeys((MUL, DIV, "numpy.multiply", "numpy.divide"), _scaled),
    **dict.fromkeys((NEG, POS, "numpy.negative", "numpy.positive"), _each),
    **dict.fromkeys(("numpy.real", "numpy.imag", "numpy.conj", "numpy.conjugate"), _each),
    **dict.fromkeys(("numpy.copy", "method.copy"), _each),
    "numpy.zeros_like": _like,
    "operator.getitem": _item,
    "numpy.where": _chosen,
    **dict.fromkeys(("numpy.sum", "method.sum", "numpy.mean", "method.mean"), _reduced),
    **dict.fromkeys(("numpy.cumsum", "method.cumsum", "numpy.flip"), _along_axis(None, "axis")),
    "numpy.diff": _along_axis(-1, "n", "axis"),
    "numpy.roll": _rolled,
    **dict.fromkeys(("operator.matmul", "numpy.dot", "numpy.matmul", "method.dot"), _product),
    "numpy.outer": _outer,
    "numpy.linalg.solve": _solved,
    **dict.fromkeys(("attr.T", "numpy.transpose"), _transposed),
    **dict.fromkeys(("numpy.reshape", "method.reshape"), _reshaped),
    **dict.fromkeys(("numpy.ravel", "method.ravel", "method.flatten"), _flat),
    "numpy.broadcast_to": _spread,
    **dict.fromkeys(("numpy.array", "numpy.asarray"), _made),
    **dict.fromkeys(("numpy.concatenate", "numpy.stack"), _joined),
}
