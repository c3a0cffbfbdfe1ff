"""Shapes from turn to turn: which are the same in every turn of a loop, and what the others are in the next one.

A symbol stands for one value in one turn. It is the same in all turns where it was known before the
first: `z = x[:k]` has another length in each turn of `for k in …`, `z = np.zeros(len(x))` has not.

May not know: rules, the transformation.
"""

from __future__ import annotations

from dataclasses import replace

from ..ir import Stmt
from .facts import Facts, Val
from .flow import Flow
from .types import MISSING, Atoms, Dim, Shape, Type, fresh


def every_turn(shape: Shape, s: Stmt, flow: Flow, facts: Facts) -> bool:
    """Whether what has `shape` at `s` has it in every turn of all loops around `s`."""
    loops = flow.loops(s)
    if not loops:
        return True
    known = symbols(facts.entered[id(loops[-1])])
    return all(_known(n, known) for n in _in_shape(shape))


def symbols(env: dict[str, Val]) -> set[str]:
    """The symbols that the types of variables name, of those that are bound for certain."""
    return {n for v in env.values() if v.sure for n in _in_type(v.type)}


def carried(t: Type, known: set[str], site: str) -> Type:
    """A type of this turn as the next turn has it.

    Symbols that were not `known` before the loop get names of their own: there they mean something else.
    """
    if t.items is not None:
        items = tuple(carried(i, known, f"{site}.{k}") for k, i in enumerate(t.items))
        return t if items == t.items else replace(t, items=items)
    lost = isinstance(t.const, Dim) and not _lasts(t.const.sym, known)
    const = MISSING if lost else t.const
    shape = t.shape
    if isinstance(shape, Atoms):
        shape = shape if all(_known(n, known) for n in shape.names) else fresh(site)
    else:
        shape = tuple(
            d if _lasts(d.sym, known) else Dim(f"{site}.{i}") for i, d in enumerate(shape)
        )
    apart = (
        ":" in t.unique and shape != t.shape
    )  # one of this turn and one of the last are no group
    return replace(t, shape=shape, const=const, unique="" if apart else t.unique)


def _lasts(symbol: str, known: set[str]) -> bool:
    return not symbol or _known(symbol, known)


def _known(symbol: str, known: set[str]) -> bool:
    """A part of an array of unknown rank is named after the array: `x[int]` is the shape of any row of x."""
    base, bracket, rest = symbol.partition("[")
    return symbol in known or (bool(bracket) and base in known and ":" not in rest)


def _in_type(t: Type) -> set[str]:
    out = _in_shape(t.shape)
    if isinstance(t.const, Dim):
        out |= {t.const.sym}
    for item in t.items or ():
        out |= _in_type(item)
    return out


def _in_shape(shape: Shape) -> set[str]:
    if isinstance(shape, Atoms):
        return set(shape.names)
    return {d.sym for d in shape if d.sym}
