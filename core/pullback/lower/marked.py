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
from ..ir.marks import IMPLICIT, STOP, THROUGH
from ..source.pragmas import Pragma, parse_pragma
from .statements import inserted

Misplaced = tuple[str, str, Span]  # the comment's first word, why it does not fit, where it stands

_KINDS = ("stop", "straight-through", "insert", "checkpoint", IMPLICIT)
_PARTS = ("attr.T", "attr.real", "attr.imag")  # other forms of an array


@dataclass(frozen=True)
class Page:
    """A function's text, where its name stands in it, and how code that is not in it is lowered."""

    text: str
    named_at: int
    code: Callable[[str, frozenset[str]], ir.Block | None]


@dataclass(frozen=True)
class _Placed:
    """The page, and a body's statements by place, without those inside of what is kept as text."""

    page: Page
    body: ir.Block

    @property
    def text(self) -> str:
        return self.page.text

    def owner(self, at: Span) -> ir.Stmt | None:
        """The statement that a comment belongs to; None for one that is the function's."""
        known = [s for s in ir.statements(self.body) if s.origin is not None]
        own_line = self.on_own_line(at)
        beside = [s for s in known if self._beside(s, at.start)]
        if beside or not own_line or at.start < self.page.named_at:
            return beside[-1] if beside else None
        below = (s for s in known if s.origin is not None and s.origin.start > at.start)
        return min(below, key=_start, default=None)

    def _beside(self, s: ir.Stmt, offset: int) -> bool:
        """Whether the comment at `offset` ends the last line of `s`, of its header where it has blocks."""
        assert s.origin is not None
        parts = ir.stmt_exprs(s) if ir.blocks(s) else ()
        end = max((e.origin.end for e in parts if e.origin is not None), default=s.origin.end)
        return end <= offset and "\n" not in self.text[end:offset]

    def on_own_line(self, at: Span) -> bool:
        return not self.text[self.text.rfind("\n", 0, at.start) + 1 : at.start].strip()

    def column(self, offset: int) -> int:
        return offset - self.text.rfind("\n", 0, offset)

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
    page: Page,
) -> tuple[ir.Block, tuple[Misplaced, ...]]:
    """The body with what its comments say of single statements, and the comments that fit nowhere."""
    misplaced: list[Misplaced] = []
    for p, at in _of_statements(pragmas):
        placed = _Placed(page, body)
        if placed.inside_barrier(at):
            continue
        made = _placed(p, at, placed, {q.name for q in params})
        if isinstance(made, str):
            misplaced.append((p.kind, made, at))
        else:
            body = made
    return body, tuple(misplaced)


def placed_comments(fn: ir.Function) -> Iterator[str]:
    """The comments on statements, each with the number of statements in front of it: where one stands counts."""
    starts = [s.origin.start for s in ir.statements(fn.body) if s.origin is not None]
    for p, at in _of_statements(fn.pragmas):
        behind = sum(start < at.start for start in starts)
        said = (*p.names, *(f"{k}={v}" for k, v in p.options), p.text)
        yield " ".join((p.kind, *said, "behind", str(behind)))


def _of_statements(pragmas: tuple[tuple[str, Span], ...]) -> Iterator[tuple[Pragma, Span]]:
    for said, span in pragmas:
        p = parse_pragma(said, span) if said.startswith(_KINDS) else None
        if isinstance(p, Pragma) and p.kind in _KINDS:
            yield p, span


def _placed(p: Pragma, at: Span, page: _Placed, params: set[str]) -> ir.Block | str:
    """The body with what one comment says; or why it fits nowhere."""
    if p.kind == "insert":
        return _with_insert(p.names[0], p.text, at, page)
    owner = page.owner(at)
    bound = {n for t in _targets(owner) for n in ir.bound(t)}
    first = owner is None or owner is next(filter(_runs, page.body), None)
    if p.names and first and not set(p.names) <= bound:
        return _parameters(p, page.body, params)
    if owner is None:
        return "there is no statement that it belongs to"
    made = _CHANGES[p.kind](p, owner)
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


def _stopped(p: Pragma, s: ir.Stmt) -> ir.Block | str:
    if not isinstance(s, ir.Assign):
        return "it takes an assignment"
    names = {n for t in s.targets for n in ir.bound(t)}
    unknown = [n for n in p.names if n not in names]
    if unknown:
        return f"the statement does not assign {unknown[0]}"
    if p.names:
        return (s, *(_constant(n, s.origin) for n in p.names))
    return (replace(s, value=ir.Call(STOP, (s.value,), origin=s.value.origin)),)


# --- straight-through ----------------------------------------------------------------------------


def _straight_through(_: Pragma, s: ir.Stmt) -> ir.Block | str:
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


# --- checkpoint ----------------------------------------------------------------------------------


def _checkpointed(p: Pragma, s: ir.Stmt) -> ir.Block | str:
    if not isinstance(s, ir.For):
        return "it takes a `for` loop"
    [(how, count)] = p.options or (("every", "auto"),) if len(p.options) < 2 else (("", ""),)
    known = count.isdecimal() and int(count) > 0
    if how == "every" and (known or count == "auto"):
        return (replace(s, turns=count),)
    if how == "snapshots" and known:
        return (replace(s, turns=f"snapshots {count}"),)
    return "it takes nothing, or a number as in `every=16` or `snapshots=16`"


# --- implicit ------------------------------------------------------------------------------------


def _implicit(p: Pragma, s: ir.Stmt) -> ir.Block | str:
    if p.options:
        return "it takes nothing behind it"
    if not isinstance(s, (ir.For, ir.While)):
        return "it takes a loop; what a solver of SciPy finds needs no comment"
    return (replace(s, turns=IMPLICIT),)


# --- insert --------------------------------------------------------------------------------------


def _with_insert(name: str, text: str, at: Span, page: _Placed) -> ir.Block | str:
    """The body with code for the backward pass where the comment stands."""
    made = insert_of(name, text, at, page.page)
    if isinstance(made, str):
        return made
    owner = page.owner(at)
    if owner is not None and not page.on_own_line(at):
        return _exchanged(page.body, owner, (owner, made)) if not ir.blocks(owner) else _HEADER
    if at.start < page.page.named_at or not page.body:
        return "there is no statement that it stands behind"
    return _put(page.body, made, at.start, page)


_HEADER = "it stands behind a statement, or on a line of its own"


def insert_of(name: str, text: str, at: Span, page: Page) -> ir.Insert | str:
    """The code of a comment, or of a request, as a statement; or why it is none."""
    bar = f"{name}_bar"
    body = page.code(text, frozenset((name, bar)))
    if body is None:
        return f"`{text}` is no statement of Python"
    return inserted(ir.Name(name), bar, body, at)


def _put(block: ir.Block, made: ir.Stmt, offset: int, page: _Placed) -> ir.Block:
    """`block` with `made` where the comment line at `offset` stands, by its indentation."""
    k = sum(s.origin is None or s.origin.start < offset for s in block)
    above = block[k - 1] if k else None
    if above is not None and above.origin is not None:
        inside = _block_around(above, offset, page)
        if inside is not None:
            changed = ir.map_blocks(
                above, lambda b: _put(b, made, offset, page) if b is inside else b
            )
            return (*block[: k - 1], changed, *block[k:])
    return (*block[:k], made, *block[k:])


def _block_around(s: ir.Stmt, offset: int, page: _Placed) -> ir.Block | None:
    """The block inside of `s` that a comment line at `offset` stands in; None where it stands behind `s`."""
    assert s.origin is not None
    known = [b for b in ir.blocks(s) if b and b[0].origin is not None]
    if not known or page.column(offset) <= page.column(s.origin.start):
        return None
    begun = [b for b in known if _start(b[0]) < offset]
    rest = [b for b in known if _start(b[0]) > offset]
    last = begun[-1][-1].origin if begun else None
    if last is not None and "else" in page.text[last.end : offset]:
        return rest[0] if rest else None
    return begun[-1] if begun else rest[0]


def inserted_behind(fn: ir.Function, name: str, text: str, page: Page) -> ir.Function | str:
    """`fn` with code for the backward pass behind each assignment of a variable, of a parameter in front of all."""
    at = fn.name_span or Span(0, 0)
    made = insert_of(name, text, at, page)
    if isinstance(made, str):
        return made
    body = _behind(fn.body, name, made)
    if any(p.name == name for p in fn.params):
        body = (made, *body)
    return f"there is no variable {name}" if body is fn.body else replace(fn, body=body)


def _behind(block: ir.Block, name: str, made: ir.Insert) -> ir.Block:
    out: list[ir.Stmt] = []
    for s in block:
        s = ir.map_blocks(s, lambda b: _behind(b, name, made))
        bound = isinstance(s, (ir.Assign, ir.AugAssign)) and name in {
            n for t in _all_targets(s) for n in ir.bound(t)
        }
        out += (s, replace(made)) if bound else (s,)
    return ir.unless_same(out, block)


def _all_targets(s: ir.Assign | ir.AugAssign) -> tuple[ir.Expr, ...]:
    return s.targets if isinstance(s, ir.Assign) else (s.target,)


# what a comment makes of its statement; or why it does not fit
_CHANGES: dict[str, Callable[[Pragma, ir.Stmt], ir.Block | str]] = {
    "stop": _stopped,
    "straight-through": _straight_through,
    "checkpoint": _checkpointed,
    IMPLICIT: _implicit,
}
