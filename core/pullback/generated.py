"""Whether the generated functions of a module still are what they say: up to date, unchanged, explained.

May not know: how a derivative is made, files, the command line, LSP, NumPy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TypeVar

from .derivation import PRIVATE
from .derive import Derived, UnknownTarget, derive_in, source_digest_in
from .diagnostics import Diagnostic, Fix, Source, report
from .emit.insert import Standing, insertion, standing
from .ir import Span
from .lower import definitions
from .source.edits import Edit, apply_edits, difference
from .source.header import Header, inserted
from .source.module import Module, parse_module
from .source.outline import function_named, functions
from .source.project import Modules


def generated(
    module: Module, modules: Modules | Mapping[str, str] | None = None
) -> Iterator[Diagnostic]:
    """PB401, PB402 and PB403 for each function that has a header."""
    for qualname in definitions(module):
        for d in check_generated(module, qualname, modules):
            yield replace(d, fixes=fixes_of(module, d, modules))


def fixes_of(
    module: Module, found: Diagnostic, modules: Modules | Mapping[str, str] | None = None
) -> tuple[Fix, ...]:
    """What mends a report; the derivative of a PB401 is made only here, since that takes a derivation."""
    if found.code == "PB403":
        return (*following(module, found.function or "", modules), *found.fixes)
    if regeneration_title(module, found) is None:
        return found.fixes
    return regeneration(module, found.function or "", modules)


def regeneration_title(module: Module, found: Diagnostic) -> str | None:
    """What the fix of a PB401 is called; None for other reports, and where a person has edited the function."""
    there = None if found.function is None else standing(module, found.function)
    if found.code != "PB401" or there is None or there.header is None or there.edited:
        return None
    return f"Regenerate {found.function}"


def regeneration(
    module: Module, qualname: str, modules: Modules | Mapping[str, str] | None = None
) -> tuple[Fix, ...]:
    """The generated function as it would be written now; nothing where a person has edited it."""
    derived = made_anew(module, qualname, modules)
    edits = () if derived is None or derived.source is None else insertion(module, derived)
    return (Fix(f"Regenerate {qualname}", edits),) if edits else ()


def made_anew(
    module: Module, qualname: str, modules: Modules | Mapping[str, str] | None = None
) -> Derived | None:
    """The derivative that a generated function's header asks for, under that function's name."""
    there = standing(module, qualname)
    if there is None or there.header is None:
        return None
    derived = _again(derive_in, module, there.header, modules)
    if derived is not None and derived.name != there.name:  # what took its usual name is gone
        named = replace(there.header, options=(("name", there.name), *there.header.options))
        derived = _again(derive_in, module, named, modules)
    return derived


def check_generated(
    module: Module, qualname: str, modules: Modules | Mapping[str, str] | None = None
) -> tuple[Diagnostic, ...]:
    """The same for one function; nothing where it has no header."""
    found = standing(module, qualname)
    if found is None or found.header is None or found.header.module:
        return ()
    return tuple(_one(module, qualname, found, found.header, modules))


def following(
    module: Module, qualname: str, modules: Modules | Mapping[str, str] | None = None
) -> tuple[Fix, ...]:
    """The derivative of a function that was renamed, generated for the new name in the place of the old one."""
    there = standing(module, qualname)
    if there is None or there.header is None or there.edited:
        return ()
    header = there.header
    new = _renamed(module, header, modules)
    if new is None:
        return ()
    text, start = module.text, len(module.text[: there.span.start].rstrip())
    without = parse_module(text[:start] + text[there.span.end :], module.path)
    derived = derive_in(without, new, header.kind, _wrt(header), modules=modules)
    if derived.source is None:
        return ()
    wanted = apply_edits(without.text, insertion(without, derived))
    title = f"Follow the function to its new name: {derived.name}"
    return (Fix(title, (difference(text, wanted),), safe=False),)


def _renamed(
    module: Module, header: Header, modules: Modules | Mapping[str, str] | None
) -> str | None:
    """The function that gives the header's digest under the name that is gone."""
    owner, _, name = header.qualname.rpartition(".")
    for target in functions(module):
        there = standing(module, target.qualname)
        own = there is not None and there.header is None
        if own and target.qualname.rpartition(".")[0] == owner:
            text = apply_edits(module.text, [Edit(target.name_span, name)])
            back = parse_module(text, module.path, previous=module)
            if _again(source_digest_in, back, header, modules) == header.source:
                return target.qualname
    return None


def _one(
    module: Module,
    qualname: str,
    found: Standing,
    header: Header,
    modules: Modules | Mapping[str, str] | None,
) -> Iterator[Diagnostic]:
    at = _first_line(module, found.span)
    name = qualname.rpartition(".")[2]
    source = Source(module.text)
    private = header.options[:1] == PRIVATE  # comes and goes with the derivatives that call it
    if header.qualname not in definitions(module) and not private:
        gone = header.qualname
        yield report("PB403", at, function=qualname, source=source, name=name, primal=gone)
        return
    if found.edited:
        yield report("PB402", at, function=qualname, source=source, name=name)
    if private:
        return
    if _again(source_digest_in, module, header, modules) != header.source:
        primal = function_named(module, header.qualname)
        places = () if primal is None else (("primal", primal.name_span),)
        yield report(
            "PB401", at, function=qualname, places=places, name=name, primal=header.qualname
        )


T = TypeVar("T")


def _again(
    made: Callable[..., T],
    module: Module,
    header: Header,
    modules: Modules | Mapping[str, str] | None,
) -> T | None:
    """What `made` gives for all that the header asked for; None where that cannot be asked any longer."""
    name = dict(header.options).get("name")
    out = tuple(n for n in dict(header.options).get("out", "").split(",") if n)
    of, kind, insert = header.qualname, header.kind, inserted(header)
    try:
        return made(
            module, of, kind, _wrt(header), modules=modules, out=out, insert=insert, name=name
        )
    except (UnknownTarget, ValueError):
        return None


def _wrt(header: Header) -> str | tuple[str, ...] | None:
    """What the derivative was asked to be with respect to."""
    single = len(header.wrt) == 1 and "tuple" not in dict(header.options)
    return (header.wrt[0] if single else header.wrt) or None


def _first_line(module: Module, span: Span) -> Span:
    """The header's line, without what follows."""
    end = module.text.find("\n", span.start)
    return Span(span.start, span.end if end < 0 else end)
