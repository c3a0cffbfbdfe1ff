"""A module brought into step: derivatives that are out of date made anew, helpers that nothing uses removed.

What a person has edited stays as it is, and is reported.

May not know: how a derivative is made, files, the command line, LSP, NumPy.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from .diagnostics import Diagnostic, report
from .emit.insert import insertion, kept, standing
from .generated import check_generated, made_anew
from .ir import Span
from .lower import definitions
from .source.edits import Edit, apply_edits
from .source.module import Module, parse_module
from .source.project import Modules
from .support import written_helper
from .written import PRIVATE

MARK = "pullback:"  # without it there is no generated function in a text
_REST = re.compile(r"[^\n]*\n(?:[ \t\f\r]*\n)*")  # of a line, with the blank lines below
_NEWLINE = re.compile(r"\r?\n\Z")


@dataclass(frozen=True)
class Synced:
    """A module in step. `left` says what is not, and why; its places count in the new text."""

    module: Module
    regenerated: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    left: tuple[Diagnostic, ...] = ()


def synced(module: Module, modules: Modules | Mapping[str, str] | None = None) -> Synced:
    """`module` with all its generated functions as they would be written now."""
    done: dict[str, None] = {}
    # derivatives may be made from derivatives: again, until a round finds them all in step
    for _ in definitions(module) if MARK in module.text else ():
        module, found = _one_round(module, modules)
        done.update(dict.fromkeys(found))
        if not found:
            break
    unused = unused_helpers(module)
    module = without(module, unused)
    return Synced(module, tuple(done), tuple(unused), _left(module, modules))


def out_of_step(
    module: Module, modules: Modules | Mapping[str, str] | None = None
) -> tuple[Diagnostic, ...]:
    """The reports on generated functions, in the order of the text."""
    if MARK not in module.text:
        return ()
    found = [d for q in definitions(module) for d in check_generated(module, q, modules)]
    return tuple(sorted(found, key=lambda d: (d.span.start, d.code)))


def _one_round(
    module: Module, modules: Modules | Mapping[str, str] | None
) -> tuple[Module, list[str]]:
    """Each derivative that is out of date made anew once, and their names."""
    done: list[str] = []
    for qualname in definitions(module):
        if not any(d.code == "PB401" for d in check_generated(module, qualname, modules)):
            continue
        derived = made_anew(module, qualname, modules)
        edits = () if derived is None or derived.source is None else insertion(module, derived)
        if edits:
            text = apply_edits(module.text, edits)
            module = parse_module(text, module.path, previous=module)
            done.append(qualname)
    return module, done


def _left(module: Module, modules: Modules | Mapping[str, str] | None) -> tuple[Diagnostic, ...]:
    """What is still out of step; of what cannot be made anew also what stands in the way."""
    found: list[Diagnostic] = []
    for d in out_of_step(module, modules):
        found.append(d)
        derived = made_anew(module, d.function or "", modules) if d.code == "PB401" else None
        if derived is not None:
            found += (e for e in derived.diagnostics if e.severity == "error")
        own = None if derived is None or derived.source is None else kept(module, derived)
        if own is not None:
            found.append(report("PB402", own.span, function=d.function, name=own.name))
    return tuple({(d.code, d.span.start, d.path): d for d in found}.values())


# --- helpers --------------------------------------------------------------------------------------


def unused_helpers(module: Module) -> dict[str, Span]:
    """The helpers as Pullback writes them that nothing else in the module names, with their places."""
    places = {name: span for name in definitions(module) if (span := _helper(module, name))}
    texts = {name: module.text[span.start : span.end] for name, span in places.items()}
    rest = _without_spans(module.text, places.values())
    used, todo = set(), _named(rest, places)
    while todo:
        used |= todo
        todo = {n for u in todo for n in _named(texts[u], places)} - used
    return {name: span for name, span in places.items() if name not in used}


def without(module: Module, places: Mapping[str, Span]) -> Module:
    """The module without functions, and without the blank lines below them."""
    text = module.text
    edits = [Edit(_with_gap(text, span), "") for span in _runs(text, places.values())]
    return parse_module(apply_edits(text, edits), module.path, previous=module)


def _helper(module: Module, name: str) -> Span | None:
    """The place of a helper or private derivative that nobody has edited."""
    there = standing(module, name)
    if there is None:
        return None
    if there.header is None:
        return there.span if written_helper(module, name) else None
    private = there.header.options[:1] == PRIVATE
    return there.span if private and not there.edited else None


def _named(text: str, names: Iterable[str]) -> set[str]:
    return set(re.findall(r"\w+", text)) & set(names)


def _without_spans(text: str, spans: Iterable[Span]) -> str:
    return apply_edits(text, [Edit(span, "") for span in spans])


def _runs(text: str, spans: Iterable[Span]) -> list[Span]:
    """The places in order, those with nothing but blank lines between them as one."""
    out: list[Span] = []
    for span in sorted(spans, key=lambda s: s.start):
        if out and not text[out[-1].end : span.start].strip():
            span = Span(out.pop().start, span.end)
        out.append(span)
    return out


def _with_gap(text: str, span: Span) -> Span:
    """A function with the rest of its last line and the blank lines below; those above at the end of a text."""
    below = _REST.match(text, span.end)
    if below is not None and below.end() < len(text):
        return Span(span.start, below.end())
    ending = _NEWLINE.search(text)
    return Span(len(text[: span.start].rstrip()), ending.start() if ending else len(text))
