"""What stands in the way of derivatives in a module: the diagnostics of its text.

Full reports are for the functions that the user has asked for: marked `# pullback: differentiable`, with
a generated derivative in the file, or called by one of these.

May not know: files, the command line, LSP, NumPy.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from .analysis.declared import differentiable_params
from .derive import UnknownTarget, problems_in
from .diagnostics import Diagnostic, report
from .generated import generated
from .ir import Span
from .lower import lower_function
from .source.module import Module, parse_module
from .source.outline import asked_for, is_ignored
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
    for qualname in sorted(asked_for(module)):
        found += check_function(module, qualname, modules)
    found += generated(module, modules)
    unique = dict.fromkeys(visible(module, found))
    return tuple(sorted(unique, key=lambda d: (d.span.start, d.code)))


def visible(module: Module, found: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Without those that `# pullback: ignore` comments of this file hide."""
    return [d for d in found if d.path is not None or not is_ignored(module, d.code, d.span)]


def syntax(module: Module) -> list[Diagnostic]:
    """One report for each place that does not parse."""
    return [report("PB001", e.span, detail=e.message) for e in module.errors]


def check_function(
    module: Module, qualname: str, modules: Modules | Mapping[str, str] | None = None
) -> tuple[Diagnostic, ...]:
    """What a derivative of the function would meet, in this file; reports in other modules are theirs."""
    fn = lower_function(module, qualname)
    if fn is None:
        return ()
    asked = _asked(fn.pragmas) or differentiable_params(fn)
    if not asked:
        return ()
    try:
        found = problems_in(module, qualname, "vjp", asked, modules=modules)
    except UnknownTarget as e:
        at = fn.name_span or Span(0, 0)
        return (report("PB109", at, function=qualname, construct=f"this comment ({e})"),)
    return tuple(d for d in found if d.path is None)


def _asked(raw: tuple[tuple[str, Span], ...]) -> tuple[str, ...]:
    """The parameters that `# pullback: differentiable wrt a, b` names."""
    pragmas, _, _ = parse_all(raw)
    return tuple(n for p in pragmas if p.kind == "differentiable" for n in p.names)
