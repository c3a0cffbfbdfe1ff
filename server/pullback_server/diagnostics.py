"""Diagnostics: pulled by clients that can, pushed to the others, never both.

Typing is never held up: an analysis runs in slices between which messages are read, and is dropped
for the newest version as soon as there is one.

May not know: how a diagnostic is found.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcException

import pullback
from pullback import ide
from pullback.diagnostics import Diagnostic
from pullback_server import convert
from pullback_server.documents import Snapshot

if TYPE_CHECKING:
    from pullback_server.server import Server

OPTIONS = types.DiagnosticOptions(
    inter_file_dependencies=True, workspace_diagnostics=False, identifier="pullback"
)
SETTLE = 0.002  # seconds: a burst of changes that is already on its way is taken in first
SLICE = 0.008  # seconds of analysis between two looks at the messages
SEVERITY = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "info": types.DiagnosticSeverity.Information,
    "hint": types.DiagnosticSeverity.Hint,
}


@dataclass
class Reports:
    """What is being reported and what was: per document the running push, the last one, the last pull."""

    running: dict[str, asyncio.Future[None]] = field(default_factory=dict)
    pushed: dict[str, types.PublishDiagnosticsParams] = field(default_factory=dict)
    pulled: dict[str, tuple[int, list[types.Diagnostic]]] = field(default_factory=dict)


def follow(ls: Server, uri: str) -> None:
    """`uri` has changed: report again, where the client does not ask by itself."""
    if ls.client.pulls_diagnostics:
        return
    if (running := ls.reports.running.pop(uri, None)) is not None:
        running.cancel()
    ls.reports.running[uri] = asyncio.ensure_future(_push(ls, uri))


def follow_all(ls: Server) -> None:
    """Something that all documents depend on has changed."""
    if ls.client.pulls_diagnostics:
        if ls.client.refreshes_diagnostics:
            ls.workspace_diagnostic_refresh(None)
        return
    for uri in ls.documents.uris():
        follow(ls, uri)


def forget(ls: Server, uri: str) -> None:
    """`uri` is closed: what was pushed for it goes away."""
    if (running := ls.reports.running.pop(uri, None)) is not None:
        running.cancel()
    ls.reports.pulled.pop(uri, None)
    ls.reports.pushed.pop(uri, None)
    if not ls.client.pulls_diagnostics:
        ls.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))


async def _push(ls: Server, uri: str) -> None:
    try:
        snapshot, items = await _newest(ls, uri)
    except Exception as error:  # nobody awaits this task: the error must not vanish with it
        ls.report_server_error(error, JsonRpcException)
        return
    params = types.PublishDiagnosticsParams(uri, items, snapshot.text.version)
    if params != ls.reports.pushed.get(uri):  # another document's change need not change this one's
        ls.reports.pushed[uri] = params
        ls.text_document_publish_diagnostics(params)


async def pull(
    ls: Server, params: types.DocumentDiagnosticParams
) -> types.DocumentDiagnosticReport:
    """textDocument/diagnostic: the newest version's reports, or word that they are as before."""
    uri = params.text_document.uri
    if ls.documents.version(uri) is None:
        return types.RelatedFullDocumentDiagnosticReport([])  # closed meanwhile
    _, items = await _newest(ls, uri)
    number, before = ls.reports.pulled.get(uri, (0, None))
    if items != before:
        number += 1
        ls.reports.pulled[uri] = (number, items)
    if params.previous_result_id == str(number):
        return types.RelatedUnchangedDocumentDiagnosticReport(str(number))
    return types.RelatedFullDocumentDiagnosticReport(items, result_id=str(number))


async def _newest(ls: Server, uri: str) -> tuple[Snapshot, list[types.Diagnostic]]:
    """The diagnostics of the newest version of `uri`, started anew whenever it moves on."""
    while True:
        await asyncio.sleep(SETTLE)
        snapshot = ls.documents.snapshot(uri)
        found = await _in_slices(ls, snapshot)
        if found is not None:
            return snapshot, [diagnostic(ls, snapshot, d) for d in found]


async def _in_slices(ls: Server, snapshot: Snapshot) -> tuple[Diagnostic, ...] | None:
    """All reports on a snapshot; None when the document has moved on meanwhile."""
    work = ide.diagnosing(snapshot.module, snapshot.modules)
    while True:
        pause = time.perf_counter() + SLICE
        while time.perf_counter() < pause:
            try:
                next(work)
            except StopIteration as done:
                found: tuple[Diagnostic, ...] = done.value
                return tuple(d for d in found if ls.settings.shows(d))
        await asyncio.sleep(0)
        if ls.documents.version(snapshot.text.uri) != snapshot.text.version:
            return None


def diagnostic(ls: Server, snapshot: Snapshot, found: Diagnostic) -> types.Diagnostic:
    """A diagnostic in the protocol's form."""
    page = page_uri(found.code, ls.client.documentation) if ls.client.code_description else None
    return types.Diagnostic(
        range=convert.to_range(snapshot.text, found.span),
        message=found.message,
        severity=SEVERITY[found.severity],
        code=found.code,
        code_description=types.CodeDescription(page) if page else None,
        source="pullback",
        related_information=_related(snapshot, found) if ls.client.related_information else None,
    )


def _related(
    snapshot: Snapshot, found: Diagnostic
) -> list[types.DiagnosticRelatedInformation] | None:
    places = [
        types.DiagnosticRelatedInformation(
            types.Location(snapshot.text.uri, convert.to_range(snapshot.text, r.span)), r.message
        )
        for r in found.related
        if r.path is None or r.path == snapshot.module.path
    ]
    return places or None


def page_uri(code: str, folder: str | None) -> str | None:
    """Where the page of a diagnostic is: in the client's folder, or in the server's own copy."""
    if folder is not None:
        return f"{folder.rstrip('/')}/{code}.md"
    package = Path(pullback.__file__).parent
    installed, checkout = package / "diagnostics/pages", package.parents[1] / "docs/diagnostics"
    for place in (installed, checkout):
        if (page := place / f"{code}.md").is_file():
            return page.as_uri()
    return None
