"""Adding import lines to a module: which it lacks, and where they belong.

May not know: what the imports are for.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import gast

from pullback.ir import Span
from pullback.source.edits import Edit
from pullback.source.module import Chunk, Module, parse_piece
from pullback.source.split import BOM

_FUTURE, _STANDARD, _OTHERS, _OWN = range(4)


@dataclass(frozen=True)
class _Import:
    """One top-level import statement; `key` is where import sorters put it."""

    span: Span
    key: tuple[int, bool, str]


def missing_imports(module: Module, lines: Iterable[str]) -> tuple[str, ...]:
    """Those of `lines` that the module does not hold yet, each once."""
    held = {b for c in module.chunks for n in c.tree or () for b in _bound(n)}
    return tuple(dict.fromkeys(x for x in lines if not set(_bound(*_parsed(x))) <= held))


def import_edits(module: Module, lines: Iterable[str]) -> tuple[Edit, ...]:
    """The edits that add `lines` to the module's imports, in the newlines of "\\n"."""
    ordered = sorted(lines, key=lambda x: _key(*_parsed(x)))
    present, docstring, beginning = _head(module)
    if present:
        return _merged([_beside(module.text, present, line) for line in ordered])
    if not ordered:
        return ()
    if docstring is not None:
        return (_below_docstring(module.text, docstring, _block(ordered)),)
    return (_opening(module, beginning, _block(ordered)),)


def in_order(lines: Iterable[str]) -> str:
    """Import lines as import sorters want them, in their groups."""
    return _block(sorted(lines, key=lambda x: _key(*_parsed(x))))


def _parsed(line: str) -> tuple[Any, ...]:
    return parse_piece(line).tree or ()


def _bound(*nodes: Any) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, gast.Import):
            yield from (f"import {a.name} as {a.asname or a.name}" for a in node.names)
        elif isinstance(node, gast.ImportFrom):
            module = "." * (node.level or 0) + (node.module or "")
            yield from (f"from {module} import {a.name} as {a.asname}" for a in node.names)


def _key(*nodes: Any) -> tuple[int, bool, str]:
    node = nodes[0] if nodes else None
    if isinstance(node, gast.ImportFrom):
        name = node.module or ""
        rank = _OWN if node.level else _rank(name)
        return rank, True, name.lower()
    name = node.names[0].name if isinstance(node, gast.Import) else ""
    return _rank(name), False, name.lower()


def _rank(name: str) -> int:
    top = name.split(".")[0]
    if top == "__future__":
        return _FUTURE
    return _STANDARD if top in sys.stdlib_module_names else _OTHERS


def _head(module: Module) -> tuple[list[_Import], Span | None, int]:
    """The imports that a module begins with, its docstring, and where its code begins."""
    found: list[_Import] = []
    docstring: Span | None = None
    beginning = -1
    for number, (chunk, node) in enumerate(_statements(module)):
        span = _span(chunk, node)
        if isinstance(node, (gast.Import, gast.ImportFrom)):
            found.append(_Import(span, _key(node)))
        elif number == 0 and _is_docstring(node):
            docstring = span
            continue
        elif beginning < 0:
            beginning = _above(chunk, span)
        if not isinstance(node, (gast.Import, gast.ImportFrom, gast.If, gast.Try, gast.Assign)):
            break
    return found, docstring, beginning if beginning >= 0 else len(module.text)


def _statements(module: Module) -> Iterator[tuple[Chunk, Any]]:
    for chunk in module.chunks:
        for node in chunk.tree or ():
            yield chunk, node


def _span(chunk: Chunk, node: Any) -> Span:
    start = chunk.parsed.offset(node.lineno, node.col_offset)
    for decorator in getattr(node, "decorator_list", ()):
        at = chunk.parsed.offset(decorator.lineno, decorator.col_offset)
        start = min(start, max(chunk.text.rfind("@", 0, at), 0))
    end = chunk.parsed.offset(node.end_lineno, node.end_col_offset)
    return Span(chunk.start + start, chunk.start + end)


def _is_docstring(node: Any) -> bool:
    return isinstance(node, gast.Expr) and isinstance(getattr(node.value, "value", None), str)


def _above(chunk: Chunk, span: Span) -> int:
    """The start of a statement, with the comments that stand directly above it."""
    at = span.start
    while at > chunk.start:
        line = chunk.text.rfind("\n", 0, at - chunk.start - 1) + 1
        text = chunk.text[line : at - chunk.start]
        top = chunk.start == 0 and line == 0
        if not text.startswith("#") or (top and (text.startswith("#!") or "coding" in text)):
            break
        at = chunk.start + line
    return at


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    end = len(text) if end < 0 else end
    return end - 1 if end > at and text[end - 1] == "\r" else end


def _beside(text: str, present: list[_Import], line: str) -> Edit:
    """After the last import that sorts before it, apart from groups that are not its own."""
    key = _key(*_parsed(line))
    before = [i for i in present if i.key <= key]
    if not before:
        gap = "\n\n" if present[0].key[0] != key[0] else "\n"
        at = present[0].span.start
        return Edit(Span(at, at), line + gap)
    last = before[-1]
    following = present[present.index(last) + 1 :]
    if following and following[0].key[0] == key[0] != last.key[0]:
        at = following[0].span.start
        return Edit(Span(at, at), line + "\n")
    at = _line_end(text, last.span.end)
    apart = last.key[0] != key[0]
    if apart and following:  # as far apart as the file's own groups are
        apart = len(text[at : following[0].span.start].strip("\r").split("\n")) > 2
    return Edit(Span(at, at), ("\n\n" if apart else "\n") + line)


def _merged(edits: list[Edit]) -> tuple[Edit, ...]:
    """Lines of one group that go to one place stand together."""
    out: list[Edit] = []
    for edit in edits:
        if out and out[-1].span == edit.span and edit.text.startswith("\n\n"):
            same = _key(*_parsed(out[-1].text.strip()))[0] == _key(*_parsed(edit.text.strip()))[0]
            edit = Edit(edit.span, edit.text[1:] if same else edit.text)
        out.append(edit)
    return tuple(out)


def _block(lines: list[str]) -> str:
    """Import lines in their groups."""
    groups: dict[int, list[str]] = {}
    for line in lines:
        groups.setdefault(_key(*_parsed(line))[0], []).append(line)
    return "\n\n".join("\n".join(group) for group in groups.values())


def _below_docstring(text: str, docstring: Span, block: str) -> Edit:
    at = _line_end(text, docstring.end)
    rest = text[at:].replace("\r\n", "\n")
    gap = "" if not rest.strip() or rest.startswith("\n\n") else "\n"
    return Edit(Span(at, at), f"\n\n{block}{gap}")


def _opening(module: Module, at: int, block: str) -> Edit:
    """The first imports of a file, apart from what stands above and below."""
    above = module.text[:at].lstrip(BOM)
    before = "" if not above or above.endswith(("\n\n", "\r\n\r\n")) else "\n"
    before = before if above.endswith("\n") or not above else "\n" + before
    after = "\n" if at >= len(module.text) else "\n\n\n" if _defines(module, at) else "\n\n"
    return Edit(Span(at, at), before + block + after)


def _defines(module: Module, at: int) -> bool:
    """Whether a definition follows, which wants two blank lines above."""
    for chunk, node in _statements(module):
        span = _span(chunk, node)
        if span.start >= at:
            return isinstance(node, (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef))
    return False
