"""What the client has open: the newest text of each document, and the module parsed from it.

Texts change at every keystroke and are parsed when somebody asks; statements that did not change
are not parsed again.

May not know: features, diagnostics, what the client can do.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

from lsprotocol import types
from pygls.exceptions import JsonRpcContentModified, JsonRpcInvalidParams
from pygls.uris import to_fs_path

from pullback.siblings import sibling_path
from pullback.source.module import Module, parse_module
from pullback.source.project import Modules, find_module, read_text
from pullback.source.text import Lines
from pullback_server import convert
from pullback_server.convert import Text
from pullback_server.core import ide
from pullback_server.notebooks import together


def _on_disk(path: Path) -> str | None:
    """A file's text, read again when the file has changed."""
    try:
        said = path.stat()
    except OSError:
        return None
    return _read(path, said.st_mtime_ns, said.st_size)


@lru_cache(maxsize=256)
def _read(path: Path, changed: int, size: int) -> str | None:
    return read_text(path)


@lru_cache(maxsize=64)
def _parsed(path: str, text: str) -> Module:
    """A file that is not open, parsed again when its text has changed."""
    return parse_module(text, path)


@dataclass
class Document:
    """An open document; `module` is its newest version that was parsed."""

    path: str | None
    text: Text
    module: Module | None = None


@dataclass
class Notebook:
    """An open notebook: the addresses of its cells in their order; `version` counts its changes."""

    path: str | None
    order: tuple[str, ...]
    version: int = 1
    module: Module | None = None


@dataclass(frozen=True)
class Snapshot:
    """One version of a document, for the length of a request."""

    text: Text
    module: Module
    modules: Modules


class Documents:
    """All open documents, by their address."""

    def __init__(self) -> None:
        self._open: dict[str, Document] = {}
        self._notebooks: dict[str, Notebook] = {}

    def open_notebook(self, uri: str, cells: Iterable[str]) -> None:
        """A notebook whose cells have these addresses, in that order."""
        self._notebooks[unquote(uri)] = Notebook(to_fs_path(uri), tuple(map(unquote, cells)))

    def change_notebook(
        self, uri: str, start: int = 0, deleted: int = 0, cells: Iterable[str] = ()
    ) -> None:
        """Other cells in the place of some; without any, their texts alone have changed."""
        notebook = self._notebooks[unquote(uri)]
        order = notebook.order
        notebook.order = (*order[:start], *map(unquote, cells), *order[start + deleted :])
        notebook.version += 1

    def close_notebook(self, uri: str) -> None:
        self._notebooks.pop(unquote(uri), None)

    def cells(self, uri: str) -> tuple[str, ...]:
        """The cells of a notebook that are open as text."""
        notebook = self._notebooks.get(unquote(uri))
        order = () if notebook is None else notebook.order
        return tuple(self._open[c].text.uri for c in order if c in self._open)

    def open(self, item: types.TextDocumentItem, encoding: str) -> None:
        text = Text(item.uri, item.version, Lines(item.text), encoding)
        self._open[unquote(item.uri)] = Document(to_fs_path(item.uri), text)

    def change(
        self, uri: str, version: int, changes: Iterable[types.TextDocumentContentChangeEvent]
    ) -> None:
        document = self._document(uri)
        document.text = convert.changed(document.text, version, changes)

    def close(self, uri: str) -> None:
        self._open.pop(unquote(uri), None)

    def uris(self) -> tuple[str, ...]:
        return tuple(d.text.uri for d in self._open.values())

    def dependents(self, uri: str) -> tuple[str, ...]:
        """Other open documents that may read the module at `uri`: those whose text has its name.

        What was kept of other modules for the version that is open is let go.
        """
        path = PurePosixPath(unquote(uri))
        name = path.parent.name if path.stem == "__init__" else path.stem
        found = [
            d
            for k, d in self._open.items()
            if k != unquote(uri)
            and (name in d.text.lines.text or sibling_path(d.path or "") == to_fs_path(uri))
        ]
        for document in found:
            if document.module is not None:
                document.module = replace(document.module, notes={})
        return tuple(d.text.uri for d in found)

    def version(self, uri: str) -> int | None:
        """The newest version of `uri`, None where it is not open."""
        notebook = self._notebook_of(uri)
        if notebook is not None:
            return notebook.version
        document = self._open.get(unquote(uri))
        return document.text.version if document else None

    def snapshot(self, uri: str) -> Snapshot:
        """The newest version of an open document."""
        document = self._document(uri)
        notebook = self._notebook_of(uri)
        if notebook is not None:
            return self._of_notebook(notebook, document)
        text = document.text.lines.text
        if document.module is None or document.module.text is not text:
            document.module = parse_module(text, document.path, previous=document.module)
        return Snapshot(document.text, document.module, self._modules(document))

    def beside(self, snapshot: Snapshot) -> Snapshot | None:
        """The module beside a document that holds derivatives of its functions; None where there is none."""
        found = ide.sibling(snapshot.module, snapshot.modules)
        if found is None or not found.there:
            return None
        return self.file(found.module.path or "", snapshot.text.unit)

    def home(self, snapshot: Snapshot, module: str) -> Snapshot | None:
        """The document of a module as a snapshot's text names it: itself for ""."""
        if not module:
            return snapshot
        path = find_module(snapshot.module.path, module)
        return None if path is None else self.file(str(path), snapshot.text.unit)

    def file(self, path: str, unit: str) -> Snapshot:
        """A file as it is open, otherwise as it is on disk."""
        for document in self._open.values():
            if document.path == path:
                return self.snapshot(document.text.uri)
        text = _on_disk(Path(path)) or ""
        there = Document(path, Text(Path(path).as_uri(), None, Lines(text), unit))
        return Snapshot(there.text, _parsed(path, text), self._modules(there))

    def snapshot_at(self, uri: str, version: int | None) -> Snapshot:
        """The document at `version`; an error where it has moved on."""
        snapshot = self.snapshot(uri)
        if snapshot.text.version != version:
            raise JsonRpcContentModified(
                f"{uri} is at version {snapshot.text.version}, not {version} any more; ask again"
            )
        return snapshot

    def _notebook_of(self, uri: str) -> Notebook | None:
        cell = unquote(uri)
        return next((n for n in self._notebooks.values() if cell in n.order), None)

    def _of_notebook(self, notebook: Notebook, document: Document) -> Snapshot:
        """All cells as one module, positions counting in one of them."""
        there = [self._open[c].text for c in notebook.order if c in self._open]
        text = replace(together(there), uri=document.text.uri, version=notebook.version)
        if notebook.module is None or notebook.module.text != text.lines.text:
            notebook.module = parse_module(text.lines.text, notebook.path, previous=notebook.module)
        return Snapshot(text, notebook.module, self._modules(replace(document, path=notebook.path)))

    def _document(self, uri: str) -> Document:
        document = self._open.get(unquote(uri))
        if document is None:
            raise JsonRpcInvalidParams(f"{uri} is not open; send textDocument/didOpen first")
        return document

    def _modules(self, document: Document) -> Modules:
        """Other modules' texts, as they are open in the editor, otherwise from disk; each read once."""
        known: dict[str, str | None] = {}
        by_path = {d.path: d.text.lines.text for d in self._open.values() if d.path}

        def text_of(path: Path | None) -> str | None:
            if path is None:
                return None
            return by_path[str(path)] if str(path) in by_path else _on_disk(path)

        def modules(name: str) -> str | None:
            if name not in known:
                known[name] = text_of(find_module(document.path, name))
            return known[name]

        return modules
