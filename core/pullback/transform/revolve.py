"""Loops whose turns are run again from a given number of states: Griewank and Walther's revolve.

    kept = _kept_turns(0, n, 16)                      for turn in reversed(range(n)):
    for t in range(n):                                    first, free, u = snapshots.pop()
        if t in kept:                                     kept = _kept_turns(first, turn, free)
            snapshots.append((t, kept[t], u))     …       for t in range(first, turn):
        u = u * u                                             if t in kept:
                                                                  snapshots.append((t, kept[t], u))
                                                              u = u * u
                                                          u_tape.append(u)
                                                          u = u * u
                                                          u = u_tape.pop()
                                                          u_bar = 2.0 * u_bar * u

Each turn backwards begins with the last state that is kept, goes on from there to the turn at hand, and keeps states on
the way in the places that are free, where they save most. How many turns are run again is then the least possible.

May not know: how the loop itself is reversed, which values are recorded.
"""

from __future__ import annotations

from dataclasses import replace

from ..ir import Assign, Call, Compare, Const, Expr, ExprStmt, For, If, Name, Note, Stmt, Tuple
from ..optimize.build import add
from .context import Context
from .plan import Plan
from .remade import AGAIN, insert_before, kept_values, report_unfit, restore_read, state_of, targets
from .segments import REVOLVED

ADVANCED = "advanced "  # stands for the turns that lead to the one at hand

_HELPER = "_kept_turns"


def is_revolved(s: Stmt) -> bool:
    return isinstance(s, For) and s.turns.startswith(REVOLVED)


def revolve(ctx: Context, s: For, body: list[Stmt]) -> tuple[Expr, list[Stmt]]:
    """The target of the backward loop, and its body behind what brings back the turn at hand."""
    assert isinstance(s.target, Name)
    report_unfit(ctx, s)
    state = state_of(ctx, s)
    restore_read(ctx, s, state)
    turn = _own(ctx, s, "turn")
    first, free = Name(ctx.namer.fresh("first")), Name(ctx.namer.fresh("free"))
    pop = Call("method.pop", (_own(ctx, s, "snapshots"),))
    ways = Call("builtins.range", (first, turn))
    again = Note(f"{AGAIN}{ADVANCED}{id(s)}")
    return turn, [
        _made(s, Tuple((first, free, *targets(state))), pop),
        _made(s, _own(ctx, s, "kept"), _schedule(ctx, first, turn, free)),
        For(s.target, ways, (keeping(ctx, s), again), origin=s.origin, made=True),
        _made(s, s.target, turn),
        Note(f"{AGAIN}{id(s)}"),
        *body,
    ]


def _made(s: For, target: Expr, value: Expr) -> Stmt:
    return Assign((target,), value, origin=s.origin, made=True)


def _own(ctx: Context, s: For, what: str) -> Name:
    """A variable of the loop's schedule."""
    return Name(ctx.namer.fixed(f"{what} {id(s)}", what))


def _schedule(ctx: Context, first: Expr, last: Expr, free: Expr) -> Expr:
    ctx.helpers.add(_HELPER)
    return Call(f"<helper>.{_HELPER}", (first, last, free))


def keeping(ctx: Context, s: For) -> Stmt:
    """The start of a turn: its state is kept where the schedule says so."""
    kept, turn = _own(ctx, s, "kept"), s.target
    places = Call("operator.getitem", (kept, turn))
    entry = Tuple((turn, places, *kept_values(ctx, s)))
    push = Call("method.append", (_own(ctx, s, "snapshots"), entry))
    test = Compare(turn, ("in",), (kept,))
    return If(test, (ExprStmt(push, origin=s.origin, made=True),), origin=s.origin, made=True)


def one_turn(ctx: Context, s: For, loop: Stmt) -> Stmt:
    """`loop`, which has the body of `s`, over the turn at hand alone."""
    assert isinstance(loop, For)
    turn = _own(ctx, s, "turn")
    alone = Call("builtins.range", (turn, add(turn, Const(1))))
    return replace(loop, iter=alone, verbatim=False)


def begin_schedules(ctx: Context, plan: Plan) -> None:
    """What stands before such loops in the forward pass: their lists, and the schedule from the first turn on."""
    for s in ctx.flow.stmts.values():
        if not isinstance(s, For) or not is_revolved(s):
            continue
        assert isinstance(s.iter, Call)
        begin, end = s.iter.args if len(s.iter.args) == 2 else (Const(0), s.iter.args[0])
        count = Const(int(s.turns.removeprefix(REVOLVED)))
        outer = ctx.flow.loops(s)[-1] if ctx.flow.loops(s) else s
        insert_before(ctx, plan, outer, _made(s, _own(ctx, s, "snapshots"), Tuple((), "list")))
        schedule = _schedule(ctx, begin, end, count)
        insert_before(ctx, plan, s, _made(s, _own(ctx, s, "kept"), schedule))
