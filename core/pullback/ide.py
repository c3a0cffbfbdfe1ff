"""What an editor asks about a module, in plain data: offsets in, offsets and text out.

Answers about functions that an edit did not touch come from memory (`recall`), so that a keystroke
costs the analysis of one function and of those that depend on it.

May not know: LSP, documents, files, what a user has configured.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass, replace

from pullback.check import check_function, comments, visible
from pullback.derive import Derived, UnknownTarget, derive_in
from pullback.diagnostics import Diagnostic, report
from pullback.emit.insert import insertion, kept
from pullback.generated import check_generated, fixes_of, regeneration, regeneration_title
from pullback.ir import Span
from pullback.lower import scope_of
from pullback.lower.names import NUMERIC
from pullback.source.edits import Edit
from pullback.source.module import Chunk, Module
from pullback.source.outline import (
    Target,
    asked_for,
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
    "adjoint_text",
    "diagnosing",
    "diagnostics",
    "fixes_of",
    "function_at",
    "function_named",
    "functions",
    "gradient",
    "hover",
    "parameter_at",
    "regeneration",
    "regeneration_title",
]

Check = Callable[[Module, str, Modules], tuple[Diagnostic, ...]]

_RANK = {"error": 0, "warning": 1, "info": 2, "hint": 3}
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


# --- diagnostics ---------------------------------------------------------------------------------


def diagnostics(module: Module, modules: Modules) -> tuple[Diagnostic, ...]:
    """All reports on a module, in the order of the text."""
    work = diagnosing(module, modules)
    while True:
        try:
            next(work)
        except StopIteration as done:
            found: tuple[Diagnostic, ...] = done.value
            return found


def diagnosing(module: Module, modules: Modules) -> Generator[None, None, tuple[Diagnostic, ...]]:
    """`diagnostics`, with a pause after each function that was analysed.

    Numeric functions that nobody asked to differentiate give hints at most, and nothing at all in a
    file where nothing is asked for; plain Python code gives nothing.
    """
    asked = asked_for(module)
    found = [*_syntax(module, bool(asked)), *comments(module)]
    for qualname, (target, chunk) in located(module).items() if asked else ():
        if qualname in asked:
            found += _recalled("check", check_function, module, qualname, chunk, modules)
        elif _is_numeric(module, target):
            here = _recalled("check", check_function, module, qualname, chunk, modules)
            found += _as_hints(d for d in here if d.severity == "error")
        if outline(chunk.parsed).derived:
            found += _recalled("generated", check_generated, module, qualname, chunk, modules)
        yield
    return _ordered(visible(module, found))


def _recalled(
    what: str, check: Check, module: Module, qualname: str, chunk: Chunk, modules: Modules
) -> list[Diagnostic]:
    """check(module, qualname, modules), from memory where it still holds."""

    def find(reading: Modules) -> tuple[Diagnostic, ...]:
        try:
            return check(module, qualname, reading)
        except Exception as error:  # a defect of ours costs its function and no other
            target = function_named(module, qualname)
            place = target.name_span if target else Span(0, 0)
            return (report("PB002", place, function=qualname, detail=repr(error)),)

    found, move = recall(module, chunk, (what, qualname), modules, find)
    return [_moved(d, move) for d in found]


def _is_numeric(module: Module, target: Target) -> bool:
    """Whether a function uses a name that means something of a numeric library."""
    imports = scope_of(module).imports
    meanings = (imports.get(name, "") for name in target.uses)
    return any(m.partition(".")[0] in NUMERIC for m in meanings)


def _syntax(module: Module, concerned: bool) -> Iterable[Diagnostic]:
    """Every Python tool reports these; here they matter where derivatives are wanted."""
    for chunk in module.chunks:
        if (problem := chunk.error) is not None:
            severity = "error" if concerned or "pullback:" in chunk.text else "hint"
            yield report("PB001", problem.span, severity=severity, detail=problem.message)


def _as_hints(found: Iterable[Diagnostic]) -> list[Diagnostic]:
    return [replace(d, severity="hint") for d in found]


def _ordered(found: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """By place, each once: what two functions say of a third is said with the greater weight."""
    best: dict[tuple[str, Span, str | None, str], Diagnostic] = {}
    for d in sorted(found, key=lambda d: _RANK[d.severity]):
        best.setdefault((d.code, d.span, d.path, d.message), d)
    return tuple(sorted(best.values(), key=lambda d: (d.span.start, d.span.end, d.code)))


def _moved(d: Diagnostic, move: Move) -> Diagnostic:
    related = tuple(replace(r, span=move(r.span)) if r.path is None else r for r in d.related)
    fixes = tuple(
        replace(f, edits=tuple(replace(e, span=move(e.span)) for e in f.edits)) for f in d.fixes
    )
    span = move(d.span) if d.path is None else d.span
    return replace(d, span=span, related=related, fixes=fixes)


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
        in_the_way = report("PB402", standing, name=derived.name)
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
    found = [_moved(d, move) for d in derived.diagnostics if d.severity == "error"]
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
