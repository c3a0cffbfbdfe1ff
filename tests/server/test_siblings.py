"""Derivatives in a module beside the function's: what is written where, and that each file knows of the other."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.uris import to_fs_path

from pullback.source.edits import Edit, apply_edits
from pullback_server import code_actions, convert, derivatives, lenses, states
from pullback_server.core import ide
from pullback_server.server import create
from pullback_server.settings import Settings

from .marks import ABLE

MODEL = "RATE = 0.5\n\n\ndef square(x: float):\n    return RATE * x * x\n"
CHANGED = MODEL.replace("x * x", "x * x * x")
CHOSEN = {"qualname": "square", "kind": "grad", "wrt": "x", "placement": "sibling"}


class Folder:
    """A folder with `model.py` open in it; edits go where a client would put them."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.ls = create()
        self.ls.client = replace(ABLE, creates_files=True)
        self.write("model.py", MODEL)
        self.open("model.py")

    def uri(self, name: str) -> str:
        return (self.path / name).as_uri()

    def text(self, name: str) -> str:
        return (self.path / name).read_text(encoding="utf-8")

    def write(self, name: str, text: str) -> None:
        (self.path / name).write_text(text, encoding="utf-8", newline="")

    def open(self, name: str, text: str | None = None, version: int = 1) -> None:
        said = self.text(name) if text is None else text
        item = types.TextDocumentItem(self.uri(name), "python", version, said)
        self.ls.documents.open(item, self.ls.client.encoding)

    def apply(self, edit: types.WorkspaceEdit) -> list[str]:
        """Carries an edit out on disk, and tells which files it was about."""
        found = []
        for change in edit.document_changes or ():
            if isinstance(change, types.CreateFile):
                path = Path(to_fs_path(change.uri) or "")
                assert not path.exists()
                path.write_text("")
                continue
            assert isinstance(change, types.TextDocumentEdit)
            name = Path(to_fs_path(change.text_document.uri) or "").name
            assert change.text_document.version == self.ls.documents.version(self.uri(name))
            text = self.ls.documents.file(str(self.path / name), "utf-16").text
            edits = [Edit(convert.to_span(text, e.range), e.new_text) for e in change.edits]  # type: ignore[union-attr]
            self.write(name, apply_edits(text.lines.text, edits))
            found.append(name)
        return found

    def choose(self, **other: Any) -> list[str]:
        given = {"uri": self.uri("model.py"), "version": 1, **CHOSEN, **other}
        return self.apply(derivatives.derivative(self.ls, given))

    def known(self, name: str, **given: Any) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = states.of_document(self.ls, {"uri": self.uri(name), **given})[
            "states"
        ]
        return found


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


@pytest.fixture
def made(folder: Folder) -> Folder:
    """The same with a derivative of `square` beside it."""
    assert folder.choose() == ["model_grad.py"]
    return folder


def test_the_module_is_made_with_the_first_derivative_and_edited_for_the_next(
    folder: Folder,
) -> None:
    assert folder.choose() == ["model_grad.py"]
    first = folder.text("model_grad.py")
    assert first.startswith(
        '"""Derivatives of model."""\n\nimport model\n\n\n# pullback: grad of square in model '
    )
    assert folder.choose(kind="hvp") == ["model_grad.py"]
    assert folder.text("model_grad.py").startswith(first) and "def square_hvp(" in folder.text(
        "model_grad.py"
    )
    assert folder.text("model.py") == MODEL


def test_a_derivative_that_is_there_stays_where_it_is(made: Folder) -> None:
    made.ls.documents.open(
        types.TextDocumentItem(made.uri("model.py"), "python", 1, CHANGED), "utf-16"
    )
    assert made.choose(placement="below") == ["model_grad.py"]
    assert "x * x" in made.text("model_grad.py")
    assert made.choose(placement="below", kind="vjp") == ["model.py"]


def test_where_the_client_makes_no_files_it_is_put_below(folder: Folder) -> None:
    folder.ls.client = replace(ABLE, creates_files=False)
    offered = derivatives.choices(folder.ls, {"uri": folder.uri("model.py"), "qualname": "square"})
    assert [p["placement"] for p in offered["placements"]] == ["below", "end"]
    folder.ls.settings.elsewhere = Settings(placement="sibling")
    assert folder.choose(placement=None) == ["model.py"]


def test_both_files_know_the_state_and_the_way_to_the_other(made: Folder) -> None:
    made.open("model_grad.py")
    for name, line in (("model.py", 3), ("model_grad.py", 7)):
        (state,) = made.known(name, position={"line": line, "character": 5})
        assert (state["name"], state["state"]) == ("square_grad", "up to date")
        assert (state["uri"], state["functionUri"]) == (
            made.uri("model_grad.py"),
            made.uri("model.py"),
        )
        assert state["functionRange"]["start"] == {"line": 3, "character": 4}
        assert state["range"]["start"]["line"] == 6


@pytest.mark.parametrize("is_open", [False, True])
def test_what_is_typed_into_the_function_makes_it_out_of_date_and_one_action_mends_it(
    made: Folder, is_open: bool
) -> None:
    if is_open:
        made.open("model_grad.py", version=7)
    made.open("model.py", CHANGED, version=2)
    (state,) = made.known("model.py")
    assert state["state"] == "out of date"
    params = types.CodeActionParams(
        types.TextDocumentIdentifier(made.uri("model.py")),
        types.Range(types.Position(0, 0), types.Position(0, 0)),
        types.CodeActionContext([], [code_actions.FIX_ALL]),
    )
    (action,) = code_actions.code_actions(made.ls, params)
    edit = code_actions.resolve(made.ls, action).edit
    assert edit is not None and made.apply(edit) == ["model_grad.py"]
    assert "    return 3.0 * x * x * model.RATE\n" in made.text("model_grad.py")


def test_lenses_lead_from_file_to_file(made: Folder) -> None:
    made.open("model_grad.py")
    made.ls.settings.elsewhere = Settings(code_lens=True)

    def shown(name: str) -> dict[str, str]:
        params = types.CodeLensParams(types.TextDocumentIdentifier(made.uri(name)))
        found = [x.command for x in lenses.lenses(made.ls, params) if x.command is not None]
        return {c.title: (c.arguments or [{}])[0]["uri"] for c in found}

    assert shown("model.py")["∇ square_grad: up to date"] == made.uri("model_grad.py")
    assert shown("model_grad.py") == {"∇ of square: up to date": made.uri("model.py")}


def test_each_is_looked_at_again_when_the_other_changes(made: Folder) -> None:
    made.open("model_grad.py")
    for name, other in (("model.py", "model_grad.py"), ("model_grad.py", "model.py")):
        assert made.ls.documents.dependents(made.uri(name)) == (made.uri(other),)


def test_a_function_that_has_its_derivative_beside_is_reported_on_in_full(made: Folder) -> None:
    refused = "import numpy as np\n\n\ndef square(x):\n    return np.sum(np.unique(x))\n"
    made.open("model.py", refused, version=2)
    snapshot = made.ls.documents.snapshot(made.uri("model.py"))
    assert [d.severity for d in ide.diagnostics(snapshot.module, snapshot.modules)] == ["error"]
