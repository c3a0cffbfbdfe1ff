"""Words that an editor shows inside the text: types and shapes, what is active, what is recorded.

May not know: LSP, documents, how a derivative is made.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pullback import ir
from pullback.analysis.facts import Val
from pullback.hovers import said_type
from pullback.ide import any_derivative, known_facts
from pullback.ir import Span
from pullback.siblings import asked_here_and_beside
from pullback.source.module import Module
from pullback.source.outline import Target, functions
from pullback.source.project import Modules

_RECORDED = re.compile(r"\w*tape\d*\.append\((?:\((?P<several>.*)\)|(?P<one>.*))\)")
ACTIVE = "∂"


@dataclass(frozen=True)
class Inlay:
    """`text` belongs behind the character before `offset`; `more` explains it."""

    offset: int
    text: str
    more: str


def inlays(module: Module, place: Span, modules: Modules) -> tuple[Inlay, ...]:
    """The inlays of the functions that are asked for, where they touch `place`."""
    asked = asked_here_and_beside(module, modules)
    found = [
        inlay
        for target in functions(module)
        if target.qualname in asked
        if target.whole.start <= place.end and place.start <= target.whole.end
        for inlay in (*_variables(module, target, modules), *_records(module, target, modules))
    ]
    return tuple(sorted(found, key=lambda inlay: inlay.offset))


def _variables(module: Module, target: Target, modules: Modules) -> Iterator[Inlay]:
    """Behind each variable that is bound, what it holds."""
    facts, move = known_facts(module, target, modules)
    for s in () if facts is None else ir.statements(facts.fn.body):
        for t in s.targets if isinstance(s, ir.Assign) else ():
            val = facts.bound.get((id(s), t.id)) if facts and isinstance(t, ir.Name) else None
            if val is not None and t.origin is not None and (text := _short(val)):
                more = "differentiated" if val.active else "carries no derivative"
                yield Inlay(move(t.origin).end, f": {text}", more)


def _short(val: Val) -> str:
    said = said_type(val.type)
    words = [said] if "array (" in said else []
    return " ".join(([ACTIVE] if val.active else []) + words)


def _records(module: Module, target: Target, modules: Modules) -> Iterator[Inlay]:
    """Behind each statement, what the derivative records there for its backward pass."""
    derived, move = any_derivative(module, target, None, modules)
    found: dict[int, list[str]] = {}
    for line, origin in zip((derived.source or "").splitlines(), derived.source_map):
        recorded = _RECORDED.fullmatch(line.strip())
        if recorded is not None and origin is not None:
            what = recorded["several"] or recorded["one"]
            found.setdefault(_line_end(module.text, move(origin)), []).append(what)
    for at, names in found.items():
        more = "kept for the backward pass, one entry each time this runs"
        yield Inlay(at, f"  records {', '.join(names)}", more)


def _line_end(text: str, span: Span) -> int:
    """The end of the first line of a statement."""
    end = text.find("\n", span.start)
    return len(text[: len(text) if end < 0 else end].rstrip())
