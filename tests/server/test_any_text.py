"""Whatever a document's text is, every request about it has an answer or a refusal of the protocol's."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lsprotocol import types

from pullback_server.server import FEATURES, Server
from tests.core.test_any_text import EDITS, ODD, REAL, marked, mutated

from .marks import URI
from .requests import REQUESTS, asked, served

NOTIFICATIONS = {m for m, *_ in FEATURES if "/did" in m}
# so deep or long that each of many analyses takes its time
SLOW = ("calls of calls", "many lines", "many branches", "a long sum", "branches in branches")


def test_every_request_is_asked() -> None:
    methods = {m for m, *_ in FEATURES} - NOTIFICATIONS
    assert methods | {types.TEXT_DOCUMENT_DIAGNOSTIC} == REQUESTS.keys()


@pytest.mark.parametrize(
    "text",
    [pytest.param(t, id=n, marks=[pytest.mark.slow] * (n in SLOW)) for n, t in ODD.items()],
)
def test_odd_text(text: str) -> None:
    ls = served(text)
    for place in (middle(ls), types.Position(1_000_000, 1_000_000)):
        answered(ls, place)
    change(ls, 2, "\ud800x = np.sum(\n")  # what is typed below is as odd
    answered(ls, types.Position(1_000_000, 0))


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(REAL, key=lambda n: len(REAL[n]))[:50])
def test_half_typed(name: str) -> None:
    """A real module is typed, a third of a line at a time; everything is asked where the cursor is."""
    text = marked(REAL[name])
    ls, version = served(""), 1
    step = max(1, len(text) // 24)
    for start in range(0, len(text), step):
        version += 1
        change(ls, version, text[start : start + step])
        answered(ls, types.Position(1_000_000, 0))
    assert ls.documents.snapshot(URI).text.lines.text == text


@settings(deadline=None, max_examples=8, derandomize=True)
@given(st.sampled_from(sorted(REAL, key=lambda n: len(REAL[n]))[:50]), EDITS)
def test_mutated(name: str, edits: list[tuple[int, int, str]]) -> None:
    ls = served(mutated(name, edits))
    answered(ls, middle(ls))


def middle(ls: Server) -> types.Position:
    lines = ls.documents.snapshot(URI).text.lines
    return types.Position(*lines.position(len(lines.text) // 2, "utf-16"))


def change(ls: Server, version: int, new: str) -> None:
    """Something is typed at the end of the document."""
    end = types.Position(1_000_000, 0)
    change = types.TextDocumentContentChangePartial(text=new, range=types.Range(end, end))
    ls.documents.change(URI, version, [change])


def answered(ls: Server, place: types.Position) -> None:
    """Asks everything; what fails inside would be a PB002."""
    for method in REQUESTS:
        told = asked(ls, method, place)
        assert "PB002" not in repr(told), method
