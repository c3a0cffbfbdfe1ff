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


def width(piece: str, unit: str) -> int:
    """How many code units of `unit` a piece of text takes."""
    if unit == UTF32 or piece.isascii():
        return len(piece)
    if unit == UTF16:
        return len(piece) + sum(c > "\uffff" for c in piece)
    return len(piece.encode("utf-8", "surrogatepass"))


class Lines:
    """The line index of one text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.starts = line_starts(text)

    def __len__(self) -> int:
        return len(self.starts)

    def line(self, line: int) -> str:
        """The text of a line without its newline."""
        start, end = self.bounds(line)
        return self.text[start:end]

    def bounds(self, line: int) -> tuple[int, int]:
        """Offsets of a line's first character and of its newline."""
        line = min(max(line, 0), len(self.starts) - 1)
        start = self.starts[line]
        if line + 1 == len(self.starts):
            return start, len(self.text)
        end = self.starts[line + 1] - 1
        if self.text[end] == "\n" and end > start and self.text[end - 1] == "\r":
            end -= 1
        return start, end

    def position(self, offset: int, unit: str = UTF32) -> tuple[int, int]:
        """(line, column) of an offset."""
        offset = min(max(offset, 0), len(self.text))
        line = bisect_right(self.starts, offset) - 1
        start = self.starts[line]
        return line, width(self.text[start:offset], unit)

    def offset(self, line: int, column: int, unit: str = UTF32) -> int:
        """The offset of (line, column); a column past the end means the end of the line."""
        if line < 0:
            return 0
        if line >= len(self.starts):
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
