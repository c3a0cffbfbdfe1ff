"""What bytes may do to Pullback: as the text of a module, as edits of one, as messages of a client.

Each target takes any bytes, and raises where something does not hold. `guided.py` looks for such bytes.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from threading import Event
from unittest import mock

from pygls.io_ import run_async

from pullback import ide
from pullback.source.module import parse_module
from pullback.source.project import decode
from pullback_server import parent
from pullback_server.server import Server, create
from tests.core.test_any_text import answered

MARK = "# pullback: differentiable\n"
NEXT = b"\xff"  # no text of UTF-8 holds it


def any_text(data: bytes) -> None:
    """A module is parsed, checked and derived, whatever its bytes are."""
    text = decode(data)
    answered(text)
    answered(MARK + text)


def any_edit(data: bytes) -> None:
    """A text, and edits of it: each puts new text at the place that its first two bytes tell, for some characters."""
    text, *edits = data.split(NEXT)
    now = decode(text)
    module = parse_module(now)
    ide.diagnostics(module, _no_module)
    for edit in edits[:6]:
        at = int.from_bytes(edit[:2], "big") % (len(now) + 1)
        cut = edit[2] if len(edit) > 2 else 0
        now = now[:at] + decode(edit[3:]) + now[at + cut :]
        module = parse_module(now, previous=module)
        told = ide.diagnostics(module, _no_module)
        assert told == ide.diagnostics(parse_module(now), _no_module), now


def _no_module(name: str) -> None:
    return None


def any_messages(data: bytes) -> None:
    """A client's messages, one a line: the server answers with messages, and ends as it should."""
    server = create()
    sent = Sent()
    server.protocol.set_writer(sent)
    with mock.patch.object(parent, "follow"):  # would end this process with the client's
        asyncio.run(_served(server, data))
    for message in sent.messages():
        assert message["jsonrpc"] == "2.0"


async def _served(server: Server, data: bytes) -> None:
    reader = asyncio.StreamReader()
    for line in data.split(b"\n")[:40]:
        reader.feed_data(b"Content-Length: %d\r\n\r\n%s" % (len(line), line))
    reader.feed_eof()
    with suppress(SystemExit):  # how pygls ends the loop after `exit`
        await run_async(Event(), reader, server.protocol, None, server.report_server_error)


class Sent:
    """A writer that keeps what the server sends."""

    def __init__(self) -> None:
        self.data = b""

    def write(self, data: bytes) -> None:
        self.data += data

    def close(self) -> None:
        """There is nothing to close."""

    def messages(self) -> list[dict[str, object]]:
        found, rest = [], self.data
        while rest:
            head, _, rest = rest.partition(b"\r\n\r\n")
            length = int(head.partition(b"Content-Length: ")[2].split(b"\r\n")[0])
            found.append(json.loads(rest[:length]))
            rest = rest[length:]
        return found


TARGETS: dict[str, Callable[[bytes], None]] = {
    "text": any_text,
    "edits": any_edit,
    "messages": any_messages,
}
