"""A derivative as a person chooses it: what can be chosen, and what is written where."""

from __future__ import annotations

from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcContentModified, JsonRpcException, JsonRpcInvalidParams

from pullback import derive, ide
from pullback.source.edits import Edit, apply_edits
from pullback_server import code_actions, convert, derivatives
from pullback_server.settings import Settings

from .marks import URI, Asked, at_mark

SCALED = """\
def scaled(w: float, x: float, n: int):
    return w * x**n


def other(x: float):
    return x
"""
ALL = {"uri": URI, "version": 1, "qualname": "scaled", "kind": "grad", "wrt": "*"}


def applied(asked: Asked, edit: types.WorkspaceEdit) -> str:
    """The document's text after an edit of it alone."""
    (change,) = edit.document_changes or ()
    assert isinstance(change, types.TextDocumentEdit) and change.text_document.uri == URI
    text = asked.ls.documents.snapshot(URI).text
    return apply_edits(
        asked.text,
        [Edit(convert.to_span(text, e.range), e.new_text) for e in change.edits],  # type: ignore[union-attr]
    )


def written(**chosen: Any) -> str:
    asked = at_mark(SCALED)
    return applied(asked, derivatives.derivative(asked.ls, {**ALL, **chosen}))


def test_what_can_be_chosen() -> None:
    asked = at_mark(SCALED)
    asked.ls.settings.elsewhere = Settings(placement="end")
    offered = derivatives.choices(asked.ls, {"uri": URI, "qualname": "scaled"})
    assert offered["parameters"] == ["w", "x"]
    assert [k["kind"] for k in offered["kinds"]] == list(derivatives.NAMES)
    assert set(derivatives.NAMES) == set(ide.KINDS)
    assert [p["placement"] for p in offered["placements"]] == ["below", "end"]
    assert (offered["placement"], offered["version"]) == ("end", 1)


@pytest.mark.parametrize("kind", [k for k in derivatives.NAMES if k != "sparse_jacobian"])
def test_every_kind_with_respect_to_all_and_to_chosen_parameters(kind: str) -> None:
    header = f"# pullback: {kind} of scaled wrt "
    assert f"{header}w, x [" in written(kind=kind)
    assert f"{header}w, x [" in written(kind=kind, wrt=["w", "x"])
    assert f"{header}x [" in written(kind=kind, wrt=["x"])


def test_a_sparse_jacobian_is_with_respect_to_one_parameter() -> None:
    assert "# pullback: sparse_jacobian of scaled wrt x [" in written(
        kind="sparse_jacobian", wrt=["x"]
    )
    with pytest.raises(JsonRpcException, match="more than one parameter in a sparse Jacobian"):
        written(kind="sparse_jacobian")


def test_one_chosen_parameter_gives_a_value_as_the_menu_does() -> None:
    assert written(wrt=["x"]) == written(wrt="x")
    assert "tuple=yes" not in written(wrt=["x"])


def test_below_its_function_or_at_the_end_of_the_file() -> None:
    below, end = written(), written(placement="end")
    assert below.index("def scaled_grad") < below.index("def other")
    assert end.index("def other") < end.index("def scaled_grad")
    assert end.startswith(SCALED) and end.endswith("\n") and not end.endswith("\n\n")


def test_the_setting_counts_where_nothing_else_is_said() -> None:
    asked = at_mark(SCALED)
    asked.ls.settings.elsewhere = Settings(placement="end")
    assert applied(asked, derivatives.derivative(asked.ls, ALL)) == written(placement="end")


def test_a_method_stays_in_its_class() -> None:
    asked = at_mark("class Model:\n    def f(self, x: float):\n        return x * x\n\n\ny = 1\n")
    given = {**ALL, "qualname": "Model.f", "placement": "end"}
    text = applied(asked, derivatives.derivative(asked.ls, given))
    assert text.index("    def f_grad(self") < text.index("y = 1")


@pytest.mark.parametrize(
    "wrong",
    [{"kind": "curl"}, {"wrt": []}, {"wrt": [3]}, {"wrt": None}, {"version": None}, {"uri": None}],
)
def test_a_request_without_its_parameters_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(JsonRpcInvalidParams):
        written(**wrong)


def test_what_cannot_be_made_says_why() -> None:
    with pytest.raises(JsonRpcException, match="PB308") as refusal:
        written(wrt=["n"])
    assert refusal.value.code == types.LSPErrorCodes.RequestFailed


def test_another_version_is_refused() -> None:
    with pytest.raises(JsonRpcContentModified):
        written(version=0)


# --- all at once ----------------------------------------------------------------------------------

SQUARE = "def square(x: float):\n    return x * x\n"
BOTH = SQUARE + "".join(
    f"\n\n{derive(SQUARE, 'square', kind, modules={}).source}" for kind in ("grad", "jvp")
)
STALE = BOTH.replace("return x * x\n", "return x * x * x\n", 1)


def fix_all(text: str, only: list[str] | None, **abilities: Any) -> list[types.CodeAction]:
    asked = at_mark(text, **abilities)
    context = types.CodeActionContext([], only=only)
    params = types.CodeActionParams(asked.document, asked.place, context)
    found = code_actions.code_actions(asked.ls, params)
    return [a for a in found if a.kind == code_actions.FIX_ALL]


@pytest.mark.parametrize("only", ["source", "source.fixAll", "source.fixAll.pullback"])
def test_what_is_out_of_date_is_mended_at_once_on_save(only: str) -> None:
    (action,) = fix_all(STALE, [only])
    assert action.edit is None
    asked = at_mark(STALE)
    edit = code_actions.resolve(asked.ls, action).edit
    assert edit is not None
    changed = SQUARE.replace("x * x", "x * x * x")
    wanted = changed + "".join(
        f"\n\n{derive(changed, 'square', kind, modules={}).source}" for kind in ("grad", "jvp")
    )
    assert applied(asked, edit) == wanted
    (at_once,) = fix_all(STALE, [only], resolves_edits=False)
    assert at_once.edit == edit


def test_it_is_for_those_who_ask_for_it_and_where_there_is_something_to_do() -> None:
    assert fix_all(STALE, None) == []
    assert fix_all(STALE, ["quickfix"]) == []
    assert fix_all(BOTH, ["source.fixAll"]) == []


def test_what_was_edited_by_hand_stays() -> None:
    edited = STALE.replace("return 2.0 * x\n", "return x + x + 0.0\n")
    assert edited != STALE
    (action,) = fix_all(edited, ["source.fixAll"])
    asked = at_mark(edited)
    edit = code_actions.resolve(asked.ls, action).edit
    assert edit is not None
    text = applied(asked, edit)
    assert "return x + x + 0.0" in text and text.count("x * x * x") == 2
