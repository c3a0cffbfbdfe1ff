"""Diagnostics in the protocol's form: places, links, related places, and one way per client."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from lsprotocol import types
from pygls.protocol import default_converter

from pullback.diagnostics import Diagnostic, Related
from pullback.ir import Span
from pullback_server import diagnostics, items
from pullback_server.items import page_uri
from pullback_server.settings import Settings

from .marks import URI, Asked, at_mark

UNITS = ("utf-8", "utf-16", "utf-32")
WALK = "# pullback: differentiable\ndef walk(x):\n    yield x * x\n"


def check(marked: str, **abilities: Any) -> list[types.Diagnostic]:
    """What is reported on a text, as a client that pulls gets it."""
    report = asyncio.run(pull(at_mark(marked, pulls_diagnostics=True, **abilities)))
    assert isinstance(report, types.RelatedFullDocumentDiagnosticReport)
    return list(report.items)


async def pull(asked: Asked, before: str | None = None) -> types.DocumentDiagnosticReport:
    params = types.DocumentDiagnosticParams(asked.document, previous_result_id=before)
    return await diagnostics.pull(asked.ls, params)


def test_a_report_has_place_code_severity_and_a_link_to_its_page() -> None:
    (found,) = check(WALK)
    assert (found.code, found.source) == ("PB102", "pullback")
    assert found.severity == types.DiagnosticSeverity.Error
    assert found.range.start == types.Position(2, 4)
    assert found.code_description == types.CodeDescription("file:///pages/PB102.md")


class Sent:
    """A client that keeps the bytes that it gets."""

    def __init__(self) -> None:
        self.messages: list[bytes] = []

    def write(self, data: bytes) -> None:
        self.messages.append(data)

    def last(self) -> Any:
        """The newest message, whose header must say how long it is."""
        head, body = self.messages[-1].split(b"\r\n\r\n", 1)
        assert f"Content-Length: {len(body)}\r\n".encode() in head
        return json.loads(body)


@pytest.mark.parametrize("text", ["", WALK, WALK + "\n\n" + WALK.replace("walk", "é𝛻")])
def test_messages_that_are_put_together_from_known_json_are_what_json_says(text: str) -> None:
    sent, asked = Sent(), at_mark(text)
    asked.ls.protocol.set_writer(sent)
    found = [items.Item(d.range, d.message, code='"items": []') for d in check(text)]
    push = types.PublishDiagnosticsParams('file:///"diagnostics": []', found, 3)
    for _ in ("made", "known"):
        asked.ls.text_document_publish_diagnostics(push)
        plain = json.loads(json.dumps(default_converter().unstructure(push)))
        assert sent.last()["params"] == plain
    pulled = types.RelatedFullDocumentDiagnosticReport(found, result_id="1")
    asked.ls.protocol._send_data(types.DocumentDiagnosticResponse(5, pulled))
    plain = json.loads(json.dumps(default_converter().unstructure(pulled)))
    assert sent.last() == {"jsonrpc": "2.0", "id": 5, "result": plain}


def test_columns_are_right_behind_characters_that_are_not_ascii() -> None:
    wide = "# pullback: differentiable\ndef f(x): '𝛻é'; yield x\n"
    columns = [check(wide, encoding=e)[0].range.start.character for e in UNITS]
    assert columns == [20, 17, 16]
    broken = "# pullback: differentiable\ndef f(x): return '𝛻' +* x\n"
    columns = [check(broken, encoding=e)[0].range.start.character for e in UNITS]
    assert columns[0] - columns[1] == 2 and columns[1] - columns[2] == 1


def test_a_broken_function_does_not_hide_the_reports_on_others() -> None:
    codes = [d.code for d in check("def broken(:\n    x =\n\n\n" + WALK)]
    assert codes == ["PB001", "PB102"]


def test_plain_code_gets_nothing_and_a_function_that_nobody_asked_for_hints_at_most() -> None:
    numeric = "import numpy as np\n\n\ndef steps(x):\n    yield np.exp(x)\n"
    assert check(numeric) == []
    (own, other) = check(numeric + "\n\n" + WALK + "\n\ndef plain(x):\n    yield x\n")
    assert [own.severity, other.severity] == [
        types.DiagnosticSeverity.Hint,
        types.DiagnosticSeverity.Error,
    ]


def test_a_function_that_has_nothing_to_differentiate_is_nobodys_concern() -> None:
    numeric = "import numpy as np\n\n\ndef show(x):\n    print(np.exp(x))\n"
    (other,) = check(numeric + "\n\n" + WALK)
    assert other.severity == types.DiagnosticSeverity.Error


def test_hints_are_left_out_where_the_user_does_not_want_them() -> None:
    asked = at_mark("import numpy as np\n\n\ndef steps(x):\n    yield np.exp(x)\n\n\n" + WALK)
    asked.ls.settings.elsewhere = Settings(hints=False)
    report = asyncio.run(pull(asked))
    assert [d.code for d in report.items] == ["PB102"]  # type: ignore[union-attr]


def test_related_places_and_links_come_only_where_the_client_can_take_them() -> None:
    asked = at_mark("a = 1\nb = 2\n")
    found = Diagnostic("PB201", "error", "…", Span(6, 7), related=(Related(Span(0, 1), "here"),))
    snapshot = asked.ls.documents.snapshot(URI)
    (place,) = items.diagnostic(asked.ls, snapshot, found).related_information or ()
    assert (place.message, place.location.uri) == ("here", URI)
    asked = at_mark("a = 1\nb = 2\n", related_information=False, code_description=False)
    bare = items.diagnostic(asked.ls, snapshot, found)
    assert bare.related_information is None and bare.code_description is None


def test_an_unchanged_report_is_not_sent_again() -> None:
    asked = at_mark(WALK)
    first = asyncio.run(pull(asked))
    again = asyncio.run(pull(asked, first.result_id))
    assert isinstance(again, types.RelatedUnchangedDocumentDiagnosticReport)
    change = types.TextDocumentContentChangeWholeDocument(text=WALK.replace("yield", "return"))
    asked.ls.documents.change(URI, 2, [change])
    changed = asyncio.run(pull(asked, first.result_id))
    assert isinstance(changed, types.RelatedFullDocumentDiagnosticReport) and changed.items == []


def test_of_a_burst_of_changes_only_the_newest_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = at_mark(WALK)
    pushed: list[int | None] = []
    monkeypatch.setattr(
        asked.ls, "text_document_publish_diagnostics", lambda params: pushed.append(params.version)
    )

    async def burst() -> None:
        for version in range(2, 12):
            change = types.TextDocumentContentChangeWholeDocument(text=WALK + "\n" * version)
            asked.ls.documents.change(URI, version, [change])
            diagnostics.follow(asked.ls, URI)
        await asked.ls.reports.running[URI]

    asyncio.run(burst())
    assert pushed == [11]


def test_a_client_that_pulls_is_never_pushed_to(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = at_mark(WALK, pulls_diagnostics=True)
    monkeypatch.setattr(asked.ls, "text_document_publish_diagnostics", pytest.fail)
    diagnostics.follow(asked.ls, URI)
    diagnostics.forget(asked.ls, URI)
    assert asked.ls.reports.running == {}


def test_every_code_has_a_page_on_this_machine_too() -> None:
    assert (page_uri("PB102", None) or "").endswith("diagnostics/PB102.md")
    assert page_uri("PB999", None) is None
