"""textDocument/didOpen, didChange, didClose: take the text in, then tell who follows it.

May not know: what the followers do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from pullback_server import diagnostics, preview

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
    for uri in (document.uri, *ls.documents.dependents(document.uri)):
        diagnostics.follow(ls, uri)
        preview.follow(ls, uri)


def did_close(ls: Server, params: types.DidCloseTextDocumentParams) -> None:
    ls.documents.close(params.text_document.uri)
    diagnostics.forget(ls, params.text_document.uri)
