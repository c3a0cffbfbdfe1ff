"""Whether the generated functions of a module still are what they say: up to date, unchanged, explained.

May not know: how a derivative is made, files, the command line, LSP, NumPy.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from .derivation import PRIVATE
from .derive import UnknownTarget, source_digest_in
from .diagnostics import Diagnostic, report
from .emit.insert import Standing, standing
from .ir import Span
from .lower import definitions
from .source.header import Header
from .source.module import Module
from .source.project import Modules


def generated(
    module: Module, modules: Modules | Mapping[str, str] | None = None
) -> Iterator[Diagnostic]:
    """PB401, PB402 and PB403 for each function that has a header."""
    for qualname in definitions(module):
        yield from check_generated(module, qualname, modules)


def check_generated(
    module: Module, qualname: str, modules: Modules | Mapping[str, str] | None = None
) -> tuple[Diagnostic, ...]:
    """The same for one function; nothing where it has no header."""
    found = standing(module, qualname)
    if found is None or found.header is None or found.header.module:
        return ()
    return tuple(_one(module, qualname, found, found.header, modules))


def _one(
    module: Module,
    qualname: str,
    found: Standing,
    header: Header,
    modules: Modules | Mapping[str, str] | None,
) -> Iterator[Diagnostic]:
    at = _first_line(module, found.span)
    name = qualname.rpartition(".")[2]
    if header.qualname not in definitions(module):
        yield report("PB403", at, function=qualname, name=name, primal=header.qualname)
        return
    if found.edited:
        yield report("PB402", at, function=qualname, name=name)
    if header.options[:1] == PRIVATE:
        return  # goes out of date with the derivatives that call it
    if _source_digest(module, header, modules) not in (None, header.source):
        yield report("PB401", at, function=qualname, name=name, primal=header.qualname)


def _source_digest(
    module: Module, header: Header, modules: Modules | Mapping[str, str] | None
) -> str | None:
    """The digest that a header written now would have; None where no derivative can be made."""
    options = dict(header.options)
    single = len(header.wrt) == 1 and "tuple" not in options
    wrt = header.wrt[0] if single else header.wrt
    wished = options.get("name")
    try:
        return source_digest_in(
            module, header.qualname, header.kind, wrt or None, modules=modules, name=wished
        )
    except (UnknownTarget, ValueError):
        return None


def _first_line(module: Module, span: Span) -> Span:
    """The header's line, without what follows."""
    end = module.text.find("\n", span.start)
    return Span(span.start, span.end if end < 0 else end)
