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

from pullback_server import convert
from pullback_server.client import Client
from pullback_server.core import ide
from pullback_server.documents import Snapshot

if TYPE_CHECKING:
    from pullback_server.server import Server

SCHEME = "pullback-adjoint"
SHOW = "pullback.showAdjoint"
ADJOINT = "pullback/adjoint"
KINDS = ("grad", "value_and_grad", "vjp", "jvp", "hvp")


@dataclass(frozen=True)
class Address:
    """What a virtual document shows."""

    uri: str
    qualname: str
    kind: str = "grad"


def address_text(address: Address) -> str:
    name = address.qualname.rpartition(".")[2]
    query = "&".join(
        f"{key}={quote(value, safe='')}"
        for key, value in (
            ("uri", address.uri),
            ("function", address.qualname),
            ("kind", address.kind),
        )
    )
    return f"{SCHEME}:/{quote(name)}_{address.kind}.py?{query}"


def parse_address(text: str) -> Address:
    """The address in `text`; clients may have escaped it once more."""
    split = urlsplit(text)
    query = parse_qs(split.query if "&" in split.query else unquote(split.query))
    try:
        return Address(query["uri"][0], query["function"][0], query.get("kind", ["grad"])[0])
    except KeyError:
        raise JsonRpcInvalidParams(f"{text} is not the address of an adjoint") from None


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
    _, made = _made(ls, address)
    return types.TextDocumentContentResult(made.text)


def adjoint(ls: Server, params: Any) -> dict[str, Any]:
    """pullback/adjoint: the same for clients without virtual documents, with the lines' origins."""
    address = _address(params)
    snapshot, made = _made(ls, address)
    lines = [None if s is None else convert.to_range(snapshot.text, s) for s in made.lines]
    return {
        "text": made.text,
        "version": snapshot.text.version,
        "address": address_text(address),
        "lines": [r and {"start": _plain(r.start), "end": _plain(r.end)} for r in lines],
    }


def show(ls: Server, argument: Any) -> None:
    """The command pullback.showAdjoint, for clients that do not carry it out themselves."""
    ls.window_show_document(types.ShowDocumentParams(address_text(_address(argument))))


def follow(ls: Server, uri: str) -> None:
    """`uri` has changed: virtual documents that show its functions are out of date."""
    for shown, address in ls.shown.items():
        if unquote(address.uri) == unquote(uri):
            ls.workspace_text_document_content_refresh(
                types.TextDocumentContentRefreshParams(shown)
            )


def _made(ls: Server, address: Address) -> tuple[Snapshot, ide.Adjoint]:
    snapshot = ls.documents.snapshot(address.uri)
    made = ide.adjoint_text(snapshot.module, address.qualname, address.kind, snapshot.modules)
    return snapshot, made


def _address(given: Any) -> Address:
    """An address from a request's parameters, which come as a dict or as pygls' object."""
    values = given if isinstance(given, dict) else getattr(given, "_asdict", dict)()
    uri, qualname, kind = values.get("uri"), values.get("qualname"), values.get("kind", "grad")
    if not isinstance(uri, str) or not isinstance(qualname, str) or kind not in KINDS:
        raise JsonRpcInvalidParams(
            f"{{uri, qualname, kind}} is needed, kind one of {', '.join(KINDS)}; got {values!r}"
        )
    return Address(uri, qualname, kind)


def _plain(position: types.Position) -> dict[str, int]:
    return {"line": position.line, "character": position.character}
