"""What the marks in a primal give: their first argument, depending on what they say.

May not know: the transformation.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..ir import Call
from ..ir.marks import ROOT, SOLVED, THROUGH
from .facts import Val

if TYPE_CHECKING:
    from .evaluate import Env, Evaluator


def at_rest(env: Env) -> Env:
    """What the variables hold, seen by something that nothing flows back through."""
    return {n: replace(v, active=False) for n, v in env.items()}


def result(walk: Evaluator, e: Call, args: tuple[Val, ...]) -> Val:
    """The value that is marked. It may be the memory that was passed: no view of it that a derivative mirrors."""
    value, identity = args[0], args[1:]
    if e.fn == SOLVED:  # who held its memory before does not read it any longer
        objs = frozenset((walk.site(e),)) if value.type.kind != "scalar" else frozenset[str]()
        active = any(a.active for a in args[2:])
        return replace(value, objs=objs, exact=True, view=False, active=active)
    if e.fn == ROOT:
        return replace(value, active=any(a.active for a in args[3:]))
    if e.fn != THROUGH:
        shared = bool(value.objs)
        return replace(value, active=False, exact=not shared, view=shared)
    active = any(a.active for a in identity)
    if active and value.type.dtype in ("int", "bool"):
        reason = "the statement gives integers: give it floats, as 1.0 for 1"
        walk.problem("PB112", e.origin, e, word="straight-through", detail=reason)
    return replace(value, active=active)
