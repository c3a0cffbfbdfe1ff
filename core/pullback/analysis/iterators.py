"""Iterators of the standard library and NumPy: what they go through, and what they give.

May not know: the transformation.
"""

from __future__ import annotations

from ..ir import Call, Const, Expr, Star, Tuple
from .containers import OWN
from .facts import Facts, Val
from .types import Type, scalar

PRODUCT, INDICES = "itertools.product", "numpy.ndindex"
_CHOICES = {
    f"itertools.{n}" for n in ("combinations", "permutations", "combinations_with_replacement")
}


def comes_to_end(e: Expr) -> bool:
    """Whether `e` is an iterator that has all it gives from the start, and does nothing else."""
    return isinstance(e, Call) and (e.fn in _CHOICES or e.fn in (PRODUCT, INDICES))


def pools_of(e: Call, facts: Facts) -> tuple[Expr, ...] | None:
    """What the factors of a product run over, the last one fastest; None where the text does not tell."""
    if e.fn == INDICES and not e.kwargs:
        return _axes(e.args, facts)
    if e.fn != PRODUCT or any(isinstance(a, Star) for a in e.args):
        return None
    times = dict(e.kwargs).get("repeat", Const(1))
    if not isinstance(times, Const) or type(times.value) is not int or times.value < 1:
        return None
    return e.args * times.value


def _axes(args: tuple[Expr, ...], facts: Facts) -> tuple[Expr, ...] | None:
    """`np.ndindex(n, m)`, `np.ndindex((n, m))`, `np.ndindex(x.shape)`: a range for each axis."""
    if len(args) == 1:
        whole = args[0].value if isinstance(args[0], Star) else args[0]
        if isinstance(whole, Call) and whole.fn == "attr.shape":
            axes = range(facts.type(whole.args[0]).rank() or 0)
            args = tuple(Call("operator.getitem", (whole, Const(k))) for k in axes)
        elif isinstance(whole, Tuple):
            args = whole.items
    if not args or any(isinstance(a, Star) for a in args):
        return None
    counted = all(isinstance(a, Call) or facts.type(a).kind == "scalar" for a in args)
    return tuple(Call("builtins.range", (a,)) for a in args) if counted else None


def integers(e: Call, facts: Facts, site: str) -> Val | None:
    """What an iterator gives that makes tuples of integers; None for any other."""
    many = None
    pools = pools_of(e, facts)
    if pools is not None and all(_is_range(p) for p in pools):
        many = len(pools)
    if e.fn in _CHOICES and len(e.args) == 2 and _is_range(e.args[0]):
        taken = facts.type(e.args[1]).const
        many = taken if type(taken) is int else None
    if many is None:
        return None
    each = Type("tuple", items=(scalar("int"),) * many)
    return Val(Type("list", each=each), frozenset((OWN + site,)))


def _is_range(e: Expr) -> bool:
    return isinstance(e, Call) and e.fn == "builtins.range"
