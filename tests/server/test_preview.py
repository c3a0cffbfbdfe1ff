"""The adjoint as a virtual document: its address, its text, who is told when it changes."""

from __future__ import annotations

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from pullback_server import preview
from pullback_server.client import Client
from pullback_server.preview import Address, address_text, parse_address
from pullback_server.server import Server

from .marks import URI, at_mark

LOSS = "import numpy as np\n\n\ndef loss(w, X):\n    z = X @ w\n    return np.sum(z * z)\n"


@pytest.mark.parametrize("uri", [URI, "file:///a b/ü&=?.py", "untitled:Untitled-1"])
def test_an_address_survives_being_written(uri: str) -> None:
    address = Address(uri, "Model.loss", "vjp")
    assert parse_address(address_text(address)) == address
    assert address_text(address).startswith("pullback-adjoint:/loss_vjp.py?")


def test_an_address_that_the_client_has_escaped_again_is_understood() -> None:
    escaped = address_text(Address(URI, "loss")).replace("&", "%26").replace("=", "%3D")
    assert parse_address(escaped) == Address(URI, "loss")


def test_another_address_is_refused() -> None:
    with pytest.raises(JsonRpcInvalidParams):
        parse_address("pullback-adjoint:/x.py?function=f")


def content(ls: Server, address: Address) -> str:
    params = types.TextDocumentContentParams(address_text(address))
    return preview.content(ls, params).text


def test_the_text_is_the_derivative() -> None:
    assert "def loss_grad(w, X):" in content(at_mark(LOSS).ls, Address(URI, "loss"))


def test_where_there_is_none_a_comment_says_why() -> None:
    ls = at_mark("def walk(x):\n    yield x * x\n").ls
    assert "# line 2: PB102" in content(ls, Address(URI, "walk"))
    assert content(ls, Address(URI, "gone")).startswith("# grad of gone is not in this file")


def test_the_request_gives_text_version_and_origins() -> None:
    ls = at_mark(LOSS).ls
    answer = preview.adjoint(ls, {"uri": URI, "qualname": "loss"})
    lines = answer["text"].splitlines()
    assert answer["version"] == 1 and len(answer["lines"]) == len(lines)
    first = answer["lines"][lines.index("    z = X @ w")]
    assert first["start"] == {"line": 4, "character": 4}


@pytest.mark.parametrize(
    "given", [None, {}, {"uri": 3, "qualname": "f"}, {"uri": URI, "qualname": "f", "kind": "?"}]
)
def test_a_request_without_its_parameters_is_refused(given: object) -> None:
    with pytest.raises(JsonRpcInvalidParams, match=r"is needed, as text|kind is one of"):
        preview.adjoint(at_mark(LOSS).ls, given)


def test_a_change_refreshes_what_is_shown_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    ls = at_mark(LOSS).ls
    told: list[str] = []
    monkeypatch.setattr(
        ls, "workspace_text_document_content_refresh", lambda params: told.append(params.uri)
    )
    preview.follow(ls, URI)
    assert told == []
    address = Address(URI, "loss")
    content(ls, address)
    preview.follow(ls, URI)
    preview.follow(ls, "file:///other.py")
    assert told == [address_text(address)]


def test_an_address_restored_before_its_file_is_open_says_so() -> None:
    ls = at_mark(LOSS).ls
    ls.documents.close(URI)
    assert content(ls, Address(URI, "loss")) == f"# {URI} is not open\n"


def test_the_server_shows_it_only_for_clients_that_do_not_and_can_open_it() -> None:
    able = Client(shows_documents=True, text_content=True)
    assert preview.server_can_show(able)
    assert not preview.server_can_show(Client(shows_documents=True))
    own = Client(shows_documents=True, text_content=True, commands=frozenset({preview.SHOW}))
    assert not preview.server_can_show(own) and preview.can_show(own)
