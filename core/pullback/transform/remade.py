"""Loops whose turns are run again before they are reversed: what they begin with is kept, and nothing else.

    for first in range(0, n, every):                  for first in reversed(range(0, n, every)):
        u_snapshots.append(u)                             u = u_snapshots.pop()
        for t in range(…):                                for t in range(…):
            u = u * u                            …            u_tape.append(u)
                                                              u = u * u
                                                          for _ in range(…):
                                                              u = u_tape.pop()
                                                              u_bar = 2.0 * u_bar * u

May not know: how the loop itself is reversed, which values are recorded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ..analysis.calls import RANDOM
from ..analysis.containers import is_container
from ..analysis.flow import bindings, upward
from ..analysis.own_rules import RULED
from ..ir import (
    Assign,
    AugAssign,
    Barrier,
    Block,
    Call,
    Comprehension,
    Const,
    Expr,
    ExprStmt,
    For,
    Keep,
    Name,
    Note,
    Opaque,
    Ref,
    Stmt,
    Tuple,
    map_blocks,
    root,
    statements,
    stmt_exprs,
    walk,
)
from ..ir.marks import is_mark
from ..optimize.effects import known_pure
from ..rules import rule_for
from .context import Context
from .floating import copy_of
from .naming import describe
from .plan import Plan
from .renaming import copied
from .segments import REMADE, REVOLVED
from .values import available, bindings_stay

AGAIN = "\2"  # where the turns of a loop are run again


def is_remade(s: Stmt) -> bool:
    return isinstance(s, For) and s.turns == REMADE


def runs_again(s: Stmt) -> bool:
    """Whether the turns of a loop are run again, all of a segment's or one by one."""
    return isinstance(s, For) and (s.turns == REMADE or s.turns.startswith(REVOLVED))


def remake(ctx: Context, s: For) -> None:
    """The start of a segment's backward pass: its state as it was, and the place of its turns."""
    report_unfit(ctx, s)
    state = state_of(ctx, s)
    restore_read(ctx, s, state)
    for name, target in zip(state.taken, targets(state)):
        value = Call("method.pop", (Name(_snapshots(ctx, s, name)),))
        ctx.emit(Assign((target,), value, origin=s.origin, made=True))
    ctx.emit(Note(f"{AGAIN}{id(s)}"))


def restore_read(ctx: Context, s: For, state: LoopState) -> None:
    """What the turns only read, where it is another behind the loop."""
    for name in state.read:
        if not available(ctx, name, s, "before"):
            ctx.emit(Assign((Name(name),), ctx.hole(Name(name), s), origin=s.origin, made=True))


def targets(state: LoopState) -> tuple[Expr, ...]:
    """Where a kept state goes when it is taken back."""
    wholes = {n: Call("operator.getitem", (Name(n), Const(Ellipsis))) for n in state.in_place}
    return tuple(wholes.get(n, Name(n)) for n in state.taken)


def kept_values(ctx: Context, s: For) -> Iterator[Expr]:
    """The state of a loop at a turn's beginning, as it is kept."""
    for name in state_of(ctx, s).taken:
        val = ctx.facts.var(s, name)
        written = val.objs & _written(ctx, ctx.flow.stmts.values())
        yield copy_of(Name(name), val.type.kind == "array") if written else Name(name)


def write_snapshots(ctx: Context, plan: Plan) -> None:
    """The lists that hold the state with which segments begin."""
    for s in ctx.flow.stmts.values():
        if not isinstance(s, For) or not is_remade(s):
            continue
        outer = ctx.flow.loops(s)[-1]
        for name, value in zip(state_of(ctx, s).taken, kept_values(ctx, s)):
            kept = _snapshots(ctx, s, name)
            empty = Assign((Name(kept),), Tuple((), "list"), origin=s.origin, made=True)
            push = Call("method.append", (Name(kept), value))
            insert_before(ctx, plan, outer, empty)
            insert_before(ctx, plan, s, ExprStmt(push, origin=s.origin, made=True))


def insert_before(ctx: Context, plan: Plan, before: Stmt, made: Stmt) -> None:
    place = (ctx.flow.block[id(before)], ctx.flow.index[id(before)])
    plan.inserts.setdefault(place, []).append(made)


def _snapshots(ctx: Context, s: For, name: str) -> str:
    return ctx.namer.fixed(f"snapshots {id(s)} {name}", f"{name}_snapshots")


def quiet(block: Iterable[Stmt]) -> Block:
    """Statements as nodes of their own, to be run a second time: what they print has been printed."""
    return copied(tuple(_quiet(s) for s in block if not _prints(s)))


def _quiet(s: Stmt) -> Stmt:
    return map_blocks(s, lambda b: tuple(_quiet(x) for x in b if not _prints(x)))


def _prints(s: Stmt) -> bool:
    return isinstance(s, Keep) and s.kind == "print"


def stays(ctx: Context) -> set[str]:
    """The variables that loops which are run again read as they are: no record may take their names."""
    loops = [s for s in ctx.flow.stmts.values() if isinstance(s, For) and runs_again(s)]
    states = [state_of(ctx, s) for s in loops]
    return {n for t in states for n in (*t.read, *t.in_place, *t.views)}


# --- state -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class LoopState:
    """The variables that a loop finds when it begins, by what it does with them.

    rebound   bound anew, or written and known by no other name
    in_place  written, and known by other names: `views`
    read      all others, but arrays that it only stores into
    """

    rebound: tuple[str, ...]
    in_place: tuple[str, ...]
    views: tuple[str, ...]
    read: tuple[str, ...]

    @property
    def taken(self) -> tuple[str, ...]:
        """What one turn takes from the one before it."""
        return (*self.rebound, *self.in_place)


def state_of(ctx: Context, s: For) -> LoopState:
    bound = {n for x in statements(s.body) if not _in_place(ctx, x) for n in bindings(x)}
    written = _written(ctx, statements(s.body))
    names = sorted(upward((s,), set()))
    holds = {n: ctx.facts.var(s, n) for n in names}
    arrays = [n for n in names if n not in bound and ctx.facts.touching(holds[n].objs) & written]
    shared = [n for n in arrays if any(m != n and holds[m].objs & holds[n].objs for m in names)]
    wholes = [holds[n].objs for n in shared if not holds[n].view]
    views = [n for n in shared if holds[n].view and holds[n].objs in wholes]
    stored = [n for n in arrays if n not in shared and _only_stored_into(s, n)]
    stored = [n for n in stored if bindings_stay(ctx, n, s)]
    in_place = [n for n in shared if n not in views]
    rebound = [n for n in names if n in bound or (n in arrays and n not in (*shared, *stored))]
    read = [n for n in names if n not in (*rebound, *in_place, *views, *stored)]
    return LoopState(tuple(rebound), tuple(in_place), tuple(views), tuple(read))


def _in_place(ctx: Context, s: Stmt) -> bool:
    return isinstance(s, AugAssign) and not ctx.facts.rebinds.get(id(s), True)


def _written(ctx: Context, stmts: Iterable[Stmt]) -> frozenset[str]:
    """The memory that statements may write into."""
    return ctx.facts.touching(
        frozenset(o for x in stmts for o in ctx.facts.mutated.get(id(x), frozenset()))
    )


def _only_stored_into(s: For, name: str) -> bool:
    """Whether the loop never reads an array that it writes into: run again, it writes the same."""
    for x in statements(s.body):
        targets = x.targets if isinstance(x, Assign) else ()
        stores = {id(root(t)) for t in targets if isinstance(t, Call)}
        named = (n for e in stmt_exprs(x) for n in walk(e) if n == Name(name))
        if any(id(n) not in stores for n in named) or (
            isinstance(x, AugAssign) and name in _base(x)
        ):
            return False
    return True


def _base(s: AugAssign) -> set[str]:
    base = root(s.target)
    return {base.id} if isinstance(base, Name) else set()


# --- what cannot be run again ----------------------------------------------------------------------


def report_unfit(ctx: Context, s: For) -> None:
    """Reports what makes another run of the same turns give something else."""
    for x in statements(s.body):
        for e in (n for top in stmt_exprs(x) for n in walk(top)):
            if not _repeats(ctx, e):
                _report(
                    ctx, e, f"a second call of {describe(e)} may not give what the first one gave"
                )
        if any(isinstance(root(t), Ref) for t in _targets(x)):
            _report(ctx, s.iter, "a turn writes into memory that is not the function's own")
    state = state_of(ctx, s)
    before = {n: v for n, v in ctx.facts.before[id(s)].items() if n in upward((s,), set())}
    for name in state.taken:
        if is_container(before[name].type):
            _report(ctx, s.iter, f"its state {name} is a container")
    written = _written(ctx, statements(s.body))
    for name in state.rebound:
        objs = before[name].objs & written
        shared = [n for n, v in before.items() if n != name and v.objs & objs]
        if shared:
            _report(ctx, s.iter, f"its state {name} shares memory with {shared[0]}")
    for name in (*state.in_place, *state.views):
        if not bindings_stay(ctx, name, s):
            _report(ctx, s.iter, f"its state {name} is assigned again behind it")


def _repeats(ctx: Context, e: Expr, seen: frozenset[str] = frozenset()) -> bool:
    """Whether `e` itself gives the same when its turn is run again; its parts are looked at apart."""
    if isinstance(e, Opaque):
        return e.kind == "f-string" or (e.parts is not None and _parts_repeat(ctx, e.parts, seen))
    if not isinstance(e, Call) or e.fn in seen or is_mark(e):
        return True
    if e.fn.startswith(RANDOM):
        return False
    if known_pure(e) or rule_for(e.fn) is not None:
        return True
    fn = ctx.calls.function(e.fn)
    if fn is None or RULED in fn.flags:
        return fn is not None  # a rule's derivative takes the function to be one
    run = list(statements(fn.body))
    if any(
        isinstance(x, Barrier) or any(isinstance(root(t), Ref) for t in _targets(x)) for x in run
    ):
        return False
    below = (n for x in run for top in stmt_exprs(x) for n in walk(top))
    return all(_repeats(ctx, n, seen | {e.fn}) for n in below)


def _parts_repeat(ctx: Context, parts: Comprehension, seen: frozenset[str]) -> bool:
    exprs = [parts.element, *(e for _, it, tests in parts.generators for e in (it, *tests))]
    exprs += [] if parts.key is None else [parts.key]
    return all(_repeats(ctx, n, seen) for e in exprs for n in walk(e))


def _targets(s: Stmt) -> tuple[Expr, ...]:
    if isinstance(s, AugAssign):
        return (s.target,)
    return s.targets if isinstance(s, Assign) else ()


def _report(ctx: Context, at: Expr, why: str) -> None:
    ctx.problem("PB112", at, word="checkpoint", detail=why)
