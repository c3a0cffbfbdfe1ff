"""200 keys typed into a function whose adjoint is shown: never a text that is no version's, never an edit lost."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from pullback import derive, ide
from pullback.emit.insert import insertion
from pullback.ir import Span
from pullback.source.edits import Edit, apply_edits
from pullback.source.module import parse_module
from pullback.source.text import Lines

from .typed import FUNCTION, Typist, keys, started, stopped

KEYS = 200


def of_version(typist: Typist, version: int) -> str:
    """What a fresh start shows of a version's text."""
    module = parse_module(typist.texts[version])
    return ide.adjoint_text(module, FUNCTION, "grad", lambda name: None).text


async def offered(typist: Typist) -> types.CodeAction | None:
    """The action that writes the gradient, as it is offered now; None while the function does not parse."""
    line = typist.text[: typist.text.index(f"def {FUNCTION}")].count("\n")
    place = types.Range(types.Position(line, 5), types.Position(line, 5))
    params = types.CodeActionParams(
        types.TextDocumentIdentifier(typist.uri), place, types.CodeActionContext([])
    )
    found = await typist.client.text_document_code_action_async(params)
    wanted = f"Generate gradient of `{FUNCTION}` with respect to `x`"
    actions = [a for a in found or () if isinstance(a, types.CodeAction)]
    return next((a for a in actions if a.title == wanted), None)


@pytest.mark.asyncio
async def test_what_is_shown_is_always_some_version_and_in_the_end_the_newest(
    tmp_path: Path,
) -> None:
    typist = await started(tmp_path, rows=3)
    for number, key in enumerate(keys(KEYS)):
        typist.press(key)
        if number % 5 == 0:  # sometimes keys follow so fast that several come before an answer
            await asyncio.sleep(0)
        if number % 20 == 0:
            await typist.settled()
    await typist.settled()
    await stopped(typist)
    versions = [s.version for s in typist.shown]
    assert versions == sorted(versions) and versions[-1] == KEYS + 1
    assert len(set(versions)) > KEYS // 20
    for shown in typist.shown:
        assert shown.text == of_version(typist, shown.version)


@pytest.mark.asyncio
async def test_an_edit_is_for_the_version_that_it_was_asked_for_or_refused(tmp_path: Path) -> None:
    typist = await started(tmp_path, rows=1)
    refused = 0
    for number, key in enumerate(keys(KEYS)):
        action = await offered(typist) if number % 5 == 4 else None
        typist.press(key)
        if action is not None:
            with pytest.raises(JsonRpcException) as refusal:
                await typist.client.code_action_resolve_async(action)
            assert refusal.value.code == types.LSPErrorCodes.ContentModified
            refused += 1
    assert refused > 2
    while (action := await offered(typist)) is None:  # until what is left parses
        typist.press("\b")
    made = await typist.client.code_action_resolve_async(action)
    await stopped(typist)
    (change,) = made.edit.document_changes or () if made.edit is not None else ()
    assert isinstance(change, types.TextDocumentEdit)
    assert change.text_document.version == typist.version > KEYS
    lines = Lines(typist.text)
    edits = [
        Edit(span_of(lines, e.range), e.new_text)
        for e in change.edits
        if isinstance(e, types.TextEdit)
    ]
    derived = derive(typist.text, FUNCTION, modules={})
    module = parse_module(typist.text)
    assert apply_edits(typist.text, edits) == apply_edits(typist.text, insertion(module, derived))


def span_of(lines: Lines, place: types.Range) -> Span:
    start, end = place.start, place.end
    return Span(lines.offset(start.line, start.character), lines.offset(end.line, end.character))
