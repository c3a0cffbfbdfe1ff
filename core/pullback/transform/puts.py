"""What is put into lists: its cotangent is taken out of the list's adjoint again.

May not know: control flow, how holes are filled.
"""

from __future__ import annotations

from ..ir import Call, Const, Expr, ExprStmt, Name
from .context import Bar, Context
from .expressions import adjoint
from .gather import Gather
from .naming import describe
from .slots import Slots, State, bar_of, begin, deliver, is_set


def put(ctx: Context, slots: Slots, state: State, s: ExprStmt) -> None:
    """Takes the cotangent of the value that `s` appends or inserts."""
    e = s.value
    assert isinstance(e, Call)
    name, value = e.args[0], e.args[-1]
    if not isinstance(name, Name):
        if ctx.facts.active(name) or ctx.facts.active(value):
            ctx.problem("PB110", s, construct="a list in a container that grows")
        return
    if not is_set(slots, state, name.id):
        return
    begin(ctx, slots, state, name.id, s, "after")
    at = e.args[1:-1]
    if at and not (isinstance(at[0], Const) and type(at[0].value) is int and at[0].value >= 0):
        ctx.problem(
            "PB110", s, construct=f"an insertion into {name.id} at a place that is computed"
        )
        return
    taken = Call("method.pop", (bar_of(ctx, name.id), *at))
    if not ctx.facts.active(value):
        ctx.emit(ExprStmt(taken, origin=s.origin, made=True))
        return
    bar: Expr = taken
    if not isinstance(value, Name):
        bar = ctx.bind(taken, f"{describe(value)}_bar", s, ctx.facts.type(value))
    to = Gather()
    adjoint(ctx, value, Bar(bar), s, to)
    deliver(ctx, slots, state, to, set(), s)
