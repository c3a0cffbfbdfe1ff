"""A function in the words that Numba compiles: loops without `reversed`, calls without what it lacks.

What can be said differently is rewritten here; `lacking.py` says what is left that Numba does not take.
Where the user's text says it already, it stays as it is written.

May not know: facts, how derivatives are made, text.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ..ir import (
    Block,
    Call,
    Const,
    Expr,
    For,
    Function,
    Stmt,
    Tuple,
    map_blocks,
    map_statement,
    rebuild,
    stmt_exprs,
    unless_same,
)
from ..optimize.build import number
from ..rules.helpers import COMPILED
from ..transform.naming import Namer, names_of
from .along import FORM, REDUCED, as_function, reduced, rolled
from .backwards import without_reversed

NJIT = "numba.njit"


def compiled(fn: Function) -> Function:
    """`fn` as Numba takes it; what it has no other words for is as it was."""
    return replace(fn, body=_block(fn.body, Namer(names_of(fn)).fresh))


def _block(block: Block, fresh: Callable[[str], str]) -> Block:
    out: list[Stmt] = []
    for s in block:
        inner = map_blocks(s, lambda b: _block(b, fresh))
        out += without_reversed(inner, fresh) if isinstance(inner, For) else [inner]
    return unless_same([_statement(s) for s in out], block)


def _statement(s: Stmt) -> Stmt:
    new = map_statement(s, _expression, lambda inner: inner)
    same = all(a is b for a, b in zip(stmt_exprs(s), stmt_exprs(new)))
    return s if same else replace(new, verbatim=False)


def _expression(e: Expr) -> Expr:
    e = rebuild(e, _expression)
    if not isinstance(e, Call):
        return e
    if e.fn.startswith("<helper>."):
        return _helper(e)
    e = as_function(e)
    write = _WRITTEN.get(e.fn)
    new = None if write is None else write(e)
    return e if new is None else new


_SAME = {  # nopython mode has no more axes than these know
    "_dot_a_bar": "_matmul_a_bar",
    "_dot_b_bar": "_matmul_b_bar",
}


def _helper(e: Call) -> Expr:
    name = e.fn.removeprefix("<helper>.")
    name = _SAME.get(name, name) + FORM
    return replace(e, fn=f"<helper>.{name}") if name in COMPILED else e


def _call_of(name: str, *args: Expr) -> Expr:
    return Call(f"<helper>.{name}{FORM}", args)


# --- calls that have other words, each with what gives them; None leaves a call as it is ------------


def _zeros_like(e: Call) -> Expr | None:
    """Zeros that are floating: the dtype is found when it compiles."""
    floating = _floating(e)
    return _call_of("_zeros_like", e.args[0]) if floating and len(e.args) == 1 else None


def _ones_like(e: Call) -> Expr | None:
    zeros = _zeros_like(e)
    return None if zeros is None else Call("operator.add", (zeros, Const(1.0)))


def _full_like(e: Call) -> Expr | None:
    if not _floating(e) or len(e.args) != 2:
        return None
    return Call("operator.add", (_call_of("_zeros_like", e.args[0]), e.args[1]))


def _floating(e: Call) -> bool:
    """`dtype=np.result_type(x, 0.0)`, of the x that the call is of."""
    if len(e.kwargs) != 1 or not e.args:
        return False
    [(word, dtype)] = e.kwargs
    return (
        word == "dtype"
        and isinstance(dtype, Call)
        and dtype.fn == "numpy.result_type"
        and dtype.args == (e.args[0], Const(0.0))
    )


def _ndim(e: Call) -> Expr | None:
    return Call("builtins.len", (Call("numpy.shape", e.args),)) if len(e.args) == 1 else None


def _matmul(e: Call) -> Expr | None:
    return Call("operator.matmul", e.args) if len(e.args) == 2 and not e.kwargs else None


def _positive(e: Call) -> Expr | None:
    return Call("operator.mul", (Const(1.0), *e.args)) if len(e.args) == 1 else None


def _sum(e: Call) -> Expr | None:
    """`np.sum(x, axis=1, keepdims=True)` as the sum with its axes put back."""
    words = dict(e.kwargs)
    axis = words.get("axis", e.args[1] if len(e.args) == 2 else None)
    keeps = words.pop("keepdims", None) == Const(True)
    if not keeps or axis is None or set(words) - {"axis"}:
        return None
    total = replace(e, args=e.args[:1], kwargs=(("axis", axis),))
    return _with_axes(total, axis)


def _expand_dims(e: Call) -> Expr | None:
    return _with_axes(*e.args) if len(e.args) == 2 and isinstance(e.args[1], Tuple) else None


def _with_axes(e: Expr, axis: Expr) -> Expr | None:
    """`e` with axes of length 1 put in, one after the other."""
    if not isinstance(axis, Tuple):
        return Call("numpy.expand_dims", (e, axis))
    places = [n for n in map(number, axis.items) if isinstance(n, int)]
    if len(places) < len(axis.items) or (places and min(places) < 0 <= max(places)):
        return None
    # counted from the front the first one comes first, from the end the last one
    for place in sorted(places, reverse=bool(places) and places[0] < 0):
        e = Call("numpy.expand_dims", (e, Const(place)))
    return e


def _cross(e: Call) -> Expr | None:
    last = len(e.args) == 2 and len(e.kwargs) == 1 and e.kwargs[0][0] == "axis"
    return replace(e, kwargs=()) if last and number(e.kwargs[0][1]) == -1 else None


def _copy(e: Call) -> Expr | None:
    return _call_of("_copy", *e.args) if len(e.args) == 1 and not e.kwargs else None


def _add_at(e: Call) -> Expr | None:
    return _call_of("_add_at", *e.args) if len(e.args) == 3 else None


def _subtract_at(e: Call) -> Expr | None:
    if len(e.args) != 3:
        return None
    base, index, value = e.args
    return _call_of("_add_at", base, index, Call("operator.neg", (value,)))


_WRITTEN: dict[str, Callable[[Call], Expr | None]] = {
    "numpy.zeros_like": _zeros_like,
    "numpy.ones_like": _ones_like,
    "numpy.full_like": _full_like,
    "numpy.expand_dims": _expand_dims,
    "numpy.cross": _cross,
    "numpy.ndim": _ndim,
    "numpy.matmul": _matmul,
    "numpy.positive": _positive,
    "numpy.sum": _sum,
    "numpy.add.at": _add_at,
    "numpy.subtract.at": _subtract_at,
    "numpy.roll": rolled,
    **dict.fromkeys(REDUCED, lambda e: reduced(e, _with_axes)),
    "numpy.copy": _copy,
}
