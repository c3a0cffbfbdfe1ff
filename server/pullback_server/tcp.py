"""Over TCP: one client, of this machine.

There is one server for one client, so nobody else can connect once there is one. A client that reads nothing is
not read from either, so that what it has asked for does not pile up.

May not know: the protocol, features.
"""

from __future__ import annotations

import asyncio
from threading import Event
from typing import TYPE_CHECKING

from pygls.io_ import run_async

if TYPE_CHECKING:
    from pullback_server.server import Server

LOOPBACK = "127.0.0.1"


class _Reader:
    """Reads a client's messages, none before what was sent to it is on its way."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    async def readline(self) -> bytes:
        try:
            await self._writer.drain()
            return await self._reader.readline()
        except (ConnectionError, ValueError):  # it is gone, or sends a line that never ends
            return b""

    async def readexactly(self, count: int) -> bytes:
        try:
            return await self._reader.readexactly(count)
        except (ConnectionError, asyncio.IncompleteReadError):
            return b""


def serve(server: Server, port: int) -> None:
    """Serve the first client that connects until it goes.

    Raises OSError where nobody can listen at the port.
    """
    try:
        asyncio.run(_serve(server, port))
    except SystemExit:
        pass  # how pygls ends the loop after `exit`
    finally:
        server.shutdown()  # type: ignore[no-untyped-call]


async def _serve(server: Server, port: int) -> None:
    first: asyncio.Future[tuple[asyncio.StreamReader, asyncio.StreamWriter]]
    first = asyncio.get_running_loop().create_future()

    def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if first.done():
            writer.close()
        else:
            first.set_result((reader, writer))

    listening = await asyncio.start_server(connected, LOOPBACK, port)
    print(
        f"pullback-server: one client of this machine can connect to {LOOPBACK}:{port}", flush=True
    )
    reader, writer = await first
    listening.close()
    server.protocol.set_writer(writer)
    await run_async(
        Event(), _Reader(reader, writer), server.protocol, None, server.report_server_error
    )
