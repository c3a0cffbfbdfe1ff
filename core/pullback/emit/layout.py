"""Fit a document into lines of a given width.

A document is text, possible line breaks, and groups that stay on one line where they can (Oppen's and
Wadler's pretty printing, with the refinements that ruff's own printer has, so that what we print is
what `ruff format` would leave alone).

May not know: the IR, Python's grammar.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Union

FLAT = "flat"
BROKEN = "broken"

# How far a measurement goes: to the end of the first line, over all lines, or over all lines with
# lines of any length allowed.
_FIRST = "first"
_ALL = "all"
_ANY = "any"


@dataclass(frozen=True)
class Line:
    """A possible line break: nothing or a space where its group is flat; a `hard` one always breaks."""

    space: bool = False
    hard: bool = False


@dataclass(frozen=True)
class Group:
    """Content that is flat where it fits. With `when`, a group only while group `when` is broken."""

    content: Doc
    id: int | None = None
    when: int | None = None


@dataclass(frozen=True)
class Indent:
    """Deeper content; with `when`, only while group `when` is broken."""

    content: Doc
    when: int | None = None


@dataclass(frozen=True)
class IfBroken:
    """`broken` or `flat` after the mode of group `of`, of the enclosing group without it."""

    broken: Doc
    flat: Doc = ""
    of: int | None = None


@dataclass(frozen=True)
class Expandable:
    """A group between brackets that may expand without making group `of` expand."""

    left: str
    content: Doc
    right: str
    of: int

    def group(self) -> Group:
        return Group((self.left, self.content, self.right))


@dataclass(frozen=True)
class BestFit:
    """Content in parentheses of its own where that, and nothing else, makes it fit."""

    content: Doc
    id: int


@dataclass(frozen=True)
class Choose:
    """The first of the variants that fits, or the last; the first one is tried on one line."""

    variants: tuple[Doc, ...]


Doc = Union[str, Line, Group, Indent, IfBroken, Expandable, BestFit, Choose, tuple["Doc", ...]]

SOFT = Line()
HARD = Line(hard=True)
SPACE = Line(space=True)


@dataclass(frozen=True)
class _Item:
    doc: Doc
    indent: int
    mode: str
    measure: str = _FIRST


def render(doc: Doc, width: int, indent: int = 0, step: int = 4) -> list[str]:
    """The lines of `doc`, which starts at column `indent`; later lines carry their indentation as spaces."""
    whole = one_line(doc)
    if indent + columns(whole) <= width and "\n" not in whole:
        return [whole]
    return _Printer(width, step).lines(doc, indent)


def one_line(doc: Doc) -> str:
    """`doc` without any break."""
    pieces: list[str] = []
    stack: list[Doc] = [doc]
    while stack:
        part = stack.pop()
        if isinstance(part, str):
            pieces.append(part)
        elif isinstance(part, tuple):
            stack.extend(reversed(part))
        elif isinstance(part, Line):
            pieces.append(" " if part.space else "")
        elif isinstance(part, IfBroken):
            stack.append(part.flat)
        elif isinstance(part, Choose):
            stack.append(part.variants[0])
        elif isinstance(part, Expandable):
            stack.extend((part.right, part.content, part.left))
        else:
            stack.append(part.content)
    return "".join(pieces)


def columns(text: str) -> int:
    """How many columns `text` takes: wide characters take two, combining ones none."""
    if text.isascii():
        return len(text)
    return sum(_columns(c) for c in text)


def _columns(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


class _Printer:
    def __init__(self, width: int, step: int) -> None:
        self.width = width
        self.step = step
        self.column = 0
        self.modes: dict[int, str] = {}
        self.stack: list[_Item] = []
        self.fitted = False

    def lines(self, doc: Doc, indent: int) -> list[str]:
        self.column = indent
        self.stack = [_Item(doc, indent, BROKEN)]
        done: list[str] = []
        line: list[str] = []
        while self.stack:
            item = self.stack.pop()
            if isinstance(item.doc, str):
                line.append(item.doc)
                self.column += columns(item.doc)
            elif not isinstance(item.doc, Line):
                self.open(item)
            elif item.mode == FLAT and not item.doc.hard:
                line.append(" " if item.doc.space else "")
                self.column += item.doc.space
            else:
                done.append("".join(line).rstrip())
                line = [" " * item.indent]
                self.column = item.indent
                self.fitted = False
        return [*done, "".join(line)]

    def open(self, item: _Item) -> None:
        doc = item.doc
        if isinstance(doc, Group) and (doc.when is None or self.modes.get(doc.when) == BROKEN):
            self.push(doc.content, item, self.group_mode(item, doc.content, doc.id))
        elif isinstance(doc, Expandable):
            if self.modes.get(doc.of) == FLAT:
                self.fitted = False
            self.push(doc.group(), item, item.mode)
        elif isinstance(doc, BestFit):
            self.open_best_fit(doc, item)
        elif isinstance(doc, Choose):
            self.push(*self.chosen(doc, item))
        else:
            self.stack.extend(reversed(_inner(item, self.modes, self.step)))

    def push(self, doc: Doc, item: _Item, mode: str) -> None:
        self.stack.append(_Item(doc, item.indent, mode, item.measure))

    def group_mode(self, item: _Item, content: Doc, id: int | None) -> str:
        mode = FLAT
        if item.mode != FLAT or not self.fitted:
            self.fitted = True
            self.note(id, FLAT)
            mode = FLAT if self.fits(_Item(content, item.indent, FLAT, item.measure)) else BROKEN
        self.note(id, mode)
        return mode

    def open_best_fit(self, doc: BestFit, item: _Item) -> None:
        mode = self.group_mode(item, doc.content, doc.id)
        inner = item.indent + self.step
        if mode == BROKEN:
            self.note(doc.id, BROKEN)
            opened = _Item(("(", SOFT, doc.content), inner, BROKEN, _ALL)
            mode = BROKEN if self.fits(opened) else FLAT
        self.note(doc.id, mode)
        if mode == FLAT:
            self.push(doc.content, item, FLAT)
            return
        self.stack.append(_Item((SOFT, ")"), item.indent, BROKEN, item.measure))
        self.stack.append(_Item(doc.content, inner, BROKEN, item.measure))
        self.stack.append(_Item(("(", SOFT), inner, BROKEN, item.measure))

    def chosen(self, doc: Choose, item: _Item) -> tuple[Doc, _Item, str]:
        self.fitted = False
        mode = FLAT
        for variant in doc.variants[:-1]:
            if self.fits(_Item(variant, item.indent, mode)):
                return variant, item, mode
            mode = BROKEN
        return doc.variants[-1], item, BROKEN

    def note(self, id: int | None, mode: str) -> None:
        if id is not None:
            self.modes[id] = mode

    def fits(self, first: _Item) -> bool:
        """Whether `first`, and what follows it up to the next line break, fits."""
        column = self.column
        todo = [first]
        below = len(self.stack)
        while todo or below:
            if not todo:
                below -= 1
                todo.append(self.stack[below])
            item = todo.pop()
            doc = item.doc
            if isinstance(doc, str):
                column += columns(doc)
            elif isinstance(doc, Line):
                if item.mode == FLAT and not doc.hard:
                    column += doc.space
                elif item.measure == _FIRST:
                    return True
                else:
                    column = item.indent
            else:
                todo.extend(reversed(_measured(item, self.modes, self.step)))
            if column > self.width and item.measure != _ANY:
                return False
        return True


def _measured(item: _Item, modes: dict[int, str], step: int) -> list[_Item]:
    """What stands in `item`, as a measurement sees it: groups take the mode around them."""
    doc = item.doc
    if isinstance(doc, Group):
        if doc.id is not None:
            modes[doc.id] = item.mode
        return [_Item(doc.content, item.indent, item.mode, item.measure)]
    if isinstance(doc, BestFit):
        modes[doc.id] = FLAT
        return [_Item(doc.content, item.indent, FLAT, item.measure)]
    if isinstance(doc, Expandable):
        if item.mode == FLAT and modes.get(doc.of) == FLAT:
            left = _Item(doc.left, item.indent, BROKEN, item.measure)
            right = _Item(doc.right, item.indent, BROKEN, item.measure)
            return [left, _Item(doc.content, item.indent, BROKEN, _ANY), right]
    return _inner(item, modes, step)


def _inner(item: _Item, modes: dict[int, str], step: int) -> list[_Item]:
    doc = item.doc
    if isinstance(doc, tuple):
        return [_Item(part, item.indent, item.mode, item.measure) for part in doc]
    if isinstance(doc, IfBroken):
        mode = item.mode if doc.of is None else modes.get(doc.of, FLAT)
        part = doc.broken if mode == BROKEN else doc.flat
        return [_Item(part, item.indent, item.mode, item.measure)]
    if isinstance(doc, Indent):
        deeper = doc.when is None or modes.get(doc.when) == BROKEN
        indent = item.indent + step if deeper else item.indent
        return [_Item(doc.content, indent, item.mode, item.measure)]
    if isinstance(doc, Choose):
        variant = doc.variants[0 if item.mode == FLAT else -1]
        return [_Item(variant, item.indent, item.mode, item.measure)]
    if isinstance(doc, Expandable):
        return [_Item(doc.group(), item.indent, item.mode, item.measure)]
    if isinstance(doc, Group):
        return [_Item(doc.content, item.indent, item.mode, item.measure)]
    raise TypeError(f"no such document: {doc!r}")
