"""The editor that started the server: when it is gone, the server goes, whatever it is doing.

The end of standard input says so, too, but is read by nobody while an analysis runs or a full pipe blocks
the next message, and never comes where another process holds the pipe open.

May not know: the protocol.
"""

from __future__ import annotations

import os
import threading
import time

INTERVAL = 1.0  # seconds between two looks


def follow(process: int | None) -> None:
    """End this process when `process` has ended."""
    # Elsewhere there is no asking without ending it. One that is not there is in another container.
    if os.name != "posix" or process is None or not _runs(process):
        return
    threading.Thread(target=_wait_for, args=(process,), daemon=True).start()


def leave() -> None:
    """End this process at once: a thread that waits for input would hold up an orderly end."""
    os._exit(1)


def _wait_for(process: int) -> None:
    while _runs(process):
        time.sleep(INTERVAL)
    leave()


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):  # it belongs to someone else, or the number is none
        return True
    return True
