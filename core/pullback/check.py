"""What stands in the way of derivatives in a module: the diagnostics of its text.

Full reports are for the functions that the user has asked for: marked `# pullback: differentiable`, with
a generated derivative in the file or in its sibling, or called by one of these.

May not know: files, the command line, LSP, NumPy.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from .analysis.declared import differentiable_params
from .derive import Looked, UnknownTarget, lookup, problems_in
from .diagnostics import Diagnostic, Source, report
from .generated import generated
from .ir import Span
from .lower import lower_function
from .siblings import asked_here_and_beside
from .source.module import Chunk, Module, parse_module
from .source.outline import is_ignored, outline
from .source.pragmas import parse_all
from .source.project import Modules


def check(
    source: str, *, path: str | None = None, modules: Modules | Mapping[str, str] | None = None
) -> tuple[Diagnostic, ...]:
    """The diagnostics of a module's text, in order of place. Never raises, whatever the text is."""
    return check_module(parse_module(source, path), modules)


def check_module(
    module: Module, modules: Modules | Mapping[str, str] | None = None
) -> tuple[Diagnostic, ...]:
    """`check` for a module that is parsed already."""
    found = list(syntax(module))
    for qualname in sorted(asked_here_and_beside(module, lookup(module, modules))):
        found += check_function(module, qualname, modules).found
    told = {d.span for d in found if d.code == "PB004"}
    found += (d for d in comments(module) if d.span not in told)
    found += generated(module, modules)
    unique = dict.fromkeys(visible(module, found))
    return tuple(sorted(unique, key=lambda d: (d.span.start, d.code)))


def visible(module: Module, found: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Without those that `# pullback: ignore` comments of this file hide."""
    return [d for d in found if d.path is not None or not is_ignored(module, d.code, d.span)]


def syntax(module: Module) -> list[Diagnostic]:
    """One report for each place that does not parse."""
    return [d for chunk in module.chunks for d in unread(chunk)]


def unread(chunk: Chunk, severity: str = "error") -> Iterator[Diagnostic]:
    """A report where a statement does not parse: an error if it asks for something, otherwise of this severity.

    What is only nested too deeply, such as a table of long formulas, is nothing to mend unless it asks.
    """
    if (problem := chunk.error) is not None:
        told = "error" if "pullback:" in chunk.text else "hint" if problem.deep else severity
        yield report("PB001", problem.span, severity=told, detail=problem.message)


def comments(module: Module) -> list[Diagnostic]:
    """One report for each `# pullback:` comment that says nothing that is known.

    In a function that is asked for it stands in the way, and `check_function` says so; what it says here
    is for all others, where the words may be meant for nobody.
    """
    return [d for chunk in module.chunks for d in comments_of(module, chunk)]


def comments_of(module: Module, chunk: Chunk) -> Iterator[Diagnostic]:
    """`comments` of one statement."""
    for error in outline(chunk.parsed).misread:
        assert error.span is not None
        span = Span(chunk.start + error.span.start, chunk.start + error.span.end)
        told = report("PB004", span, source=Source(module.text), detail=error.message)
        yield replace(told, severity="warning" if told.fixes else "hint")


def check_function(
    module: Module, qualname: str, modules: Modules | Mapping[str, str] | None = None
) -> Looked:
    """What a derivative of the function would meet, in this file; reports in other modules are theirs."""
    fn = lower_function(module, qualname)
    if fn is None:
        return Looked(())
    asked = _asked(fn.pragmas) or differentiable_params(fn)
    if not asked:
        return Looked(())
    try:
        looked = problems_in(module, qualname, "vjp", asked, modules=modules)
    except UnknownTarget as e:
        at = fn.name_span or Span(0, 0)
        return Looked((report("PB004", at, function=qualname, detail=str(e)),))
    return replace(looked, found=tuple(d for d in looked.found if d.path is None))


def _asked(raw: tuple[tuple[str, Span], ...]) -> tuple[str, ...]:
    """The parameters that `# pullback: differentiable wrt a, b` names."""
    pragmas, _, _ = parse_all(raw)
    return tuple(n for p in pragmas if p.kind == "differentiable" for n in p.names)
