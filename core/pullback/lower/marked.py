"""`# pullback:` comments that say something of one statement, written into the tree as marks (ir/marks.py).

A comment belongs to the statement whose last line it ends, or else to the one directly below it. One
that names parameters may stand above the function, or above its first statement. The statements keep
their own text.

May not know: what a derivative makes of a mark, rules, types.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from .. import ir
from ..ir import Span
from ..ir.marks import STOP, THROUGH
from ..source.pragmas import Pragma, parse_pragma

Misplaced = tuple[str, str, Span]  # the comment's first word, why it does not fit, where it stands
Change = Callable[
    [ir.Stmt], "ir.Block | str"
]  # the statements in the place of one; or why there are none

_KINDS = ("stop", "straight-through")
_PARTS = ("attr.T", "attr.real", "attr.imag")  # other forms of an array


@dataclass(frozen=True)
class _Page:
    """A function's text and its statements by place, without those inside of what is kept as text."""

    text: str
    named_at: int  # where the function's name stands
    body: ir.Block

    def owner(self, at: Span) -> ir.Stmt | None:
        """The statement that a comment belongs to; None for one that is the function's."""
        known = [s for s in ir.statements(self.body) if s.origin is not None]
        own_line = not self.text[self.text.rfind("\n", 0, at.start) + 1 : at.start].strip()
        beside = [s for s in known if self._beside(s, at.start)]
        if beside or not own_line or at.start < self.named_at:
            return beside[-1] if beside else None
        below = (s for s in known if s.origin is not None and s.origin.start > at.start)
        return min(below, key=_start, default=None)

    def _beside(self, s: ir.Stmt, offset: int) -> bool:
        """Whether the comment at `offset` ends the last line of `s`, of its header where it has blocks."""
        assert s.origin is not None
        parts = ir.stmt_exprs(s) if ir.blocks(s) else ()
        end = max((e.origin.end for e in parts if e.origin is not None), default=s.origin.end)
        return end <= offset and "\n" not in self.text[end:offset]

    def inside_barrier(self, at: Span) -> bool:
        """Whether the comment is that of a function or another construct kept as text."""
        kept = (s.origin for s in ir.statements(self.body) if isinstance(s, ir.Barrier))
        return any(o is not None and o.start < at.start < o.end for o in kept)


def _start(s: ir.Stmt) -> int:
    assert s.origin is not None
    return s.origin.start


def marked(
    body: ir.Block,
    pragmas: tuple[tuple[str, Span], ...],
    params: tuple[ir.Param, ...],
    text: str,
    named_at: int,
) -> tuple[ir.Block, tuple[Misplaced, ...]]:
    """The body with what its comments say of single statements, and the comments that fit nowhere."""
    page = _Page(text, named_at, body)
    misplaced: list[Misplaced] = []
    for p, at in _of_statements(pragmas):
        if page.inside_barrier(at):
            continue
        made = _placed(p, at, replace(page, body=body), {q.name for q in params})
        if isinstance(made, str):
            misplaced.append((p.kind, made, at))
        else:
            body = made
    return body, tuple(misplaced)


def placed_comments(fn: ir.Function) -> Iterator[str]:
    """The comments on statements, each with the number of statements in front of it: where one stands counts."""
    starts = [s.origin.start for s in ir.statements(fn.body) if s.origin is not None]
    for p, at in _of_statements(fn.pragmas):
        yield f"{p.kind} {' '.join(p.names)} behind {sum(start < at.start for start in starts)}"


def _of_statements(pragmas: tuple[tuple[str, Span], ...]) -> Iterator[tuple[Pragma, Span]]:
    for said, span in pragmas:
        p = parse_pragma(said, span) if said.startswith(_KINDS) else None
        if isinstance(p, Pragma) and p.kind in _KINDS:
            yield p, span


def _placed(p: Pragma, at: Span, page: _Page, params: set[str]) -> ir.Block | str:
    """The body with what one comment says; or why it fits nowhere."""
    owner = page.owner(at)
    bound = {n for t in _targets(owner) for n in ir.bound(t)}
    first = owner is None or owner is next(filter(_runs, page.body), None)
    if p.names and first and not set(p.names) <= bound:
        return _parameters(p, page.body, params)
    if owner is None:
        return "there is no statement that it belongs to"
    change = _straight_through if p.kind == "straight-through" else _stopped(p)
    made = change(owner)
    return made if isinstance(made, str) else _exchanged(page.body, owner, made)


def _exchanged(block: ir.Block, old: ir.Stmt, new: ir.Block) -> ir.Block:
    """`block` with the statements `new` in the place of `old`, wherever in it that stands."""
    out: list[ir.Stmt] = []
    for s in block:
        out += new if s is old else (ir.map_blocks(s, lambda b: _exchanged(b, old, new)),)
    return ir.unless_same(out, block)


def _runs(s: ir.Stmt) -> bool:
    return not (isinstance(s, ir.Keep) and s.kind == "docstring")


def _targets(s: ir.Stmt | None) -> tuple[ir.Expr, ...]:
    return s.targets if isinstance(s, ir.Assign) else ()


# --- stop ----------------------------------------------------------------------------------------


def _parameters(p: Pragma, body: ir.Block, params: set[str]) -> ir.Block | str:
    """The body behind statements that make parameters constant."""
    unknown = [n for n in p.names if n not in params]
    if unknown:
        return f"{unknown[0]} is no parameter, and no variable that the statement below assigns"
    return (*(_constant(n, p.span) for n in p.names), *body)


def _constant(name: str, at: Span | None) -> ir.Stmt:
    value = ir.Call(STOP, (ir.Name(name),), origin=at)
    return ir.Assign((ir.Name(name),), value, at, made=True)


def _stopped(p: Pragma) -> Change:
    def change(s: ir.Stmt) -> ir.Block | str:
        if not isinstance(s, ir.Assign):
            return "it takes an assignment"
        names = {n for t in s.targets for n in ir.bound(t)}
        unknown = [n for n in p.names if n not in names]
        if unknown:
            return f"the statement does not assign {unknown[0]}"
        if p.names:
            return (s, *(_constant(n, s.origin) for n in p.names))
        return (replace(s, value=ir.Call(STOP, (s.value,), origin=s.value.origin)),)

    return change


# --- straight-through ----------------------------------------------------------------------------


def _straight_through(s: ir.Stmt) -> ir.Block | str:
    if not isinstance(s, ir.Assign) or isinstance(s.targets[0], ir.Tuple):
        return "it takes the assignment of one value"
    places = dict.fromkeys(_places(s.value))
    value = ir.Call(STOP, (s.value,), origin=s.value.origin)
    marked = ir.Call(THROUGH, (value, *map(ir.duplicate, places)), origin=s.value.origin)
    return (replace(s, value=marked),)


def _places(e: ir.Expr) -> Iterator[ir.Expr]:
    """The variables that `e` reads, and the parts of variables, each as it is written."""
    base = e
    while isinstance(base, ir.Call) and (base.fn == "operator.getitem" or base.fn in _PARTS):
        base = base.args[0]
    if isinstance(base, ir.Name):
        yield e
        return
    for c in ir.children(e):
        yield from _places(c)
