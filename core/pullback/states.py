"""The generated functions of a module as an editor shows them: of what each is, and whether it is in step.

May not know: LSP, files, how a derivative is made.
"""

from __future__ import annotations

from dataclasses import dataclass

from pullback.emit.insert import insertion, standing
from pullback.generated import EDITED, home_of, made_anew
from pullback.ide import reported
from pullback.ir import Span
from pullback.siblings import sibling
from pullback.source.edits import Edit, apply_edits, line_differences
from pullback.source.module import Module
from pullback.source.outline import function_at, function_named, numbered, outline
from pullback.source.project import Modules
from pullback.sync import synced
from pullback.written import PRIVATE

WORDS = {"PB401": "out of date", "PB402": "edited", "PB403": "without its function"}
UP_TO_DATE = "up to date"


@dataclass(frozen=True)
class State:
    """A generated function: `word` says how it stands to its function, whose name is at `primal_span` in the
    text of `module`; "" is the file itself."""

    qualname: str
    primal: str
    kind: str
    word: str
    span: Span
    name_span: Span
    primal_span: Span | None
    edited: bool = False
    module: str = ""

    @property
    def in_step(self) -> bool:
        return self.word == UP_TO_DATE


def states(module: Module, modules: Modules) -> tuple[State, ...]:
    """The state of each generated function, in the order of the text; private ones have none."""
    reports = [d for report in reported(module, modules) for d in report.found]
    words = {d.function: WORDS[d.code] for d in reports if d.code in WORDS}
    found = []
    for qualname, number in numbered(module).statement.items():
        if not outline(module.statements[number]).generates:
            continue
        there = standing(module, qualname)
        target = function_named(module, qualname)
        if there is None or there.header is None or target is None:
            continue
        if there.header.options[:1] == PRIVATE:
            continue
        home = home_of(module, there.header, modules)
        primal = None if home is None else function_named(home, there.header.qualname)
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
                there.header.module,
            )
        )
    return tuple(sorted(found, key=lambda state: state.span.start))


def states_beside(module: Module, beside: Module, modules: Modules) -> tuple[State, ...]:
    """The states of the functions that module `beside` holds for this one."""
    of = sibling(module, modules)
    known = states(beside, modules) if of is not None else ()
    return tuple(s for s in known if of is not None and s.module == of.of)


def relatives(
    module: Module, offset: int, known: tuple[State, ...], beside: tuple[State, ...]
) -> tuple[tuple[State, ...], tuple[State, ...]]:
    """Of the states in a file and beside it those of the function at a place; of a derivative only its own."""
    around = function_at(module, offset)
    own = tuple(s for s in known if s.span.start <= offset <= s.span.end)
    if own or around is None:
        return own[-1:], ()
    of = around.qualname
    there = tuple(s for s in known if s.primal == of and not s.module)
    return there, tuple(s for s in beside if s.primal == of)


def regenerated(module: Module, qualname: str, modules: Modules) -> str:
    """The module's text with one generated function as it would be written now, what was edited given up."""
    derived = made_anew(module, qualname, modules)
    if derived is None or derived.source is None:
        return module.text
    return apply_edits(module.text, insertion(module, derived, replace_edited=True))


def in_step(module: Module, modules: Modules) -> tuple[Edit, ...]:
    """The edits that bring all generated functions of a module into step, but for those edited by hand."""
    return line_differences(module.text, synced(module, modules).module.text)
