"""A long session keeps no more than a short one."""

from __future__ import annotations

import gc
import weakref

import pytest
from lsprotocol import types

from pullback_server import rest
from pullback_server.server import Server

from .marks import URI
from .requests import REQUESTS, asked, served
from .test_cost_of_an_edit import LINES, numeric


def worked(ls: Server, edits: range) -> int:
    """Types a number that was never there before, asks for everything now and then; how many objects are kept."""
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
    gc.collect()
    return len(gc.get_objects())


@pytest.mark.slow
def test_what_is_kept_is_bounded() -> None:
    ls = served(numeric(40))
    worked(ls, range(1, 61))
    first = worked(ls, range(61, 81))
    later = worked(ls, range(81, 201))
    assert later < first + 600  # five objects an edit


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
