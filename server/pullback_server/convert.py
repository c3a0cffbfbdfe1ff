"""Between the core's character offsets and the protocol's positions, in the negotiated encoding.

All work on positions happens here. A position that lies outside of the text means the nearest one
inside, as the protocol has it.

May not know: features, what an edit is for.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from lsprotocol import types

from pullback.ir import Span
from pullback.source.edits import Edit
from pullback.source.text import Lines
from pullback_server.client import Client

ANNOTATION = "pullback"


@dataclass(frozen=True)
class Cell:
    """A notebook's cell in the text that all its cells are together: which lines are its own."""

    uri: str
    version: int | None
    first_line: int
    count: int

    def holds(self, line: int) -> bool:
        return self.first_line <= line < self.first_line + self.count


@dataclass(frozen=True)
class Text:
    """One version of a document's text; `unit` is what the client counts columns in.

    The text of a notebook is that of its `cells`, and positions count in the one at `uri`. A file that is
    not open has no version.
    """

    uri: str
    version: int | None
    lines: Lines
    unit: str
    cells: tuple[Cell, ...] = ()

    @property
    def cell(self) -> Cell | None:
        return next((c for c in self.cells if c.uri == self.uri), None)


def to_offset(text: Text, position: types.Position) -> int:
    cell = text.cell
    if cell is None:
        return text.lines.offset(position.line, position.character, text.unit)
    if position.line >= cell.count:
        return text.lines.bounds(cell.first_line + cell.count - 1)[1]
    return text.lines.offset(position.line + cell.first_line, position.character, text.unit)


def to_span(text: Text, given: types.Range) -> Span:
    start = to_offset(text, given.start)
    return Span(start, max(start, to_offset(text, given.end)))


def to_position(text: Text, offset: int) -> types.Position:
    line, column = text.lines.position(offset, text.unit)
    cell = text.cell
    return types.Position(line if cell is None else max(line - cell.first_line, 0), column)


def to_range(text: Text, span: Span) -> types.Range:
    return types.Range(to_position(text, span.start), to_position(text, span.end))


def shows(text: Text, span: Span) -> bool:
    """Whether a place begins in the cell that positions count in; a document that is no notebook shows all."""
    cell = text.cell
    return cell is None or cell.holds(text.lines.position(span.start)[0])


def to_location(text: Text, span: Span) -> types.Location:
    """A place of a document, or of whichever cell it is in."""
    there = _in_cell_of(text, span.start)
    return types.Location(there.uri, to_range(there, span))


def _in_cell_of(text: Text, offset: int) -> Text:
    """The text with positions counting in the cell that holds an offset."""
    line, _ = text.lines.position(offset)
    uris = [c.uri for c in text.cells if c.holds(line)]
    return replace(text, uri=uris[0]) if uris else text


def changed(
    text: Text, version: int, changes: Iterable[types.TextDocumentContentChangeEvent]
) -> Text:
    """The text after the changes of one `textDocument/didChange`, each made on the one before."""
    for change in changes:
        text = Text(text.uri, version, _changed(text, change), text.unit)
    return Text(text.uri, version, text.lines, text.unit)


def _changed(text: Text, change: types.TextDocumentContentChangeEvent) -> Lines:
    if not isinstance(change, types.TextDocumentContentChangePartial):
        return Lines(change.text)
    span = to_span(text, change.range)
    return text.lines.edited(span.start, span.end, change.text)


@dataclass(frozen=True)
class Change:
    """Edits of one document; `new`: it is made for them."""

    text: Text
    edits: tuple[Edit, ...]
    new: bool = False


def to_workspace_edit(
    made: Iterable[Change], label: str, client: Client, told: str = ""
) -> types.WorkspaceEdit:
    """Edits of documents, versioned and annotated where the client can take that; `told` is to be known of them.

    Those of a notebook go each to the cell in which it begins.
    """
    made = tuple(made)
    changes: dict[Text, list[types.TextEdit]] = {}
    for change in made:
        for e in change.edits:
            there = _in_cell_of(change.text, e.span.start)
            changes.setdefault(there, []).append(types.TextEdit(_within(there, e.span), e.text))
    if not client.document_changes:
        return types.WorkspaceEdit(changes={t.uri: edits for t, edits in changes.items()})
    annotation = types.ChangeAnnotation(label, needs_confirmation=False, description=told or None)
    return types.WorkspaceEdit(
        document_changes=[
            *(types.CreateFile(c.text.uri) for c in made if c.new),
            *(_of_document(t, edits, client) for t, edits in changes.items()),
        ],
        change_annotations={ANNOTATION: annotation} if client.annotations else None,
    )


def _of_document(
    text: Text, changes: list[types.TextEdit], client: Client
) -> types.TextDocumentEdit:
    version = text.version if text.cell is None else text.cell.version
    identifier = types.OptionalVersionedTextDocumentIdentifier(text.uri, version)
    if not client.annotations:
        return types.TextDocumentEdit(identifier, changes)
    annotated = [types.AnnotatedTextEdit(ANNOTATION, c.range, c.new_text) for c in changes]
    return types.TextDocumentEdit(identifier, annotated)


def _within(text: Text, span: Span) -> types.Range:
    """A place as far as it lies in the cell that positions count in."""
    cell = text.cell
    if cell is not None:
        end = text.lines.bounds(cell.first_line + cell.count - 1)[1]
        span = Span(span.start, max(span.start, min(span.end, end)))
    return to_range(text, span)
