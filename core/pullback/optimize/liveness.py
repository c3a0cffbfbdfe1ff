"""Backward liveness over structured statements, and the removal of what it finds dead.

One walk does both: a statement that nobody reads from is left out before its own reads count, so that
values that only feed themselves round a loop disappear too. Loops run to a fixed point.

May not know: rules, types, where the statements came from.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ..ir import (
    Assign,
    Barrier,
    Block,
    Call,
    Compare,
    Const,
    Expr,
    ExprStmt,
    For,
    If,
    Keep,
    Name,
    Note,
    Return,
    Stmt,
    While,
    bound,
    reads,
    stmt_exprs,
    unless_same,
)
from .effects import Aliases, Pure, is_pure, names_bound, root, store_of

Names = frozenset[str]
NOTHING: Names = frozenset()


@dataclass(frozen=True)
class Exits:
    """What is live where a statement leaves its block."""

    on_break: Names = NOTHING
    on_continue: Names = NOTHING


@dataclass
class Liveness:
    """The settings of a walk and what it remembers between rounds.

    pinned    variables that text-only code may read at any time: never dead
    visible   variables whose contents the caller sees
    removing  whether dead statements are left out (else the walk only looks)
    after     what is live after each statement, by its identity, when the walk is over
    """

    pure: Pure
    aliases: Aliases
    pinned: Names = NOTHING
    visible: Names = NOTHING
    removing: bool = True
    after: dict[int, Names] = field(default_factory=dict)
    heads: dict[int, Names] = field(default_factory=dict)
    read: dict[int, Names] = field(default_factory=dict)

    def reads(self, e: Expr) -> Names:
        """The variables that `e` reads; asked again in every round, so remembered."""
        found = self.read.get(id(e))
        if found is None:
            found = self.read[id(e)] = frozenset(reads(e))
        return found

    def name_dead(self, name: str, live: Names) -> bool:
        return name not in live and name not in self.pinned

    def memory_dead(self, name: str, live: Names) -> bool:
        """Whether nobody can look at the memory of `name` any more."""
        group = self.aliases(name) | {name}
        return not any(n in live or n in self.pinned or n in self.visible for n in group)


def sweep(block: Block, live: Names, exits: Exits, lv: Liveness) -> tuple[Block, Names]:
    """`block` without what is dead when `live` is read after it, and what is live before it."""
    kept: list[Stmt] = []
    for s in reversed(block):
        lv.after[id(s)] = live
        new, live = _statement(s, live, exits, lv)
        kept.extend(reversed(new))
    kept.reverse()
    new = unless_same(kept, block)
    return (block if new is block else _without_pass(new)), live


def _without_pass(block: Block) -> Block:
    if is_empty(block):
        return block
    return tuple(s for s in block if not (isinstance(s, Keep) and s.kind == "pass"))


def is_empty(block: Block) -> bool:
    """Whether a block does nothing (comments of our own and `pass` do nothing)."""
    return all(isinstance(s, Note) or (isinstance(s, Keep) and s.kind == "pass") for s in block)


def _statement(s: Stmt, live: Names, exits: Exits, lv: Liveness) -> tuple[tuple[Stmt, ...], Names]:
    if isinstance(s, If):
        return _if(s, live, exits, lv)
    if isinstance(s, For):
        return _for(s, live, exits, lv)
    if isinstance(s, While):
        return _while(s, live, exits, lv)
    if isinstance(s, Return):
        return (s,), NOTHING if s.value is None else lv.reads(s.value)
    if isinstance(s, (Keep, Barrier)):
        return (s,), _kept_text(s, live, exits)
    if lv.removing and _is_dead(s, live, lv):
        return (), live
    return (s,), _before_simple(s, live, lv)


def _kept_text(s: Keep | Barrier, live: Names, exits: Exits) -> Names:
    if isinstance(s, Barrier):
        return live | set(s.reads) | set(s.writes) | exits.on_break | exits.on_continue
    if s.kind == "break":
        return exits.on_break
    if s.kind == "continue":
        return exits.on_continue
    if s.kind == "raise":
        return frozenset(s.reads)
    if s.kind == "import":
        return live - set(s.writes)
    return live | set(s.reads) | set(s.writes)


def _is_dead(s: Stmt, live: Names, lv: Liveness) -> bool:
    if isinstance(s, ExprStmt) and store_of(s) is None:
        return s.made and is_pure(s.value, lv.pure)  # the user wrote it for an effect
    target = store_of(s)
    if target is not None:
        base = root(target)
        if base is None or not lv.memory_dead(base, live):
            return False
        parts = (
            s.value.args if isinstance(s, ExprStmt) and isinstance(s.value, Call) else stmt_exprs(s)
        )
        return all(is_pure(e, lv.pure) for e in parts)
    if not isinstance(s, Assign):
        return False
    if s.made and s.targets == (s.value,) and isinstance(s.value, Name):  # `x = x`
        return True
    if not all(isinstance(t, Name) or _only_names(t) for t in s.targets):
        return False
    return all(lv.name_dead(n, live) for n in names_bound(s)) and is_pure(s.value, lv.pure)


def _only_names(target: Expr) -> bool:
    """Whether assigning to a tuple binds variables and writes nowhere."""
    return bool(bound(target)) and bound(target) == reads(target)


def _before_simple(s: Stmt, live: Names, lv: Liveness) -> Names:
    if isinstance(s, Assign):
        live = live - names_bound(s)
        for t in s.targets:
            live |= lv.reads(t) - bound(t)
        return live | lv.reads(s.value)
    for e in stmt_exprs(s):
        live |= lv.reads(e)
    return live


# --- compound statements -------------------------------------------------------------------------


def _if(s: If, live: Names, exits: Exits, lv: Liveness) -> tuple[tuple[Stmt, ...], Names]:
    body, live_body = sweep(s.body, live, exits, lv)
    orelse, live_orelse = sweep(s.orelse, live, exits, lv)
    before = live_body | live_orelse | lv.reads(s.test)
    if body is s.body and orelse is s.orelse and not (is_empty(body) and is_empty(orelse)):
        return (s,), before
    if is_empty(body) and is_empty(orelse) and is_pure(s.test, lv.pure) and lv.removing:
        return (), live
    if is_empty(orelse):
        orelse = ()
        if body is s.body and not s.orelse:
            return (s,), before
    elif is_empty(body) and not _is_elif(orelse):
        body, orelse = orelse, ()
        return (replace(s, test=negated(s.test), body=body, orelse=(), verbatim=False),), before
    return (replace(s, body=body, orelse=orelse),), before


def _is_elif(block: Block) -> bool:
    return len(block) == 1 and isinstance(block[0], If) and block[0].is_elif


_OPPOSITE = {"==": "!=", "!=": "==", "is": "is not", "is not": "is", "in": "not in", "not in": "in"}


def negated(test: Expr) -> Expr:
    """The opposite of a condition (`<` has none: nan)."""
    if isinstance(test, Call) and test.fn == "operator.not_":
        return test.args[0]
    if isinstance(test, Compare) and len(test.ops) == 1 and test.ops[0] in _OPPOSITE:
        return replace(test, ops=(_OPPOSITE[test.ops[0]],))
    return Call("operator.not_", (test,))


def _for(s: For, live: Names, exits: Exits, lv: Liveness) -> tuple[tuple[Stmt, ...], Names]:
    orelse, after_loop = sweep(s.orelse, live, exits, lv)
    again = NOTHING if _counts(s.iter) else lv.reads(s.iter)
    own = lv.reads(s.target) - bound(s.target)
    head = after_loop | again | lv.heads.get(id(s), NOTHING)
    while True:
        body, live_body = sweep(s.body, head, Exits(live, head), lv)
        more = head | (live_body - bound(s.target)) | own
        if more == head:
            break
        head = more
    lv.heads[id(s)] = head
    gone = is_empty(body) and is_empty(orelse) and is_pure(s.iter, lv.pure) and not own
    if gone and lv.removing and all(lv.name_dead(n, live) for n in bound(s.target)):
        return (), live
    before = head | lv.reads(s.iter)
    same = body is s.body and orelse is s.orelse
    return (s if same else replace(s, body=body, orelse=orelse),), before


def _counts(e: Expr) -> bool:
    """Whether the loop takes what it runs over once, before the first turn."""
    while isinstance(e, Call) and e.fn in ("builtins.reversed", "builtins.enumerate") and e.args:
        e = e.args[0]
    return isinstance(e, Const) or (isinstance(e, Call) and e.fn == "builtins.range")


def _while(s: While, live: Names, exits: Exits, lv: Liveness) -> tuple[tuple[Stmt, ...], Names]:
    orelse, after_loop = sweep(s.orelse, live, exits, lv)
    head = after_loop | lv.reads(s.test) | lv.heads.get(id(s), NOTHING)
    while True:
        body, live_body = sweep(s.body, head, Exits(live, head), lv)
        if live_body <= head:
            break
        head |= live_body
    lv.heads[id(s)] = head
    same = body is s.body and orelse is s.orelse
    return (s if same else replace(s, body=body, orelse=orelse),), head
