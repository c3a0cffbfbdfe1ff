"""What a keystroke costs is counted, and does not grow with the file: never the file is parsed, read or sent again."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from types import FrameType

import pytest
from lsprotocol import types

from pullback import ide, reports
from pullback.derive import Looked
from pullback.diagnostics import report
from pullback.source import module as module_room
from pullback.source.module import Module
from pullback.source.outline import function_named
from pullback.source.project import Modules
from pullback_server import items
from pullback_server.hover import hover
from pullback_server.server import Server

from .marks import URI, at_mark

FUNCTION = """\
# pullback: differentiable
def step_{k}(x, w, n):
    h = np.zeros((n, x.shape[0]))
    h[0] = x
    for t in range(1, n):
        a = np.tanh(h[t - 1] * w + {k})
        if np.sum(a) > 0.5:
            a = a * 0.5
        h[t, 1:-1] = a[1:-1] + 0.1 * (a[2:] - 2.0 * a[1:-1] + a[:-2])
        h[t] += np.exp(-np.abs(a)) / (1.0 + {k})
    return np.sum(h * w){tail}


"""
LINES = FUNCTION.count("\n")


def numeric(lines: int) -> str:
    """A file of about that many lines, in which every other function calls the one above it."""
    made = []
    for k in range(lines // LINES):
        tail = f" + step_{k - 1}(x, w, 3)" if k % 2 else ""
        made.append(FUNCTION.format(k=k, tail=tail))
    return "import numpy as np\n\n\n" + "".join(made)


class Session:
    """A file that is open and reported on, in which something is typed."""

    def __init__(self, lines: int) -> None:
        self.ls: Server = at_mark(numeric(lines)).ls
        self.version = 1
        self.callee = lines // LINES // 4 * 2  # in the middle, and called by the next one
        self.shown = self.report()

    def report(self) -> list[items.Item]:
        snapshot = self.ls.documents.snapshot(URI)
        return items.items(self.ls, snapshot, ide.reported(snapshot.module, snapshot.modules))

    def type(self, k: int, text: str) -> None:
        """At the beginning of a statement in the loop of function number k."""
        self.version += 1
        at = types.Position(3 + k * LINES + 5, 8)
        change = types.TextDocumentContentChangePartial(text=text, range=types.Range(at, at))
        self.ls.documents.change(URI, self.version, [change])
        self.shown = self.report()

    def hover(self, k: int) -> None:
        """Over the name of function number k."""
        place = types.Position(3 + k * LINES + 1, 5)
        shown = hover(self.ls, types.HoverParams(types.TextDocumentIdentifier(URI), place))
        assert shown is not None


@pytest.fixture
def analysed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The functions that were analysed; the analysis itself is left out."""
    seen: list[str] = []

    def check(module: Module, qualname: str, modules: Modules) -> Looked:
        seen.append(qualname)
        target = function_named(module, qualname)
        assert target is not None
        return Looked((report("PB102", target.name_span, function=qualname, name=qualname),))

    monkeypatch.setattr(reports, "check_function", check)
    return seen


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The pieces of text that were parsed."""
    seen: list[str] = []
    real = module_room.parse_piece

    def counted(piece: str, looked_at: int = 0) -> module_room.Parsed:
        seen.append(piece)
        return real(piece, looked_at)

    monkeypatch.setattr(module_room, "parse_piece", counted)
    return seen


def test_of_5000_lines_one_statement_is_parsed_and_its_function_and_callers_are_analysed(
    analysed: list[str], parsed: list[str]
) -> None:
    session = Session(5000)
    callee, caller = f"step_{session.callee}", f"step_{session.callee + 1}"
    for k, again in ((session.callee, [callee, caller]), (session.callee + 1, [caller])):
        analysed.clear()
        parsed.clear()
        session.type(k, "b = 1.0; ")
        assert [f"def step_{k}(" in piece for piece in parsed] == [True]
        assert analysed == again


def test_the_reports_on_the_rest_are_the_objects_that_they_were(analysed: list[str]) -> None:
    session = Session(1000)
    before = {id(item) for item in session.shown}
    session.type(session.callee, "b = 1.0; ")
    new = [item for item in session.shown if id(item) not in before]
    assert len(new) <= 2 < len(session.shown)


def calls_in(work: Callable[[], None]) -> int:
    """How many calls are made, of Python functions and of others."""
    made = 0

    def count(frame: FrameType, event: str, what: object) -> None:
        nonlocal made
        made += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(None)
    return made


@pytest.mark.parametrize(
    ("text", "few"), [("b = 1.0; ", 2), ("b = 1.0\n        ", 24)], ids=["letters", "a line"]
)
def test_a_keystroke_costs_a_few_calls_for_each_other_function_of_the_file(
    text: str, few: int, analysed: list[str]
) -> None:
    costs = []
    for lines in (200, 5000):
        session = Session(lines)
        session.type(session.callee, text)  # what is made once for a file is made
        costs.append(calls_in(partial(session.type, session.callee, text)))
    small, large = costs
    assert large - small < few * (5000 - 200) / LINES


def test_a_hover_costs_a_few_calls_for_each_other_function_of_the_file(analysed: list[str]) -> None:
    costs = []
    for lines in (200, 5000):
        session = Session(lines)
        session.hover(session.callee)  # the gradient is made
        costs.append(calls_in(partial(session.hover, session.callee)))
    small, large = costs
    assert large - small < 12 * (5000 - 200) / LINES
