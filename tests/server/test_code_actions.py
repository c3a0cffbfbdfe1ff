"""Code actions: where they are offered, what resolving them gives, and when it is refused."""

from __future__ import annotations

from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcContentModified, JsonRpcException, JsonRpcInvalidParams

from pullback import ide
from pullback.diagnostics import Diagnostic, Fix
from pullback.ir import Span
from pullback.source.edits import Edit
from pullback.stage import TITLES
from pullback_server import code_actions, conversions, derivatives, items, preview

from .marks import URI, at_mark

LOSS = """\
import numpy as np


def loss(w, X):$0
    z = X @ w
    return np.sum(z * z)
"""
REWRITE = "refactor.rewrite.pullback"
KINDS = [f"{REWRITE}.{kind}" for kind in derivatives.NAMES]
CONVERSIONS = [f"{REWRITE}.{backend}" for backend in conversions.BACKENDS]
# the gradient with respect to one parameter and to all
MENU = [KINDS[0], *KINDS, *CONVERSIONS]
CHECK = "refactor.pullback.check"
CHOOSE = f"{REWRITE}.choose"
ADJOINT = "refactor.pullback.adjoint"


def check(
    marked: str, *, only: list[str] | None = None, **abilities: Any
) -> list[types.CodeAction]:
    """The actions at the mark."""
    asked = at_mark(marked, **abilities)
    context = types.CodeActionContext([], only=only)
    params = types.CodeActionParams(asked.document, asked.place, context)
    return code_actions.code_actions(asked.ls, params)


def titles(actions: list[types.CodeAction]) -> list[str]:
    return [a.title for a in actions]


def test_on_a_def_line_everything_is_offered_and_nothing_made_yet() -> None:
    found = check(LOSS)
    assert [a.kind for a in found] == [*MENU, CHOOSE, CHECK, ADJOINT]
    assert all(a.edit is None for a in found)
    assert found[0].title == "Generate gradient of `loss` with respect to `w`"
    assert found[0].data == {
        "uri": URI,
        "version": 1,
        "qualname": "loss",
        "kind": "grad",
        "wrt": "w",
        "jit": None,
    }
    assert found[1].title == "Generate gradient of `loss` with respect to all parameters"


def test_who_names_a_kind_is_offered_it_with_respect_to_one_parameter_and_to_all() -> None:
    (one, every) = check(LOSS, only=[f"{REWRITE}.vjp"])
    assert (one.data["wrt"], every.data["wrt"]) == ("w", "*")
    assert len(check("def f(x):$0\n    return x * x\n", only=[f"{REWRITE}.vjp"])) == 1


def test_at_a_parameter_the_derivative_is_with_respect_to_it() -> None:
    assert "with respect to `X`" in check(LOSS.replace("$0", "").replace("X)", "X$0)"))[0].title


def test_in_a_body_only_who_asks_for_refactorings_gets_them() -> None:
    inside = LOSS.replace("$0", "").replace("X @", "X$0 @")
    assert check(inside) == []
    assert check(inside, only=["quickfix"]) == []
    assert {a.kind for a in check(inside, only=["refactor"])} == {*MENU, CHOOSE, CHECK, ADJOINT}
    assert {a.kind for a in check(inside, only=["refactor.rewrite.pullback.grad"])} == {KINDS[0]}


def test_outside_of_functions_nothing_is_offered() -> None:
    assert check("$0" + LOSS.replace("$0", ""), only=["refactor"]) == []


def test_a_function_without_parameters_has_no_derivative() -> None:
    assert check("def f():$0\n    return 1.0\n") == []


def test_a_method_is_named_with_its_class_and_self_is_no_parameter() -> None:
    (first, *_) = check("class Model:\n    def loss(self, w):$0\n        return w * w\n")
    assert first.title == "Generate gradient of `Model.loss` with respect to `w`"


def test_a_signature_over_several_lines_counts_as_the_def_line() -> None:
    assert check("def f(\n    a,$0\n    b,\n):\n    return a * b\n")[0].data["wrt"] == "a"


def test_the_adjoint_is_a_command_of_the_client() -> None:
    command = check(LOSS, only=[ADJOINT])[0].command
    assert command is not None and command.command == "pullback.showAdjoint"
    assert command.arguments == [{"uri": URI, "qualname": "loss", "kind": "grad"}]


def test_resolving_what_is_whole_changes_nothing() -> None:
    (action,) = check(LOSS, only=[ADJOINT])
    assert code_actions.resolve(at_mark(LOSS).ls, action) is action


def test_the_adjoint_is_not_offered_where_nobody_can_show_it() -> None:
    assert [a.kind for a in check(LOSS, commands=frozenset())] == MENU


def test_resolving_inserts_the_gradient_below_its_function() -> None:
    asked = at_mark(LOSS)
    (action, _) = check(LOSS, only=["refactor.rewrite.pullback.grad"])
    edit = code_actions.resolve(asked.ls, action).edit
    assert edit is not None
    (change,) = edit.document_changes or ()
    assert isinstance(change, types.TextDocumentEdit) and change.text_document.version == 1
    assert any("def loss_grad(w, X):" in e.new_text for e in change.edits)  # type: ignore[union-attr]


def test_a_client_may_leave_out_what_is_null() -> None:
    asked = at_mark(LOSS)
    action = check(LOSS)[0]
    given = {k: v for k, v in action.data.items() if v is not None}
    assert given != action.data
    assert code_actions.resolve(asked.ls, types.CodeAction(action.title, data=given)).edit


def test_a_client_that_cannot_resolve_gets_the_edit_at_once() -> None:
    (action, _) = check(LOSS, only=["refactor.rewrite.pullback.grad"], resolves_edits=False)
    assert action.edit is not None


def test_resolving_for_an_older_version_is_refused() -> None:
    asked = at_mark(LOSS)
    (action, _) = check(LOSS, only=["refactor.rewrite.pullback.grad"])
    asked.ls.documents.change(
        URI, 2, [types.TextDocumentContentChangeWholeDocument(text="x = 1\n")]
    )
    with pytest.raises(JsonRpcContentModified, match="version 2, not 1"):
        code_actions.resolve(asked.ls, action)


GENERATOR = "def walk(x):$0\n    yield x * x\n"


def test_what_cannot_be_differentiated_is_refused_with_place_and_reason() -> None:
    asked = at_mark(GENERATOR)
    (action,) = check(GENERATOR, only=["refactor.rewrite.pullback.grad"])
    with pytest.raises(JsonRpcException, match=r"line 2: PB102 .*generator") as refusal:
        code_actions.resolve(asked.ls, action)
    assert refusal.value.code == types.LSPErrorCodes.RequestFailed


def test_where_edits_are_made_at_once_a_refused_one_is_shown_as_disabled_or_not_at_all() -> None:
    only = ["refactor.rewrite.pullback.grad"]
    assert check(GENERATOR, only=only, resolves_edits=False) == []
    (action,) = check(GENERATOR, only=only, resolves_edits=False, shows_disabled=True)
    assert action.disabled is not None and "PB102" in action.disabled.reason


@pytest.mark.parametrize("data", [None, 3, {"uri": URI}, {"nobody": 1}])
def test_an_action_of_another_server_is_refused(data: Any) -> None:
    with pytest.raises(JsonRpcInvalidParams):
        code_actions.resolve(at_mark(LOSS).ls, types.CodeAction("x", data=data))


DOUBLED = """\
import numpy as np


# pullback: differentiable
def doubled(x):
    y = x
    '𝛻'; $0y *= 2.0
    return np.sum(x * y)
"""


def test_every_fix_of_a_diagnostic_is_offered_and_none_preferred_that_may_be_wrong() -> None:
    found = check(DOUBLED, only=["quickfix"], annotations=True)
    assert titles(found) == ["Annotate x as a float", "Annotate x as an array"]
    assert [a.is_preferred for a in found] == [False, False]
    for action, text in zip(found, (": float", ": np.ndarray")):
        assert action.edit is not None
        (change,) = action.edit.document_changes or ()
        assert isinstance(change, types.TextDocumentEdit) and change.text_document.version == 1
        (edit,) = change.edits
        assert isinstance(edit, types.AnnotatedTextEdit)
        assert (edit.new_text, edit.range.start) == (text, types.Position(4, 13))
        (annotation,) = (action.edit.change_annotations or {}).values()
        assert annotation.needs_confirmation is False


def test_a_fix_names_the_diagnostics_of_the_request_that_it_mends() -> None:
    asked = at_mark(DOUBLED)
    snapshot = asked.ls.documents.snapshot(URI)
    shown = [
        items.diagnostic(asked.ls, snapshot, d)
        for d in ide.diagnostics(snapshot.module, snapshot.modules)
    ]
    context = types.CodeActionContext(shown, only=["quickfix"])
    params = types.CodeActionParams(asked.document, asked.place, context)
    assert [a.diagnostics for a in code_actions.code_actions(asked.ls, params)] == [shown, shown]


def test_a_diagnostic_with_a_fix_gives_a_quick_fix(monkeypatch: pytest.MonkeyPatch) -> None:
    fix = Fix("Copy it first", (Edit(Span(0, 0), "# mended\n"),))
    here = LOSS.index("$0")
    found = (Diagnostic("PB201", "error", "…", Span(here - 1, here), fixes=(fix,)),)
    monkeypatch.setattr(
        code_actions.ide, "diagnostics_at", lambda _, at, __: found if at.start else ()
    )
    action = check(LOSS, only=["quickfix"])[0]
    assert (action.title, action.kind, action.is_preferred) == ("Copy it first", "quickfix", True)
    assert action.edit is not None
    assert check("$0" + LOSS.replace("$0", ""), only=["quickfix"]) == []


POWER = """\
def power(x: float):
    return x**4


# pullback: grad of power wrt x$0 [4a18f927 OWN]
def power_grad(x: float):
    \"\"\"Gradient of power with respect to x.\"\"\"
    # Backward pass
    return 3 * x**2
""".replace("OWN", "737d0e0f")


def test_what_is_out_of_date_is_regenerated_when_its_action_is_chosen() -> None:
    (action,) = check(POWER, only=["quickfix"])
    assert (action.title, action.is_preferred) == ("Regenerate power_grad", True)
    assert action.edit is None
    asked = at_mark(POWER)
    edit = code_actions.resolve(asked.ls, action).edit
    (at_once,) = check(POWER, only=["quickfix"], resolves_edits=False)
    assert edit is not None and edit == at_once.edit
    (change,) = edit.document_changes or ()
    assert isinstance(change, types.TextDocumentEdit) and change.text_document.version == 1
    assert "return 4 * x**3" in change.edits[0].new_text  # type: ignore[union-attr]


def test_regenerating_for_an_older_version_is_refused() -> None:
    asked = at_mark(POWER)
    (action,) = check(POWER, only=["quickfix"])
    asked.ls.documents.change(
        URI, 2, [types.TextDocumentContentChangeWholeDocument(text="x = 1\n")]
    )
    with pytest.raises(JsonRpcContentModified):
        code_actions.resolve(asked.ls, action)


def test_what_cannot_be_regenerated_is_refused_with_a_word() -> None:
    broken = POWER.replace("return x**4", "return eval('x')")
    asked = at_mark(broken)
    (action,) = check(POWER, only=["quickfix"])
    with pytest.raises(JsonRpcException, match="power_grad cannot be generated again"):
        code_actions.resolve(asked.ls, action)


def test_what_was_edited_can_be_compared_kept_or_generated_again() -> None:
    edited = POWER.replace("3 * x**2", "5 * x**2").replace("4a18f927", "46b79823")
    found = check(edited, only=["quickfix"])
    assert titles(found) == [
        "Compare power_grad with what would be generated",
        "Keep power_grad as edited, and say when power changes",
        "Keep power_grad as your own: delete its header",
        "Regenerate power_grad, giving up what was edited",
    ]
    compare, keep, own, again = found
    assert compare.command is not None and compare.command.command == "pullback.compare"
    (given,) = compare.command.arguments or ()
    asked = at_mark(edited)
    shown = preview.content(asked.ls, types.TextDocumentContentParams(given["address"])).text
    assert "return 4 * x**3" in shown and "def power(x: float)" in shown
    assert keep.edit is not None and own.edit is not None and again.edit is None
    edit = code_actions.resolve(asked.ls, again).edit
    assert edit is not None
    (change,) = edit.document_changes or ()
    assert isinstance(change, types.TextDocumentEdit)
    assert "return 4 * x**3" in change.edits[0].new_text  # type: ignore[union-attr]


def test_without_a_client_that_compares_the_rest_is_offered() -> None:
    edited = POWER.replace("3 * x**2", "5 * x**2").replace("4a18f927", "46b79823")
    found = check(edited, only=["quickfix"], commands=frozenset())
    assert titles(found)[0].startswith("Keep power_grad as edited")


def test_the_gradient_of_a_compiled_function_is_offered_compiled() -> None:
    text = "from numba import njit\n\n\n@njit\ndef f(x: float):$0\n    return x * x\n"
    first, second = check(text, only=[f"{REWRITE}.grad"])
    assert first.title == "Generate gradient of `f` with respect to `x`, compiled by Numba"
    assert second.title == "Generate gradient of `f` with respect to `x`"
    edit = code_actions.resolve(at_mark(text).ls, first).edit
    assert edit is not None
    [change] = edit.document_changes or ()
    assert isinstance(change, types.TextDocumentEdit)
    assert "@njit\ndef f_grad(x: float):" in "".join(e.new_text for e in change.edits)


SETTLE = """\
def damp(y: float):
    if y > 1.0:
        y = 0.5 * y
    return y


def settle(x: float, n: int):$0
    y = x
    for i in range(n):
        y = damp(y) + x
    return y
"""


def converted(text: str, backend: str, **abilities: Any) -> types.WorkspaceEdit:
    """The edit of the conversion at the mark."""
    (action,) = check(text, only=[f"{REWRITE}.{backend}"], **abilities)
    edit = code_actions.resolve(at_mark(text, **abilities).ls, action).edit
    assert edit is not None
    return edit


def new_texts(edit: types.WorkspaceEdit) -> str:
    (change,) = edit.document_changes or ()
    assert isinstance(change, types.TextDocumentEdit) and change.text_document.version == 1
    return "".join(e.new_text for e in change.edits)  # type: ignore[union-attr]


def test_the_backends_of_the_menu_are_the_core_s() -> None:
    assert conversions.BACKENDS == TITLES


def test_a_function_is_converted_for_each_backend() -> None:
    found = check(SETTLE, only=CONVERSIONS)
    assert titles(found) == [
        "Convert `settle` to JAX",
        "Convert `settle` to TensorFlow",
        "Convert `settle` to Numba",
    ]
    assert all(a.edit is None for a in found)


@pytest.mark.parametrize(
    ("backend", "said"),
    [
        ("jax", ["from jax import lax\n", "lax.fori_loop(0, n, turn, y)"]),
        ("tensorflow", ["import tensorflow as tf\n", "tf.while_loop(more, turn, "]),
        ("numba", ["import numba\n", "@numba.njit\ndef settle_numba(x: float, n: int):"]),
    ],
)
def test_a_conversion_stands_below_its_function_with_all_that_it_needs(
    backend: str, said: list[str]
) -> None:
    new = new_texts(converted(SETTLE, backend))
    assert [s for s in (*said, f"def _damp_{backend}(") if s not in new] == []


def test_what_is_to_be_known_of_a_conversion_is_in_the_annotation_of_its_edit() -> None:
    text = "def f(x: float):$0\n    while x > 1.0:\n        x = 0.5 * x\n    return x\n"
    edit = converted(text, "jax", annotations=True)
    [annotation] = (edit.change_annotations or {}).values()
    assert annotation.label == "Convert `f` to JAX"
    assert annotation.needs_confirmation is False
    assert annotation.description is not None
    assert annotation.description.startswith("line 2: PB506 ")
    [plain] = (converted(SETTLE, "jax", annotations=True).change_annotations or {}).values()
    assert plain.description is None


def test_what_cannot_be_converted_is_refused_with_place_and_reason() -> None:
    text = "import numpy as np\n\n\ndef f(x):$0\n    return np.sum(x[x > 0.0])\n"
    (action,) = check(text, only=[f"{REWRITE}.jax"])
    with pytest.raises(JsonRpcException, match=r"line 5: PB502 .*how many elements") as refusal:
        code_actions.resolve(at_mark(text).ls, action)
    assert refusal.value.code == types.LSPErrorCodes.RequestFailed
    (action,) = check(text, only=[f"{REWRITE}.jax"], resolves_edits=False, shows_disabled=True)
    assert action.disabled is not None and "PB502" in action.disabled.reason


def test_what_is_converted_already_is_said_to_be() -> None:
    text = "import numba\n\n\ndef f(x: float):$0\n    return x * x\n\n\n"
    text += '@numba.njit\ndef f_numba(x: float):\n    """f for Numba."""\n    return x * x\n'
    with pytest.raises(JsonRpcException, match="f_numba is what f is converted to already"):
        converted(text, "numba")
    assert "def f_numba2(" in new_texts(
        converted(text.replace("return x * x", "return x", 1), "numba")
    )


def test_what_two_conversions_call_stands_once() -> None:
    other = SETTLE.partition("\n\n\n")[2].replace("settle", "rest")
    file = f"import numba\n\n\n{SETTLE}\n\n{other.replace('$0', '')}"
    there = new_texts(converted(file, "numba"))
    assert "def _damp_numba(" in there and "def settle_numba(" in there
    file = file.replace("$0", "").replace("rest(x: float, n: int):", "rest(x: float, n: int):$0")
    new = new_texts(converted(f"{file}\n\n{there.strip()}\n", "numba"))
    assert "def rest_numba(" in new and "_damp_numba(" in new and "def _damp_numba" not in new
