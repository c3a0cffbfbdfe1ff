"""The generated functions of a module as an editor shows them: of what each is, and whether it is in step.

May not know: LSP, files, how a derivative is made.
"""

from __future__ import annotations

from dataclasses import dataclass

from pullback.derivation import PRIVATE
from pullback.emit.insert import insertion, standing
from pullback.generated import EDITED, made_anew
from pullback.ide import diagnostics
from pullback.ir import Span
from pullback.source.edits import Edit, apply_edits, line_differences
from pullback.source.module import Module
from pullback.source.outline import function_at, function_named, located
from pullback.source.project import Modules
from pullback.sync import synced

WORDS = {"PB401": "out of date", "PB402": "edited", "PB403": "without its function"}
UP_TO_DATE = "up to date"


@dataclass(frozen=True)
class State:
    """A generated function: `word` says how it stands to its function, whose name is at `primal_span`."""

    qualname: str
    primal: str
    kind: str
    word: str
    span: Span
    name_span: Span
    primal_span: Span | None
    edited: bool = False

    @property
    def in_step(self) -> bool:
        return self.word == UP_TO_DATE


def states(module: Module, modules: Modules) -> tuple[State, ...]:
    """The state of each generated function, in the order of the text; private ones have none."""
    words = {d.function: WORDS[d.code] for d in diagnostics(module, modules) if d.code in WORDS}
    found = []
    for qualname in located(module):
        there = standing(module, qualname)
        target = function_named(module, qualname)
        if there is None or there.header is None or target is None:
            continue
        if there.header.options[:1] == PRIVATE:
            continue
        primal = function_named(module, there.header.qualname)
        found.append(
            State(
                qualname,
                there.header.qualname,
                there.header.kind,
                words.get(qualname, UP_TO_DATE),
                there.span,
                target.name_span,
                primal.name_span if primal is not None else None,
                there.edited or EDITED in there.header.options,
            )
        )
    return tuple(sorted(found, key=lambda state: state.span.start))


def relatives(module: Module, offset: int, modules: Modules) -> tuple[State, ...]:
    """The derivatives of the function at a place; of a derivative itself only that one."""
    around = function_at(module, offset)
    known = states(module, modules)
    own = [s for s in known if s.span.start <= offset <= s.span.end]
    if own or around is None:
        return tuple(own[-1:])
    return tuple(s for s in known if s.primal == around.qualname)


def regenerated(module: Module, qualname: str, modules: Modules) -> str:
    """The module's text with one generated function as it would be written now, what was edited given up."""
    derived = made_anew(module, qualname, modules)
    if derived is None or derived.source is None:
        return module.text
    return apply_edits(module.text, insertion(module, derived, replace_edited=True))


def in_step(module: Module, modules: Modules) -> tuple[Edit, ...]:
    """The edits that bring all generated functions of a module into step, but for those edited by hand."""
    return line_differences(module.text, synced(module, modules).module.text)
