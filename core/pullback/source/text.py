"""Where an offset lies: lines and columns of a text, in the units that editors count.

Offsets and columns count characters unless a unit is named. Lines count from 0 and end at CR, LF or
CRLF, as in Python and in the language server protocol; other separators (form feed, U+2028) do not
end a line. Positions outside of the text are moved to the nearest one inside, never refused.

May not know: Python's grammar, the IR.
"""

from __future__ import annotations

import re
from bisect import bisect_right

UTF8, UTF16, UTF32 = "utf-8", "utf-16", "utf-32"

_NEWLINE = re.compile(r"\r\n?|\n")


def line_starts(text: str) -> list[int]:
    """The offset of each line's first character; one more line than there are newlines."""
    return [0, *(m.end() for m in _NEWLINE.finditer(text))]


def has_crlf(text: str) -> bool:
    """Whether most of a text's lines end in CRLF."""
    return "\r" in text and text.count("\r\n") * 2 > text.count("\n")


def width(piece: str, unit: str) -> int:
    """How many code units of `unit` a piece of text takes."""
    if unit == UTF32 or piece.isascii():
        return len(piece)
    if unit == UTF16:
        return len(piece) + sum(c > "\uffff" for c in piece)
    return len(piece.encode("utf-8", "surrogatepass"))


class Lines:
    """The line index of one text.

    Where the lines from `gap` on start is kept without the last edits' growth `by`: an edit moves all lines
    below it, and the next one is nearly always close to it.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self._starts = line_starts(text)
        self._gap, self._by = len(self._starts), 0

    def __len__(self) -> int:
        return len(self._starts)

    def start(self, line: int) -> int:
        """The offset of a line's first character."""
        return self._starts[line] + (self._by if line >= self._gap else 0)

    def line_at(self, offset: int) -> int:
        """The line that holds an offset."""
        if self._gap < len(self._starts) and offset >= self.start(self._gap):
            return bisect_right(self._starts, offset - self._by, self._gap) - 1
        return bisect_right(self._starts, offset, 0, self._gap) - 1

    def edited(self, start: int, end: int, new: str) -> Lines:
        """The line index of the text with `new` between two offsets, found from that one change."""
        made = Lines.__new__(Lines)
        made.text = self.text[:start] + new + self.text[end:]
        # whether a line starts at an offset depends on the characters on both sides of it
        first = max(self.line_at(start - 1) + 1, 1) if start else 1
        behind = self.line_at(end) + 1
        stop = start + len(new)
        found = (m.end() for m in _NEWLINE.finditer(made.text, max(start - 1, 0), stop + 1))
        fresh = [at for at in found if start <= at <= stop]
        made._starts = [*self._upto(first), *fresh, *self._from(behind)]
        made._gap = first + len(fresh)
        made._by = self._by + len(new) - (end - start)
        return made

    def _upto(self, line: int) -> list[int]:
        """The starts of the lines before `line`, as they are."""
        if line <= self._gap:
            return self._starts[:line]
        return [*self._starts[: self._gap], *(s + self._by for s in self._starts[self._gap : line])]

    def _from(self, line: int) -> list[int]:
        """The starts of the lines from `line` on, without the growth."""
        if line >= self._gap:
            return self._starts[line:]
        return [*(s - self._by for s in self._starts[line : self._gap]), *self._starts[self._gap :]]

    def line(self, line: int) -> str:
        """The text of a line without its newline."""
        start, end = self.bounds(line)
        return self.text[start:end]

    def bounds(self, line: int) -> tuple[int, int]:
        """Offsets of a line's first character and of its newline."""
        line = min(max(line, 0), len(self) - 1)
        start = self.start(line)
        if line + 1 == len(self):
            return start, len(self.text)
        end = self.start(line + 1) - 1
        if self.text[end] == "\n" and end > start and self.text[end - 1] == "\r":
            end -= 1
        return start, end

    def position(self, offset: int, unit: str = UTF32) -> tuple[int, int]:
        """(line, column) of an offset."""
        offset = min(max(offset, 0), len(self.text))
        line = self.line_at(offset)
        return line, width(self.text[self.start(line) : offset], unit)

    def offset(self, line: int, column: int, unit: str = UTF32) -> int:
        """The offset of (line, column); a column past the end means the end of the line."""
        if line < 0:
            return 0
        if line >= len(self):
            return len(self.text)
        start, end = self.bounds(line)
        piece = self.text[start:end]
        if unit == UTF32 or piece.isascii():
            return start + min(max(column, 0), len(piece))
        for at, character in enumerate(piece):
            column -= width(character, unit)
            if column < 0:
                return start + at
        return end
