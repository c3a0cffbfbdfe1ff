"""Any sequence of edits: the text is what the protocol says, and every answer is that of a fresh start."""

from __future__ import annotations

import re
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from lsprotocol import types

from pullback import ide
from pullback.source.module import Module, parse_module
from pullback_server import items
from pullback_server.server import Server

from .marks import URI
from .requests import REQUESTS, asked, served

START = """\
import numpy as np
SCALE = 2.0


# pullback: differentiable
def outer(x):
    return inner(x) * SCALE


def inner(x):
    if np.sum(x) > 0.0:
        x = np.abs(x)
    return np.sum(x * x)


class Model:
    rate = 0.5

    # pullback: differentiable wrt w
    def loss(self, w):  # é 𝛻
        return self.rate * inner(w)


def plain(x):
    return x
"""
PIECES = (
    "",
    "x",
    " ",
    "\n",
    "\r\n",
    "\r",
    "\n\n\n",
    "é𝛻",
    "#",
    '"""',
    "(",
    ")",
    "yield x\n",
    "    return np.sort(x)\n",
    "    x = inner(x)\n",
    "    x[0] = 1.0\n",
    "# pullback: differentiable\n",
    "  # pullback: ignore[PB102]",
    "  # pullback: igmore\n",
    "def inner(x):\n    return np.unique(x)\n",
    "np = 3\n",
    "import math as np\n",
    "from other import inner\n",
    "SCALE = np.zeros(3)\n",
    "class Model(object):\n    rate = 1.0\n",
    "@njit\n",
    "def broken(:\n",
    "async ",
    "\ufeff",
    "\f",
)
UNITS = {"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}
WIDTHS = {"utf-8": 1, "utf-16": 2, "utf-32": 4}


class Editor:
    """A client's own idea of its text: lines of code units, as the protocol counts them."""

    def __init__(self, text: str, unit: str) -> None:
        self.text = text
        self.unit = unit

    def position(self, offset: int) -> types.Position:
        """Where a character is; behind a CR that a LF follows there is no place to stand."""
        before = self.text[:offset]
        lines = re.split("\r\n|\r|\n", before)
        column = len(lines[-1].encode(UNITS[self.unit])) // WIDTHS[self.unit]
        return types.Position(len(lines) - 1, column)

    def offsets(self) -> list[int]:
        """The offsets at which an editor can have its cursor."""
        text = self.text
        return [o for o in range(len(text) + 1) if text[o - 1 : o + 1] != "\r\n"]


class AnyEdit(RuleBasedStateMachine):
    """An editor, the server that it talks to, and nothing in between but the protocol's types."""

    @initialize(unit=st.sampled_from(sorted(UNITS)))
    def open(self, unit: str) -> None:
        self.editor = Editor(START, unit)
        self.version = 1
        self.ls = served(START, unit)

    @rule(data=st.data(), new=st.sampled_from(PIECES), length=st.integers(0, 12))
    def replace(self, data: st.DataObject, new: str, length: int) -> None:
        self.change([self.partial(data, new, length)])

    @rule(data=st.data(), new=st.sampled_from(PIECES))
    def delete_lines(self, data: st.DataObject, new: str) -> None:
        """As if whole lines were selected: across the borders of statements."""
        lines = self.editor.text.splitlines(keepends=True)
        first = data.draw(st.integers(0, len(lines)))
        last = data.draw(st.integers(first, min(first + 4, len(lines))))
        start, end = (len("".join(lines[:n])) for n in (first, last))
        self.change([self.between(start, end, new)])

    @rule(data=st.data(), pieces=st.lists(st.sampled_from(PIECES), min_size=2, max_size=4))
    def several_at_once(self, data: st.DataObject, pieces: list[str]) -> None:
        self.change([self.partial(data, new, 3) for new in pieces])

    @rule(pieces=st.lists(st.sampled_from(PIECES), max_size=6))
    def whole(self, pieces: list[str]) -> None:
        self.editor.text = "".join([*pieces[:3], START, *pieces[3:]])
        self.change([types.TextDocumentContentChangeWholeDocument(text=self.editor.text)])

    @rule(data=st.data(), method=st.sampled_from(sorted(REQUESTS)))
    def ask(self, data: st.DataObject, method: str) -> None:
        """A hover, the actions with their edits, a preview are those of a server that has seen nothing else."""
        fresh = served(self.editor.text, self.editor.unit, self.version)
        place = self.editor.position(data.draw(st.sampled_from(self.editor.offsets())))
        assert asked(self.ls, method, place) == asked(fresh, method, place)

    @invariant()
    def answers_are_those_of_a_fresh_start(self) -> None:
        snapshot = self.ls.documents.snapshot(URI)
        assert snapshot.text.lines.text == snapshot.module.text == self.editor.text
        assert snapshot.text.version == self.version
        fresh = served(self.editor.text, self.editor.unit, self.version)
        assert reported(self.ls) == reported(fresh)
        assert tiles(snapshot.module) == tiles(parse_module(self.editor.text))

    def partial(
        self, data: st.DataObject, new: str, length: int
    ) -> types.TextDocumentContentChangePartial:
        places = self.editor.offsets()
        first = data.draw(st.integers(0, len(places) - 1))
        last = min(first + length, len(places) - 1)
        return self.between(places[first], places[last], new)

    def between(self, start: int, end: int, new: str) -> types.TextDocumentContentChangePartial:
        place = types.Range(self.editor.position(start), self.editor.position(end))
        text = self.editor.text
        self.editor.text = text[:start] + new + text[end:]
        return types.TextDocumentContentChangePartial(text=new, range=place)

    def change(self, changes: list[Any]) -> None:
        self.version += 1
        self.ls.documents.change(URI, self.version, changes)


def reported(ls: Server) -> list[items.Item]:
    snapshot = ls.documents.snapshot(URI)
    return items.items(ls, snapshot, ide.reported(snapshot.module, snapshot.modules))


def tiles(module: Module) -> list[tuple[int, int, str, bool]]:
    return [(c.start, c.first_line, c.text, c.tree is None) for c in module.chunks]


TestAnyEdit = AnyEdit.TestCase
TestAnyEdit.settings = settings(max_examples=15, stateful_step_count=12, deadline=None)
