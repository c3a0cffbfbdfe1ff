"""Documents that open, change and close, and files that change on disk: tell who follows them.

May not know: what the followers do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from pullback_server import diagnostics, preview, refresh, settings
from pullback_server.client import Client

if TYPE_CHECKING:
    from pullback_server.server import Server


def did_open(ls: Server, params: types.DidOpenTextDocumentParams) -> None:
    ls.documents.open(params.text_document, ls.client.encoding)
    diagnostics.follow(ls, params.text_document.uri)
    preview.follow(ls, params.text_document.uri)


def did_change(ls: Server, params: types.DidChangeTextDocumentParams) -> None:
    document = params.text_document
    if ls.documents.version(document.uri) is None:
        return  # a notification has no answer; the next request on it gets one
    ls.documents.change(document.uri, document.version, params.content_changes)
    readers = ls.documents.dependents(document.uri)
    for uri in (document.uri, *readers):
        diagnostics.follow(ls, uri)
        preview.follow(ls, uri)
    if readers:
        refresh.later(ls)


def did_close(ls: Server, params: types.DidCloseTextDocumentParams) -> None:
    ls.documents.close(params.text_document.uri)
    diagnostics.forget(ls, params.text_document.uri)


def did_open_notebook(ls: Server, params: types.DidOpenNotebookDocumentParams) -> None:
    for item in params.cell_text_documents:
        ls.documents.open(item, ls.client.encoding)
    book = params.notebook_document
    ls.documents.open_notebook(book.uri, [cell.document for cell in book.cells])
    _follow_cells(ls, book.uri)


def did_change_notebook(ls: Server, params: types.DidChangeNotebookDocumentParams) -> None:
    uri, cells = params.notebook_document.uri, params.change.cells
    if cells is None:
        return  # what is known of its cells, not what they say
    if (structure := cells.structure) is not None:
        for item in structure.did_open or ():
            ls.documents.open(item, ls.client.encoding)
        array = structure.array
        new = [cell.document for cell in array.cells or ()]
        ls.documents.change_notebook(uri, array.start, array.delete_count, new)
        for closed in structure.did_close or ():
            ls.documents.close(closed.uri)
            diagnostics.forget(ls, closed.uri)
    for content in cells.text_content or ():
        document = content.document
        ls.documents.change(document.uri, document.version, content.changes)
    ls.documents.change_notebook(uri)
    _follow_cells(ls, uri)


def did_close_notebook(ls: Server, params: types.DidCloseNotebookDocumentParams) -> None:
    ls.documents.close_notebook(params.notebook_document.uri)
    for cell in params.cell_text_documents:
        ls.documents.close(cell.uri)
        diagnostics.forget(ls, cell.uri)


def _follow_cells(ls: Server, uri: str) -> None:
    """What one cell says may matter to all."""
    for cell in ls.documents.cells(uri):
        diagnostics.follow(ls, cell)
        preview.follow(ls, cell)
    refresh.later(ls)


def registrations(client: Client) -> list[types.Registration]:
    """Other modules are read from disk, and so are the project's settings."""
    if not client.registers_watchers:
        return []
    watchers = [types.FileSystemWatcher(pattern) for pattern in ("**/*.py", "**/pyproject.toml")]
    options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
    return [types.Registration("pullback.files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)]


async def did_change_files(ls: Server, params: types.DidChangeWatchedFilesParams) -> None:
    if any(change.uri.endswith("/pyproject.toml") for change in params.changes):
        await settings.ask(ls)
    unseen = [c.uri for c in params.changes if ls.documents.version(c.uri) is None]
    for uri in {d for u in unseen for d in ls.documents.dependents(u)}:
        diagnostics.follow(ls, uri)
        preview.follow(ls, uri)
    if unseen:
        refresh.later(ls)
