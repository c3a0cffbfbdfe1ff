"""Notebooks: cells as one module in order; what is said and done in the right cell."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcContentModified, JsonRpcInvalidParams

from pullback_server import code_actions, diagnostics, hover, sync
from pullback_server.notebooks import plain
from pullback_server.server import Server, create

from .marks import ABLE

BOOK = "file:///nowhere/model.ipynb"
CELLS = [
    "%matplotlib inline\nimport math",
    "# pullback: differentiable\ndef area(r: float):\n    return math.pi * r**2",
    "# pullback: differentiable\ndef volume(r: float, h: float):\n    return area(r) * h\n",
    "volume(1.0, 2.0)",
]


def address(number: int) -> str:
    return f"vscode-notebook-cell:/nowhere/model.ipynb#C{number}"


def item(number: int, text: str) -> types.TextDocumentItem:
    return types.TextDocumentItem(address(number), "python", 1, text)


def opened(*texts: str) -> Server:
    """A server with a notebook of these cells, and a cell of prose among them."""
    ls = create()
    ls.client = replace(ABLE, pulls_diagnostics=True)
    order = [types.NotebookCell(types.NotebookCellKind.Code, address(n)) for n in range(len(texts))]
    order.insert(1, types.NotebookCell(types.NotebookCellKind.Markup, "vscode-notebook-cell:prose"))
    book = types.NotebookDocument(BOOK, "jupyter-notebook", 1, order)
    items = [item(n, text) for n, text in enumerate(texts)]
    sync.did_open_notebook(ls, types.DidOpenNotebookDocumentParams(book, items))
    return ls


def changed(ls: Server, cells: types.NotebookDocumentCellChanges) -> None:
    identifier = types.VersionedNotebookDocumentIdentifier(2, BOOK)
    event = types.NotebookDocumentChangeEvent(cells=cells)
    sync.did_change_notebook(ls, types.DidChangeNotebookDocumentParams(identifier, event))


def typed(ls: Server, number: int, text: str) -> None:
    """Another text in a cell."""
    document = types.VersionedTextDocumentIdentifier(2, address(number))
    change = types.TextDocumentContentChangeWholeDocument(text=text)
    content = types.NotebookDocumentCellContentChanges(document, [change])
    changed(ls, types.NotebookDocumentCellChanges(text_content=[content]))


def reports(ls: Server, number: int) -> list[tuple[str, int]]:
    """Codes and lines of what is reported in a cell."""
    params = types.DocumentDiagnosticParams(types.TextDocumentIdentifier(address(number)))
    found = asyncio.run(diagnostics.pull(ls, params))
    assert isinstance(found, types.RelatedFullDocumentDiagnosticReport)
    return [(str(d.code), d.range.start.line) for d in found.items]


def hovered(ls: Server, number: int, line: int, column: int) -> str:
    document = types.TextDocumentIdentifier(address(number))
    found = hover.hover(ls, types.HoverParams(document, types.Position(line, column)))
    assert found is not None and isinstance(found.contents, types.MarkupContent)
    return found.contents.value


def offered(ls: Server, number: int, line: int, column: int) -> list[types.CodeAction]:
    at = types.Range(types.Position(line, column), types.Position(line, column))
    document = types.TextDocumentIdentifier(address(number))
    params = types.CodeActionParams(document, at, types.CodeActionContext([]))
    return code_actions.code_actions(ls, params)


def test_a_function_knows_those_of_cells_above() -> None:
    ls = opened(*CELLS)
    shown = hovered(ls, 2, 1, 5)
    assert "def volume_grad(r: float, h: float):" in shown
    assert [reports(ls, n) for n in range(4)] == [[], [], [], []]


def test_reports_stand_in_the_cell_that_they_are_about() -> None:
    ls = opened(*CELLS[:2], CELLS[2].replace("area(r) * h", "eval('r')"), CELLS[3])
    assert [reports(ls, n) for n in range(4)] == [[], [], [("PB111", 2)], []]
    typed(ls, 1, "import os\n\n" + CELLS[1].replace("math.pi * r**2", "eval('r')"))
    assert reports(ls, 1) == [("PB111", 4)]
    assert reports(ls, 2) == [("PB111", 2)]


def test_a_derivative_is_written_into_the_functions_own_cell() -> None:
    ls = opened(*CELLS)
    action = offered(ls, 1, 1, 5)[0]
    edit = code_actions.resolve(ls, action).edit
    assert edit is not None
    (change,) = edit.document_changes or ()
    assert isinstance(change, types.TextDocumentEdit)
    assert (change.text_document.uri, change.text_document.version) == (address(1), 1)
    (made,) = change.edits
    assert made.range.start == types.Position(2, 25) == made.range.end
    assert "def area_grad(r: float):" in made.new_text  # type: ignore[union-attr]


def test_imports_go_to_the_cell_of_imports() -> None:
    ls = opened("import math", "def slope(x):\n    return abs(x) * math.pi")
    edit = code_actions.resolve(ls, offered(ls, 1, 0, 5)[0]).edit
    assert edit is not None
    places = {c.text_document.uri: c.edits for c in edit.document_changes or ()}  # type: ignore[union-attr]
    assert set(places) == {address(0), address(1)}
    (made,) = places[address(0)]
    assert "import numpy as np" in made.new_text  # type: ignore[union-attr]


def test_an_action_of_an_older_notebook_is_refused() -> None:
    ls = opened(*CELLS)
    action = offered(ls, 2, 1, 5)[0]
    typed(ls, 0, "import math\nimport os")
    with pytest.raises(JsonRpcContentModified):
        code_actions.resolve(ls, action)


def test_cells_come_go_and_change_places() -> None:
    ls = opened(*CELLS)
    array = types.NotebookCellArrayChange(
        0, 1, [types.NotebookCell(types.NotebookCellKind.Code, address(9))]
    )
    structure = types.NotebookDocumentCellChangeStructure(
        array,
        did_open=[item(9, "import math\n\nTWO = 2")],
        did_close=[types.TextDocumentIdentifier(address(0))],
    )
    changed(ls, types.NotebookDocumentCellChanges(structure=structure))
    assert "area_grad" in hovered(ls, 1, 1, 5)
    assert ls.documents.cells(BOOK) == tuple(map(address, (9, 1, 2, 3)))
    book = types.NotebookDocumentIdentifier(BOOK)
    cells = [types.TextDocumentIdentifier(address(n)) for n in (9, 1, 2, 3)]
    sync.did_close_notebook(ls, types.DidCloseNotebookDocumentParams(book, cells))
    with pytest.raises(JsonRpcInvalidParams, match="not open"):
        hovered(ls, 1, 1, 5)


@pytest.mark.parametrize(
    ("cell", "read"),
    [
        ("%timeit f(x)\ny = 1", "#timeit f(x)\ny = 1"),
        ("  !ls\nf?\n?f", "  #ls\n#?\n#f"),
        ("%%bash\nls | wc\n\nrm x", "#%bash\n#s | wc\n\n#m x"),
        ("%%time\nx = 1", "#%time\nx = 1"),
        ("x = (5\n  % 3\n  != y)", "x = (5\n  % 3\n  != y)"),
        ("s = 'why?'", "s = 'why?'"),
    ],
)
def test_what_is_no_python_is_a_comment_of_the_same_length(cell: str, read: str) -> None:
    assert plain(cell) == read
    assert len(plain(cell)) == len(cell)
