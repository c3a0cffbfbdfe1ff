"""Cutting a text into its top-level statements without parsing it.

A statement starts at code in column 0 outside of brackets and strings. What only continues the one
before (`else:`, the function under a decorator) stays with it; comments and blank lines before a
statement belong to that statement, indented comments to the one before. A `def`, `class` or import in
column 0 ends any bracket that is still open: no bracket can hold one, so the mistake is above.

Where a piece ends depends only on the text from its start on, and `seen` says how much of that was
looked at; with that an edit can be shown not to matter.

May not know: trees, the IR.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_TOKEN = re.compile(
    r"""(?P<newline>\r\n?|\n)
    |(?P<comment>\#[^\r\n]*)
    |(?P<string>
        \"{3}[^"\\]*(?:(?:\\[\s\S]|"(?!""))[^"\\]*)*(?:\"{3})?
       |'{3}[^'\\]*(?:(?:\\[\s\S]|'(?!''))[^'\\]*)*(?:'{3})?
       |"[^"\\\r\n]*(?:\\(?:\r\n|[\s\S])[^"\\\r\n]*)*"?
       |'[^'\\\r\n]*(?:\\(?:\r\n|[\s\S])[^'\\\r\n]*)*'?)
    |(?P<open>[(\[{])
    |(?P<close>[)\]}])
    |\\(?:\r\n?|\n)""",
    re.VERBOSE,
)
_BLANK = re.compile(r"[ \t\f]*(?=[\r\n]|\Z)")
_CONTINUES = re.compile(r"(?:else|elif|except|finally)\b")
_COMPOUND = re.compile(r"(?:if|for|while|try|async)\b")
_ANCHOR = re.compile(
    r"(?:(?:async[ \t]+)?def[ \t]+\w|class[ \t]+\w|import[ \t]+\w|from[ \t]+[\w.]+[ \t]+import\b)"
)
_ANCHOR_LINE = re.compile(
    r"(?:(?<=\n)|(?<=\r))(?:(?:async[ \t]+)?def[ \t]+\w+[ \t]*[(\[]|class[ \t]+\w+[ \t]*[(:\[])"
)
_LONGEST_WORD = 16  # what is read of a line to classify it, with room to spare
BOM = "\ufeff"


@dataclass(frozen=True)
class Extent:
    """One piece of a text: where it ends, where its code starts, how far the text was read to know.

    `head` is the offset of the statement's first line that is neither comment nor decorator, -1 where
    there is none.
    """

    end: int
    head: int
    seen: int


def extent(text: str, start: int) -> Extent:
    """The top-level statement that begins at `start`, with what stands before it."""
    if start == 0 and text.startswith(BOM):
        return Extent(1, -1, 1)
    state = _State(text, start)
    cut = state.line(start)
    if cut is not None:
        return cut
    for token in _TOKEN.finditer(text, start):
        kind = token.lastgroup
        if kind == "newline":
            cut = state.line(token.end())
            if cut is not None:
                return cut
        elif kind == "open":
            state.depth += 1
        elif kind == "close":
            state.depth = max(state.depth - 1, 0)
    return Extent(len(text), state.head, len(text) + 1)


class _State:
    """What a walk over the lines of one statement remembers."""

    def __init__(self, text: str, start: int) -> None:
        self.text = text
        self.start = start
        self.depth = 0
        self.head = -1
        self.begun = False  # code was seen
        self.decorated = False  # the last code line was a decorator
        self.compound = False
        self.pending = -1  # where comments and blank lines before a next statement begin

    def line(self, at: int) -> Extent | None:
        """Look at the line that begins at `at`; the extent, where the statement ended before it."""
        text = self.text
        if self.depth:
            if at > self.start and _ANCHOR.match(text, at):
                return Extent(_above(text, self.start, at), self.head, _line_end(text, at))
            return None
        if at >= len(text):
            return None
        first = text[at]
        if first in "#\r\n" or (first in " \t\f" and _BLANK.match(text, at)):
            if self.pending < 0:
                self.pending = at
            return None
        if first in " \t\f":
            self.begun = True
            self.pending = -1
            return None
        return self._code(at)

    def _code(self, at: int) -> Extent | None:
        text = self.text
        goes_on = self.decorated or (self.compound and _CONTINUES.match(text, at) is not None)
        if self.begun and not goes_on:
            end = self.pending if self.pending >= 0 else at
            return Extent(end, self.head, at + _LONGEST_WORD)
        self.decorated = text[at] == "@"
        if self.head < 0 and not self.decorated:
            self.head = at
            self.compound = _COMPOUND.match(text, at) is not None
        self.begun = True
        self.pending = -1
        return None


def strays(text: str, start: int, cut: Extent) -> int:
    """Where to begin anew in a piece that does not parse: a `def` or `class` in column 0 that a string
    has swallowed; the piece's end where there is none."""
    begin = cut.head + 1 if cut.head >= 0 else start + 1
    found = _ANCHOR_LINE.search(text, begin, cut.end)
    return _above(text, start, found.start()) if found else cut.end


def comments(text: str) -> list[tuple[int, int]]:
    """The spans of all comments of a text, `#` included."""
    if "#" not in text:
        return []
    return [m.span() for m in _TOKEN.finditer(text) if m.lastgroup == "comment"]


def _above(text: str, start: int, at: int) -> int:
    """The first of the comment and decorator lines in column 0 that stand directly above `at`."""
    while at > start:
        before = _line_start(text, at)
        if before <= start or text[before] not in "#@":
            return at
        at = before
    return at


def _line_start(text: str, at: int) -> int:
    """The start of the line before the one that begins at `at`."""
    end = at - 1
    if text[end] == "\n" and end > 0 and text[end - 1] == "\r":
        end -= 1
    return max(text.rfind("\n", 0, end), text.rfind("\r", 0, end)) + 1


def _line_end(text: str, at: int) -> int:
    ends = [e for e in (text.find("\n", at), text.find("\r", at)) if e >= 0]
    return min(ends) + 1 if ends else len(text) + 1
