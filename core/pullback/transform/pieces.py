"""Small expressions that several rewrites are made of, from calls and what is known of their arguments.

May not know: rules, how anything is reversed.
"""

from __future__ import annotations

from collections.abc import Callable

from ..analysis.facts import Facts
from ..ir import Call, Const, Expr, Slice, Star, Tuple

Rewrite = Callable[[Call, Facts], "Expr | None"]


def np_call(name: str, *args: Expr, **kwargs: Expr) -> Call:
    return Call(f"numpy.{name}", args, tuple(kwargs.items()))


def given(e: Call, *names: str) -> dict[str, Expr]:
    """The arguments of a call by the names of its parameters."""
    return dict(zip(names, e.args)) | dict(e.kwargs)


def joined(parts: list[Expr], axis: int) -> Expr:
    if len(parts) == 1:
        return parts[0]
    return np_call("concatenate", Tuple(tuple(parts)), axis=Const(axis))


def display_items(e: Expr) -> list[Expr] | None:
    """The items of a list or tuple that is written out."""
    if not isinstance(e, Tuple) or any(isinstance(i, Star) for i in e.items):
        return None
    return list(e.items)


def only_display(e: Call) -> list[Expr] | None:
    """The items of a display that is the only argument."""
    return display_items(e.args[0]) if len(e.args) == 1 and not e.kwargs else None


def rank_of(e: Expr, facts: Facts) -> int | None:
    t = facts.type(e)
    return 0 if t.kind == "scalar" else t.rank()


def at_least(e: Expr, dims: int, facts: Facts) -> Expr:
    """`e` with as many axes, if it has not, as np.atleast_1d and its kin do."""
    rank = rank_of(e, facts)
    if rank is not None and rank >= dims:
        return e
    if rank == 0 and dims < 3:
        shown: Expr = Tuple((e,), "list")
        return np_call("array", shown if dims == 1 else Tuple((shown,), "list"))
    return np_call(f"atleast_{dims}d", e)


def column(e: Expr, facts: Facts) -> Expr:
    """A vector as a column; what has two axes or more as it is."""
    rank = rank_of(e, facts)
    if rank is None:
        return Call("attr.T", (np_call("atleast_2d", Call("attr.T", (np_call("asarray", e),))),))
    if rank == 1:
        return Call("operator.getitem", (e, Tuple((Slice(None, None, None), Const(None)))))
    return at_least(e, 2, facts)
