"""Loops over products: a loop for each of the factors.

    for i, j in np.ndindex(n, m):     ->    for i in range(n):
        …                                       for j in range(m):
                                                    …

May not know: how loops are reversed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ..analysis.facts import Facts
from ..analysis.flow import bindings, may_break
from ..analysis.iterators import INDICES, PRODUCT, pools_of
from ..ir import (
    Block,
    Call,
    Expr,
    For,
    Function,
    Name,
    Stmt,
    Tuple,
    blocks,
    bound,
    duplicate,
    map_blocks,
    reads,
    statements,
    stmt_exprs,
    unless_same,
)

_SEQUENCES = ("array", "list", "tuple", "str", "dict")


def has_products(fn: Function) -> bool:
    """Whether a loop may run over a product."""
    loops = (s.iter for s in statements(fn.body) if isinstance(s, For))
    return any(isinstance(it, Call) and it.fn in (PRODUCT, INDICES) for it in loops)


def with_nested_loops(fn: Function, facts: Facts) -> Function:
    """`fn` with loops in loops instead; `fn` itself if there is no product that allows it."""
    body = _Nesting(fn, facts).block(fn.body)
    return fn if body is fn.body else replace(fn, body=body)


@dataclass
class _Nesting:
    fn: Function
    facts: Facts

    def block(self, block: Block) -> Block:
        out: list[Stmt] = []
        for s in block:
            if isinstance(s, For):
                s = self.nested(s) or s
            out.append(map_blocks(s, self.block))
        return unless_same(out, block)

    def nested(self, s: For) -> For | None:
        """A loop over a product as a loop for each of its factors; None where it is not to be had."""
        pools = pools_of(s.iter, self.facts) if isinstance(s.iter, Call) else None
        names = s.target.items if isinstance(s.target, Tuple) else ()
        if pools is None or len(names) != len(pools) or may_break(s.body):
            return None
        if not all(isinstance(n, Name) for n in names) or len(bound(s.target)) != len(names):
            return None
        if any(_read_outside(self.fn.body, n, s) for n in bound(s.target)):
            return None
        if not all(self.lasts(p, s) for p in pools):
            return None
        inner = replace(s, target=names[-1], iter=duplicate(pools[-1]), orelse=(), verbatim=False)
        for name, pool in zip(reversed(names[:-1]), reversed(pools[:-1])):
            inner = replace(inner, target=name, iter=duplicate(pool), body=(inner,))
        return replace(inner, orelse=s.orelse)

    def lasts(self, pool: Expr, s: For) -> bool:
        """Whether `pool` can be gone through in every turn of a loop around `s`, and gives the same each time."""
        again = isinstance(pool, (Tuple, Name)) or (
            isinstance(pool, Call) and pool.fn == "builtins.range"
        )
        if isinstance(pool, Name) and self.facts.type(pool).kind not in _SEQUENCES:
            return False
        made = {n for x in (s, *statements(s.body)) for n in bindings(x)}
        changed = frozenset(
            o for x in statements(s.body) for o in self.facts.mutated.get(id(x), ())
        )
        written = self.facts.origins(changed)
        kept = (self.facts.origins(self.facts.of(n).objs) for n in self.parts(pool))
        return again and not reads(pool) & made and not any(objs & written for objs in kept)

    def parts(self, pool: Expr) -> Iterator[Expr]:
        """The expressions in `pool`; of an array of which only the shape is asked, not the array."""
        yield pool
        if isinstance(pool, Call) and pool.fn in ("attr.shape", "builtins.len"):
            if self.facts.type(pool.args[0]).kind == "array":
                return
        if isinstance(pool, Call):
            for a in pool.args:
                yield from self.parts(a)
        elif isinstance(pool, Tuple):
            for i in pool.items:
                yield from self.parts(i)


def _read_outside(block: Block, name: str, loop: For) -> bool:
    """Whether `name` is read outside of `loop` and of other loops that bind it."""
    for s in block:
        if s is loop or (isinstance(s, For) and name in bound(s.target)):
            continue
        if any(name in reads(e) for e in stmt_exprs(s)) or name in getattr(s, "reads", ()):
            return True
        if any(_read_outside(b, name, loop) for b in blocks(s)):
            return True
    return False
