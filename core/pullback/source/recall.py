"""Remembering what was found about a statement until something that it depends on changes.

A finding is kept with the statement's parsed text. It holds as long as that text, the texts of all
statements whose names it uses, and the other modules that were read for it are the same, or the same again;
where they stand in the file may change, and spans are moved along.

May not know: what is found.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from pullback.ir import Span
from pullback.source.module import Chunk, Module
from pullback.source.outline import needed
from pullback.source.project import Modules

T = TypeVar("T")
Move = Callable[[Span], Span]


_VERSIONS = 3  # findings that are kept of one question, for what is changed and changed back


@dataclass(frozen=True)
class _Finding:
    value: Any
    given: object
    texts: list[
        str
    ]  # of the statements that it depends on: no more of them, or all of history would stay
    starts: list[int]  # where they stood
    read: tuple[tuple[str, str | None], ...]  # the other modules that were asked for


def recall(
    module: Module,
    chunk: Chunk,
    what: tuple[object, ...],
    modules: Modules,
    find: Callable[[Modules], T],
    given: object = None,
) -> tuple[T, Move]:
    """find(modules), or what it gave before while that still holds; and how to move its spans.

    `what` names the finding among those about `chunk`, `given` is what else it depends on. Spans count in
    the text of the module, and lie in statements that `chunk` depends on.
    """
    chunks = needed(module, chunk)
    findings: list[_Finding] = chunk.parsed.notes.setdefault(what, [])
    for known in findings:
        if known.given == given and _holds(known, chunks, modules):
            return known.value, _move(known.starts, [c.start for c in chunks])
    # Passes may keep what they read for the whole module: what one finding read, later ones may use.
    read: dict[str, str | None] = module.notes.setdefault("recall.read", {})

    def reading(name: str) -> str | None:
        read[name] = text = modules(name)
        return text

    value = find(reading)
    starts = [c.start for c in chunks]
    findings.insert(0, _Finding(value, given, _texts(chunks), starts, tuple(read.items())))
    del findings[_VERSIONS:]
    return value, _stay


def _holds(known: _Finding, chunks: tuple[Chunk, ...], modules: Modules) -> bool:
    return known.texts == _texts(chunks) and all(modules(name) == text for name, text in known.read)


def _texts(chunks: tuple[Chunk, ...]) -> list[str]:
    return [c.text for c in chunks]  # nearly always the same objects, so comparing is cheap


def _stay(span: Span) -> Span:
    return span


def shifting(by: int) -> Move:
    """How spans move with a text that moves as a whole."""
    return (lambda span: Span(span.start + by, span.end + by)) if by else _stay


def _move(old: list[int], new: list[int]) -> Move:
    """How spans in statements move that began at `old` and now begin at `new`."""
    if old == new:
        return _stay

    def moved(span: Span) -> Span:
        at = max(bisect_right(old, span.start) - 1, 0)
        by = new[at] - old[at]
        return Span(span.start + by, span.end + by)

    return moved
