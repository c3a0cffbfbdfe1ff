"""Loops that are checkpointed, taken apart into segments.

    for t in range(n):  # pullback: checkpoint         every = int(max(n, 1) ** 0.5)
        u = step(u)                                    for first in range(0, n, every):
                                                ->         for t in range(first, min(first + every, n)):
                                                               u = step(u)

The inner loop is run again, with what must be recorded, when the backward pass comes to it: only the state with
which each segment begins is kept all through, and the records of one segment at a time. With `every` about the root
of the number of turns, that is least in all.

May not know: facts, how a loop is reversed.
"""

from __future__ import annotations

from dataclasses import replace

from ..analysis.facts import Problem
from ..analysis.flow import bindings, may_break
from ..ir import (
    Assign,
    Block,
    Call,
    Const,
    Expr,
    For,
    Function,
    Name,
    Span,
    Stmt,
    bound,
    map_blocks,
    reads,
    statements,
    unless_same,
)
from ..optimize.build import add, sub
from .naming import Namer, names_of

REMADE = "remade"
SNAPSHOTS = "snapshots "  # with the number of states, as the user's comment says it
REVOLVED = "revolved "  # the same, of a loop that can be run again


def with_segments(fn: Function) -> tuple[Function, tuple[Problem, ...]]:
    """`fn` with its checkpointed loops in segments, and what is wrong with those that cannot be."""
    if not any(_is_checkpointed(s) for s in statements(fn.body)):
        return fn, ()
    problems: list[Problem] = []
    body = _block(fn.body, fn, Namer(names_of(fn)), problems)
    return replace(fn, body=body), tuple(problems)


def _is_checkpointed(s: Stmt) -> bool:
    said = s.turns if isinstance(s, For) else ""
    return said == "auto" or said.isdecimal() or said.startswith(SNAPSHOTS)


def _block(block: Block, fn: Function, namer: Namer, problems: list[Problem]) -> Block:
    out: list[Stmt] = []
    for s in block:
        s = map_blocks(s, lambda b: _block(b, fn, namer, problems))
        if not isinstance(s, For) or not _is_checkpointed(s):
            out.append(s)
            continue
        why = _unfit(s)
        if why:
            at = s.iter.origin or s.origin or fn.name_span or Span(0, 0)
            values = (("word", "checkpoint"), ("detail", why))
            problems.append(Problem("PB112", at, values, fn.module))
        elif s.turns.startswith(SNAPSHOTS):
            out += _revolved(s, namer)
        else:
            out += _segments(s, namer)
    return unless_same(out, block)


def _unfit(s: For) -> str:
    """Why a loop cannot be taken apart."""
    it = s.iter
    counts = (
        isinstance(it, Call) and it.fn == "builtins.range" and not it.kwargs and len(it.args) < 3
    )
    if not counts or not isinstance(s.target, Name):
        return "it takes a loop over `range(n)` or `range(a, b)`"
    if may_break(s.body):
        return "the loop may be left before its end"
    if any(s.target.id in bindings(x) for x in statements(s.body)):
        return f"the loop assigns {s.target.id}"
    return ""


def _revolved(s: For, namer: Namer) -> list[Stmt]:
    """The loop itself, over a range whose ends can be read again; a turn that nobody counted is counted."""
    out: list[Stmt] = []
    begin, end = _ends(s, namer, out)
    assert isinstance(s.target, Name)
    target = Name(namer.fresh("t")) if s.target.id.startswith("_") else s.target
    turns = Call("builtins.range", (end,) if begin == Const(0) else (begin, end))
    same = turns == s.iter and target == s.target
    said = f"{REVOLVED}{s.turns.removeprefix(SNAPSHOTS)}"
    out.append(replace(s, target=target, iter=turns, verbatim=s.verbatim and same, turns=said))
    return out


def _ends(s: For, namer: Namer, out: list[Stmt]) -> tuple[Expr, Expr]:
    """The ends of a loop's range."""
    assert isinstance(s.iter, Call)
    changed = {n for x in statements(s.body) for n in bindings(x)} | bound(s.target)
    begin, end = s.iter.args if len(s.iter.args) == 2 else (Const(0), s.iter.args[0])
    begin = _settled(begin, "begin", changed, s, namer, out)
    return begin, _settled(end, "end", changed, s, namer, out)


def _segments(s: For, namer: Namer) -> list[Stmt]:
    out: list[Stmt] = []
    begin, end = _ends(s, namer, out)
    every = _every(s, sub(end, begin), namer, out)
    first = Name(namer.fresh("first"))
    last = Call("builtins.min", (add(first, every), end))
    inner = replace(
        s,
        iter=Call("builtins.range", (replace(first), last)),
        verbatim=False,
        turns=REMADE,
    )
    turns = Call("builtins.range", (begin, replace(end), replace(every)))
    out.append(For(replace(first), turns, (inner,), origin=s.origin, made=True))
    return out


def _settled(
    e: Expr, wanted: str, changed: set[str], s: For, namer: Namer, out: list[Stmt]
) -> Expr:
    """An end of the range that can be read again in the loop."""
    if isinstance(e, Const) or (isinstance(e, Name) and not reads(e) & changed):
        return replace(e)
    name = Name(namer.fresh(wanted))
    out.append(Assign((name,), e, origin=s.origin, made=True))
    return replace(name)


def _every(s: For, count: Expr, namer: Namer, out: list[Stmt]) -> Expr:
    """The number of turns in a segment."""
    if s.turns != "auto":
        return Const(int(s.turns))
    at_least = Call("builtins.max", (count, Const(1)))
    root = Call("builtins.int", (Call("operator.pow", (at_least, Const(0.5))),))
    name = Name(namer.fresh("every"))
    out.append(Assign((name,), root, origin=s.origin, made=True))
    return name
