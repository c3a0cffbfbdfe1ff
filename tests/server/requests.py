"""Every request that a client can send about an open document, for tests that ask all of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from pullback import ide
from pullback_server import (
    checking,
    code_actions,
    derivatives,
    diagnostics,
    hover,
    inlay_hints,
    lenses,
    preview,
    states,
)
from pullback_server.preview import Address, address_text
from pullback_server.server import Server, create
from pullback_server.settings import Configured, Settings

from .marks import ABLE, URI

DOCUMENT = types.TextDocumentIdentifier(URI)
Place = types.Position


def served(text: str, unit: str = "utf-16", version: int = 1) -> Server:
    """A server without a process that has just been told of a text; lenses and inlay hints are switched on."""
    ls = create()
    ls.client = replace(ABLE, encoding=unit)
    ls.settings = Configured(Settings(code_lens=True, inlay_hints=True))
    ls.documents.open(types.TextDocumentItem(URI, "python", version, text), unit)
    return ls


def around(ls: Server, place: Place) -> str:
    """The function at a place, otherwise the first one."""
    snapshot = ls.documents.snapshot(URI)
    offset = snapshot.text.lines.offset(place.line, place.character, snapshot.text.unit)
    here = ide.function_at(snapshot.module, offset)
    known = [here] if here is not None else [*ide.functions(snapshot.module)[:1]]
    return known[0].qualname if known else "nothing"


def named(ls: Server, place: Place, **more: Any) -> dict[str, Any]:
    version = ls.documents.version(URI)
    return {"uri": URI, "qualname": around(ls, place), "version": version, **more}


def actions(ls: Server, place: Place) -> list[Any]:
    """What can be done at a place, each with the edit that it makes, or why it makes none."""
    spot = types.Range(place, place)
    found = []
    for only in (None, ["refactor", "source", "quickfix"]):
        context = types.CodeActionContext([], only=only)
        for action in code_actions.code_actions(
            ls, types.CodeActionParams(DOCUMENT, spot, context)
        ):
            found.append((action, outcome(lambda a=action: code_actions.resolve(ls, a))))
    return found


def pulled(ls: Server, place: Place) -> Any:
    params = types.DocumentDiagnosticParams(DOCUMENT)
    return asyncio.run(diagnostics.pull(ls, params)).items


def lines(ls: Server, place: Place) -> list[Any]:
    """Why the first lines of a derivative are there."""
    address = address_text(Address(URI, around(ls, place)))
    return [preview.why(ls, {"address": address, "line": n}) for n in range(8)]


def everywhere() -> types.Range:
    return types.Range(types.Position(0, 0), types.Position(1_000_000, 0))


REQUESTS: dict[str, Callable[[Server, Place], Any]] = {
    types.TEXT_DOCUMENT_HOVER: lambda ls, at: hover.hover(ls, types.HoverParams(DOCUMENT, at)),
    types.TEXT_DOCUMENT_CODE_ACTION: actions,
    types.CODE_ACTION_RESOLVE: lambda ls, at: code_actions.resolve(ls, types.CodeAction("?")),
    types.TEXT_DOCUMENT_CODE_LENS: lambda ls, at: lenses.lenses(ls, types.CodeLensParams(DOCUMENT)),
    types.TEXT_DOCUMENT_INLAY_HINT: lambda ls, at: inlay_hints.hints(
        ls, types.InlayHintParams(DOCUMENT, everywhere())
    ),
    types.WORKSPACE_TEXT_DOCUMENT_CONTENT: lambda ls, at: preview.content(
        ls, types.TextDocumentContentParams(address_text(Address(URI, around(ls, at), "vjp")))
    ),
    preview.ADJOINT: lambda ls, at: preview.adjoint(ls, named(ls, at, show="backward")),
    preview.WHY: lines,
    states.STATES: lambda ls, at: states.of_document(ls, {"uri": URI}),
    checking.EXAMPLE: lambda ls, at: checking.example(ls, named(ls, at)),
    checking.KEEP: lambda ls, at: checking.keep(ls, named(ls, at, arguments="1.0")),
    derivatives.CHOICES: lambda ls, at: derivatives.choices(ls, named(ls, at)),
    derivatives.DERIVATIVE: lambda ls, at: derivatives.derivative(
        ls, named(ls, at, kind="jvp", wrt="x")
    ),
    types.TEXT_DOCUMENT_DIAGNOSTIC: pulled,
}


def outcome(request: Callable[[], Any]) -> Any:
    """What a request gives, or how it is refused; any other exception is a mistake."""
    try:
        return request()
    except JsonRpcException as refusal:
        return refusal.code, refusal.message


def asked(ls: Server, method: str, place: Place) -> Any:
    return outcome(lambda: REQUESTS[method](ls, place))
