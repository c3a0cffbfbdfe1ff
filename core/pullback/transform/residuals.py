"""How the backward pass gets the primal values that it needs: to be recorded, or not.

A variable that nothing changes between its use and the end of the forward pass is simply there. What is
cheap is computed again. What is expensive, or made of values that are gone, becomes a temporary of the
forward pass. What changes from turn to turn of a loop goes on a tape, at the first statement that needs
it, and comes back at the mirrored place. Of an array only the elements that are overwritten are kept.

May not know: rules, adjoint slots.
"""

from __future__ import annotations

from ..ir import Name, reads
from .context import Context
from .plan import Maker, Plan
from .questions import answer
from .recording import write_saves, write_temporaries
from .remade import stays
from .values import value, variable


def plan_residuals(ctx: Context, used: list[str]) -> Plan:
    """Fills the holes `used`, those in the final backward code, in order of first use."""
    maker = Maker(ctx, Plan(), stays=stays(ctx))
    holes = [(h, ctx.holes[h]) for h in used]
    plain = [(h, x) for h, x in holes if not x.query]
    for h, x in plain:
        if isinstance(x.expr, Name):
            maker.plan.filled[h] = variable(maker, x.expr.id, x.stmt, x.when)
    for h, x in plain:
        if h not in maker.plan.filled:
            maker.plan.filled[h] = value(maker, x.expr, x.stmt, x.when)
    maker.used = {p.name for p in ctx.fn.params}
    for e in maker.plan.filled.values():
        maker.used |= reads(e)
    for h, x in holes:
        if x.query:
            maker.plan.filled[h] = answer(maker, x)
    write_temporaries(maker)
    write_saves(maker)
    return maker.plan
