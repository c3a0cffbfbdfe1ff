"""The server as a process, driven by a real client: that everything is wired, in each way it can be."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pytest_lsp import LanguageClient, make_test_lsp_client

from pullback import derive

from .process import ENVIRONMENT

LOSS = """\
import numpy as np


# pullback: differentiable
def loss(w, X):
    z = X @ w
    return np.sum(z * z)
"""
WALK = "# pullback: differentiable\ndef walk(x):\n    '𝛻'; yield x * x\n"


def abilities(**text_document: Any) -> types.ClientCapabilities:
    """A client like an editor's: it resolves edits and takes versioned ones."""
    actions = types.CodeActionClientCapabilities(
        resolve_support=types.ClientCodeActionResolveOptions(properties=["edit"])
    )
    hovers = types.HoverClientCapabilities(content_format=[types.MarkupKind.Markdown])
    encodings = text_document.pop("encodings", None)
    return types.ClientCapabilities(
        text_document=types.TextDocumentClientCapabilities(
            code_action=actions, hover=hovers, **text_document
        ),
        workspace=types.WorkspaceClientCapabilities(
            configuration=True,
            workspace_edit=types.WorkspaceEditClientCapabilities(document_changes=True),
        ),
        general=types.GeneralClientCapabilities(position_encodings=encodings),
    )


@pytest_asyncio.fixture
async def client() -> AsyncIterator[LanguageClient]:
    """A client whose server has just been started, and is shut down and ended afterwards."""
    made = make_test_lsp_client()
    await made.start_io(sys.executable, "-m", "pullback_server", "--stdio", env=ENVIRONMENT)
    yield made
    await made.shutdown_session()
    await made.stop()


async def start(client: LanguageClient, root: Path, **text_document: Any) -> types.InitializeResult:
    params = types.InitializeParams(
        capabilities=abilities(**text_document),
        workspace_folders=[types.WorkspaceFolder(root.as_uri(), "test")],
    )
    return await client.initialize_session(params)


def open_(client: LanguageClient, path: Path, text: str) -> str:
    item = types.TextDocumentItem(path.as_uri(), "python", 1, text)
    client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    return item.uri


def change(client: LanguageClient, uri: str, version: int, text: str) -> None:
    client.text_document_did_change(
        types.DidChangeTextDocumentParams(
            types.VersionedTextDocumentIdentifier(version, uri),
            [types.TextDocumentContentChangeWholeDocument(text=text)],
        )
    )


async def actions(client: LanguageClient, uri: str, line: int) -> list[types.CodeAction]:
    place = types.Range(types.Position(line, 5), types.Position(line, 5))
    params = types.CodeActionParams(
        types.TextDocumentIdentifier(uri), place, types.CodeActionContext([])
    )
    found = await client.text_document_code_action_async(params)
    return [a for a in found or () if isinstance(a, types.CodeAction)]


@pytest.mark.asyncio
async def test_initialize_says_what_the_server_does(client: LanguageClient, tmp_path: Path) -> None:
    result = await start(client, tmp_path, diagnostic=types.DiagnosticClientCapabilities())
    provided = result.capabilities
    assert result.server_info is not None and result.server_info.name == "pullback"
    sync = provided.text_document_sync
    assert isinstance(sync, types.TextDocumentSyncOptions)
    assert sync.change == types.TextDocumentSyncKind.Incremental
    assert (
        provided.hover_provider and provided.code_action_provider and provided.diagnostic_provider
    )
    competing = (
        provided.rename_provider,
        provided.definition_provider,
        provided.completion_provider,
    )
    assert competing == (None, None, None)


@pytest.mark.asyncio
async def test_diagnostics_are_pushed_and_follow_changes(
    client: LanguageClient, tmp_path: Path
) -> None:
    result = await start(client, tmp_path)
    assert result.capabilities.diagnostic_provider is None
    uri = open_(client, tmp_path / "m.py", WALK)
    await client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    assert [d.code for d in client.diagnostics[uri]] == ["PB102"]
    place = types.Range(types.Position(2, 10), types.Position(2, 15))  # `yield`, in utf-16
    client.text_document_did_change(
        types.DidChangeTextDocumentParams(
            types.VersionedTextDocumentIdentifier(2, uri),
            [types.TextDocumentContentChangePartial(range=place, text="return")],
        )
    )
    await client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    assert list(client.diagnostics[uri]) == []


@pytest.mark.asyncio
async def test_diagnostics_are_pulled_and_never_pushed(
    client: LanguageClient, tmp_path: Path
) -> None:
    await start(
        client,
        tmp_path,
        diagnostic=types.DiagnosticClientCapabilities(),
        encodings=[types.PositionEncodingKind.Utf8],
    )
    uri = open_(client, tmp_path / "m.py", WALK + "\n\ndef broken(:\n    pass\n")
    params = types.DocumentDiagnosticParams(types.TextDocumentIdentifier(uri))
    report = await client.text_document_diagnostic_async(params)
    assert isinstance(report, types.RelatedFullDocumentDiagnosticReport)
    assert [d.code for d in report.items] == ["PB102", "PB001"]
    assert client.diagnostics == {}


@pytest.mark.asyncio
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
async def test_an_action_resolves_to_an_edit_at_the_right_place(
    client: LanguageClient, tmp_path: Path, encoding: str
) -> None:
    result = await start(client, tmp_path, encodings=[types.PositionEncodingKind(encoding)])
    assert result.capabilities.position_encoding == encoding
    text = LOSS.rstrip("\n") + "  # 𝛻é\n\n\nκ = '𝛻'  # after\n"
    uri = open_(client, tmp_path / "m.py", text)
    action = (await actions(client, uri, 4))[0]
    resolved = await client.code_action_resolve_async(action)
    assert resolved.edit is not None
    (edited,) = resolved.edit.document_changes or ()
    assert isinstance(edited, types.TextDocumentEdit) and edited.text_document.version == 1
    made = applied(text, edited.edits, encoding)
    assert made.startswith(LOSS.rstrip("\n") + "  # 𝛻é\n\n\n# pullback: grad of loss wrt w [")
    assert "\ndef loss_grad(w, X):\n" in made and made.endswith("\n\n\nκ = '𝛻'  # after\n")


FLAT = """\
import numpy as np


# pullback: differentiable
def loss(m):
    # pullback: m: (r, c)
    a = m.T * 1.0
    '𝛻é'; flat = a.reshape(-1)
    flat[0] = 0.0
    return np.sum(a) + np.sum(flat)
"""


@pytest.mark.asyncio
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
async def test_a_quick_fix_mends_what_was_reported(
    client: LanguageClient, tmp_path: Path, encoding: str
) -> None:
    related = types.PublishDiagnosticsClientCapabilities(related_information=True)
    unit = [types.PositionEncodingKind(encoding)]
    await start(client, tmp_path, encodings=unit, publish_diagnostics=related)
    uri = open_(client, tmp_path / "m.py", FLAT)
    await client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    (found,) = client.diagnostics[uri]
    assert found.code == "PB201"
    assert [r.message for r in found.related_information or ()] == [
        "flat is made here, as a view or a copy",
        "a is bound here",
    ]
    (action,) = await actions(client, uri, found.range.start.line)
    assert action.kind == types.CodeActionKind.QuickFix and action.edit is not None
    (edited,) = action.edit.document_changes or ()
    assert isinstance(edited, types.TextDocumentEdit) and edited.text_document.version == 1
    mended = applied(FLAT, edited.edits, encoding)
    assert mended == FLAT.replace("reshape(-1)", "reshape(-1).copy()")
    change(client, uri, 2, mended)
    await client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    assert list(client.diagnostics[uri]) == []


def applied(text: str, edits: Sequence[Any], encoding: str) -> str:
    """What an editor makes of `edits`, counted in code units as the protocol says."""
    unit = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2)}[encoding]

    def offset(position: types.Position) -> int:
        lines = text.split("\n")
        before = lines[position.line].encode(unit[0])[: position.character * unit[1]]
        return sum(len(line) + 1 for line in lines[: position.line]) + len(before.decode(unit[0]))

    for edit in sorted(edits, key=lambda e: offset(e.range.start), reverse=True):
        start, end = offset(edit.range.start), offset(edit.range.end)
        text = text[:start] + edit.new_text + text[end:]
    return text


@pytest.mark.asyncio
async def test_resolving_what_has_changed_meanwhile_is_refused(
    client: LanguageClient, tmp_path: Path
) -> None:
    await start(client, tmp_path)
    uri = open_(client, tmp_path / "m.py", LOSS)
    action = (await actions(client, uri, 4))[0]
    change(client, uri, 2, "\n" + LOSS)
    with pytest.raises(JsonRpcException, match="version 2, not 1") as refusal:
        await client.code_action_resolve_async(action)
    assert refusal.value.code == types.LSPErrorCodes.ContentModified


@pytest.mark.asyncio
async def test_hover_works_in_a_file_with_a_broken_function(
    client: LanguageClient, tmp_path: Path
) -> None:
    await start(client, tmp_path)
    uri = open_(client, tmp_path / "m.py", LOSS + "\n\ndef broken(:\n    x = (\n")
    params = types.HoverParams(types.TextDocumentIdentifier(uri), types.Position(4, 5))
    found = await client.text_document_hover_async(params)
    assert found is not None and "def loss_grad(w, X):" in found.contents.value  # type: ignore[union-attr]


@pytest.mark.asyncio
async def test_the_adjoint_can_be_asked_for_by_any_client(
    client: LanguageClient, tmp_path: Path
) -> None:
    await start(client, tmp_path)
    uri = open_(client, tmp_path / "m.py", LOSS)
    given = {"uri": uri, "qualname": "loss", "kind": "grad"}
    answer = await client.protocol.send_request_async("pullback/adjoint", given)
    assert "def loss_grad(w, X):" in answer.text and answer.version == 1
    content = types.TextDocumentContentParams(answer.address)
    shown = await client.workspace_text_document_content_async(content)
    assert shown.text == answer.text


@pytest.mark.asyncio
async def test_bad_requests_are_answered_and_the_server_lives_on(
    client: LanguageClient, tmp_path: Path
) -> None:
    await start(client, tmp_path)
    for method, params in (
        ("textDocument/hover", {"textDocument": 3}),
        ("textDocument/codeAction", {}),
        (
            "textDocument/hover",
            {"textDocument": {"uri": "file:///not/open"}, "position": {"line": 0, "character": 0}},
        ),
        ("codeAction/resolve", {"title": "x", "data": 7}),
        ("pullback/adjoint", {"uri": 1}),
        ("no/suchMethod", {}),
    ):
        with pytest.raises(JsonRpcException):
            await asyncio.wait_for(send_raw(client, method, params), 10)
    change(client, "file:///not/open", 2, "x")
    uri = open_(client, tmp_path / "m.py", LOSS)
    assert await actions(client, uri, 4)


async def send_raw(client: LanguageClient, method: str, params: Any) -> Any:
    """A request whose parameters no type has checked."""
    protocol = client.protocol
    future: Any = asyncio.get_running_loop().create_future()
    number = f"raw {method} {params}"
    protocol._request_futures[number] = future
    protocol._result_types[number] = protocol.get_result_type(method)
    protocol._send_data({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
    return await future


@pytest.mark.asyncio
async def test_opening_a_file_never_runs_it(client: LanguageClient, tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    (tmp_path / "helper.py").write_text(
        f"open({str(trace)!r}, 'w')\n\n\ndef double(x):\n    return 2 * x\n"
    )
    text = f"import helper\n\nopen({str(trace)!r}, 'w')\n\n" + LOSS.replace(
        "z * z", "helper.double(z)"
    )
    path = tmp_path / "m.py"
    path.write_text(text)
    await start(client, tmp_path)
    uri = open_(client, path, text)
    await client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    line = text[: text.index("def loss")].count("\n")
    await client.text_document_hover_async(
        types.HoverParams(types.TextDocumentIdentifier(uri), types.Position(line, 5))
    )
    assert not trace.exists()


SQUARE = "def square(x: float):\n    return x * x\n"
STALE = f"{SQUARE}\n\n{derive(SQUARE, 'square', modules={}).source}".replace(
    "x * x", "x * x * x", 1
)


@pytest.mark.asyncio
async def test_the_servers_own_commands(client: LanguageClient, tmp_path: Path) -> None:
    """Lenses are carried out by the server, for every client that shows them."""
    edits: list[types.ApplyWorkspaceEditParams] = []

    @client.feature(types.WORKSPACE_APPLY_EDIT)
    def apply(params: types.ApplyWorkspaceEditParams) -> types.ApplyWorkspaceEditResult:
        edits.append(params)
        return types.ApplyWorkspaceEditResult(applied=True)

    (tmp_path / "pyproject.toml").write_text("[tool.pullback]\ncodeLens = true\n")
    await start(client, tmp_path)
    uri = open_(client, tmp_path / "model.py", STALE)
    params = types.CodeLensParams(types.TextDocumentIdentifier(uri))
    found = None
    for _ in range(300):  # until the server has the settings
        found = await client.text_document_code_lens_async(params)
        if found:
            break
        await asyncio.sleep(0.1)
    commands = [lens.command for lens in found or () if lens.command]
    assert [c.title for c in commands] == [
        "∇ square_grad: out of date",
        "∇ out of date: regenerate",
    ]
    for command in commands:
        asked = types.ExecuteCommandParams(command.command, command.arguments)
        await client.workspace_execute_command_async(asked)
    (shown,) = client.shown_documents
    assert (shown.uri, shown.selection and shown.selection.start.line) == (uri, 5)
    (edit,) = edits
    (change,) = edit.edit.document_changes or ()
    assert isinstance(change, types.TextDocumentEdit) and change.text_document.version == 1


@pytest.mark.asyncio
async def test_requests_of_our_own_come_back_as_the_page_says(
    client: LanguageClient, tmp_path: Path
) -> None:
    await start(client, tmp_path)
    uri = open_(client, tmp_path / "model.py", STALE)
    (state,) = (await client.protocol.send_request_async("pullback/states", {"uri": uri})).states
    assert (state.name, state.state) == ("square_grad", "out of date")
    asked = {"uri": uri, "version": 1, "qualname": "square", "kind": "jvp", "wrt": ["x"]}
    edit = await client.protocol.send_request_async("pullback/derivative", asked)
    (change,) = edit.documentChanges
    assert (change.textDocument.uri, change.textDocument.version) == (uri, 1)
    assert "def square_jvp" in change.edits[0].newText
