"""How generated functions stand to theirs: the request, the lenses above both, and the hints in the text."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams

from pullback import derive
from pullback_server import inlay_hints, lenses, states
from pullback_server.settings import Settings

from .marks import URI, Asked, at_mark

SQUARE = "def square(x: float):\n    return x * x\n"
MADE = f"{SQUARE}\n\n{derive(SQUARE, 'square', modules={}).source}"
STALE = MADE.replace("return x * x\n", "return x * x * x\n", 1)
EDITED = MADE.replace("return 2.0 * x", "return x + x")
ORPHAN = MADE.replace("def square(", "def cube(").replace("x * x", "x + x", 1)


def told(text: str, **given: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = states.of_document(at_mark(text).ls, {"uri": URI, **given})[
        "states"
    ]
    return found


@pytest.mark.parametrize(
    ("text", "word"),
    [
        (MADE, "up to date"),
        (STALE, "out of date"),
        (EDITED, "edited"),
        (ORPHAN, "without its function"),
    ],
)
def test_every_state_has_a_word(text: str, word: str) -> None:
    (state,) = told(text)
    assert (state["name"], state["function"], state["kind"]) == ("square_grad", "square", "grad")
    assert state["state"] == word
    assert (state["functionRange"] is None) == (text is ORPHAN)


@pytest.mark.parametrize("line", [0, 1, 4, 5])
def test_from_a_function_to_its_derivative_and_back(line: int) -> None:
    (state,) = told(MADE, position={"line": line, "character": 5})
    assert state["range"]["start"] == {"line": 5, "character": 4}
    assert state["functionRange"]["start"] == {"line": 0, "character": 4}
    assert told(MADE + "\n\ny = 1\n", position={"line": 12, "character": 0}) == []


def test_private_derivatives_and_helpers_are_no_ones_business() -> None:
    text = "def mix(a, b):\n    return a * b\n\n\ndef f(x: float):\n    return mix(x, x)\n"
    made = f"{text}\n\n{derive(text, 'f', modules={}).source}"
    assert "private=yes" in made
    assert [s["name"] for s in told(made)] == ["f_grad"]


def test_a_position_that_is_none_is_refused() -> None:
    with pytest.raises(JsonRpcInvalidParams):
        told(MADE, position={"line": "one"})


# --- lenses ---------------------------------------------------------------------------------------


def with_lenses(text: str, **abilities: Any) -> tuple[Asked, list[types.CodeLens]]:
    asked = at_mark(text, **abilities)
    asked.ls.settings.elsewhere = Settings(code_lens=True)
    return asked, lenses.lenses(asked.ls, types.CodeLensParams(asked.document))


def test_lenses_are_for_those_who_want_them() -> None:
    asked = at_mark(MADE)
    assert lenses.lenses(asked.ls, types.CodeLensParams(asked.document)) == []


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        (MADE, ["∇ square_grad: up to date", "∇ of square: up to date"]),
        (STALE, ["∇ square_grad: out of date", "∇ out of date: regenerate"]),
        (EDITED, ["∇ square_grad: edited", "∇ of square: edited"]),
        (ORPHAN, ["∇ of square: without its function"]),
    ],
)
def test_lenses_above_the_function_and_its_derivative(text: str, titles: list[str]) -> None:
    _, found = with_lenses(text)
    shown = [lens.command.title for lens in found if lens.command]
    offered = ["check", "show adjoint"] if text is not ORPHAN else []
    assert shown == [*titles, *offered]
    _, plain = with_lenses(text, commands=frozenset())
    assert [lens.command.title for lens in plain if lens.command] == titles


def test_a_click_generates_what_is_out_of_date_again(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, found = with_lenses(STALE)
    (command,) = [x.command for x in found if x.command and x.command.command == lenses.REGENERATE]
    sent: list[types.ApplyWorkspaceEditParams] = []

    async def apply(params: types.ApplyWorkspaceEditParams) -> None:
        sent.append(params)

    monkeypatch.setattr(asked.ls, "workspace_apply_edit_async", apply)
    asyncio.run(lenses.regenerate(asked.ls, (command.arguments or [None])[0]))
    (change,) = sent[0].edit.document_changes or ()
    assert isinstance(change, types.TextDocumentEdit) and change.text_document.version == 1
    assert "3.0 * x**2" in change.edits[0].new_text or "x * x" in change.edits[0].new_text  # type: ignore[union-attr]


def test_a_click_goes_to_the_other_one(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, found = with_lenses(MADE)
    places: list[types.ShowDocumentParams] = []
    monkeypatch.setattr(asked.ls, "window_show_document", places.append)
    for lens in found[:2]:
        assert lens.command is not None
        lenses.go_to(asked.ls, (lens.command.arguments or [None])[0])
    assert [p.selection.start.line for p in places if p.selection] == [5, 0]
    asked.ls.documents.change(
        URI, 2, [types.TextDocumentContentChangeWholeDocument(text="x = 1\n")]
    )
    with pytest.raises(JsonRpcException):
        lenses.go_to(asked.ls, (found[0].command.arguments or [None])[0])  # type: ignore[union-attr]


# --- hints ----------------------------------------------------------------------------------------

GROWTH = """\
import numpy as np


# pullback: differentiable
def growth(x: np.ndarray, n: int):
    # pullback: x: (d,)
    y = 2.0 * x
    k = n + 1
    for _ in range(n):
        y = y * np.sin(y)
    return np.sum(y) * k
"""


def hints(text: str, settings: Settings, lines: tuple[int, int] = (0, 99)) -> list[tuple[int, str]]:
    asked = at_mark(text)
    asked.ls.settings.elsewhere = settings
    place = types.Range(*(types.Position(line, 0) for line in lines))
    found = inlay_hints.hints(asked.ls, types.InlayHintParams(asked.document, place))
    return [(h.position.line, str(h.label)) for h in found]


def test_hints_show_what_is_active_and_what_is_recorded() -> None:
    assert hints(GROWTH, Settings()) == []
    shown = hints(GROWTH, Settings(inlay_hints=True))
    assert (6, ": ∂ array (d,)") in shown
    assert not any(line == 7 for line, _ in shown)
    assert (9, "  records sin_y, y") in shown
    assert hints(GROWTH, Settings(inlay_hints=True), (0, 3)) == []


def test_functions_that_nobody_asked_for_have_no_hints() -> None:
    plain = GROWTH.replace("# pullback: differentiable\n", "")
    assert hints(plain, Settings(inlay_hints=True)) == []
