"""Made names that only stand for another: `t = v` goes, and `t = -v` where a minus says it.

    product_bar = -w_bar
    a_bar[k] += product_bar * b[k]     ->     a_bar[k] -= w_bar * b[k]
    b_bar[k] += product_bar * a[k]            b_bar[k] -= w_bar * a[k]

May not know: rules, types.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from ..ir import (
    Assign,
    AugAssign,
    Block,
    Call,
    Expr,
    For,
    Function,
    If,
    Name,
    Stmt,
    While,
    map_blocks,
    map_statement,
    reads,
    rebuild,
    statements,
    stmt_exprs,
    unless_same,
)
from .build import ADD, DIV, MUL, NEG, SUB, is_call
from .effects import Aliases, Pure, captured, known_pure, names_bound, names_stored, shared_memory


def drop_copies(
    fn: Function, may_go: Callable[[str], bool], *, pure: Pure = known_pure
) -> Function:
    """`fn` without made variables that are another one, or its negative; `may_go` says whose name may go."""
    while True:
        work = _work(fn, may_go, pure)
        found = _copy(fn.body, work)
        body = _renamed(fn.body, *found) if found else _negatives(fn.body, work)
        if body is fn.body:
            return fn
        fn = replace(fn, body=body)


@dataclass(frozen=True)
class _Work:
    """changes: how often a variable is bound or stored into; mentions: the statements that read it, in order."""

    may_go: Callable[[str], bool]
    pure: Pure
    aliases: Aliases
    fixed: frozenset[str]
    changes: dict[str, int]
    mentions: dict[str, list[Stmt]]
    order: dict[int, int]

    def once(self, name: str) -> bool:
        return self.changes.get(name) == 1 and name not in self.fixed

    def read_behind(self, name: str, s: Stmt) -> bool:
        """Nothing in front of `s` reads `name`: in a later turn of a loop that would be an older value."""
        return all(self.order[id(x)] > self.order[id(s)] for x in self.mentions.get(name, ()))


def _work(fn: Function, may_go: Callable[[str], bool], pure: Pure) -> _Work:
    changes: dict[str, int] = {}
    mentions: dict[str, list[Stmt]] = {}
    order: dict[int, int] = {}
    for s in statements(fn.body):
        order[id(s)] = len(order)
        changed = names_bound(s) | (names_stored(s, pure) or set())
        for n in changed:
            changes[n] = changes.get(n, 0) + 1
        for n in _mentioned(s):
            mentions.setdefault(n, []).append(s)
    fixed = captured(fn) | {p.name for p in fn.params}
    return _Work(may_go, pure, shared_memory(fn), fixed, changes, mentions, order)


def _mentioned(s: Stmt) -> set[str]:
    """The variables that a statement itself reads, its blocks left out."""
    out = set(getattr(s, "reads", ()))
    targets = s.targets if isinstance(s, Assign) else ()
    for e in stmt_exprs(s):
        out |= reads(e) - (names_bound(s) if any(e is t for t in targets) else set())
    return out


# --- t = v ---------------------------------------------------------------------------------------


def _copy(block: Block, work: _Work) -> tuple[str, str] | None:
    """A made `t = v` where both are bound once, v in front of it in the same block."""
    before: set[str] = set()
    for s in block:
        if isinstance(s, (If, For, While)):
            found = _copy(s.body, work) or _copy(s.orelse, work)
            if found is not None:
                return found
        elif isinstance(s, Assign):
            if (t := _target(s)) is not None and isinstance(s.value, Name):
                v = s.value.id
                if work.may_go(t) and work.once(t) and work.read_behind(t, s):
                    if v in before and work.once(v):
                        return t, v
            before |= names_bound(s)
    return None


def _target(s: Stmt) -> str | None:
    """The variable that a made assignment binds."""
    if not isinstance(s, Assign) or not s.made or len(s.targets) != 1:
        return None
    return s.targets[0].id if isinstance(s.targets[0], Name) else None


def _renamed(block: Block, old: str, new: str) -> Block:
    def name(e: Expr) -> Expr:
        return Name(new) if e == Name(old) else rebuild(e, name)

    def statement(s: Stmt) -> Stmt:
        mentioned = any(old in _mentioned(x) for x in statements((s,)))
        return map_statement(s, name, statement) if mentioned else s

    def without(b: Block) -> Block:
        return tuple(map_blocks(s, without) for s in b if _target(s) != old)

    return tuple(statement(s) for s in without(block))


# --- t = -v --------------------------------------------------------------------------------------


def _negatives(block: Block, work: _Work) -> Block:
    out: list[Stmt] = [map_blocks(s, lambda b: _negatives(b, work)) for s in block]
    i = 0
    while i < len(out):
        made = _without_negative(out, i, work)
        out, i = (out, i + 1) if made is None else (made, i)
    return unless_same(out, block)


def _without_negative(out: list[Stmt], i: int, work: _Work) -> list[Stmt] | None:
    """The block without the made `t = -v` at `i`, where every use of t is the first factor of what is added."""
    s, t = out[i], _target(out[i])
    if t is None or not isinstance(s, Assign) or not is_call(s.value, NEG):
        return None
    if not work.may_go(t) or not work.once(t) or not _is_place(s.value.args[0]):
        return None
    new, uses, changed = out[:i], 0, False
    for x in out[i + 1 :]:
        if t in _mentioned(x):
            led = None if changed else _led_by(x, t)
            if led is None:
                return None
            x, uses = replace(led, value=_with_lead(led.value, s.value)), uses + 1
        changed = changed or _changes(x, s.value, work)
        new.append(x)
    return new if uses == len(work.mentions[t]) else None


def _is_place(e: Expr) -> bool:
    """A variable or an element of one: reading it again costs nothing."""
    return isinstance(e, Name) or (is_call(e, "operator.getitem") and isinstance(e.args[0], Name))


def _changes(s: Stmt, value: Expr, work: _Work) -> bool:
    names = reads(value)
    memory = {other for n in names for other in work.aliases(n)} | names
    for x in statements((s,)):
        stored = names_stored(x, work.pure)
        if stored is None or names_bound(x) & names or stored & memory:
            return True
    return False


def _led_by(s: Stmt, name: str) -> AugAssign | None:
    """`s` where it is a made `x += name * …` that mentions `name` nowhere else."""
    if not isinstance(s, AugAssign) or not s.made or s.op not in (ADD, SUB):
        return None
    e: Expr = s.value
    while is_call(e, MUL, DIV):
        if name in reads(e.args[1]):
            return None
        e = e.args[0]
    return s if e == Name(name) and name not in reads(s.target) else None


def _with_lead(e: Expr, lead: Expr) -> Expr:
    if is_call(e, MUL, DIV):
        return Call(e.fn, (_with_lead(e.args[0], lead), *e.args[1:]))
    return lead
