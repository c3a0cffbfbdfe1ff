"""`straight-through`: a statement whose derivative is the identity of the one varying value that it reads.

May not know: rules, statements, how contributions are added up.
"""

from __future__ import annotations

from ..analysis.types import same_shape
from ..ir import Call, Expr
from .context import Bar, Context
from .gather import Shares


def identical(ctx: Context, e: Call) -> Expr | None:
    """What the marked value is taken to be; reports why it can be none."""
    varying = [a for a in e.args[1:] if ctx.facts.active(a)]
    if len(varying) != 1:
        why = (
            "the statement reads several values that vary: give the one that it is to equal a name"
        )
    elif not same_shape(ctx.declared(varying[0]), ctx.declared(e.args[0])):
        why = (
            "the shape of what it reads must be seen to be that of what it assigns: say the shapes"
        )
    else:
        return varying[0]
    ctx.problem("PB112", e, word="straight-through", detail=why)
    return None


def straight_through(ctx: Context, e: Call, bar: Bar) -> Shares:
    """The cotangent of the value, for what it is taken to be."""
    same = identical(ctx, e)
    if same is not None:
        yield same, bar
