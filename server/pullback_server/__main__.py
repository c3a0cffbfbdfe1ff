"""Starts the language server: `pullback-server [--stdio | --tcp PORT]`.

Standard output belongs to the protocol and standard error stays silent, since editors show it as
errors. Over TCP standard output says where the server listens: on the loopback address only.

May not know: any feature.
"""

from __future__ import annotations

import gc
import logging
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pullback_server.server import Server

USAGE = "usage: pullback-server [--stdio | --tcp PORT]"


def main(arguments: list[str] | None = None) -> int:
    """Serve until the client says exit; the process's exit code."""
    given = sys.argv[1:] if arguments is None else arguments
    if given in (["--help"], ["-h"]):
        print(USAGE)
        return 0
    port = _port(given)
    if port is None:
        print(f"pullback-server: unknown arguments {' '.join(given)!r}\n{USAGE}", file=sys.stderr)
        return 2
    for library in ("pygls", "asyncio"):  # what matters goes to the client's log
        logging.getLogger(library).addHandler(logging.NullHandler())
        logging.getLogger(library).propagate = False
    return _over_tcp(port) if port else _over_stdio()


def _port(arguments: list[str]) -> int | None:
    """The TCP port, 0 for standard input and output, None for what is not understood."""
    if arguments in ([], ["--stdio"]):
        return 0
    if len(arguments) == 2 and arguments[0] == "--tcp" and arguments[1].isdecimal():
        number = int(arguments[1])
        return number if 0 < number < 65536 else None
    return None


def _over_stdio() -> int:
    server = _create()
    channel, sys.stdout = sys.stdout.buffer, sys.stderr  # a stray print must not break the protocol
    server.start_io(sys.stdin.buffer, channel)
    return 0 if server.was_shut_down() else 1


def _over_tcp(port: int) -> int:
    from pullback_server import tcp

    server = _create()
    try:
        tcp.serve(server, port)
    except OSError as error:
        print(f"pullback-server: cannot listen on {tcp.LOOPBACK}:{port}: {error}", file=sys.stderr)
        return 2
    return 0 if server.was_shut_down() else 1


def _create() -> Server:
    # The protocol's types are hundreds of classes, none of them garbage: keep the collector away.
    gc.disable()
    from pullback_server.rest import THRESHOLDS
    from pullback_server.server import create

    server = create()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
    gc.enable()
    return server


if __name__ == "__main__":
    sys.exit(main())
