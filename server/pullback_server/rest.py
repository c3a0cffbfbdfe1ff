"""What is done when nothing else is to be done: what can wait for a pause in typing, a look for garbage first.

All that is known of the open files is hundreds of thousands of objects, and a full collection looks at each.
One in the middle of typing would hold up a keystroke by more than its analysis takes.

May not know: features.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable

# the last says that a full collection comes by itself only in a session that never rests
THRESHOLDS = (10_000, 10, 200)


class Rest:
    """Waits for a pause of some seconds, and does something in it."""

    def __init__(self, seconds: float, act: Callable[[], None]) -> None:
        self._seconds = seconds
        self._act = act
        self._handle: asyncio.TimerHandle | None = None

    def later(self) -> None:
        """Something was done just now."""
        if self._handle is not None:
            self._handle.cancel()
        self._handle = asyncio.get_running_loop().call_later(self._seconds, self._act)


def collect() -> None:
    """Collect garbage; what is left is here to stay, and is not looked at again before the next pause.

    What was kept at the last one may be garbage by now: a document that was closed, answers to requests.
    """
    gc.unfreeze()
    gc.collect()
    gc.freeze()
