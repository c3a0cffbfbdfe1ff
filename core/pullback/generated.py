"""Whether the generated functions of a module still are what they say: up to date, unchanged, explained.

May not know: how a derivative is made, files, the command line, LSP, NumPy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from .derive import Derived, UnknownTarget, derive_in, lookup, source_digest_in
from .diagnostics import Diagnostic, Fix, Source, report
from .emit.insert import Standing, insertion, standing
from .ir import Span
from .lower import definitions
from .program import Program
from .source.edits import Edit, apply_edits, difference
from .source.header import Header, format_header, inserted
from .source.module import Module, parse_module
from .source.outline import function_named, functions
from .source.project import Modules
from .written import PRIVATE

EDITED = ("edited", "yes")  # in the header of a function that a person has edited and means to keep


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
    """What mends a report, the likeliest first; derivatives are made only here, since that takes time."""
    follow = following(module, found, modules)
    return (*follow, *quick_fixes(module, found, modules), *regeneration(module, found, modules))


def quick_fixes(
    module: Module, found: Diagnostic, modules: Modules | Mapping[str, str] | None = None
) -> tuple[Fix, ...]:
    """Those of the fixes for which no derivative is made."""
    return (*header_fixes(module, found, modules), *found.fixes)


def regeneration_title(module: Module, found: Diagnostic) -> str | None:
    """What the fix that generates a function again is called; None where that is no fix of a report."""
    there = None if found.function is None else standing(module, found.function)
    if there is None or there.header is None or there.header.options[:1] == PRIVATE:
        return None  # a private one is made with those that call it
    if found.code == "PB401" and not there.edited:
        return f"Regenerate {found.function}"
    return f"Regenerate {found.function}, giving up what was edited" if _edited(found) else None


def regeneration(
    module: Module, found: Diagnostic, modules: Modules | Mapping[str, str] | None = None
) -> tuple[Fix, ...]:
    """The generated function as it would be written now; what a person has edited goes only with a PB402."""
    title = regeneration_title(module, found)
    if title is None:
        return ()
    derived = made_anew(module, found.function or "", modules)
    if derived is None or derived.source is None:
        return ()
    edits = insertion(module, derived, replace_edited=_edited(found))
    return (Fix(title, edits, safe=not _edited(found)),) if edits else ()


def header_fixes(
    module: Module, found: Diagnostic, modules: Modules | Mapping[str, str] | None = None
) -> tuple[Fix, ...]:
    """What a header can say of a function that a person has edited: that this is meant, that it is right again."""
    there = standing(module, found.function or "")
    if there is None or there.header is None or not there.edited:
        return ()
    header = there.header
    if _edited(found) and header.options[:1] != PRIVATE:
        title = f"Keep {there.name} as edited, and say when {header.qualname} changes"
        return (Fix(title, _with_header(module, there, options=(*header.options, EDITED))),)
    if found.code != "PB401" or EDITED not in header.options:
        return ()
    source = _again(source_digest_in, module, header, modules)
    if source is None:
        return ()
    title = f"Mark {there.name} as up to date with {header.qualname}"
    return (Fix(title, _with_header(module, there, source=source), safe=False),)


def _edited(found: Diagnostic) -> bool:
    return found.code == "PB402"


def _with_header(module: Module, there: Standing, **changes: Any) -> tuple[Edit, ...]:
    """The edit that changes what a function's header says."""
    assert there.header is not None
    at = _first_line(module, there.span)
    line = module.text[at.start : at.end].rstrip()
    return (
        Edit(Span(at.start, at.start + len(line)), format_header(replace(there.header, **changes))),
    )


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
    if found is None or found.header is None:
        return ()
    return tuple(_one(module, qualname, found, found.header, modules))


def following(
    module: Module, found: Diagnostic, modules: Modules | Mapping[str, str] | None = None
) -> tuple[Fix, ...]:
    """The derivative of a function that was renamed, generated for the new name in the place of the old one."""
    there = standing(module, found.function or "") if found.code == "PB403" else None
    if there is None or there.header is None or there.edited:
        return ()
    header = there.header
    new = _renamed(module, header, modules)
    if new is None:
        return ()
    # the old one makes room, for the new one has its own name
    text, start = module.text, len(module.text[: there.span.start].rstrip())
    without = parse_module(text[:start] + text[there.span.end :], module.path)
    derived = _again(derive_in, without, replace(header, qualname=new), modules)
    if derived is None or derived.source is None:
        return ()
    wanted = apply_edits(without.text, insertion(without, derived))
    title = f"Follow the function to its new name: {derived.name}"
    return (Fix(title, (difference(text, wanted),), safe=False),)


def _renamed(
    module: Module, header: Header, modules: Modules | Mapping[str, str] | None
) -> str | None:
    """The function that gives the header's digest under the name that is gone."""
    owner, _, name = header.qualname.rpartition(".")
    home = home_of(module, header, modules)
    for target in () if home is None else functions(home):
        assert home is not None
        there = standing(home, target.qualname)
        own = there is not None and there.header is None
        if own and target.qualname.rpartition(".")[0] == owner:
            text = apply_edits(home.text, [Edit(target.name_span, name)])
            back, others = _with_text(module, header, modules, text)
            if _again(source_digest_in, back, header, others) == header.source:
                return target.qualname
    return None


def _with_text(
    module: Module, header: Header, modules: Modules | Mapping[str, str] | None, text: str
) -> tuple[Module, Modules]:
    """The modules as they would be if the one that a header's function is in had another text."""
    others = lookup(module, modules)
    if not header.module:
        return parse_module(text, module.path, previous=module), others
    return module, lambda name: text if name == header.module else others(name)


def home_of(
    module: Module, header: Header, modules: Modules | Mapping[str, str] | None
) -> Module | None:
    """The module that the function of a header is in."""
    program = Program(module, lookup(module, modules))
    return program.module_of(f"{header.module}.{header.qualname}")


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
    home = home_of(module, header, modules)
    if not private and (home is None or header.qualname not in definitions(home)):
        gone = header.qualname
        yield report("PB403", at, function=qualname, source=source, name=name, primal=gone)
        return
    if found.edited and EDITED not in header.options:
        yield report("PB402", at, function=qualname, source=source, name=name)
    if private:
        return
    if _again(source_digest_in, module, header, modules) != header.source:
        primal = None if home is None else function_named(home, header.qualname)
        places = () if primal is None else (("primal", primal.name_span),)
        told = report(
            "PB401", at, function=qualname, places=places, name=name, primal=header.qualname
        )
        yield replace(
            told, related=tuple(replace(r, path=header.module or None) for r in told.related)
        )


T = TypeVar("T")


def _again(
    made: Callable[..., T],
    module: Module,
    header: Header,
    modules: Modules | Mapping[str, str] | None,
) -> T | None:
    """What `made` gives for all that the header asked for; None where that cannot be asked any longer."""
    options = dict(header.options)
    out = tuple(n for n in options.get("out", "").split(",") if n)
    try:
        return made(
            module,
            header.qualname,
            header.kind,
            _wrt(header),
            modules=modules,
            out=out,
            insert=inserted(header),
            name=options.get("name"),
            jit=options.get("jit"),
            of=header.module,
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
