"""What an editor asks about a module, in plain data: offsets in, offsets and text out.

Answers about functions that an edit did not touch come from memory (`recall`), so that a keystroke
costs the analysis of one function and of those that depend on it.

May not know: LSP, documents, files, what a user has configured.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Union

from pullback.analysis.declared import differentiable_params
from pullback.analysis.facts import Facts
from pullback.derive import KINDS, Derived, UnknownTarget, derive_in, facts_in
from pullback.diagnostics import Diagnostic, report
from pullback.emit.insert import insertion, insertion_below, kept
from pullback.emit.source_lines import first_margin, header_end, margin_at
from pullback.generated import (
    fixes_of,
    following,
    quick_fixes,
    regeneration,
    regeneration_title,
)
from pullback.ir import Span
from pullback.lower import lower_function, scope_of
from pullback.placing import BELOW, END, Asked, beside_for
from pullback.reports import Report, absolute, moved, reporting
from pullback.rules import table
from pullback.siblings import Sibling, sibling
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
from pullback.source.pragmas import parse_all
from pullback.source.project import Modules
from pullback.source.recall import Move, recall
from pullback.stage import stage_in
from pullback.staging.lacking import is_compiled

__all__ = [
    "KINDS",
    "Adjoint",
    "Insertion",
    "Report",
    "Target",
    "absolute",
    "adjoint_text",
    "any_derivative",
    "backward_lines",
    "compiler_of",
    "conversion",
    "diagnostics",
    "diagnostics_at",
    "example",
    "fixes_of",
    "following",
    "function_at",
    "function_named",
    "functions",
    "gradient",
    "known_facts",
    "load",
    "moved",
    "parameter_at",
    "parameters",
    "quick_fixes",
    "reasons",
    "regeneration",
    "regeneration_title",
    "reporting",
    "sibling",
    "with_example",
]

Line = tuple[str, Span | None]  # of a derivative, with its origin
Wrt = Union[str, tuple[str, ...], None]

_BACKWARD = "# Backward pass"


@dataclass(frozen=True)
class Insertion:
    """The edits that put a derivative into its file, or into the module `beside` it; none where there is none."""

    edits: tuple[Edit, ...]
    diagnostics: tuple[Diagnostic, ...]
    name: str
    beside: Sibling | None = None


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
    module: Module,
    qualname: str,
    kind: str,
    wrt: Wrt,
    modules: Modules,
    *,
    place: str = BELOW,
    jit: str | None = None,
) -> Insertion:
    """The edits that put a derivative where it stands, or else at its `place`, or why there is none.

    `jit` is the compiler that it is written for.
    """
    target = function_named(module, qualname)
    if target is None:
        return Insertion((), (), "")
    beside = beside_for(module, Asked(qualname, kind, wrt, jit=jit), modules, place)
    if beside is None:
        into, (derived, _) = module, _derived(module, target, kind, wrt, modules, jit)
    else:
        into = beside.module
        derived = derive_in(into, qualname, kind, wrt, modules=modules, of=beside.of, jit=jit)
    if derived.source is None:
        return Insertion((), derived.diagnostics, derived.name, beside)
    if (standing := kept(into, derived)) is not None:
        in_the_way = report("PB402", standing.span, name=standing.name)
        return Insertion((), (in_the_way,), derived.name, beside)
    edits = insertion(into, derived, at_end=place == END)
    return Insertion(edits, derived.diagnostics, derived.name, beside)


def conversion(
    module: Module, qualname: str, backend: str, modules: Modules, *, place: str = BELOW
) -> Insertion:
    """The edits that put a function as a backend takes it into the file, with the functions that it calls."""
    if function_named(module, qualname) is None:
        return Insertion((), (), "")
    staged = stage_in(module, qualname, backend, modules=modules)
    if staged.source is None:
        return Insertion((), staged.diagnostics, staged.name)
    edits = insertion_below(module, qualname, staged, at_end=place == END)
    return Insertion(edits, staged.diagnostics, staged.name)


def compiler_of(module: Module, qualname: str) -> str | None:
    """The compiler whose decorator a function bears."""
    fn = lower_function(module, qualname)
    return "numba" if fn is not None and is_compiled(fn) else None


def parameters(module: Module, qualname: str) -> tuple[str, ...]:
    """The parameters that a function can be differentiated with respect to."""
    fn = lower_function(module, qualname)
    return () if fn is None else differentiable_params(fn)


def example(module: Module, qualname: str) -> str | None:
    """The arguments that a comment `# pullback: example …` gives for a function."""
    fn = lower_function(module, qualname)
    pragmas, _, _ = parse_all(() if fn is None else fn.pragmas)
    return next((p.text for p in pragmas if p.kind == "example"), None)


def with_example(module: Module, qualname: str, arguments: str) -> tuple[Edit, ...]:
    """The edit that keeps arguments in a comment at the head of a function's body."""
    target = function_named(module, qualname)
    if target is None:
        return ()
    text = module.text
    colon = header_end(text, target.name_span.start)
    end = text.find("\n", colon) if "\n" in text[colon:] else len(text)
    newline = "\r\n" if text[: end + 1].endswith("\r\n") else "\n"
    comment = f"# pullback: example {arguments.strip()}"
    if text[colon:end].partition("#")[0].strip():  # a function on one line: above it
        margin = margin_at(text, target.header.start)
        return (
            Edit(Span(target.header.start, target.header.start), f"{comment}{newline}{margin}"),
        )
    at = len(text[:end].rstrip("\r"))
    line = f"{newline}{first_margin(text, colon)}{comment}"
    return (Edit(Span(at, at), line),)


def adjoint_text(
    module: Module, qualname: str, kind: str, modules: Modules, *, backward_only: bool = False
) -> Adjoint:
    """A derivative's own text with its lines' origins; a comment that says why where there is none.

    The adjoint of a function that has no gradient because it does not return one number is its
    vector-Jacobian product. `backward_only` leaves out helpers, and the lines of the forward pass.
    """
    target = function_named(module, qualname)
    if target is None:
        return _comment(qualname, kind, ["is not in this file (any more), or does not parse"])
    if kind == "grad":
        derived, move = any_derivative(module, target, None, modules)
    else:
        derived, move = _derived(module, target, kind, None, modules)
    if derived.source is None:
        return _comment(qualname, kind, ["cannot be made:", *reasons(module, derived, move)])
    origins = [None if s is None else move(s) for s in derived.source_map]
    lines = list(zip(derived.source.splitlines(), origins))
    if backward_only:
        lines = _backward_pass(module, lines[-derived.function.strip("\n").count("\n") - 1 :])
    text = "".join(f"{line}\n" for line, _ in lines)
    return Adjoint(text, tuple(s for _, s in lines), derived.name)


def _backward_pass(module: Module, lines: list[Line]) -> list[Line]:
    """A derivative without its forward pass; where it has no backward pass, without the function's own lines."""
    marks = [i for i, (line, _) in enumerate(lines) if line.strip() == _BACKWARD]
    if not marks:
        return [(line, s) for line, s in lines if not _is_own(module, line, s)]
    body = next((i for i, (_, s) in enumerate(lines) if s is not None), marks[0])
    return lines[: min(body, marks[0])] + lines[marks[0] :]


def _is_own(module: Module, line: str, origin: Span | None) -> bool:
    """Whether a line of a derivative is one of the function's own."""
    bare = line.strip()
    return origin is not None and bare in module.text[origin.start : origin.end]


def _derived(
    module: Module,
    target: Target,
    kind: str,
    wrt: Wrt,
    modules: Modules,
    jit: str | None = None,
) -> tuple[Derived, Move]:
    def find(reading: Modules) -> Derived:
        try:
            return derive_in(module, target.qualname, kind, wrt, modules=reading, jit=jit)
        except UnknownTarget:  # no parameters, or defined where no derivative can stand
            return Derived(None, ())

    chunk = located(module)[target.qualname][1]
    what = ("derived", target.qualname, kind, wrt, jit)
    return recall(module, chunk, what, modules, find, given=_names_taken(module))


def any_derivative(
    module: Module, target: Target, wrt: str | None, modules: Modules
) -> tuple[Derived, Move]:
    """The gradient; for a function whose output is not one number, the vector-Jacobian product."""
    grad = _derived(module, target, "grad", wrt, modules)
    if grad[0].source is not None:
        return grad
    vjp = _derived(module, target, "vjp", wrt, modules)
    return vjp if vjp[0].source is not None else grad


def known_facts(module: Module, target: Target, modules: Modules) -> tuple[Facts | None, Move]:
    """What is known of a function as it is written; spans of its tree are to be moved."""

    def find(reading: Modules) -> Facts | None:
        try:
            return facts_in(module, target.qualname, modules=reading)
        except UnknownTarget:
            return None

    chunk = located(module)[target.qualname][1]
    return recall(module, chunk, ("facts", target.qualname), modules, find)


def backward_lines(module: Module, derived: Derived, move: Move) -> list[tuple[str, Span | None]]:
    """The lines of the backward pass that compute adjoints, with their origins."""
    assert derived.source is not None
    lines = derived.source.splitlines()
    marks = [i for i, line in enumerate(lines) if line.strip() == _BACKWARD]
    found = []
    for line, origin in list(zip(lines, derived.source_map))[marks[0] + 1 if marks else 0 :]:
        span = None if origin is None else move(origin)
        bare = line.strip()
        if (
            bare
            and not _is_own(module, line, span)
            and not bare.startswith("return ")
            and not bare.endswith(":")
        ):
            found.append((bare, span))
    return found


def _names_taken(module: Module) -> object:
    """What decides how a derivative and its helpers may be called, and which imports it lacks."""
    there = [c.text for c in module.chunks if outline(c.parsed).generates]
    return scope_of(module).names, there


def _comment(qualname: str, kind: str, lines: list[str]) -> Adjoint:
    text = "\n".join(f"# {line}" for line in [f"{kind} of {qualname} {lines[0]}", *lines[1:]])
    return Adjoint(text + "\n", (None,) * len(lines), "")


def reasons(module: Module, derived: Derived, move: Move) -> list[str]:
    """The errors, one a line, with their lines in the file."""
    found = [moved(d, move) for d in derived.diagnostics if d.severity == "error"]
    return [f"line {_line(module, d.span.start)}: {d.code} {d.message}" for d in found]


def _line(module: Module, offset: int) -> int:
    return module.text.count("\n", 0, offset) + 1
