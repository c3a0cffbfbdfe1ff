"""The server: what it registers, and how it meets the client.

Every feature that a client can reach is a line in the table below.

May not know: what a feature does.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from inspect import isawaitable
from json import JSONDecodeError
from typing import Any

from lsprotocol import types
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInvalidParams,
    JsonRpcInvalidRequest,
    JsonRpcParseError,
    JsonRpcServerNotInitialized,
)
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol

from pullback import __version__
from pullback_server import (
    checking,
    code_actions,
    derivatives,
    diagnostics,
    hover,
    inlay_hints,
    items,
    lenses,
    notebooks,
    parent,
    preview,
    refresh,
    settings,
    states,
    sync,
)
from pullback_server.client import Client, client_of
from pullback_server.core import ide
from pullback_server.diagnostics import Reports
from pullback_server.documents import Documents
from pullback_server.preview import Address
from pullback_server.rest import Rest, collect
from pullback_server.settings import Configured


class Server(LanguageServer):
    """pygls' server, with what is open, what the client can do, and what it was told."""

    def __init__(self) -> None:
        super().__init__(
            "pullback",
            __version__,
            protocol_cls=Protocol,
            notebook_document_sync=notebooks.OPTIONS,
        )
        self.client = Client()
        self.documents = Documents()
        self.settings = Configured()
        self.reports = Reports()
        self.rest = Rest(2.0, collect)
        self.refresh = Rest(0.2, partial(refresh.all_shown, self))
        self.shown: dict[str, Address] = {}  # by the virtual document's address as it was asked for

    def was_shut_down(self) -> bool:
        return bool(self.protocol._shutdown)

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Errors outside of a request go to the client's log: a message box would only disturb."""
        if isinstance(error, (JSONDecodeError, UnicodeDecodeError)):
            refusal = JsonRpcParseError().to_response_error()
            self.protocol._send_data({"jsonrpc": "2.0", "id": None, "error": refusal})
            return
        self.window_log_message(types.LogMessageParams(types.MessageType.Error, str(error)))


class Protocol(LanguageServerProtocol):
    """pygls' protocol, without its own copies of documents, and with an answer to every request."""

    _begun = False  # `initialize` has come
    _sending: asyncio.Future[None] | None = None

    # `documents.py` holds the texts: pygls' copies split lines at form feeds, which LSP does not.
    lsp_text_document__did_open = None  # type: ignore[assignment]
    lsp_text_document__did_change = None  # type: ignore[assignment]
    lsp_text_document__did_close = None  # type: ignore[assignment]
    lsp_notebook_document__did_open = None  # type: ignore[assignment]
    lsp_notebook_document__did_change = None  # type: ignore[assignment]
    lsp_notebook_document__did_close = None  # type: ignore[assignment]

    def structure_message(self, data: dict[str, Any]) -> Any:
        """The typed message; a request that does not fit its type is answered, not left waiting."""
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            if isinstance(data.get("id"), (int, str)) and "method" in data:
                refusal = JsonRpcInvalidParams(f"{data['method']}: these are not its parameters")
                self._send_response(data["id"], error=refusal.to_response_error())
            raise error

    def handle_message(self, message: Any) -> None:
        """Only what comes between `initialize` and `shutdown` is carried out."""
        refusal = self._refusal(getattr(message, "method", types.EXIT))
        if refusal is None:
            super().handle_message(message)
        elif hasattr(message, "id"):
            self._send_response(message.id, error=refusal.to_response_error())

    def _refusal(self, method: str) -> JsonRpcException | None:
        if method == types.EXIT:
            return None
        if self._shutdown:
            return JsonRpcInvalidRequest("the server was shut down")
        if method != types.INITIALIZE:
            return None if self._begun else JsonRpcServerNotInitialized("send initialize first")
        if self._begun:
            return JsonRpcInvalidRequest("the server is initialized already")
        self._begun = True
        return None

    def _send_data(self, data: Any) -> None:
        try:
            known = items.json_of(data, self._serialize_message)
            if known is None:
                super()._send_data(data)
            else:
                self._send_json(known)
        except BrokenPipeError:  # nobody reads any more
            parent.leave()

    def _send_json(self, body: str) -> None:
        if self.writer is not None:
            head = f"Content-Length: {len(body)}\r\nContent-Type: {self.CONTENT_TYPE}; charset={self.CHARSET}\r\n\r\n"
            sent = self.writer.write(f"{head}{body}".encode(self.CHARSET))
            if sent is not None:  # over TCP it drains what it can
                self._sending = asyncio.ensure_future(sent)


FEATURES: tuple[tuple[str, Callable[..., Any], Any], ...] = (
    (types.TEXT_DOCUMENT_DID_OPEN, sync.did_open, None),
    (types.TEXT_DOCUMENT_DID_CHANGE, sync.did_change, None),
    (types.TEXT_DOCUMENT_DID_CLOSE, sync.did_close, None),
    (types.NOTEBOOK_DOCUMENT_DID_OPEN, sync.did_open_notebook, None),
    (types.NOTEBOOK_DOCUMENT_DID_CHANGE, sync.did_change_notebook, None),
    (types.NOTEBOOK_DOCUMENT_DID_CLOSE, sync.did_close_notebook, None),
    (types.WORKSPACE_DID_CHANGE_WATCHED_FILES, sync.did_change_files, None),
    (types.WORKSPACE_DID_CHANGE_CONFIGURATION, settings.did_change, None),
    (types.TEXT_DOCUMENT_HOVER, hover.hover, None),
    (types.TEXT_DOCUMENT_CODE_ACTION, code_actions.code_actions, code_actions.OPTIONS),
    (types.CODE_ACTION_RESOLVE, code_actions.resolve, None),
    (types.TEXT_DOCUMENT_CODE_LENS, lenses.lenses, lenses.OPTIONS),
    (types.TEXT_DOCUMENT_INLAY_HINT, inlay_hints.hints, None),
    (types.WORKSPACE_TEXT_DOCUMENT_CONTENT, preview.content, None),
    (preview.ADJOINT, preview.adjoint, None),
    (preview.WHY, preview.why, None),
    (states.STATES, states.of_document, None),
    (checking.EXAMPLE, checking.example, None),
    (checking.KEEP, checking.keep, None),
    (derivatives.CHOICES, derivatives.choices, None),
    (derivatives.DERIVATIVE, derivatives.derivative, None),
)

COMMANDS: tuple[tuple[str, Callable[..., Any]], ...] = (
    (lenses.REGENERATE, lenses.regenerate),
    (lenses.GO_TO, lenses.go_to),
)


def create() -> Server:
    """A server with all features, ready to be started."""
    server = Server()
    server.feature(types.INITIALIZE)(initialize)
    server.feature(types.INITIALIZED)(initialized)
    for method, handler, options in FEATURES:
        server.feature(method, options)(handler)
    for name, handler in COMMANDS:
        _add_command(server, name, handler)
    return server


def _add_command(server: Server, name: str, handler: Callable[..., Any]) -> None:
    """pygls reads a command's annotations when it is called: those of a handler are for type checkers alone."""

    async def run(ls: Server, *given: Any) -> None:
        done = handler(ls, given[0] if given else None)
        if isawaitable(done):
            await done

    server.command(name)(run)


def initialize(ls: Server, params: types.InitializeParams) -> None:
    """Learn what the client can do, and add what depends on it."""
    encoding = types.PositionEncodingKind(ls.workspace.position_encoding or "utf-16")
    ls.client = client_of(params, encoding.value)
    parent.follow(params.process_id)
    if ls.client.pulls_diagnostics:
        ls.feature(types.TEXT_DOCUMENT_DIAGNOSTIC, diagnostics.OPTIONS)(diagnostics.pull)
    if preview.server_can_show(ls.client):
        _add_command(ls, preview.SHOW, preview.show)


async def initialized(ls: Server, params: types.InitializedParams) -> None:
    """Tell the client what pygls cannot announce, and ask for its settings."""
    asyncio.get_running_loop().call_soon(ide.load)  # a document is about to be opened
    wanted = [
        *preview.registrations(ls.client),
        *settings.registrations(ls.client),
        *sync.registrations(ls.client),
    ]
    if wanted:
        await ls.client_register_capability_async(types.RegistrationParams(wanted))
    await settings.ask(ls)
