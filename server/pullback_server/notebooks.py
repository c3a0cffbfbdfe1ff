"""Notebooks: their cells, in order, are one module; what is not Python in them is a comment to us.

May not know: features.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from lsprotocol import types

from pullback.source.text import Lines
from pullback_server.convert import Cell, Text

OPTIONS = types.NotebookDocumentSyncOptions(
    [types.NotebookDocumentFilterWithCells([types.NotebookCellLanguage("python")])]
)
_WHOLE_CELL = re.compile(r"\s*%%(?!(?:time|timeit|capture|prun)\b)")
_COMMAND = re.compile(r"^([ \t]*)(?:%{1,2}[A-Za-z_].*|!(?!=).*|\?.*|\S+\?[ \t]*)$", re.M)


def together(cells: Sequence[Text]) -> Text:
    """The text of all cells, one below the other."""
    places: list[Cell] = []
    pieces: list[str] = []
    line = 0
    for cell in cells:
        pieces.append(plain(cell.lines.text))
        places.append(Cell(cell.uri, cell.version, line, len(cell.lines)))
        line += len(cell.lines)
    unit = cells[0].unit if cells else "utf-16"
    return Text("", 0, Lines("\n".join(pieces)), unit, tuple(places))


def plain(text: str) -> str:
    """A cell's text with comments in the place of magics, shell commands and questions, at the same places."""
    if _WHOLE_CELL.match(text):
        return re.sub(r"^.", "#", text, flags=re.M)
    return _COMMAND.sub(_commented, text)


def _commented(found: re.Match[str]) -> str:
    whole = found[0][len(found[1]) :]
    return f"{found[1]}#{whole[1:]}"
