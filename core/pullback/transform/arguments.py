"""Starred arguments as arguments of their own, where the text shows how many they are; what `*args` collects.

    pair = (x, y)
    mix(*pair, **{"k": z})    ->    mix(pair[0], pair[1], k=z)

May not know: rules, how anything is reversed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from ..analysis.facts import Facts
from ..analysis.signatures import Bound
from ..ir import (
    Assign,
    Block,
    Call,
    Const,
    Dict,
    Expr,
    Function,
    Name,
    Param,
    Ref,
    Star,
    Stmt,
    Tuple,
    duplicate,
    map_blocks,
    map_statement,
    statements,
    stmt_exprs,
    unless_same,
    walk,
)
from .naming import Namer, names_of
from .order import before, first, swapped, value_of, with_value

Carry = Callable[[Call, Call], None]  # is told a call and the one that stands for it


def collected(p: Param, bound: Bound, call: Call) -> Expr:
    """What the parameter `*p` or `**p` holds in a call, as a display."""
    if p.kind == "var-keyword":
        rest = [(k, v) for k, v in call.kwargs if k not in bound]
        return Dict(tuple(Const(k) for k, _ in rest), tuple(v for _, v in rest), call.origin)
    values = bound.get(p.name, ())
    return Tuple(values if isinstance(values, tuple) else (), origin=call.origin)


def with_arguments_apart(fn: Function, facts: Facts, carry: Carry) -> Function:
    """`fn` without starred arguments of a known number, where active values are among them; else `fn` itself."""
    walk = _Apart(facts, carry, Namer(names_of(fn)))
    if not any(walk.starred(s) for s in statements(fn.body)):
        return fn
    body = walk.block(fn.body)
    return fn if body is fn.body else replace(fn, body=body)


@dataclass
class _Apart:
    facts: Facts
    carry: Carry
    namer: Namer

    def starred(self, s: Stmt) -> list[Call]:
        """The active calls of a statement that have starred arguments of a known number."""
        calls = [c for e in stmt_exprs(s) for c in walk(e) if isinstance(c, Call)]
        return [c for c in calls if _stars(c) and self.is_known(c)]

    def is_known(self, c: Call) -> bool:
        values = [*c.args, *(v for _, v in c.kwargs)]
        known = all(self.length(v, by_name) is not None for v, by_name in _stars(c))
        return known and any(self.facts.active(v) for v in values)

    def length(self, v: Expr, by_name: bool) -> int | None:
        """How many arguments `*v` or `**v` stands for."""
        if isinstance(v, Tuple) and not by_name:
            return None if any(isinstance(i, Star) for i in v.items) else len(v.items)
        if isinstance(v, Dict) and by_name:
            return len(v.values) if all(map(_is_word, v.keys)) else None
        t = self.facts.type(v)
        if by_name:
            words = t.keys if t.kind == "dict" else None
            return None if words is None or any(type(k) is not str for k in words) else len(words)
        items = t.items if t.kind in ("tuple", "list", "record") else None
        return None if items is None else len(items)

    def block(self, block: Block) -> Block:
        return unless_same([x for s in block for x in self.statement(s)], block)

    def statement(self, s: Stmt) -> Block:
        s = map_blocks(s, self.block)
        found = self.starred(s)
        if not found:
            return (s,)
        held = {id(v) for c in found for v, _ in _stars(c) if not _is_plain(v)}
        if held:
            return self.named(s, held)
        swaps: dict[int, Expr] = {id(c): self.apart(c) for c in found}
        made = map_statement(s, lambda e: swapped(e, swaps), lambda x: x)
        return (replace(made, verbatim=False),)

    def named(self, s: Stmt, held: set[int]) -> Block:
        """`s` with a name for the first of the containers that are computed in it."""
        whole = value_of(s)
        path = None if whole is None else first(whole, held)
        if whole is None or path is None:
            return (s,)
        early: list[Stmt] = []
        swaps: dict[int, Expr] = {}
        for e, word in [*((e, "part") for e in before(path)), (path[-1], "parts")]:
            swaps[id(e)] = Name(self.namer.fresh(word))
            early.append(Assign((swaps[id(e)],), e, origin=s.origin))
        return (*early, with_value(s, swapped(whole, swaps)))

    def apart(self, c: Call) -> Call:
        args: list[Expr] = []
        kwargs: list[tuple[str, Expr]] = []
        for a in c.args:
            args += self.items(a.value) if isinstance(a, Star) else (a,)
        for k, v in c.kwargs:
            kwargs += self.words(v) if k == "**" else ((k, v),)
        made = replace(c, args=tuple(args), kwargs=tuple(kwargs))
        self.carry(c, made)
        return made

    def items(self, v: Expr) -> tuple[Expr, ...]:
        if isinstance(v, Tuple):
            return v.items
        return tuple(_part(v, k) for k in range(self.length(v, False) or 0))

    def words(self, v: Expr) -> tuple[tuple[str, Expr], ...]:
        if isinstance(v, Dict):
            return tuple((k.value, x) for k, x in zip(v.keys, v.values) if isinstance(k, Const))
        return tuple((k, _part(v, k)) for k in self.facts.type(v).keys or ())


def _stars(c: Call) -> list[tuple[Expr, bool]]:
    """What stands behind the stars of a call, and whether it gives arguments by name."""
    by_place = [(a.value, False) for a in c.args if isinstance(a, Star)]
    return by_place + [(v, True) for k, v in c.kwargs if k == "**"]


def _part(v: Expr, key: object) -> Call:
    return Call("operator.getitem", (duplicate(v), Const(key)), origin=v.origin)


def _is_word(k: Expr | None) -> bool:
    return isinstance(k, Const) and isinstance(k.value, str)


def _is_plain(v: Expr) -> bool:
    """Whether `v` may be said several times: a variable, a part of one, or a display."""
    if isinstance(v, (Name, Ref, Tuple, Dict)):
        return True
    part = isinstance(v, Call) and (v.fn == "operator.getitem" or v.fn.startswith("attr."))
    if not part or not isinstance(v, Call):
        return False
    return _is_plain(v.args[0]) and all(isinstance(a, (Const, Name)) for a in v.args[1:])
