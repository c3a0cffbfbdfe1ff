"""Whether a shape is the same in every turn of the loops around a statement.

A symbol stands for one value in one turn. It is the same in all turns where it was known before the
first: `z = x[:k]` has another length in each turn of `for k in …`, `z = np.zeros(len(x))` has not.

May not know: rules, the transformation.
"""

from __future__ import annotations

from ..ir import Stmt
from .facts import Facts
from .flow import Flow
from .types import Atoms, Dim, Shape, Type


def every_turn(shape: Shape, s: Stmt, flow: Flow, facts: Facts) -> bool:
    """Whether what has `shape` at `s` has it in every turn of all loops around `s`."""
    loops = flow.loops(s)
    if not loops:
        return True
    known = {n for v in facts.entered[id(loops[-1])].values() if v.sure for n in _in_type(v.type)}
    return all(_known(n, known) for n in _in_shape(shape))


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
