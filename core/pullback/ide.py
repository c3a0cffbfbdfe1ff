"""What an editor asks about a module, in plain data: offsets in, offsets and text out.

Answers about functions that an edit did not touch come from memory (`recall`), so that a keystroke
costs the analysis of one function and of those that depend on it.

May not know: LSP, documents, files, what a user has configured.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from pullback.derive import Derived, UnknownTarget, derive_in
from pullback.diagnostics import Diagnostic, report
from pullback.emit.insert import insertion, kept
from pullback.generated import fixes_of, regeneration, regeneration_title
from pullback.ir import Span
from pullback.lower import scope_of
from pullback.reports import Report, absolute, moved, reporting
from pullback.rules import table
from pullback.source.edits import Edit
from pullback.source.module import Module
from pullback.source.outline import (
    Target,
    function_at,
    function_named,
    functions,
    located,
    outline,
    parameter_at,
)
from pullback.source.project import Modules
from pullback.source.recall import Move, recall

__all__ = [
    "Adjoint",
    "Hover",
    "Insertion",
    "Report",
    "absolute",
    "adjoint_text",
    "diagnostics",
    "diagnostics_at",
    "fixes_of",
    "function_at",
    "function_named",
    "functions",
    "gradient",
    "hover",
    "load",
    "parameter_at",
    "regeneration",
    "regeneration_title",
    "reporting",
]

_IDENTIFIER = re.compile(r"[^\W\d]\w*")
_BACKWARD = "# Backward pass"


@dataclass(frozen=True)
class Insertion:
    """The edits that put a derivative into its file; none where there is no derivative."""

    edits: tuple[Edit, ...]
    diagnostics: tuple[Diagnostic, ...]
    name: str


@dataclass(frozen=True)
class Hover:
    """A short answer about the text at `span`: a line, code, and a closing line (either may be "")."""

    span: Span
    title: str
    code: str = ""
    note: str = ""


@dataclass(frozen=True)
class Adjoint:
    """A derivative's text, and per line the place in the primal that it comes from."""

    text: str
    lines: tuple[Span | None, ...]
    name: str


def load() -> None:
    """Loads what every answer needs, so that the first one does not wait for it."""
    table()


# --- diagnostics ---------------------------------------------------------------------------------


def diagnostics(module: Module, modules: Modules) -> tuple[Diagnostic, ...]:
    """All reports on a module, in the order of the text."""
    reports = reported(module, modules)
    return tuple(d for number, r in enumerate(reports) for d in absolute(module, number, r))


def diagnostics_at(module: Module, place: Span, modules: Modules) -> tuple[Diagnostic, ...]:
    """The reports that touch a place."""
    reports = reported(module, modules)
    first, last = module.number_at(place.start - 1), module.number_at(place.end)
    if first is None or last is None:
        return ()
    found = (d for n in range(first, last + 1) for d in absolute(module, n, reports[n]))
    return tuple(d for d in found if d.span.start <= place.end and place.start <= d.span.end)


def reported(module: Module, modules: Modules) -> tuple[Report, ...]:
    """The report on each statement."""
    work = reporting(module, modules)
    while True:
        try:
            next(work)
        except StopIteration as done:
            found: tuple[Report, ...] = done.value
            return found


# --- derivatives ---------------------------------------------------------------------------------


def gradient(
    module: Module, qualname: str, kind: str, wrt: str | None, modules: Modules
) -> Insertion:
    """The edits that insert a derivative below its function, or why there is none."""
    target = function_named(module, qualname)
    if target is None:
        return Insertion((), (), "")
    derived, _ = _derived(module, target, kind, wrt, modules)
    if derived.source is None:
        return Insertion((), derived.diagnostics, derived.name)
    if (standing := kept(module, derived)) is not None:
        in_the_way = report("PB402", standing.span, name=standing.name)
        return Insertion((), (in_the_way,), derived.name)
    return Insertion(insertion(module, derived), derived.diagnostics, derived.name)


def adjoint_text(module: Module, qualname: str, kind: str, modules: Modules) -> Adjoint:
    """A derivative's own text with its lines' origins; a comment that says why where there is none.

    The adjoint of a function that has no gradient because it does not return one number is its
    vector-Jacobian product.
    """
    target = function_named(module, qualname)
    if target is None:
        return _comment(qualname, kind, ["is not in this file (any more), or does not parse"])
    if kind == "grad":
        derived, move = _any_derivative(module, target, None, modules)
    else:
        derived, move = _derived(module, target, kind, None, modules)
    if derived.source is None:
        return _comment(qualname, kind, ["cannot be made:", *_reasons(module, derived, move)])
    lines = tuple(None if s is None else move(s) for s in derived.source_map)
    return Adjoint(derived.source, lines, derived.name)


def _derived(
    module: Module, target: Target, kind: str, wrt: str | None, modules: Modules
) -> tuple[Derived, Move]:
    def find(reading: Modules) -> Derived:
        try:
            return derive_in(module, target.qualname, kind, wrt, modules=reading)
        except UnknownTarget:  # no parameters, or defined where no derivative can stand
            return Derived(None, ())

    chunk = located(module)[target.qualname][1]
    what = ("derived", target.qualname, kind, wrt)
    return recall(module, chunk, what, modules, find, given=_names_taken(module))


def _names_taken(module: Module) -> object:
    """What decides how a derivative and its helpers may be called, and which imports it lacks."""
    there = [c.text for c in module.chunks if outline(c.parsed).derived]
    return scope_of(module).names, there


def _comment(qualname: str, kind: str, lines: list[str]) -> Adjoint:
    text = "\n".join(f"# {line}" for line in [f"{kind} of {qualname} {lines[0]}", *lines[1:]])
    return Adjoint(text + "\n", (None,) * len(lines), "")


def _reasons(module: Module, derived: Derived, move: Move) -> list[str]:
    """The errors, one a line, with their lines in the file."""
    found = [moved(d, move) for d in derived.diagnostics if d.severity == "error"]
    return [f"line {_line(module, d.span.start)}: {d.code} {d.message}" for d in found]


def _line(module: Module, offset: int) -> int:
    return module.text.count("\n", 0, offset) + 1


# --- hover ---------------------------------------------------------------------------------------


def hover(module: Module, offset: int, modules: Modules) -> Hover | None:
    """On a function's name its gradient, in a body the adjoint of what stands there."""
    word = _word_at(module.text, offset)
    if word is not None:
        named = _named_at(module, word)
        if named is not None:
            return _gradient_hover(module, named, word, modules)
    target = function_at(module, offset)
    if target is None or offset <= target.header.end:
        return None
    return _adjoint_hover(module, target, offset, word, modules)


def _named_at(module: Module, word: Span) -> Target | None:
    """The function that a word defines or names."""
    around = function_at(module, word.start)
    if around is not None and around.name_span == word:
        return around
    if module.text[max(word.start - 1, 0) : word.start] == ".":
        return None  # an attribute: of what, the text does not tell
    return function_named(module, module.text[word.start : word.end])


def _gradient_hover(module: Module, target: Target, span: Span, modules: Modules) -> Hover:
    derived, move = _any_derivative(module, target, None, modules)
    if derived.source is None:
        title = f"`{target.qualname}` cannot be differentiated"
        return Hover(span, title, note="\n\n".join(_reasons(module, derived, move)))
    title = f"Gradient of `{target.qualname}`"
    if derived.name.endswith("_vjp"):
        title = f"Vector-Jacobian product of `{target.qualname}`"
    return Hover(span, title, derived.function.removeprefix(derived.header).strip("\n"))


def _adjoint_hover(
    module: Module, target: Target, offset: int, word: Span | None, modules: Modules
) -> Hover | None:
    derived, move = _any_derivative(module, target, "*", modules)
    if derived.source is None:
        return None
    backward = _backward_lines(module, derived, move)
    if word is not None:
        name = module.text[word.start : word.end]
        lines = [line for line, _ in backward if _writes_adjoint(line, name)]
        if lines:
            return Hover(word, f"Adjoint of `{name}`", "\n".join(lines))
    around = [s for _, s in backward if s is not None and s.start <= offset <= s.end]
    if not around:
        return None
    place = min(around, key=lambda s: s.end - s.start)
    lines = [line for line, s in backward if s == place]
    return Hover(place, "Adjoint of this statement", "\n".join(lines))


def _any_derivative(
    module: Module, target: Target, wrt: str | None, modules: Modules
) -> tuple[Derived, Move]:
    """The gradient; for a function whose output is not one number, the vector-Jacobian product."""
    grad = _derived(module, target, "grad", wrt, modules)
    if grad[0].source is not None:
        return grad
    vjp = _derived(module, target, "vjp", wrt, modules)
    return vjp if vjp[0].source is not None else grad


def _backward_lines(module: Module, derived: Derived, move: Move) -> list[tuple[str, Span | None]]:
    """The lines of the backward pass that compute adjoints, with their origins."""
    assert derived.source is not None
    lines = derived.source.splitlines()
    marks = [i for i, line in enumerate(lines) if line.strip() == _BACKWARD]
    found = []
    for line, origin in list(zip(lines, derived.source_map))[marks[0] + 1 if marks else 0 :]:
        span = None if origin is None else move(origin)
        bare = line.strip()
        own = span is not None and bare in module.text[span.start : span.end]
        if bare and not own and not bare.startswith("return ") and not bare.endswith(":"):
            found.append((bare, span))
    return found


def _writes_adjoint(line: str, name: str) -> bool:
    return re.match(rf"{re.escape(name)}_bar\d*(\[.*\])? *[-+*/@]?=(?!=)", line) is not None


def _word_at(text: str, offset: int) -> Span | None:
    """The identifier that holds `offset` or ends there."""
    start = offset
    while start > 0 and (text[start - 1].isalnum() or text[start - 1] == "_"):
        start -= 1
    found = _IDENTIFIER.match(text, start)
    return Span(found.start(), found.end()) if found else None
