"""Variables that are read where not every path has given them a value.

One walk in the order of execution, with the variables that surely have a value and those that may have
one. Where the same test guards a binding and a reading, the reading is taken to be fine.

May not know: what values are, how derivatives are made.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ..ir import (
    Assign,
    AugAssign,
    Block,
    Call,
    Const,
    Expr,
    For,
    Function,
    If,
    Keep,
    Name,
    Return,
    Span,
    Stmt,
    While,
    bound,
    statements,
    stmt_exprs,
    walk,
)
from .facts import Problem, Role
from .flow import bindings

BRANCH, LOOP = "branch", "loop"
Guard = tuple[Expr, bool]  # a test, and whether it held


@dataclass(frozen=True)
class State:
    """`sure` have a value; `maybe` may have none, each with what decides, and the test and arm that gave it one."""

    sure: frozenset[str] = frozenset()
    maybe: dict[str, tuple[str, Guard | None]] = field(default_factory=dict)

    def given(self, names: set[str]) -> State:
        return State(self.sure | names, {n: m for n, m in self.maybe.items() if n not in names})

    def under(self, test: Expr, arm: bool) -> State:
        """The state in an arm of a test: what was bound in that arm of the same test has its value."""
        return self.given({n for n, (_, guard) in self.maybe.items() if guard == (test, arm)})


def unbound(fn: Function) -> tuple[Problem, ...]:
    """PB203 for the first reading of each variable that may have no value there."""
    walker = _Walk(fn)
    walker.block(fn.body, State(frozenset(p.name for p in fn.params)))
    return tuple(walker.found.values())


class _Walk:
    def __init__(self, fn: Function) -> None:
        self.fn = fn
        self.found: dict[str, Problem] = {}
        self.left: list[State] = []  # the states in which the innermost loop was left by `break`

    def block(self, block: Block, state: State | None) -> State | None:
        """The state behind a block; None where nothing goes on from there."""
        for s in block:
            if state is None:
                return None
            state = self.statement(s, state)
        return state

    def statement(self, s: Stmt, state: State) -> State | None:
        self.read(s, state)
        if isinstance(s, Return) or (isinstance(s, Keep) and s.kind in ("raise", "continue")):
            return None
        if isinstance(s, Keep) and s.kind == "break":
            self.left.append(state)
            return None
        if isinstance(s, If):
            then = self.block(s.body, state.under(s.test, True))
            other = self.block(s.orelse, state.under(s.test, False))
            return _joined(then, other, BRANCH, s.test)
        if isinstance(s, (For, While)):
            return self.loop(s, state)
        return state.given(bindings(s))

    def loop(self, s: For | While, state: State) -> State | None:
        outer, self.left = self.left, []
        inside = {n for x in statements(s.body) for n in bindings(x)} - state.sure
        again = State(state.sure, {**dict.fromkeys(inside, (LOOP, None)), **state.maybe})
        first = again.given(bindings(s))
        end = self.block(s.body, first)
        if isinstance(s, For):
            after = _joined(end, state, LOOP, None) if not _takes_a_turn(s) else end
            after = again if after is None else after
        else:
            after = None if s.test == Const(True) else again
        breaks, self.left = self.left, outer
        after = None if after is None else self.block(s.orelse, after)
        for left in breaks:
            after = left if after is None else _joined(after, left, LOOP, None)
        return after

    def read(self, s: Stmt, state: State) -> None:
        for n in _readings(s):
            if n.id in state.maybe and n.id not in self.found and n.origin is not None:
                decides, _ = state.maybe[n.id]
                values = (("name", n.id), ("construct", decides))
                severity = "hint" if decides == LOOP else ""  # most loops do take a turn
                places = self.bindings_of(n.id)
                told = Problem("PB203", n.origin, values, places=places, severity=severity)
                self.found[n.id] = told

    def bindings_of(self, name: str) -> tuple[Role, ...]:
        found: list[Span] = []
        for s in statements(self.fn.body):
            if name in bindings(s) and not isinstance(s, AugAssign):
                at = s.target.origin if isinstance(s, For) else s.origin
                found += [at] if at is not None else []
        return tuple(("bound", at) for at in found)


def _joined(a: State | None, b: State | None, decides: str, test: Expr | None) -> State | None:
    """The state behind two ways that meet; `test` holds on the first of them."""
    if a is None or b is None:
        return b if a is None else a
    sure = a.sure & b.sure
    maybe = {**b.maybe, **a.maybe}
    here, there = (None, None) if test is None else ((test, True), (test, False))
    maybe |= dict.fromkeys(a.sure - b.sure - b.maybe.keys(), (decides, here))
    maybe |= dict.fromkeys(b.sure - a.sure - a.maybe.keys(), (decides, there))
    return State(sure, {n: m for n, m in maybe.items() if n not in sure})


def _takes_a_turn(s: For) -> bool:
    """`for … in range(3)`: with a bound that is written out, the body surely runs."""
    it = s.iter
    if not (isinstance(it, Call) and it.fn == "builtins.range" and len(it.args) == 1):
        return False
    stop = it.args[0]
    return isinstance(stop, Const) and isinstance(stop.value, int) and stop.value > 0


def _readings(s: Stmt) -> Iterator[Name]:
    """The variables that a statement itself reads: in a target only what is not rebound."""
    exprs = stmt_exprs(s)
    written: set[int] = set()
    if isinstance(s, (Assign, For)):
        targets = s.targets if isinstance(s, Assign) else (s.target,)
        written = {id(n) for t in targets for n in _rebound(t)}
    for e in exprs:
        for n in walk(e):
            if isinstance(n, Name) and id(n) not in written:
                yield n


def _rebound(target: Expr) -> Iterator[Expr]:
    """The names in a target that it rebinds: those that no subscript or attribute stands on."""
    if isinstance(target, Call):
        return
    names = bound(target)
    yield from (n for n in walk(target) if isinstance(n, Name) and n.id in names)
