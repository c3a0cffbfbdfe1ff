"""What a loop runs over and can be had once only gets a name: the backward pass goes through it again.

    for i in rng.permutation(n):            ->    permutation_rng_items = rng.permutation(n)
        y = np.sin(y * x[i])                      for i in permutation_rng_items:
                                                      y = np.sin(y * x[i])

An iterator becomes a list, unless a `break` or what it is zipped with says how much of it is taken: it may have no
end, or do something in each turn.

May not know: how loops are reversed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..analysis.containers import is_container
from ..analysis.facts import Facts
from ..analysis.flow import may_break
from ..analysis.iterators import comes_to_end
from ..ir import (
    Assign,
    Block,
    Call,
    Expr,
    For,
    Function,
    Name,
    Stmt,
    map_blocks,
    rebuild,
    statements,
    stmt_exprs,
    unless_same,
    walk,
)
from ..optimize.effects import known_pure
from .naming import Namer, describe, names_of

_VIEWS = ("method.items", "method.keys", "method.values")
_ALONG = ("builtins.enumerate", "builtins.reversed")
_OVER = (*_ALONG, "builtins.zip", "builtins.range")
_LISTS = ("builtins.sorted", "builtins.list", "builtins.tuple")


def with_sequences(fn: Function, facts: Facts) -> Function:
    """`fn` with names for what its active loops run over and can be had once only."""
    found = (s for s in statements(fn.body) if isinstance(s, For))
    if not any(had_once(e, facts) for s in found for e in walk(s.iter)):
        return fn
    body = _Sequences(facts, Namer(names_of(fn))).block(fn.body)
    return fn if body is fn.body else replace(fn, body=body)


def had_once(it: Expr, facts: Facts) -> bool:
    """Whether `it` may be an iterator, or another thing each time it is evaluated."""
    if not isinstance(it, Call) or it.fn in _OVER or facts.active(it):
        return False
    if it.fn in _VIEWS:
        return not is_container(facts.type(it))
    return it.fn.startswith("builtins.") or comes_to_end(it) or not known_pure(it)


def is_sequence(it: Expr, facts: Facts) -> bool:
    """Whether `it` surely has a length and parts."""
    known = facts.type(it).kind in ("array", "number", "list", "tuple")
    return (known and not comes_to_end(it)) or (isinstance(it, Call) and it.fn in _LISTS)


@dataclass
class _Sequences:
    facts: Facts
    namer: Namer

    def block(self, block: Block) -> Block:
        out: list[Stmt] = []
        for s in block:
            if isinstance(s, For) and self._is_active(s):
                it = self.named(s.iter, not may_break(s.body), s, out)
                s = s if it is s.iter else replace(s, iter=it, verbatim=False)
            out.append(map_blocks(s, self.block))
        return unless_same(out, block)

    def named(self, it: Expr, whole: bool, s: For, out: list[Stmt]) -> Expr:
        """`it` with names, bound in `out`; `whole` where the loop takes all of it."""
        if isinstance(it, Call) and it.fn == "builtins.zip":
            return rebuild(it, lambda a: self.named(a, False, s, out))
        if isinstance(it, Call) and it.fn in _ALONG and it.args:
            over = self.named(it.args[0], whole, s, out)
            return it if over is it.args[0] else replace(it, args=(over, *it.args[1:]))
        sequence = is_sequence(it, self.facts)
        if not had_once(it, self.facts) or not (sequence or whole or comes_to_end(it)):
            return it
        name = self.namer.fresh(f"{describe(it)}_items")
        value = it if sequence else Call("builtins.list", (it,))
        out.append(Assign((Name(name),), value, origin=s.origin))
        return Name(name)

    def _is_active(self, s: For) -> bool:
        inside = (e for x in statements(s.body) for e in stmt_exprs(x))
        return any(map(self.facts.active, inside))
