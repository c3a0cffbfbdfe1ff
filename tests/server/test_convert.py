"""Positions in every encoding, on texts that are not ASCII."""

from __future__ import annotations

import pytest
from lsprotocol import types

from pullback.ir import Span
from pullback.source.edits import Edit
from pullback.source.text import Lines
from pullback_server.client import Client
from pullback_server.convert import (
    Change,
    Text,
    changed,
    to_offset,
    to_position,
    to_range,
    to_workspace_edit,
)

WIDE = 'π = "𝛻"  # é\nx = π\n'


def text(said: str, unit: str = "utf-16", version: int = 1) -> Text:
    return Text("file:///m.py", version, Lines(said), unit)


@pytest.mark.parametrize(
    ("unit", "columns"),
    [
        ("utf-8", [0, 2, 5, 6, 10, 11]),
        ("utf-16", [0, 1, 4, 5, 7, 8]),
        ("utf-32", [0, 1, 4, 5, 6, 7]),
    ],
)
def test_columns_are_counted_in_the_units_of_the_client(unit: str, columns: list[int]) -> None:
    places = [0, 1, 4, 5, 6, 7]  # around `π` and around the character beyond the basic plane
    document = text(WIDE, unit)
    assert [to_position(document, p).character for p in places] == columns
    assert [to_offset(document, types.Position(0, c)) for c in columns] == places


@pytest.mark.parametrize("unit", ["utf-8", "utf-16", "utf-32"])
def test_every_offset_survives_the_way_to_the_client_and_back(unit: str) -> None:
    document = text(WIDE.replace("\n", "\r\n", 1), unit)
    offsets = [
        o for o in range(len(document.lines.text) + 1) if document.lines.text[o - 1 : o] != "\r"
    ]
    assert [to_offset(document, to_position(document, o)) for o in offsets] == offsets


def test_positions_outside_mean_the_nearest_one_inside() -> None:
    document = text("ab\ncd")
    assert to_offset(document, types.Position(0, 99)) == 2
    assert to_offset(document, types.Position(99, 0)) == 5


def test_a_form_feed_does_not_end_a_line() -> None:
    assert to_range(text("a\x0cb\u2028c\nd"), Span(6, 7)).start == types.Position(1, 0)


@pytest.mark.parametrize(("unit", "column"), [("utf-8", 6), ("utf-16", 5), ("utf-32", 5)])
def test_changes_are_made_one_on_the_other(unit: str, column: int) -> None:
    at = types.Range(types.Position(0, column), types.Position(0, column))
    changes = [
        types.TextDocumentContentChangePartial(text="𝛻", range=at),
        types.TextDocumentContentChangePartial(text="!", range=at),
    ]
    made = changed(text('π = ""\n', unit), 2, changes)
    assert (made.version, made.lines.text) == (2, 'π = "!𝛻"\n')


def test_a_whole_new_text_takes_the_place_of_the_old() -> None:
    new = types.TextDocumentContentChangeWholeDocument(text="x = 1\n")
    assert changed(text("y"), 7, [new]).lines.text == "x = 1\n"


def test_an_edit_names_its_version_and_its_annotation_where_the_client_can_take_them() -> None:
    made = Change(text("a", version=4), (Edit(Span(0, 1), "b"),))
    plain = to_workspace_edit([made], "Do it", Client())
    assert plain.document_changes is None and plain.changes is not None
    versioned = to_workspace_edit([made], "Do it", Client(document_changes=True))
    (change,) = versioned.document_changes or ()
    assert isinstance(change, types.TextDocumentEdit) and change.text_document.version == 4
    able = Client(document_changes=True, annotations=True)
    noted = to_workspace_edit([made], "Do it", able)
    (change,) = noted.document_changes or ()
    (edit,) = change.edits  # type: ignore[union-attr]
    annotation = (noted.change_annotations or {})[edit.annotation_id]  # type: ignore[union-attr]
    assert (annotation.label, annotation.needs_confirmation) == ("Do it", False)


def test_a_document_that_is_new_is_made_before_it_is_edited() -> None:
    old = Change(text("a", version=4), (Edit(Span(0, 1), "b"),))
    new = Change(
        Text("file:///new.py", None, Lines(""), "utf-16"), (Edit(Span(0, 0), "c"),), new=True
    )
    made = to_workspace_edit([old, new], "Do it", Client(document_changes=True)).document_changes
    assert made is not None
    assert [type(change).__name__ for change in made] == [
        "CreateFile",
        "TextDocumentEdit",
        "TextDocumentEdit",
    ]
    assert made[2].text_document.version is None  # type: ignore[union-attr]
