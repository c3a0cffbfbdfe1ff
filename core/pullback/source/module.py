"""A module's text, parsed one top-level statement at a time.

A syntax error costs the statement that holds it and no other. After an edit only the statements that
it touched are cut out and parsed again; all others keep their `Parsed`, the object under which later
passes store what they found (`notes`). Parsing never raises, whatever the text is.

May not know: the IR beyond its Span, what names mean.
"""

from __future__ import annotations

import ast
import sys
import threading
import warnings
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import gast

from ..ir import Span
from .edits import common_ends, difference
from .split import BOM, extent, strays
from .text import line_starts

Tree = tuple[Any, ...]  # gast statements
_LONGEST_CHAIN = 20_000
_LEFT = 32  # statements that are remembered after they have gone
_WARNINGS = threading.Lock()  # the filters of warnings are one list for all threads


@dataclass(frozen=True)
class SyntaxProblem:
    """Why a piece of text does not parse. The span counts in the file's text."""

    message: str
    span: Span
    deep: bool = False  # Python reads it: it is nested too deeply for whoever walks over its tree


@dataclass(eq=False)
class Parsed:
    """What a chunk says wherever it stands in its file; shared between versions of a module.

    `seen` is how many characters from the chunk's start on its cutting depends on. `notes` belongs to
    later passes: what they computed from this text alone, by a key of theirs.
    """

    text: str
    newlines: int
    tree: Tree | None
    problem: SyntaxProblem | None  # its span counts from the chunk's start
    seen: int
    starts: list[int]
    notes: dict[Any, Any] = field(default_factory=dict, repr=False)

    def offset(self, line: int, column: int) -> int:
        """The character offset in the chunk of a tree's position (lines from 1, columns in UTF-8 bytes)."""
        begin = self.starts[min(max(line, 1), len(self.starts)) - 1]
        if self.text.isascii():
            return begin + column
        piece = self.text[begin : begin + column]
        if piece.isascii():
            return begin + column
        return begin + len(piece.encode("utf-8", "replace")[:column].decode("utf-8", "ignore"))


Left = dict[str, Parsed]  # by text, in the order in which they left


@dataclass(eq=False, slots=True)
class Chunk:
    """One top-level statement at its place; `first_line` counts from 1. Tree positions count in the chunk."""

    start: int
    first_line: int
    parsed: Parsed

    @property
    def text(self) -> str:
        return self.parsed.text

    @property
    def end(self) -> int:
        return self.start + len(self.parsed.text)

    @property
    def column(self) -> int:
        """The column at which the chunk begins: behind a byte order mark, or at the start of a line."""
        return self.start if self.first_line == 1 else 0

    @property
    def last_line(self) -> int:
        """The line on which the next chunk begins."""
        return self.first_line + self.parsed.newlines

    @property
    def tree(self) -> Tree | None:
        return self.parsed.tree

    @property
    def error(self) -> SyntaxProblem | None:
        problem = self.parsed.problem
        if problem is None:
            return None
        span = Span(self.start + problem.span.start, self.start + problem.span.end)
        return replace(problem, span=span)


@dataclass(frozen=True, eq=False)
class Module:
    """A file's text as chunks that tile it. `name` is the dotted name, "" for the file one works in.

    `notes` holds what later passes found out about this version, `memory` what outlives it: the versions
    that were made from each other share one.
    """

    path: str | None
    name: str
    text: str
    chunks: tuple[Chunk, ...]
    notes: dict[Any, Any] = field(default_factory=dict, repr=False)
    memory: dict[Any, Any] = field(default_factory=dict, repr=False)

    @cached_property
    def statements(self) -> tuple[Parsed, ...]:
        """What the chunks say, wherever they stand."""
        return tuple([c.parsed for c in self.chunks])

    @cached_property
    def starts(self) -> list[int]:
        return [c.start for c in self.chunks]

    @property
    def errors(self) -> tuple[SyntaxProblem, ...]:
        return tuple(e for c in self.chunks if (e := c.error) is not None)

    def chunk_at(self, offset: int) -> Chunk | None:
        """The chunk that holds the character at `offset`; the last one for the end of the text."""
        at = self.number_at(offset)
        return None if at is None else self.chunks[at]

    def number_at(self, offset: int) -> int | None:
        """The number of that chunk."""
        return max(bisect_right(self.starts, offset) - 1, 0) if self.chunks else None


def parse_module(
    text: str, path: str | None = None, name: str = "", previous: Module | None = None
) -> Module:
    """The module of `text`; what `previous` (an earlier version of it) has in common is not parsed again."""
    if previous is None:
        return Module(path, name, text, tuple(_chunks(text)))
    same = (previous.path, previous.name) == (path, name)
    if previous.text == text:
        return previous if same else Module(path, name, text, previous.chunks)
    memory = previous.memory if same else {}
    left: Left = memory.setdefault("left", {})
    chunks = tuple(_chunks_after_edit(text, previous, left))
    made = Module(path, name, text, chunks, memory=memory)
    _leave(left, previous, made)
    return made


def _leave(left: Left, old: Module, new: Module) -> None:
    """Statements that an edit replaced stay known for a while, with all that was found out about them: what is
    undone, moved or commented in and out is back at once."""
    head, tail = common_ends(old.statements, new.statements)
    kept = set(map(id, new.statements[head : len(new.statements) - tail]))
    for statement in old.statements[head : len(old.statements) - tail]:
        if id(statement) not in kept and statement.tree is not None:
            left.pop(statement.text, None)
            left[statement.text] = statement
    while len(left) > _LEFT:
        del left[next(iter(left))]  # the one that left first


def _chunks(text: str) -> list[Chunk]:
    out: list[Chunk] = []
    start, line = 0, 1
    while start < len(text):
        parsed = _parse_at(text, start, {})
        out.append(Chunk(start, line, parsed))
        start += len(parsed.text)
        line += parsed.newlines
    return out


def _chunks_after_edit(text: str, previous: Module, left: Left) -> list[Chunk]:
    """Old chunks where nothing that they depend on changed, new ones between."""
    edit = difference(previous.text, text)
    moved = len(text) - len(previous.text)
    old, starts = previous.chunks, previous.starts
    kept = (k for k, c in enumerate(old) if c.start + c.parsed.seen > edit.span.start)
    out = list(old[: next(kept, len(old))])
    start, line = (out[-1].end, out[-1].last_line) if out else (0, 1)
    while start < len(text):
        before = (
            start if start < edit.span.start else start - moved
        )  # the same place in the old text
        at = bisect_left(starts, before)
        known = at < len(old) and starts[at] == before
        if known and old[at].text.startswith(BOM):
            known = (start == 0) == (before == 0)  # a mark is one at the text's beginning alone
        if known and start >= edit.span.start + len(edit.text):
            return out + _shifted(old[at:], start - before, line)
        if known and start + old[at].parsed.seen <= edit.span.start:
            parsed = old[at].parsed
        else:
            parsed = _parse_at(text, start, left)
        out.append(Chunk(start, line, parsed))
        start += len(parsed.text)
        line += parsed.newlines
    return out


def _shifted(chunks: tuple[Chunk, ...], by: int, line: int) -> list[Chunk]:
    if not chunks:
        return []
    down = line - chunks[0].first_line
    if by == 0 and down == 0:
        return list(chunks)
    return [Chunk(c.start + by, c.first_line + down, c.parsed) for c in chunks]


def _parse_at(text: str, start: int, left: Left) -> Parsed:
    cut = extent(text, start)
    seen = cut.seen - start
    piece = text[start : cut.end]
    if (
        back := left.pop(piece, None)
    ) is not None:  # gone from there: a statement stands in one place
        return back if back.seen == seen else replace(back, seen=seen)
    parsed = parse_piece(piece, seen)
    if parsed.problem is None or cut.head < 0:
        return parsed
    end = strays(text, start, cut)
    return parsed if end == cut.end else parse_piece(text[start:end], seen)


def parse_piece(text: str, seen: int = 0) -> Parsed:
    """A piece of text on its own; never raises."""
    starts = line_starts(text)
    newlines = len(starts) - 1
    try:
        tree, problem = (() if text == BOM else parse_tree(text)), None
    except SyntaxError as error:
        tree, problem = None, _problem(error, text, starts)
    except (RecursionError, MemoryError):
        tree = None
        problem = replace(_whole("this is nested too deeply to be read", text), deep=True)
    except ValueError as error:
        tree, problem = None, _whole(str(error) or "this text is not Python", text)
    return Parsed(text, newlines, tree, problem, seen, starts)


def parse_tree(text: str) -> Tree:
    """The gast statements of `text`; raises what ast.parse raises."""
    if sys.version_info < (3, 11) and max(text.count(c) for c in "+-*/%@&|^") > _LONGEST_CHAIN:
        raise MemoryError  # Python 3.10 overflows the C stack on very deep trees instead of raising
    with _WARNINGS, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # invalid escapes and the like are other tools' business
        tree = ast.parse(text)
    return tuple(gast.ast_to_gast(tree).body)


def _problem(error: SyntaxError, text: str, starts: list[int]) -> SyntaxProblem:
    """The error's place in the text, moved inside where Python points past the end."""
    line = min(max(error.lineno or 1, 1), len(starts))
    last = max(len(text.rstrip()), 1)
    start = min(starts[line - 1] + max((error.offset or 1) - 1, 0), last - 1)
    end = start + 1
    if error.end_lineno and error.end_offset and error.end_lineno <= len(starts):
        end = max(end, min(starts[error.end_lineno - 1] + error.end_offset - 1, last))
    return SyntaxProblem(error.msg or "invalid syntax", Span(max(start, 0), min(end, len(text))))


def _whole(message: str, text: str) -> SyntaxProblem:
    lead = len(text) - len(text.lstrip())
    return SyntaxProblem(message, Span(min(lead, len(text)), len(text.rstrip()) or len(text)))
