"""Open documents: other modules are read as they are in the editor, and their readers are told."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcContentModified, JsonRpcInvalidParams

from pullback_server import sync
from pullback_server.documents import Documents
from pullback_server.server import Server, create


def opened(documents: Documents, path: Path, text: str) -> str:
    documents.open(types.TextDocumentItem(path.as_uri(), "python", 1, text), "utf-16")
    return path.as_uri()


def test_a_module_is_read_from_the_editor_where_it_is_open_there(tmp_path: Path) -> None:
    documents = Documents()
    uri = opened(documents, tmp_path / "model.py", "import parts\nimport more\n")
    (tmp_path / "parts.py").write_text("on_disk = 1\n")
    (tmp_path / "more.py").write_text("on_disk = 2\n")
    opened(documents, tmp_path / "parts.py", "in_editor = 1\n")
    modules = documents.snapshot(uri).modules
    read = [modules(n) for n in ("parts", "more", "missing", "numpy")]
    assert read == ["in_editor = 1\n", "on_disk = 2\n", None, None]


def test_an_emptied_module_is_empty_whatever_is_on_disk(tmp_path: Path) -> None:
    documents = Documents()
    uri = opened(documents, tmp_path / "model.py", "import parts\n")
    (tmp_path / "parts.py").write_text("on_disk = 1\n")
    opened(documents, tmp_path / "parts.py", "")
    assert documents.snapshot(uri).modules("parts") == ""


def test_what_did_not_change_is_not_parsed_again(tmp_path: Path) -> None:
    documents = Documents()
    uri = opened(documents, tmp_path / "m.py", "a = 1\nb = 2\n\n\nc = [\n    3,\n    4,\n]\n")
    before = documents.snapshot(uri).module
    place = types.Range(types.Position(6, 4), types.Position(6, 5))
    change = types.TextDocumentContentChangePartial(text="5", range=place)
    documents.change(uri, 2, [change])
    after = documents.snapshot(uri).module
    same = [a.parsed is b.parsed for a, b in zip(before.chunks, after.chunks)]
    assert same == [True, True, False]


def test_a_document_is_refused_at_another_version_and_when_it_is_not_open(tmp_path: Path) -> None:
    documents = Documents()
    uri = opened(documents, tmp_path / "m.py", "")
    assert documents.snapshot_at(uri, 1).text.version == 1
    with pytest.raises(JsonRpcContentModified):
        documents.snapshot_at(uri, 0)
    documents.close(uri)
    with pytest.raises(JsonRpcInvalidParams, match="not open"):
        documents.snapshot(uri)


def test_an_address_with_and_without_escapes_is_one_document(tmp_path: Path) -> None:
    documents = Documents()
    uri = opened(documents, tmp_path / "ü b.py", "x = 1\n")
    assert "%" in uri
    assert documents.version(uri.replace("%20", " ")) == 1


def test_a_change_reports_again_on_the_documents_that_read_the_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ls = create()
    pushed: list[Any] = []
    monkeypatch.setattr(ls, "text_document_publish_diagnostics", pushed.append)
    parts = opened(ls.documents, tmp_path / "parts.py", "def f(x):\n    return x\n")
    reader = opened(ls.documents, tmp_path / "reader.py", "import parts\n")
    opened(ls.documents, tmp_path / "stranger.py", "import other\n")

    async def edit() -> None:
        change = types.TextDocumentContentChangeWholeDocument(text="")
        identifier = types.VersionedTextDocumentIdentifier(2, parts)
        sync.did_change(ls, types.DidChangeTextDocumentParams(identifier, [change]))
        await asyncio.gather(*ls.reports.running.values())

    asyncio.run(edit())
    assert sorted((p.uri, p.version) for p in pushed) == [(parts, 2), (reader, 1)]


def asked_again(ls: Server, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What a client that can is asked to ask for again, as it happens."""
    ls.client = replace(
        ls.client,
        pulls_diagnostics=True,
        refreshes_diagnostics=True,
        refreshes_lenses=True,
        refreshes_inlay_hints=True,
    )
    asked: list[str] = []
    for name in ("diagnostic", "code_lens", "inlay_hint"):
        monkeypatch.setattr(
            ls, f"workspace_{name}_refresh", lambda _, name=name: asked.append(name)
        )
    return asked


@pytest.mark.parametrize(
    ("changed", "again"),
    [("parts.py", ["diagnostic", "code_lens", "inlay_hint"]), ("stranger.py", [])],
)
def test_what_is_shown_of_readers_is_asked_for_again_once_the_typing_pauses(
    changed: str, again: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ls = create()
    asked = asked_again(ls, monkeypatch)
    opened(ls.documents, tmp_path / "parts.py", "")
    opened(ls.documents, tmp_path / "reader.py", "import parts\n")
    opened(ls.documents, tmp_path / "stranger.py", "import other\n")

    async def edit() -> None:
        for version in range(2, 6):
            change = types.TextDocumentContentChangeWholeDocument(text=f"a = {version}\n")
            identifier = types.VersionedTextDocumentIdentifier(
                version, (tmp_path / changed).as_uri()
            )
            sync.did_change(ls, types.DidChangeTextDocumentParams(identifier, [change]))
        assert asked == []
        await asyncio.sleep(0.3)

    asyncio.run(edit())
    assert asked == again


def test_a_file_that_changes_on_disk_reports_again_on_its_readers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ls = create()
    pushed: list[Any] = []
    monkeypatch.setattr(ls, "text_document_publish_diagnostics", pushed.append)
    reader = opened(ls.documents, tmp_path / "reader.py", "import parts\n")
    opened(ls.documents, tmp_path / "stranger.py", "import other\n")

    async def edit() -> None:
        event = types.FileEvent((tmp_path / "parts.py").as_uri(), types.FileChangeType.Changed)
        await sync.did_change_files(ls, types.DidChangeWatchedFilesParams([event]))
        await asyncio.gather(*ls.reports.running.values())

    asyncio.run(edit())
    assert [p.uri for p in pushed] == [reader]
