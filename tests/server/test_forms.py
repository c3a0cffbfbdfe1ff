"""Every action leaves the form of a file as it is, and its edits can be taken back one and all: CRLF, tabs, a byte
order mark, names outside of ASCII, no newline at the end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from pullback import derive
from pullback.source.edits import Edit, apply_edits
from pullback_server import checking, code_actions, convert, derivatives
from pullback_server.convert import Text
from pullback_server.core import ide

from .marks import URI, Asked, at_mark

PLAIN = """\
import numpy as np


def größe(ω: float, k: float):
    y = 0.5 * k  # 𝛻
    return y * ω**2


def last(x: float):
    return x * x
"""
MADE = f"{PLAIN}\n\n{derive(PLAIN, 'größe', modules={}).source}"
STATES = {
    "fresh": PLAIN,
    "up to date": MADE,
    "out of date": MADE.replace("0.5 * k", "0.25 * k", 1),
    "edited": MADE.replace("return 2 *", "return 1.0 * 2 *"),
    "renamed": MADE.replace("def größe(", "def grösse(", 1),
}
FORMS = {
    "plain": lambda text: text,
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "tabs": lambda text: text.replace("    ", "\t"),
    "a byte order mark": lambda text: "\ufeff" + text,
    "no final newline": lambda text: text.rstrip("\n"),
    "all at once": lambda text: (
        "\ufeff" + text.rstrip("\n").replace("    ", "\t").replace("\n", "\r\n")
    ),
}


@dataclass(frozen=True)
class Done:
    """An edit as a client makes it: what it replaced, and where."""

    before: str
    after: str
    edits: tuple[Edit, ...]

    def undone(self) -> str:
        """The text after the edit, with what was replaced put back."""
        back, moved = [], 0
        for e in sorted(self.edits, key=lambda e: e.span.start):
            start = e.span.start + moved
            old = self.before[e.span.start : e.span.end]
            back.append(Edit(type(e.span)(start, start + len(e.text)), old))
            moved += len(e.text) - len(old)
        return apply_edits(self.after, back)


def made(asked: Asked, edit: types.WorkspaceEdit) -> Done:
    text: Text = asked.ls.documents.snapshot(URI).text
    (change,) = edit.document_changes or ()
    assert isinstance(change, types.TextDocumentEdit)
    edits = tuple(
        Edit(convert.to_span(text, e.range), e.new_text)
        for e in change.edits
        if isinstance(e, (types.TextEdit, types.AnnotatedTextEdit))
    )
    return Done(asked.text, apply_edits(asked.text, edits), edits)


def edit_of(asked: Asked, action: types.CodeAction) -> types.WorkspaceEdit | None:
    """An action's edit; None where what somebody has edited stands in its way."""
    try:
        return code_actions.resolve(asked.ls, action).edit
    except JsonRpcException as refusal:
        assert "PB402" in refusal.message
        return None


def everything(asked: Asked) -> Iterator[Done]:
    """What each action on each line of a document does."""
    ls = asked.ls
    for line in range(asked.text.count("\n") + 1):
        place = types.Range(types.Position(line, 5), types.Position(line, 5))
        for only in (None, [code_actions.FIX_ALL]):
            context = types.CodeActionContext([], only)
            params = types.CodeActionParams(types.TextDocumentIdentifier(URI), place, context)
            for action in code_actions.code_actions(ls, params):
                if action.command is None and (edit := edit_of(asked, action)) is not None:
                    yield made(asked, edit)
    given = {"uri": URI, "version": 1}
    functions = ide.functions(ls.documents.snapshot(URI).module)
    for name in (f.qualname for f in functions if not f.qualname.endswith("_grad")):
        for placement in ("below", "end"):
            chosen = {**given, "qualname": name, "kind": "vjp", "wrt": "*", "placement": placement}
            yield made(asked, derivatives.derivative(ls, chosen))
        yield made(asked, checking.keep(ls, {**given, "qualname": name, "arguments": "1.0, 2.0"}))


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("form", FORMS)
def test_an_action_keeps_the_form_and_can_be_taken_back(form: str, state: str) -> None:
    text = FORMS[form](STATES[state])
    changed = 0
    for done in everything(at_mark(text)):
        after = done.after
        changed += after != text
        assert done.undone() == text
        assert after.count("\ufeff") == text.count("\ufeff")
        assert after.startswith("\ufeff") == text.startswith("\ufeff")
        assert after.endswith("\n") == text.endswith("\n")
        newline = "\r\n" if "\r\n" in text else "\n"
        assert after.count("\n") == after.count(newline)
        if "\t" in text:
            assert not any(line.startswith("    ") for line in after.split(newline))
    assert changed > 8
