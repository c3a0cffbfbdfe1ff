"""A client that shows the adjoint of a function beside it, and types into the function, key by key.

It does what VS Code does: it asks for the text again when the server says that it is out of date, with one
question on its way at most. What it is answered is kept, with when.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lsprotocol import types
from pytest_lsp import LanguageClient, make_test_lsp_client

from .process import ENVIRONMENT

ROWS = """\
def row_{k}(x, w):
    # pullback: x: (n,), w: (n,)
    z = np.tanh(x * w + {k})
    return np.sum(z * z)


"""
TYPED = """\
def typed(x, w):
    # pullback: x: (n,), w: (n,)
    z = x * w
$0    return np.sum(z * z)
"""
WORDS = (
    "    y = np.exp(-z * z) / (1.0 + x * x)\n",
    "    for k in range(3):\n        z = z * y + np.sin(w)\n",
    "    z = np.where(z > 0.5, z * 0.5, z + y)  # halved\n",
)
FUNCTION = "typed"


def text_at_first(rows: int) -> tuple[str, int]:
    """A module of some functions, and where in it somebody types."""
    text = "import numpy as np\n\n\n" + "".join(ROWS.format(k=k) for k in range(rows)) + TYPED
    at = text.index("$0")
    return text.replace("$0", ""), at


def keys(count: int) -> Iterator[str]:
    """Characters one after the other; now and then a word is taken back ("\\b") and typed again."""
    text = "".join(WORDS)
    typed = 0
    while True:
        for at, key in enumerate(text):
            back = "\b" * 4 if at % 40 == 39 else ""
            for one in (*back, *text[at - len(back) : at], key):
                if typed == count:
                    return
                typed += 1
                yield one


@dataclass(frozen=True)
class Shown:
    """What was shown of a version, from when on."""

    version: int
    text: str
    at: float


@dataclass
class Typist:
    """A document that is typed into, with what its preview has shown."""

    client: LanguageClient
    uri: str
    text: str
    at: int
    version: int = 1
    texts: dict[int, str] = field(default_factory=dict)
    sent: dict[int, float] = field(default_factory=dict)
    shown: list[Shown] = field(default_factory=list)
    address: str = ""
    asking: asyncio.Task[None] | None = None
    again: bool = False

    async def open(self) -> None:
        item = types.TextDocumentItem(self.uri, "python", 1, self.text)
        self.texts[1], self.sent[1] = self.text, time.perf_counter()
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        given = {"uri": self.uri, "qualname": FUNCTION}
        answer = await self.client.protocol.send_request_async("pullback/adjoint", given)
        self.address = answer.address
        # from now on the server tells when the virtual document is out of date
        params = types.TextDocumentContentParams(self.address)
        await self.client.workspace_text_document_content_async(params)
        self.keep(answer)

    def press(self, key: str) -> None:
        """One key: the document changes, here at once and there with the next message."""
        start = self.at - 1 if key == "\b" else self.at
        new = "" if key == "\b" else key
        self.version += 1
        place = types.Range(self.position(start), self.position(self.at))
        change = types.TextDocumentContentChangePartial(place, new)
        self.text = self.text[:start] + new + self.text[self.at :]
        self.at = start + len(new)
        self.texts[self.version], self.sent[self.version] = self.text, time.perf_counter()
        self.client.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(self.version, self.uri), [change]
            )
        )

    def position(self, offset: int) -> types.Position:
        line = self.text.count("\n", 0, offset)
        return types.Position(line, offset - (self.text.rfind("\n", 0, offset) + 1))

    def refresh(self, params: types.TextDocumentContentRefreshParams) -> None:
        """The server says that what is shown is out of date."""
        if params.uri != self.address:
            return
        self.again = True
        if self.asking is None or self.asking.done():
            self.asking = asyncio.ensure_future(self.ask())

    async def ask(self) -> None:
        while self.again:
            self.again = False
            given = {"address": self.address}
            self.keep(await self.client.protocol.send_request_async("pullback/adjoint", given))

    def keep(self, answer: Any) -> None:
        self.shown.append(Shown(answer.version, answer.text, time.perf_counter()))

    async def settled(self) -> None:
        """Waits until what is shown is of the newest version."""
        while self.shown[-1].version != self.version:
            await asyncio.sleep(0.002)

    def staleness(self) -> list[float]:
        """For each version the seconds until it, or a later one, was shown."""
        return [
            next(s.at for s in self.shown if s.version >= version) - sent
            for version, sent in self.sent.items()
            if version > 1
        ]


async def started(folder: Path, rows: int) -> Typist:
    """A server as a process, with a document open and its adjoint shown beside it."""
    client = make_test_lsp_client()
    await client.start_io(sys.executable, "-m", "pullback_server", "--stdio", env=ENVIRONMENT)
    text, at = text_at_first(rows)
    typist = Typist(client, (folder / "typed.py").as_uri(), text, at)

    @client.feature(types.WORKSPACE_TEXT_DOCUMENT_CONTENT_REFRESH)
    def refresh(params: types.TextDocumentContentRefreshParams) -> None:
        typist.refresh(params)

    workspace = types.WorkspaceClientCapabilities(
        text_document_content=types.TextDocumentContentClientCapabilities(),
        workspace_edit=types.WorkspaceEditClientCapabilities(document_changes=True),
    )
    actions = types.CodeActionClientCapabilities(
        resolve_support=types.ClientCodeActionResolveOptions(properties=["edit"])
    )
    document = types.TextDocumentClientCapabilities(code_action=actions)
    able = types.ClientCapabilities(workspace=workspace, text_document=document)
    await client.initialize_session(types.InitializeParams(capabilities=able))
    await typist.open()
    return typist


async def stopped(typist: Typist) -> None:
    await typist.client.shutdown_session()
    await typist.client.stop()
