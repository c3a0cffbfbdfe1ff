"""The user's own lines: a statement's text with its comments, moved to another depth.

May not know: the IR, layout.
"""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator

_LAMBDA = "lambda"
_OPENING = ("(", "[", "{")
_CLOSING = (")", "]", "}")
_PRAGMA = re.compile(r"#\s*pullback:")
_PRAGMA_AFTER = re.compile(r"\s*#\s*pullback:.*\Z")


def margin_at(text: str, offset: int) -> str:
    """The white space that the line of `offset` begins with."""
    start = text.rfind("\n", 0, offset) + 1
    end = start
    while end < len(text) and text[end] in " \t\f":
        end += 1
    return text[start:end]


def first_margin(text: str, offset: int) -> str:
    """The margin of the first line of code below that of `offset`."""
    while (offset := text.find("\n", offset) + 1) > 0:
        margin = margin_at(text, offset)
        if text[offset + len(margin) : offset + len(margin) + 1] not in ("", "\n", "\r", "#"):
            return margin
    return ""


def starts_line(text: str, offset: int) -> bool:
    start = text.rfind("\n", 0, offset) + 1
    return not text[start:offset].strip()


def own_text(text: str, start: int, end: int) -> str:
    """text[start:end] with the comment that ends its last line, and the space before it."""
    comment = comment_after(text, end)
    if not comment:
        return text[start:end]
    gap = text[end:].partition("#")[0]
    return text[start:end] + gap + comment


def comment_after(text: str, end: int) -> str:
    """The comment between `end` and the end of its line, if nothing else is there; none of Pullback's."""
    stop = text.find("\n", end)
    rest = text[end : len(text) if stop < 0 else stop].strip()
    return _PRAGMA_AFTER.sub("", rest) if rest.startswith("#") else ""


def lines_above(text: str, start: int) -> list[str]:
    """The blank lines and comments between a statement and what stands above it, without their margin."""
    if not starts_line(text, start):
        return []
    depth = len(margin_at(text, start))
    found: list[str] = []
    for line in _upwards(text, text.rfind("\n", 0, start) + 1):
        bare = line.strip()
        if bare and (not bare.startswith("#") or _depth(line) > depth):
            break
        if not _PRAGMA.match(bare):
            found.append(bare)
    return found[::-1]


def lines_below(text: str, start: int, end: int) -> list[str]:
    """The comments that end the block whose last statement is text[start:end], with blank lines between."""
    depth = len(margin_at(text, start))
    stop = text.find("\n", end)
    found: list[str] = []
    for line in text[stop + 1 :].split("\n") if stop >= 0 else ():
        bare = line.strip()
        if bare and (not bare.startswith("#") or _depth(line) < depth):
            break
        found.append(bare)
    while found and not found[-1]:
        found.pop()
    return found


def _upwards(text: str, end: int) -> Iterator[str]:
    while end > 0:
        start = text.rfind("\n", 0, end - 1) + 1
        yield text[start : end - 1]
        end = start


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip(" \t\f"))


def header_end(text: str, start: int) -> int:
    """The offset after the colon that ends a compound statement's header, which begins at `start`."""
    offsets = _Offsets(text, start)
    depth = lambdas = 0
    try:
        for token in tokenize.generate_tokens(offsets.readline):
            if token.type == tokenize.NAME and token.string == _LAMBDA:
                lambdas += depth == 0
            elif token.type != tokenize.OP:
                continue
            elif token.string in "([{":
                depth += 1
            elif token.string in ")]}":
                depth -= 1
            elif token.string == ":" and depth == 0:
                if not lambdas:
                    return offsets.at(token.end)
                lambdas -= 1
    except (tokenize.TokenError, SyntaxError):
        pass
    return text.find(":", start) + 1


class _Offsets:
    """Lines of `text` from `start` on, and the way back from a token's position to an offset."""

    def __init__(self, text: str, start: int) -> None:
        self.lines = iter(io.StringIO(text[start:], newline="\n"))
        self.starts = [start]

    def readline(self) -> str:
        line = next(self.lines, "")
        self.starts.append(self.starts[-1] + len(line))
        return line

    def at(self, position: tuple[int, int]) -> int:
        return self.starts[position[0] - 1] + position[1]


def joined(text: str) -> str:
    """An expression's text on one line; as it is where comments or strings forbid that."""
    if "\n" not in text:
        return text
    pieces: list[str] = []
    row, column = 1, 0
    try:
        for token in tokenize.generate_tokens(io.StringIO(f"({text})").readline):
            if token.type == tokenize.COMMENT or "\n" in token.string.strip("\n"):
                return text
            if token.type in (tokenize.NL, tokenize.NEWLINE, tokenize.ENDMARKER):
                continue
            if token.start[0] == row:
                pieces.append(" " * (token.start[1] - column))
            elif pieces and pieces[-1] not in _OPENING and token.string not in _CLOSING:
                pieces.append(" ")
            if token.string in _CLOSING and token.start[0] != row and pieces[-1] == ",":
                pieces.pop()
            pieces.append(token.string)
            row, column = token.end
    except (tokenize.TokenError, SyntaxError):
        return text
    return "".join(pieces)[1:-1]


def reindent(text: str, old: str, new: str) -> str:
    """`text`, whose first line has no margin and whose others have `old`, with `new` for `old`.

    Lines inside a string stay as they are.
    """
    lines = text.replace("\r\n", "\n").split("\n")
    if len(lines) == 1 or old == new:
        return "\n".join(lines)
    inside = _string_lines("\n".join(lines))
    moved = lines[:1]
    for number, line in enumerate(lines[1:], start=2):
        if number in inside:
            moved.append(line)
        elif line.startswith(old):
            moved.append(new + line[len(old) :] if line.strip() else "")
        else:
            moved.append(new + line.lstrip() if line.strip() else "")
    return "\n".join(moved)


def _string_lines(text: str) -> set[int]:
    """The numbers of the lines that begin inside a string."""
    inside: set[int] = set()
    opened: list[int] = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            name = tokenize.tok_name[token.type]
            if name.endswith("STRING_START"):
                opened.append(token.start[0])
            elif name.endswith("STRING_END"):
                inside.update(range(opened.pop() + 1, token.end[0] + 1))
            elif name == "STRING":
                inside.update(range(token.start[0] + 1, token.end[0] + 1))
    except (tokenize.TokenError, SyntaxError, IndexError):
        pass
    return inside
