"""The diagnostics of a module as an editor shows them: kept by statement, and found again where that is needed.

An edit changes one statement. What is said about the others stays the very object that it was, unless they
depend on that statement, or names, marks or other modules have changed. Spans count from the statement's
start, so that it stays when the text above it grows, too.

May not know: LSP, documents, files, how a diagnostic is found.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from .check import check_function, comments_of, unread
from .derive import Looked, still_seen
from .diagnostics import Diagnostic, report
from .emit.insert import standing
from .generated import check_generated
from .ir import Span
from .lower import Scope, scope_of
from .lower.names import NUMERIC
from .siblings import asked_here_and_beside
from .source.edits import common_ends
from .source.module import Chunk, Module, Parsed
from .source.outline import (
    Numbered,
    Target,
    binding,
    dependence,
    function_named,
    ignores,
    numbered,
    outline,
)
from .source.project import Modules
from .source.recall import Change, Move, recall, shifting

Check = Callable[[Module, str, Modules], Looked]

_RANK = {"error": 0, "warning": 1, "info": 2, "hint": 3}


@dataclass(frozen=True, eq=False)
class Report:
    """What is shown in one statement, spans counting from its start.

    It is the same object for as long as nothing of it changes. `near`: it names no place outside of the
    statement, so that it is shown alike wherever the statement stands. `notes` belongs to who shows it: what
    they made of it, by a key of theirs.
    """

    found: tuple[Diagnostic, ...]
    near: bool
    notes: dict[Any, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True)
class _Said:
    """What was found out about one statement's functions: what is `here` in its text, and what is in others.

    All spans count from the statement's start. `near`: none lies outside of it.
    """

    here: tuple[Diagnostic, ...] = ()
    elsewhere: tuple[Diagnostic, ...] = ()
    near: bool = True


@dataclass(frozen=True)
class _Basis:
    """What the reports on every statement may depend on: the same objects as long as nothing changes."""

    asked: frozenset[str]
    numbers: Numbered
    scope: Scope
    binders: dict[str, tuple[int, ...]]

    def still(self, other: _Basis) -> bool:
        return (
            self.asked == other.asked
            and self.numbers is other.numbers
            and self.scope is other.scope
            and self.binders is other.binders
        )


@dataclass(frozen=True)
class _Kept:
    """What was said when the module was reported on last, and what that was from."""

    statements: tuple[Parsed, ...]
    basis: _Basis
    read: dict[str, str | None]  # the texts of other modules
    said: list[_Said]
    shown: list[Report]
    far: frozenset[int]  # the statements of which it names places in others
    hosts: frozenset[int]  # those others, where they show it


@dataclass
class _Work:
    """One module on its way to its reports."""

    module: Module
    modules: Modules
    basis: _Basis
    read: dict[str, str | None] = field(default_factory=dict)

    def reading(self, name: str) -> str | None:
        self.read[name] = text = self.modules(name)
        return text


def reporting(module: Module, modules: Modules) -> Generator[None, None, tuple[Report, ...]]:
    """The report on each statement of a module, with a pause after each that was looked at again.

    Numeric functions that nobody asked to differentiate give hints at most, and nothing at all in a
    file where nothing is asked for; plain Python code and generated functions give nothing.
    """
    asked = asked_here_and_beside(module, modules)
    basis = _Basis(asked, numbered(module), scope_of(module), binding(module))
    work = _Work(module, modules, basis)
    kept: _Kept | None = module.memory.get("reports")
    if kept is None or not _holds(kept, work):
        count = len(module.chunks)
        said, shown = [_Said()] * count, [Report((), True)] * count
        kept = _Kept((), basis, {}, said, shown, frozenset(), frozenset())
    said, shown, work.read = list(kept.said), list(kept.shown), dict(kept.read)
    again = _touched(kept, module)
    for number in sorted(again):
        said[number] = _said(work, number)
        yield
    far = frozenset(n for n in again if not said[n].near)
    guests = _guests(module, said, far)
    for n in again.union(kept.hosts, guests):
        shown[n] = _report(module.statements[n], said[n], tuple(guests.get(n, ())))
    made = _Kept(module.statements, basis, work.read, said, shown, far, frozenset(guests))
    module.memory["reports"] = made
    return tuple(shown)


def absolute(module: Module, number: int, said: Report) -> list[Diagnostic]:
    """What the report on a statement says, spans counting in the module's text."""
    return [moved(d, shifting(module.chunks[number].start)) for d in said.found]


def moved(d: Diagnostic, move: Move) -> Diagnostic:
    """A diagnostic at the place to which its text has moved."""
    related = tuple(replace(r, span=move(r.span)) if r.path is None else r for r in d.related)
    fixes = tuple(
        replace(f, edits=tuple(replace(e, span=move(e.span)) for e in f.edits)) for f in d.fixes
    )
    span = move(d.span) if d.path is None else d.span
    return replace(d, span=span, related=related, fixes=fixes)


# --- what is looked at again ----------------------------------------------------------------------


def _holds(kept: _Kept, work: _Work) -> bool:
    """Whether what was said is still there to start from."""
    return kept.basis.still(work.basis) and all(
        work.modules(name) == text for name, text in kept.read.items()
    )


def _touched(kept: _Kept, module: Module) -> set[int]:
    """The statements that changed, those that depend on them, and those that name places in others."""
    head, tail = common_ends(kept.statements, module.statements)
    changed = range(head, len(module.statements) - tail)
    return {*dependence(module).on(changed), *kept.far}


# --- one statement --------------------------------------------------------------------------------


def _said(work: _Work, number: int) -> _Said:
    """What there is to say about a statement: the same object as before where it is the same."""
    chunk = work.module.chunks[number]
    # every Python tool reports what does not parse; here it matters where derivatives are wanted
    severity = "error" if work.basis.asked else "hint"
    found = [*unread(chunk, severity), *comments_of(work.module, chunk)]
    if work.basis.asked or outline(chunk.parsed).generates:  # of a function that is gone, maybe
        for qualname, target in outline(chunk.parsed).named.items():
            if work.basis.numbers.statement[qualname] == number:  # not defined again further down
                found += _about(work, chunk, target)
    made = _from_start([moved(d, shifting(-chunk.start)) for d in found], len(chunk.text))
    known: _Said | None = chunk.parsed.notes.get("reports.said")
    if known == made:
        return known
    chunk.parsed.notes["reports.said"] = made
    return made


def _about(work: _Work, chunk: Chunk, target: Target) -> list[Diagnostic]:
    """The reports on one function."""
    found: list[Diagnostic] = []
    if target.qualname in work.basis.asked:
        found += _recalled("check", check_function, work, target.qualname, chunk)
    elif (
        work.basis.asked
        and _is_numeric(work.basis.scope, target)
        and not _is_generated(work.module, target.qualname)
    ):
        here = _recalled("check", check_function, work, target.qualname, chunk)
        found += (replace(d, severity="hint") for d in here if _hinders(d))
    if outline(chunk.parsed).generates:
        found += _recalled("generated", _generated, work, target.qualname, chunk)
    return found


def _hinders(d: Diagnostic) -> bool:
    """Whether a report is worth a hint on a function that nobody asked for: not where it gives no floating number."""
    return d.severity == "error" and d.code != "PB308"


def _generated(module: Module, qualname: str, modules: Modules) -> Looked:
    return Looked(check_generated(module, qualname, modules))


def _is_generated(module: Module, qualname: str) -> bool:
    there = standing(module, qualname)
    return there is not None and there.header is not None


def _recalled(
    what: str, check: Check, work: _Work, qualname: str, chunk: Chunk
) -> list[Diagnostic]:
    """check(module, qualname, modules), from memory where it still holds."""
    module = work.module

    def find(reading: Modules) -> Looked:
        try:
            return check(module, qualname, reading)
        except Exception as error:  # a defect of ours costs its function and no other
            target = function_named(module, qualname)
            place = target.name_span if target else Span(0, 0)
            return Looked((report("PB002", place, function=qualname, detail=repr(error)),))

    def still(known: Looked, change: Change, reading: Modules) -> bool:
        """A caller is looked at again only where what it sees of a function has changed."""
        here = (moved(d, shifting(-change.own.start)) for d in known.found)
        near = all(_is_near(d, change.own.end - change.own.start) for d in here)
        seen = known.seen
        return near and seen is not None and still_seen(module, seen, change.functions, reading)

    looked, move = recall(module, chunk, (what, qualname), work.reading, find, still=still)
    return [moved(d, move) for d in looked.found]


def _is_numeric(scope: Scope, target: Target) -> bool:
    """Whether a function uses a name that means something of a numeric library."""
    meanings = (scope.imports.get(name, "") for name in target.uses)
    return any(m.partition(".")[0] in NUMERIC for m in meanings)


def _from_start(found: list[Diagnostic], length: int) -> _Said:
    here = tuple(d for d in found if _within(d.span, length))
    elsewhere = tuple(d for d in found if not _within(d.span, length))
    return _Said(here, elsewhere, all(_is_near(d, length) for d in found))


def _within(span: Span, length: int) -> bool:
    return 0 <= span.start <= span.end <= length


def _is_near(d: Diagnostic, length: int) -> bool:
    """Whether a diagnostic names no place outside of a statement of that length."""
    spans = [d.span, *(r.span for r in d.related if r.path is None)]
    spans += (e.span for f in d.fixes for e in f.edits)
    return all(_within(s, length) for s in spans)


# --- what is shown where --------------------------------------------------------------------------


def _guests(module: Module, said: list[_Said], far: Iterable[int]) -> dict[int, list[Diagnostic]]:
    """By statement what was found out about others and is in its text."""
    guests: dict[int, list[Diagnostic]] = {}
    for number in sorted(far):
        for d in said[number].elsewhere:
            start = module.chunks[number].start
            host = module.number_at(start + d.span.start)
            assert host is not None
            by = start - module.chunks[host].start
            guests.setdefault(host, []).append(moved(d, shifting(by)))
    return guests


def _report(parsed: Parsed, said: _Said, guests: tuple[Diagnostic, ...]) -> Report:
    """The report on one statement, the same object as before where it is from the same."""
    known: tuple[_Said, tuple[Diagnostic, ...], Report] | None = parsed.notes.get("reports.report")
    if known is not None and known[0] is said and known[1] == guests:
        return known[2]
    shown = _ordered(d for d in (*said.here, *guests) if not ignores(parsed, d.code, d.span))
    made = Report(shown, all(_is_near(d, len(parsed.text)) for d in shown))
    parsed.notes["reports.report"] = (said, guests, made)
    return made


def _ordered(found: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """By place, each once: what two functions say of a third is said with the greater weight."""
    best: dict[tuple[str, Span, str | None, str], Diagnostic] = {}
    for d in sorted(found, key=lambda d: _RANK[d.severity]):
        best.setdefault((d.code, d.span, d.path, d.message), d)
    return tuple(sorted(best.values(), key=lambda d: (d.span.start, d.span.end, d.code)))
