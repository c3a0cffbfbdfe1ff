"""Functions typed into a notebook or prompt: the module that their cells make together, as text.

A cell's text names what other cells defined. What the running namespace says of those names is written
behind the cell (imports, and the functions' own texts), so that positions in the cell stay as they are.

May not know: how anything is derived.
"""

from __future__ import annotations

import ast
import inspect
import sys
import textwrap
import types
from collections.abc import Iterator
from typing import Any


def completed(text: str, space: dict[str, Any]) -> str:
    """`text` and, behind it, what gives its names the meaning that they have in `space`."""
    known = _bound(text)
    waiting = sorted(_read(text) - known)
    pieces = []
    while waiting:
        name = waiting.pop(0)
        if name in known or name not in space:
            continue
        known.add(name)
        piece = _said(name, space[name])
        if piece:
            pieces.append(piece)
            known |= _bound(piece)
            waiting += sorted(_read(piece) - known)
    return "\n\n\n".join([text.rstrip("\n"), *pieces]) + "\n" if pieces else text


def _said(name: str, value: object) -> str:
    """Source that binds `name` to `value`, "" where none is known."""
    if isinstance(value, types.ModuleType):
        return f"import {value.__name__} as {name}"
    if isinstance(value, types.FunctionType) and value.__module__ == "__main__":
        return _source(value) if value.__name__ == name else ""
    if isinstance(value, (bool, int, float)):
        return f"{name} = {value!r}"
    home = _home(value)
    return f"from {home[0]} import {home[1]} as {name}" if home else ""


def _source(f: types.FunctionType) -> str:
    try:
        return textwrap.dedent(inspect.getsource(f)).rstrip()
    except (OSError, TypeError):
        return ""


def _home(value: object) -> tuple[str, str] | None:
    """The module that gives `value` under its own name; NumPy's and SciPy's functions name none."""
    own = getattr(value, "__name__", None)
    if not isinstance(own, str):
        return None
    for module in (getattr(value, "__module__", None), "numpy", "math", "scipy.special"):
        if isinstance(module, str) and getattr(sys.modules.get(module), own, None) is value:
            return module, own
    return None


def _read(text: str) -> set[str]:
    return {n.id for n in ast.walk(_tree(text)) if isinstance(n, ast.Name)}


def _bound(text: str) -> set[str]:
    return set(_names(_tree(text).body))


def _names(body: list[ast.stmt]) -> Iterator[str]:
    """The names that top-level statements bind."""
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            yield from (a.asname or a.name.partition(".")[0] for a in node.names)
        else:
            stored = (n for n in ast.walk(node) if isinstance(n, ast.Name))
            yield from (n.id for n in stored if isinstance(n.ctx, ast.Store))


def _tree(text: str) -> ast.Module:
    try:
        return ast.parse(text)
    except SyntaxError:  # a cell with magic commands
        return ast.Module([], [])
