"""What a client is told so that it can check a gradient: the example of a function, and how to keep one."""

from __future__ import annotations

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcContentModified, JsonRpcException, JsonRpcInvalidParams

from pullback import ide
from pullback.source.edits import Edit, apply_edits
from pullback.source.module import parse_module
from pullback_server import checking, convert

from .marks import URI, at_mark

SCALED = "class Model:\n\tdef scaled(\n\t\tself, x, k\n\t):\n\t\t# as it is\n\t\treturn k * x\n"
ASKED = {"uri": URI, "version": 1, "qualname": "Model.scaled", "arguments": "np.ones(3), 2.0"}


def kept(text: str) -> str:
    asked = at_mark(text)
    (change,) = checking.keep(asked.ls, ASKED).document_changes or ()
    assert isinstance(change, types.TextDocumentEdit) and change.text_document.version == 1
    shown = asked.ls.documents.snapshot(URI).text
    edits = [Edit(convert.to_span(shown, e.range), e.new_text) for e in change.edits]  # type: ignore[union-attr]
    return apply_edits(text, edits)


@pytest.mark.parametrize("text", [SCALED, SCALED.replace("\n", "\r\n")])
def test_an_example_is_kept_in_a_comment_and_found_there(text: str) -> None:
    before = checking.example(at_mark(text).ls, ASKED)
    assert (before["arguments"], before["parameters"]) == (None, ["x", "k"])
    assert before["range"]["start"] == {"line": 1, "character": 5}
    mended = kept(text)
    newline = "\r\n" if "\r\n" in text else "\n"
    comment = f"\t\t# pullback: example np.ones(3), 2.0{newline}"
    assert mended == text.replace("\t\t# as it is", f"{comment}\t\t# as it is")
    assert checking.example(at_mark(mended).ls, ASKED)["arguments"] == "np.ones(3), 2.0"


@pytest.mark.parametrize("wrong", [{"arguments": " "}, {"arguments": "1\n2"}, {"version": None}])
def test_a_request_without_its_parameters_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(JsonRpcInvalidParams):
        checking.keep(at_mark(SCALED).ls, {**ASKED, **wrong})


def test_another_version_or_function_is_refused() -> None:
    with pytest.raises(JsonRpcContentModified):
        checking.keep(at_mark(SCALED).ls, {**ASKED, "version": 7})
    with pytest.raises(JsonRpcException, match="not there any more"):
        checking.example(at_mark(SCALED).ls, {**ASKED, "qualname": "gone"})


def test_a_function_on_one_line_has_its_example_above() -> None:
    text = "def f(x): return x * x\n"
    asked = at_mark(text)
    edits = ide.with_example(asked.ls.documents.snapshot(URI).module, "f", "2.0")
    mended = apply_edits(text, edits)
    assert mended == "# pullback: example 2.0\ndef f(x): return x * x\n"
    assert ide.example(parse_module(mended), "f") == "2.0"
