"""Where statements stand, what defines what, and what may run after what.

A definition of a variable is a statement that binds it or writes into memory that it may share.

May not know: rules, the transformation.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field

from ..ir import (
    Assign,
    AugAssign,
    Barrier,
    Block,
    Expr,
    For,
    Function,
    If,
    Keep,
    Name,
    Opaque,
    Param,
    Return,
    Star,
    Stmt,
    Tuple,
    While,
    bound,
    reads,
    stmt_exprs,
    walk,
)
from .facts import Facts

BlockKey = tuple[int, str]  # (id of the statement that holds the block or 0, "body" or "orelse")
# names one value of a variable: no two values have the same, joins and loops included
Version = Hashable
Reaching = dict[str, Version]
ENTRY = 0


@dataclass
class Flow:
    """Positions and definitions of one function's statements, keyed by statement identity."""

    params: tuple[Param, ...] = ()
    parent: dict[int, Stmt | None] = field(default_factory=dict)
    block: dict[int, BlockKey] = field(default_factory=dict)
    index: dict[int, int] = field(default_factory=dict)
    order: dict[int, int] = field(default_factory=dict)
    stmts: dict[int, Stmt] = field(default_factory=dict)
    bodies: dict[BlockKey, Block] = field(default_factory=dict)
    defs: dict[str, list[Stmt]] = field(default_factory=dict)
    reaching: dict[int, Reaching] = field(default_factory=dict)
    after: dict[int, Reaching] = field(default_factory=dict)

    def chain(self, s: Stmt) -> list[Stmt]:
        """The statements around `s`, innermost first."""
        out = []
        up = self.parent[id(s)]
        while up is not None:
            out.append(up)
            up = self.parent[id(up)]
        return out

    def loops(self, s: Stmt) -> list[Stmt]:
        """The loops whose body `s` is in, innermost first."""
        out: list[Stmt] = []
        inner = s
        for up in self.chain(s):
            if isinstance(up, (For, While)) and self.block[id(inner)] == (id(up), "body"):
                out.append(up)
            inner = up
        return out

    def block_of(self, key: BlockKey) -> Block:
        return self.bodies[key]

    def may_follow(self, d: Stmt, s: Stmt) -> bool:
        """Whether `d` may run after `s` has been reached (`d is s` counts: a statement reads, then writes)."""
        if d is s:
            return True
        shared = {id(x) for x in self.loops(s)} & {id(x) for x in self.loops(d)}
        if shared:
            return True
        if self.order[id(d)] < self.order[id(s)]:
            return False
        return not self._exclusive(d, s)

    def _exclusive(self, a: Stmt, b: Stmt) -> bool:
        """In different arms of one If."""
        arms = {}
        inner: Stmt = a
        for up in self.chain(a):
            if isinstance(up, If):
                arms[id(up)] = self.block[id(inner)]
            inner = up
        inner = b
        for up in self.chain(b):
            if id(up) in arms and arms[id(up)] != self.block[id(inner)]:
                return True
            inner = up
        return False


def flow_of(fn: Function, facts: Facts) -> Flow:
    """The Flow of `fn`, whose facts are known."""
    flow = Flow(fn.params)
    _place(flow, fn.body, None, (0, "body"))
    for s in flow.stmts.values():
        for n in defined(s, facts):
            flow.defs.setdefault(n, []).append(s)
    _Reach(flow, facts).block(fn.body, {p.name: ENTRY for p in fn.params})
    return flow


def _place(flow: Flow, block: Block, parent: Stmt | None, key: BlockKey) -> None:
    flow.bodies[key] = block
    for k, s in enumerate(block):
        flow.parent[id(s)] = parent
        flow.block[id(s)] = key
        flow.index[id(s)] = k
        flow.order[id(s)] = len(flow.order)
        flow.stmts[id(s)] = s
        if isinstance(s, (If, For, While)):
            _place(flow, s.body, s, (id(s), "body"))
            _place(flow, s.orelse, s, (id(s), "orelse"))


def bindings(s: Stmt) -> set[str]:
    """The variables that statement `s` itself binds."""
    out: set[str] = set()
    if isinstance(s, Assign):
        for t in s.targets:
            out |= bound(t)
    elif isinstance(s, (AugAssign, For)):
        out |= bound(s.target)
    elif isinstance(s, (Keep, Barrier)):
        out |= set(s.writes)
    for e in stmt_exprs(s):
        for n in walk(e):
            if type(n) is Opaque:
                out.update(n.writes)
    return out


def defined(s: Stmt, facts: Facts) -> set[str]:
    """The variables that `s` binds, or into whose memory it may write."""
    out = bindings(s)
    objs = facts.mutated.get(id(s))
    if objs:
        env = facts.before.get(id(s), {})
        out |= {n for n, v in env.items() if v.objs & objs}
    return out


class _Reach:
    """Versions at each statement: a definition makes one, so do joins, heads of loops and their exits."""

    def __init__(self, flow: Flow, facts: Facts) -> None:
        self.flow, self.facts = flow, facts

    def block(self, block: Block, env: Reaching | None) -> Reaching | None:
        for s in block:
            if env is None:
                return None
            self.flow.reaching[id(s)] = dict(env)
            env = self.statement(s, dict(env))
            if env is not None:
                self.flow.after[id(s)] = dict(env)
        return env

    def statement(self, s: Stmt, env: Reaching) -> Reaching | None:
        if isinstance(s, Return) or (
            isinstance(s, Keep) and s.kind in ("raise", "break", "continue")
        ):
            return None
        if isinstance(s, If):
            return _union(self.block(s.body, dict(env)), self.block(s.orelse, dict(env)), s)
        if isinstance(s, (For, While)):
            changed = {
                n
                for n, defs in self.flow.defs.items()
                if any(d is s or s in self.flow.chain(d) for d in defs)
            }
            start: Reaching = {**env, **{n: ("head", id(s)) for n in changed}}
            for n in defined(s, self.facts):
                start[n] = id(s)
            self.block(s.body, start)
            left = {**env, **{n: ("exit", id(s)) for n in changed}}
            end = self.block(s.orelse, dict(left))
            return _union(end, left, s) if may_break(s.body) else end
        for n in defined(s, self.facts):
            env[n] = id(s)
        return env


def _union(a: Reaching | None, b: Reaching | None, s: Stmt) -> Reaching | None:
    if a is None or b is None:
        return b if a is None else a
    return {n: a[n] if n in a and n in b and a[n] == b[n] else ("join", id(s)) for n in (*a, *b)}


def may_break(block: Block) -> bool:
    """Whether `block` may end the loop that it is in."""
    return may_exit(block, "break")


def may_exit(block: Block, kind: str) -> bool:
    """Whether `block` may leave its turn by a `kind`: "break" or "continue"; an inner loop's `else` may, too."""
    return any(
        (isinstance(s, Keep) and s.kind == kind)
        or (isinstance(s, If) and may_exit(s.body, kind))
        or (isinstance(s, (If, For, While)) and may_exit(s.orelse, kind))
        for s in block
    )


def liveness(body: Block) -> dict[int, set[str]]:
    """By statement, the variables whose value just behind it may still be read."""
    out: dict[int, set[str]] = {}
    _live(body, set(), out)
    return out


def _live(block: Block, later: set[str], out: dict[int, set[str]]) -> None:
    live = set(later)
    for s in reversed(block):
        out[id(s)] = set(live)
        if isinstance(s, (For, While)):
            behind = upward(s.orelse, live) | (live if may_break(s.body) else set())
            _live(s.body, live_at_head(s, behind), out)
        if isinstance(s, If):
            _live(s.body, live, out)
        if isinstance(s, (If, For, While)):
            _live(s.orelse, live, out)
        live = _before(s, live)


def live_at_head(loop: For | While, later: set[str]) -> set[str]:
    """The variables whose value at the start of a turn may still be read in this turn, a later one, or behind."""
    need = set(later)
    while True:
        new = need | upward(loop.body, need)
        if isinstance(loop, While):
            new |= reads(loop.test)
        if new == need:
            return need
        need = new


def upward(block: Block, later: set[str]) -> set[str]:
    """The variables read in `block` before being bound there, plus those of `later` that it does not surely bind."""
    live = set(later)
    for s in reversed(block):
        live = _before(s, live)
    return live


def _before(s: Stmt, live: set[str]) -> set[str]:
    used: set[str] = set()
    if isinstance(s, For):
        used = reads(s.iter)
    elif not isinstance(s, Assign):
        for e in stmt_exprs(s):
            used |= reads(e)
    if isinstance(s, (Keep, Barrier)):
        return live | set(s.reads)
    if isinstance(s, If):
        return upward(s.body, live) | upward(s.orelse, live) | used
    if isinstance(s, (For, While)):
        own = bound(s.target) - live if isinstance(s, For) else set()
        return (live_at_head(s, live) - own) | used | upward(s.orelse, live)
    if isinstance(s, Assign):
        for t in s.targets:
            live = live - bound(t)
        for t in s.targets:
            used |= _target_reads(t)
        used |= reads(s.value)
        return live | used
    return live | used


def _target_reads(t: Expr) -> set[str]:
    """What a target reads: nothing for a name, base and index for a subscript."""
    if isinstance(t, Name):
        return set()
    if isinstance(t, Tuple):
        return {n for i in t.items for n in _target_reads(i)}
    if isinstance(t, Star):
        return _target_reads(t.value)
    return reads(t)
