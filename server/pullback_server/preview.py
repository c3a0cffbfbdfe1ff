"""The adjoint of a function as a virtual document that follows its primal.

Its address names document, function and kind, so that it shows the same thing wherever the focus is,
and can be made again from nothing.

May not know: how an adjoint is made.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, quote, unquote, urlsplit

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from pullback_server.client import Client
from pullback_server.core import hovers, ide, states
from pullback_server.derivatives import text_of, values
from pullback_server.documents import Snapshot
from pullback_server.hover import content as told
from pullback_server.settings import DETAILS
from pullback_server.states import range_of

if TYPE_CHECKING:
    from pullback_server.server import Server

SCHEME = "pullback-adjoint"
SHOW = "pullback.showAdjoint"
COMPARE = "pullback.compare"
ADJOINT = "pullback/adjoint"
WHY = "pullback/why"


@dataclass(frozen=True)
class Address:
    """What a virtual document shows: `show` is how much of a derivative, as the setting has it, or "file" for
    the whole file with that generated function made anew."""

    uri: str
    qualname: str
    kind: str = "grad"
    show: str = "all"


def address_text(address: Address) -> str:
    name = address.qualname.rpartition(".")[2]
    query = "&".join(
        f"{key}={quote(value, safe='')}"
        for key, value in (
            ("uri", address.uri),
            ("function", address.qualname),
            ("kind", address.kind),
            ("show", address.show),
        )
    )
    return f"{SCHEME}:/{quote(name)}_{address.kind}.py?{query}"


def parse_address(text: str) -> Address:
    """The address in `text`; clients may have escaped it once more."""
    split = urlsplit(text)
    query = parse_qs(split.query if "&" in split.query else unquote(split.query))
    given = {key: found[0] for key, found in query.items()}
    if "uri" not in given or "function" not in given:
        raise JsonRpcInvalidParams(f"{text} is not the address of an adjoint")
    return Address(
        given["uri"], given["function"], given.get("kind", "grad"), given.get("show", "all")
    )


def server_can_show(client: Client) -> bool:
    return SHOW not in client.commands and client.shows_documents and client.text_content


def can_show(client: Client) -> bool:
    return SHOW in client.commands or server_can_show(client)


def registrations(client: Client) -> list[types.Registration]:
    """pygls does not announce text document content; the protocol lets the server do so later."""
    if not client.registers_content:
        return []
    options = types.TextDocumentContentOptions(schemes=[SCHEME])
    return [types.Registration(SCHEME, types.WORKSPACE_TEXT_DOCUMENT_CONTENT, options)]


def content(ls: Server, params: types.TextDocumentContentParams) -> types.TextDocumentContentResult:
    """workspace/textDocumentContent: the text of a virtual document.

    An editor may restore it before it opens the function's file; the text follows when it does.
    """
    address = parse_address(params.uri)
    ls.shown[params.uri] = address
    if ls.documents.version(address.uri) is None:
        return types.TextDocumentContentResult(f"# {unquote(address.uri)} is not open\n")
    if address.show == "file":
        snapshot = ls.documents.snapshot(address.uri)
        text = states.regenerated(snapshot.module, address.qualname, snapshot.modules)
        return types.TextDocumentContentResult(text)
    _, made = _made(ls, address)
    return types.TextDocumentContentResult(made.text)


def adjoint(ls: Server, params: Any) -> dict[str, Any]:
    """pullback/adjoint: the same for clients without virtual documents, with the lines' origins."""
    address = _address(ls, params)
    snapshot, made = _made(ls, address)
    return {
        "text": made.text,
        "version": snapshot.text.version,
        "address": address_text(address),
        "uri": address.uri,
        "qualname": address.qualname,
        "kind": address.kind,
        "show": address.show,
        "shows": [{"show": show, "title": title} for show, title in DETAILS.items()],
        "lines": [None if s is None else range_of(snapshot.text, s) for s in made.lines],
    }


def why(ls: Server, params: Any) -> dict[str, Any] | None:
    """pullback/why: what a line of a virtual document comes from, and by which rules."""
    given = values(params)
    address, line = parse_address(text_of(given, "address")), given.get("line")
    if not isinstance(line, int):
        raise JsonRpcInvalidParams(f"'line' is needed, as a number; got {line!r}")
    snapshot = ls.documents.snapshot(address.uri)
    found = hovers.why(
        snapshot.module,
        address.qualname,
        address.kind,
        line,
        snapshot.modules,
        backward_only=address.show == "backward",
    )
    if found is None:
        return None
    return {"text": told(ls, found), "range": range_of(snapshot.text, found.span)}


def show(ls: Server, argument: Any) -> None:
    """The command pullback.showAdjoint, for clients that do not carry it out themselves."""
    ls.window_show_document(types.ShowDocumentParams(address_text(_address(ls, argument))))


def follow(ls: Server, uri: str) -> None:
    """`uri` has changed: virtual documents that show its functions are out of date."""
    for shown, address in ls.shown.items():
        if unquote(address.uri) == unquote(uri):
            ls.workspace_text_document_content_refresh(
                types.TextDocumentContentRefreshParams(shown)
            )


def _made(ls: Server, address: Address) -> tuple[Snapshot, ide.Adjoint]:
    snapshot = ls.documents.snapshot(address.uri)
    made = ide.adjoint_text(
        snapshot.module,
        address.qualname,
        address.kind,
        snapshot.modules,
        backward_only=address.show == "backward",
    )
    return snapshot, made


def _address(ls: Server, params: Any) -> Address:
    """What is asked for: by a virtual document's address, or by document, function and what to show of it."""
    given = values(params)
    if "address" in given:
        return parse_address(text_of(given, "address"))
    uri, qualname = text_of(given, "uri"), text_of(given, "qualname")
    kind = given.get("kind") or "grad"
    shown = given.get("show") or ls.settings.at(uri).preview
    if kind not in ide.KINDS or shown not in DETAILS:
        kinds, details = ", ".join(ide.KINDS), ", ".join(DETAILS)
        raise JsonRpcInvalidParams(f"kind is one of {kinds}; show is one of {details}")
    return Address(uri, qualname, kind, shown)
