"""Diagnostics: pulled by clients that can, pushed to the others, never both.

Typing is never held up: an analysis runs in slices between which messages are read, and is dropped
for the newest version as soon as there is one.

May not know: how a diagnostic is found.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from pullback_server import items
from pullback_server.core import ide
from pullback_server.documents import Snapshot
from pullback_server.items import Item, Shown

if TYPE_CHECKING:
    from pullback_server.server import Server

OPTIONS = types.DiagnosticOptions(
    inter_file_dependencies=True, workspace_diagnostics=False, identifier="pullback"
)
SETTLE = 0.001  # seconds: a burst of changes that is already on its way is taken in first
SLICE = 0.008  # seconds of analysis between two looks at the messages


@dataclass
class Reports:
    """What is being reported and what was: per document the running push, the last one, the last pull,
    and by statement what the last reports looked like."""

    running: dict[str, asyncio.Future[None]] = field(default_factory=dict)
    pushed: dict[str, types.PublishDiagnosticsParams] = field(default_factory=dict)
    pulled: dict[str, tuple[int, list[Item]]] = field(default_factory=dict)
    shown: dict[str, Shown] = field(default_factory=dict)


def follow(ls: Server, uri: str) -> None:
    """`uri` has changed: report again, where the client does not ask by itself."""
    if ls.client.pulls_diagnostics:
        return
    if (running := ls.reports.running.pop(uri, None)) is not None:
        running.cancel()
    ls.reports.running[uri] = asyncio.ensure_future(_push(ls, uri))


def forget(ls: Server, uri: str) -> None:
    """`uri` is closed: what was pushed for it goes away."""
    if (running := ls.reports.running.pop(uri, None)) is not None:
        running.cancel()
    ls.reports.pulled.pop(uri, None)
    ls.reports.pushed.pop(uri, None)
    ls.reports.shown.pop(uri, None)
    if not ls.client.pulls_diagnostics:
        ls.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))


async def _push(ls: Server, uri: str) -> None:
    try:
        newest = await _newest(ls, uri)
    except Exception as error:  # nobody awaits this task: the error must not vanish with it
        ls.report_server_error(error, JsonRpcException)
        return
    if newest is None:
        return
    snapshot, shown = newest
    params = types.PublishDiagnosticsParams(uri, shown, snapshot.text.version)
    if params != ls.reports.pushed.get(uri):  # another document's change need not change this one's
        ls.reports.pushed[uri] = params
        ls.text_document_publish_diagnostics(params)


async def pull(
    ls: Server, params: types.DocumentDiagnosticParams
) -> types.DocumentDiagnosticReport:
    """textDocument/diagnostic: the newest version's reports, or word that they are as before."""
    uri = params.text_document.uri
    newest = await _newest(ls, uri)
    if newest is None:
        return types.RelatedFullDocumentDiagnosticReport([])
    _, shown = newest
    number, before = ls.reports.pulled.get(uri, (0, None))
    if shown != before:
        number += 1
        ls.reports.pulled[uri] = (number, shown)
    if params.previous_result_id == str(number):
        return types.RelatedUnchangedDocumentDiagnosticReport(str(number))
    return types.RelatedFullDocumentDiagnosticReport(shown, result_id=str(number))


async def _newest(ls: Server, uri: str) -> tuple[Snapshot, list[Item]] | None:
    """The diagnostics of the newest version of `uri`, started anew whenever it moves on; None once it is closed."""
    while True:
        await asyncio.sleep(SETTLE)
        if ls.documents.version(uri) is None:
            return None
        snapshot = ls.documents.snapshot(uri)
        ls.rest.later()
        found = await _in_slices(ls, snapshot)
        if found is not None:
            return snapshot, items.items(ls, snapshot, found)


async def _in_slices(ls: Server, snapshot: Snapshot) -> tuple[ide.Report, ...] | None:
    """All reports on a snapshot; None when the document has moved on meanwhile."""
    work = ide.reporting(snapshot.module, snapshot.modules)
    while True:
        pause = time.perf_counter() + SLICE
        while time.perf_counter() < pause:
            try:
                next(work)
            except StopIteration as done:
                found: tuple[ide.Report, ...] = done.value
                return found
        await asyncio.sleep(0)
        if ls.documents.version(snapshot.text.uri) != snapshot.text.version:
            return None
