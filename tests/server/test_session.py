"""A long session keeps no more than a short one."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from types import FunctionType

import pytest
from lsprotocol import types

from pullback_server import rest
from pullback_server.server import Server

from .marks import URI
from .requests import REQUESTS, asked, served
from .test_cost_of_an_edit import LINES, numeric


def work(ls: Server, edits: range) -> None:
    """Types a number that was never there before, asks for everything now and then."""
    for n in edits:
        line = 3 + (n % 3) * LINES + 5
        place = types.Range(types.Position(line, 8), types.Position(line, 8))
        text = f"b{n} = {n}.0; "
        ls.documents.change(URI, 2 * n, [types.TextDocumentContentChangePartial(place, text)])
        asked(ls, types.TEXT_DOCUMENT_DIAGNOSTIC, place.start)
        if n % 10 == 0:
            for method in REQUESTS:
                asked(ls, method, place.start)
        back = types.Range(place.start, types.Position(line, 8 + len(text)))
        ls.documents.change(URI, 2 * n + 1, [types.TextDocumentContentChangePartial(back, "")])
        asked(ls, types.TEXT_DOCUMENT_DIAGNOSTIC, place.start)


def worked(ls: Server, edits: range) -> int:
    """How many objects are kept when that is done."""
    work(ls, edits)
    gc.collect()
    return len(gc.get_objects())


def uncollected(act: Callable[[], None]) -> set[str]:
    """What of ours `act` leaves that only a look for garbage takes away: functions, and classes of objects."""
    gc.collect()
    gc.disable()
    try:
        act()
        gc.set_debug(gc.DEBUG_SAVEALL)
        gc.collect()
        kinds = [x if isinstance(x, FunctionType) else type(x) for x in gc.garbage]
        return {k.__qualname__ for k in kinds if k.__module__.startswith("pullback")}
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()


@pytest.mark.slow
def test_what_is_kept_is_bounded() -> None:
    ls = served(numeric(40))
    worked(ls, range(1, 61))
    first = worked(ls, range(61, 81))
    later = worked(ls, range(81, 201))
    assert later < first + 600  # five objects an edit


def test_what_an_edit_or_a_question_needed_is_gone_without_a_look_for_garbage() -> None:
    """Somebody who types without a pause would have all analyses stay in memory until the next full look."""
    ls = served(numeric(40))
    work(ls, range(10, 11))
    assert uncollected(lambda: work(ls, range(18, 21))) == set()


class Ring:
    """Something that only a look for garbage takes away."""

    def __init__(self) -> None:
        self.next = self


def test_what_was_there_at_one_pause_may_be_garbage_at_the_next() -> None:
    ring = Ring()
    left = weakref.ref(ring)
    try:
        rest.collect()
        del ring
        rest.collect()
        assert left() is None
    finally:
        gc.unfreeze()
