"""The cursor mark `$0` in a test's text, and a server without a process to ask about it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from lsprotocol import types

from pullback_server.client import Client
from pullback_server.convert import to_position
from pullback_server.server import Server, create

URI = "file:///nowhere/model.py"
ABLE = Client(
    commands=frozenset(
        f"pullback.{name}"
        for name in ("showAdjoint", "chooseDerivative", "compare", "checkGradient")
    ),
    documentation="file:///pages",
    code_description=True,
    related_information=True,
    resolves_edits=True,
    document_changes=True,
    markdown=True,
)


@dataclass
class Asked:
    """A server that has one document open, and the place of the mark in it."""

    ls: Server
    text: str
    position: types.Position

    @property
    def document(self) -> types.TextDocumentIdentifier:
        return types.TextDocumentIdentifier(URI)

    @property
    def place(self) -> types.Range:
        return types.Range(self.position, self.position)


def at_mark(marked: str, *, client: Client = ABLE, **abilities: Any) -> Asked:
    """The server asked about `marked`, whose `$0` is the cursor (its start where there is none)."""
    before, _, after = marked.partition("$0")
    ls = create()
    ls.client = replace(client, **abilities)
    item = types.TextDocumentItem(URI, "python", 1, before + after)
    ls.documents.open(item, ls.client.encoding)
    return Asked(ls, before + after, to_position(ls.documents.snapshot(URI).text, len(before)))
