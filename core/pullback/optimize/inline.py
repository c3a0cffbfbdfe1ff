"""Fewer names: a temporary that is read once, right below, moves to where it is read.

    t_bar = 2.0 * y_bar            x_bar = a                  x_bar = e
    x_bar = t_bar * x       and    x_bar += b         and     return x_bar
        -> x_bar = 2.0 * y_bar * x     -> x_bar = a + b           -> return e

Only statements that a pass made move, only values that nothing in between could change, and only into
statements that stay short.

May not know: rules, types.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace

from ..ir import (
    Assign,
    AugAssign,
    Block,
    Expr,
    For,
    Function,
    If,
    Keep,
    Name,
    Opaque,
    Return,
    Stmt,
    Tuple,
    While,
    bound,
    is_expr,
    map_blocks,
    reads,
    rebuild,
    statements,
    stmt_exprs,
    unless_same,
    walk,
)
from .build import ADD, FLOAT_NAME, SUB, add, is_call, is_zero, neg, sub
from .dead import live_after
from .effects import (
    Aliases,
    Changes,
    Pure,
    captured,
    is_new,
    is_pure,
    known_pure,
    names_bound,
    shared_memory,
    undisturbed,
)
from .evidence import ARITHMETIC
from .liveness import Names
from .simplify import simplify

BUDGET = 24  # nodes of a statement that something moves into


@dataclass(frozen=True)
class _Facts:
    may_inline: Callable[[str], bool]
    pure: Pure
    aliases: Aliases
    scalar: Callable[[str], bool]
    budget: int
    pinned: frozenset[str]
    after: dict[int, Names]  # of the statements as they were when the round began
    changes: Changes
    narrow: AbstractSet[str]
    mentioned: dict[int, tuple[Stmt, frozenset[str]]] = field(default_factory=dict)

    def mentions(self, s: Stmt, name: str) -> bool:
        """Whether `s` or a statement in it mentions `name`; each is looked at once."""
        if id(s) not in self.mentioned:
            names = (n for x in statements((s,)) for n in _mentions(x))
            self.mentioned[id(s)] = s, frozenset(names)
        return name in self.mentioned[id(s)][1]


def inline_single_use(
    fn: Function,
    may_inline: Callable[[str], bool],
    *,
    pure: Pure = known_pure,
    aliases: Aliases | None = None,
    scalar: Callable[[str], bool] = lambda name: False,
    budget: int = BUDGET,
    narrow: AbstractSet[str] = frozenset(),
) -> Function:
    """`fn` with made temporaries moved to their one use, and accumulations merged.

    may_inline  whether a made variable's name may disappear
    narrow      the variables that may hold something that is not floating
    scalar      whether a variable is surely a number: `x_bar = 0.0; x_bar += e` is then `x_bar = e`
    """
    changes = Changes(pure)
    while True:
        groups = shared_memory(fn) if aliases is None else aliases
        after = live_after(fn, pure, groups)
        facts = _Facts(
            may_inline, pure, groups, scalar, budget, captured(fn), after, changes, narrow
        )
        body = _block(fn.body, facts)
        if body is fn.body:
            return fn
        fn = replace(fn, body=body)


def _block(block: Block, facts: _Facts) -> Block:
    """`block` with what can move moved, last statements first."""
    if not block:
        return block
    end = facts.after[id(block[-1])]  # moves inside the block leave that as it is
    out = [map_blocks(s, lambda b: _block(b, facts)) for s in block]
    for i in range(len(out) - 1, -1, -1):
        _move(out, i, end, facts)
    return unless_same(out, block)


def _move(out: list[Stmt], i: int, end: Names, facts: _Facts) -> None:
    """Move what statement `i` assigns to where it is read, if it may go there; else do nothing."""
    s = out[i]
    if isinstance(s, AugAssign):
        _return_accumulated(out, i, facts)
    if not isinstance(s, Assign) or not s.made or len(s.targets) != 1:
        return
    target = s.targets[0]
    if (
        not isinstance(target, Name)
        or target.id in facts.pinned
        or not is_pure(s.value, facts.pure)
    ):
        return
    at = _first_use(out, i, target.id, facts)
    if at is None or not undisturbed(s.value, out[i + 1 : at], facts.changes, facts.aliases):
        return
    used_up = _used_up(out, at, target.id, end, facts)
    new = _with_value(out[at], target.id, s.value, used_up, facts)
    if new is not None:
        out[at] = new
        del out[i]


def _first_use(out: list[Stmt], i: int, name: str, facts: _Facts) -> int | None:
    """The next statement of the block that mentions `name`."""
    for j in range(i + 1, len(out)):
        if facts.mentions(out[j], name):
            return j
    return None


def _used_up(out: list[Stmt], at: int, name: str, end: Names, facts: _Facts) -> bool:
    """Whether nobody reads `name` after statement `at` before it is bound anew."""
    if isinstance(out[at], Assign) and name in names_bound(out[at]):
        return True
    again = _first_use(out, at, name, facts)
    if again is None:
        return name not in end
    s = out[again]
    return isinstance(s, Assign) and s.targets == (Name(name),) and name not in reads(s.value)


def _mentions(s: Stmt) -> set[str]:
    names = names_bound(s)
    for e in stmt_exprs(s):
        names |= reads(e)
    if isinstance(s, Keep) or not stmt_exprs(s):
        names |= set(getattr(s, "reads", ()))
    return names


def _with_value(s: Stmt, name: str, value: Expr, used_up: bool, facts: _Facts) -> Stmt | None:
    """Statement `s` with `value` in the place of `name`; None where it may not go there."""
    if isinstance(s, AugAssign) and s.target == Name(name):
        return _accumulated(s, name, value, facts)
    if isinstance(s, Return) and s.value == Name(name):
        return replace(s, value=value, verbatim=False)
    if not s.made or not used_up or not facts.may_inline(name) or _count(s, name) != 1:
        return None
    new = _replaced(s, name, value, facts.narrow)
    if new is None or (_size(new) > facts.budget and not isinstance(value, Name)):
        return None
    return new


def _accumulated(s: AugAssign, name: str, value: Expr, facts: _Facts) -> Stmt | None:
    """`name = value` followed by `name += e`, as one assignment."""
    if not s.made or s.op not in (ADD, SUB) or name in reads(s.value):
        return None
    scalar = facts.scalar(name)
    if is_zero(value):
        new: Expr = neg(s.value) if s.op == SUB else s.value
        if not (scalar or is_new(new)):
            return None
    else:
        new = add(value, s.value) if s.op == ADD else sub(value, s.value)
        if not (scalar or is_new(value)) or _size_of(new) > facts.budget:
            return None
    return Assign((s.target,), new, s.origin, made=True)


def _return_accumulated(out: list[Stmt], i: int, facts: _Facts) -> None:
    """`x_bar += e; return x_bar` as `return x_bar + e`."""
    s = out[i]
    follower = out[i + 1] if i + 1 < len(out) else None
    if not isinstance(s, AugAssign) or not s.made or s.op not in (ADD, SUB):
        return
    if not isinstance(s.target, Name) or not isinstance(follower, Return):
        return
    if follower.value != s.target or s.target.id in facts.pinned:
        return
    new = add(s.target, s.value) if s.op == ADD else sub(s.target, s.value)
    if _size_of(new) > facts.budget:
        return
    out[i : i + 2] = [replace(follower, value=new, verbatim=False)]


# --- one statement -------------------------------------------------------------------------------


def _count(s: Stmt, name: str) -> int:
    """How often `s` itself reads `name` where a value can stand; many where it cannot."""
    places = _value_places(s)
    if places is None or _blocks_read(s, name):
        return 99
    count = 0
    for e in stmt_exprs(s):
        for n in walk(e):
            if isinstance(n, Opaque) and name in (*n.reads, *n.writes):
                return 99
    for e in places:
        count += sum(1 for n in walk(e) if isinstance(n, Name) and n.id == name)
    targets = [e for e in stmt_exprs(s) if not any(e is p for p in places)]
    if any(name in reads(t) - bound(t) for t in targets):
        return 99
    return count


def _blocks_read(s: Stmt, name: str) -> bool:
    if not isinstance(s, (If, For, While)):
        return False
    return any(name in _mentions(t) for b in (s.body, s.orelse) for t in statements(b))


def _value_places(s: Stmt) -> tuple[Expr, ...] | None:
    """The expressions of `s` that are evaluated once, for their value."""
    if isinstance(s, (Assign, AugAssign)):
        return (s.value,)
    if isinstance(s, Return):
        return () if s.value is None else (s.value,)
    if isinstance(s, If):
        return (s.test,)
    if isinstance(s, For):
        return (s.iter,)
    return None


def _replaced(s: Stmt, name: str, value: Expr, narrow: AbstractSet[str]) -> Stmt | None:
    def change(e: Expr) -> Expr:
        return _replaced_in(e, name, value)

    if isinstance(s, (Assign, AugAssign)):
        new = change(s.value)
        meet = FLOAT_NAME.match(name)  # literals of an adjoint and of where it moves
        simpler = simplify(new, narrow=narrow) if meet else new
        if isinstance(s, Assign) and not is_call(simpler, *ARITHMETIC):
            simpler = new  # `v = 1.0 * u` is new memory, `v = u` is not
        return replace(s, value=simpler, verbatim=False)
    if isinstance(s, Return) and is_expr(s.value):
        return replace(s, value=change(s.value), verbatim=False)
    if isinstance(s, If):
        return replace(s, test=change(s.test), verbatim=False)
    if isinstance(s, For):
        return replace(s, iter=change(s.iter), verbatim=False)
    return None


def _replaced_in(e: Expr, name: str, value: Expr) -> Expr:
    if isinstance(e, Name) and e.id == name:
        return value
    return rebuild(e, lambda c: _replaced_in(c, name, value))


def _size(s: Stmt) -> int:
    return sum(_size_of(e) for e in stmt_exprs(s))


def _size_of(e: Expr) -> int:
    return sum(1 for n in walk(e) if not isinstance(n, Tuple))
