"""What is put into lists and taken out of them: its cotangent is taken out of the list's adjoint, and put in.

May not know: control flow, how holes are filled.
"""

from __future__ import annotations

from ..ir import Assign, Call, Const, Expr, ExprStmt, Name, Stmt, Tuple, bound
from .context import Bar, Context
from .expressions import adjoint
from .floating import copied
from .gather import Gather
from .naming import describe
from .shaping import zeros_like
from .slots import Slots, State, bar_of, begin, deliver, is_set, settle_one, take


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
    if not _is_place(at):
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
    adjoint(ctx, value, Bar(bar, masked=name.id in state.masked), s, to)
    deliver(ctx, slots, state, to, set(), s)


def take_out(ctx: Context, slots: Slots, state: State, s: Assign | ExprStmt) -> None:
    """Puts the cotangent of the value that `s` takes out of a list back into the list's adjoint."""
    e = s.value
    assert isinstance(e, Call) and isinstance(e.args[0], Name)
    name, at = e.args[0].id, e.args[1:]
    names = bound(s.targets[0]) if isinstance(s, Assign) else set()
    if not is_set(slots, state, name) and not any(n in state for n in names):
        return
    if not _is_place(at):
        ctx.problem("PB110", s, construct=f"a part taken out of {name} at a place that is computed")
        return
    bar = _bar(ctx, state, s.targets[0] if isinstance(s, Assign) else _part(ctx, e), s)
    begin(ctx, slots, state, name, s, "after")
    method = "method.insert" if at else "method.append"
    back = Call(method, (bar_of(ctx, name), *at, bar))
    ctx.emit(ExprStmt(back, origin=s.origin, made=True))


def _bar(ctx: Context, state: State, e: Expr, s: Stmt) -> Expr:
    """The cotangent of what `s` takes out, in memory of its own and in the form that adjoints of parts have."""
    if isinstance(e, Tuple):
        bars = [_bar(ctx, state, i, s) for i in reversed(e.items)]  # of `_, _` the last one counts
        return Tuple(tuple(reversed(bars)), "list")
    val = ctx.facts.of(e)
    if not val.active:
        return Const(None)
    if not isinstance(e, Name):
        return zeros_like(ctx, e, s)
    settle_one(ctx, state, e.id, s, "after")
    if e.id not in state:
        return zeros_like(ctx, e, s, "after")
    bar = take(ctx, state, e.id)
    return bar.expr if bar.owned or val.type.kind == "scalar" else copied(ctx, bar.expr)


def _part(ctx: Context, e: Call) -> Expr:
    """What `xs.pop()` takes out and nothing keeps: `xs[-1]`."""
    made = Call("operator.getitem", (e.args[0], *(e.args[1:] or (Const(-1),))))
    ctx.primal.alive.append(made)  # facts go by identity
    ctx.facts.vals[id(made)] = ctx.facts.of(e)
    return made


def _is_place(at: tuple[Expr, ...]) -> bool:
    """Whether a place in a list is written out, from its beginning; none is its end."""
    return not at or (isinstance(at[0], Const) and type(at[0].value) is int and at[0].value >= 0)
