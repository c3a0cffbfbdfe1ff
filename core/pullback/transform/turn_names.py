"""Before a function is reversed: loops that give a name that is read behind them another shape than it had.

    for x in x:              ->    for x_item in x:
        s = s * x                      x = x_item
                                       s = s * x

A statement of its own binds the name. So the adjoint of what the loop takes is one thing, and that of what the name
held before another: where no turn runs it still holds that.

May not know: how loops are reversed.
"""

from __future__ import annotations

from dataclasses import replace

from ..analysis.containers import is_container
from ..analysis.facts import Facts, Val
from ..analysis.flow import liveness
from ..analysis.types import SCALAR, Shape, same_shape
from ..ir import (
    Assign,
    Block,
    Expr,
    For,
    Function,
    Name,
    Star,
    Stmt,
    Tuple,
    bound,
    map_blocks,
    statements,
    unless_same,
)
from .naming import Namer, names_of


def with_own_targets(fn: Function, facts: Facts) -> Function:
    """`fn` with names of their own for what such loops take; `fn` itself if it has none."""
    found = {id(s): names for s in statements(fn.body) if (names := _taken(s, facts))}
    live = liveness(fn.body) if found else {}
    found = {s: read for s, names in found.items() if (read := [n for n in names if n in live[s]])}
    if not found:
        return fn
    namer = Namer(names_of(fn))

    def block(b: Block) -> Block:
        return unless_same([map_blocks(loop(s), block) for s in b], b)

    def loop(s: Stmt) -> Stmt:
        if not isinstance(s, For) or id(s) not in found:
            return s
        new = {n: namer.fresh(f"{n}_item") for n in found[id(s)]}
        own = (Assign((Name(n),), Name(new[n]), origin=s.origin) for n in new)
        return replace(s, target=_renamed(s.target, new), body=(*own, *s.body), verbatim=False)

    return replace(fn, body=block(fn.body))


def _taken(s: Stmt, facts: Facts) -> list[str]:
    """The variables that loop `s` gives another shape, where what they held before is differentiated."""
    if not isinstance(s, For):
        return []
    before = facts.entered.get(id(s), {})
    pairs = ((n, before.get(n), facts.bound.get((id(s), n))) for n in sorted(bound(s.target)))
    return [n for n, old, new in pairs if old is not None and new is not None and _differ(old, new)]


def _differ(old: Val, new: Val) -> bool:
    if not old.active or is_container(old.type) or is_container(new.type):
        return False
    return not same_shape(_shape(old), _shape(new))


def _shape(v: Val) -> Shape:
    return SCALAR if v.type.kind == "scalar" else v.type.shape


def _renamed(target: Expr, new: dict[str, str]) -> Expr:
    if isinstance(target, Name):
        return Name(new[target.id]) if target.id in new else target
    if isinstance(target, Star):
        return replace(target, value=_renamed(target.value, new))
    if isinstance(target, Tuple):
        return replace(target, items=tuple(_renamed(t, new) for t in target.items))
    return target
