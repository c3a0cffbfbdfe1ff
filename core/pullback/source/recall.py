"""Remembering what was found about a statement until something that it depends on changes.

A finding is kept with the statement's parsed text. It holds as long as that text, the texts of all
statements whose names it uses, and the other modules that were read for it are the same, or the same again;
where they stand in the file may change, and spans are moved along. Where nothing but functions' bodies has
changed, whoever asks may know that it holds all the same.

May not know: what is found.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import gast

from pullback.ir import Span
from pullback.source.module import Chunk, Module, Parsed
from pullback.source.outline import needed, outline
from pullback.source.project import Modules

T = TypeVar("T")
Move = Callable[[Span], Span]


@dataclass(frozen=True)
class Change:
    """What is not as it was when something was found about a statement, which stood at `own`: these `functions`."""

    functions: frozenset[str]
    own: Span


Still = Callable[[T, Change, Modules], bool]  # whether a finding holds in spite of a change

_VERSIONS = 3  # findings that are kept of one question, for what is changed and changed back


@dataclass(frozen=True)
class _Finding:
    value: Any
    given: object
    # of the statements that it depends on: no more of them, or all of history would stay
    texts: list[str]
    said: list[object]  # by each to others, whatever functions' bodies are
    starts: list[int]  # where they stood
    read: tuple[tuple[str, str | None], ...]  # the other modules that were asked for


def recall(
    module: Module,
    chunk: Chunk,
    what: tuple[object, ...],
    modules: Modules,
    find: Callable[[Modules], T],
    given: object = None,
    still: Still[T] | None = None,
) -> tuple[T, Move]:
    """find(modules), or what it gave before while that still holds; and how to move its spans.

    `what` names the finding among those about `chunk`, `given` is what else it depends on. Spans count in
    the text of the module, and lie in statements that `chunk` depends on.
    """
    chunks = needed(module, chunk)
    starts = [c.start for c in chunks]
    findings: list[_Finding] = chunk.parsed.notes.setdefault(what, [])
    maybe = [k for k in findings if k.given == given and _read_alike(k, modules)]
    for known in maybe:
        if known.texts == _texts(chunks):
            return known.value, _move(known.starts, starts)
    # Passes may keep what they read for the whole module: what one finding read, later ones may use.
    read: dict[str, str | None] = module.notes.setdefault("recall.read", {})

    def reading(name: str) -> str | None:
        read[name] = text = modules(name)
        return text

    def keep(value: T, at: list[int]) -> None:
        said = [_said(c.parsed) for c in chunks]
        findings.insert(0, _Finding(value, given, _texts(chunks), said, at, tuple(read.items())))
        del findings[_VERSIONS:]

    for known in maybe if still is not None else ():
        change = _change(known, chunk, chunks)
        if still is not None and change is not None and still(known.value, change, reading):
            read |= known.read
            keep(known.value, known.starts)
            return known.value, _move(known.starts, starts)
    value = find(reading)
    keep(value, starts)
    return value, _stay


def _read_alike(known: _Finding, modules: Modules) -> bool:
    return all(modules(name) == text for name, text in known.read)


def _change(known: _Finding, chunk: Chunk, chunks: tuple[Chunk, ...]) -> Change | None:
    """Which functions have changed; None where something else has, too."""
    if known.said != [_said(c.parsed) for c in chunks]:
        return None
    changed = (c for text, c in zip(known.texts, chunks) if text != c.text)
    start = known.starts[chunks.index(chunk)]
    names = frozenset(n for c in changed for n in outline(c.parsed).binds)
    return Change(names, Span(start, start + len(chunk.text)))


def _said(parsed: Parsed) -> object:
    """What a statement says to others: a plain function that it is there, anything else all of its text."""
    tree = parsed.tree or ()
    plain = len(tree) == 1 and isinstance(tree[0], gast.FunctionDef) and not tree[0].decorator_list
    return (tree[0].name,) if plain and not outline(parsed).generates else parsed.text


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
