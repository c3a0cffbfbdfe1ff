"""Between the core's character offsets and the protocol's positions, in the negotiated encoding.

All work on positions happens here. A position that lies outside of the text means the nearest one
inside, as the protocol has it.

May not know: features, what an edit is for.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from lsprotocol import types

from pullback.ir import Span
from pullback.source.edits import Edit
from pullback.source.text import Lines
from pullback_server.client import Client

ANNOTATION = "pullback"


@dataclass(frozen=True)
class Text:
    """One version of a document's text; `unit` is what the client counts columns in."""

    uri: str
    version: int
    lines: Lines
    unit: str


def to_offset(text: Text, position: types.Position) -> int:
    return text.lines.offset(position.line, position.character, text.unit)


def to_span(text: Text, given: types.Range) -> Span:
    start = to_offset(text, given.start)
    return Span(start, max(start, to_offset(text, given.end)))


def to_position(text: Text, offset: int) -> types.Position:
    return types.Position(*text.lines.position(offset, text.unit))


def to_range(text: Text, span: Span) -> types.Range:
    return types.Range(to_position(text, span.start), to_position(text, span.end))


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


def to_workspace_edit(
    text: Text, edits: Iterable[Edit], label: str, client: Client
) -> types.WorkspaceEdit:
    """Edits of one document, versioned and annotated where the client can take that."""
    changes = [types.TextEdit(to_range(text, e.span), e.text) for e in edits]
    if not client.document_changes:
        return types.WorkspaceEdit(changes={text.uri: changes})
    identifier = types.OptionalVersionedTextDocumentIdentifier(text.uri, text.version)
    if not client.annotations:
        return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(identifier, changes)])
    annotated = [types.AnnotatedTextEdit(ANNOTATION, c.range, c.new_text) for c in changes]
    return types.WorkspaceEdit(
        document_changes=[types.TextDocumentEdit(identifier, annotated)],
        change_annotations={ANNOTATION: types.ChangeAnnotation(label, needs_confirmation=False)},
    )
