"""A derivation's results as text: under headers that keep them in step, with helpers and private derivatives.

    the derivative and the private ones, optimized -> emitted -> under their headers

May not know: how a derivative is made, files, the command line, LSP, NumPy.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from .analysis.declared import type_word
from .analysis.types import Type
from .diagnostics import Diagnostic
from .emit import Emitted, Spelling, emit_function, indentation, respelled
from .ir import Function, Span
from .ir.marks import without_marks
from .lower import defined_around, definitions, scope_of, with_absolute_signature
from .lower.marked import placed_comments
from .nested import Private
from .source.digest import digest, digest_of
from .source.header import Header, format_header, insert_option
from .source.module import parse_module
from .staging.compiled import NJIT, compiled
from .staging.lacking import lacking
from .support import helper_names, helper_texts, indented, renamed, with_helpers
from .targets import diagnostic, place_of
from .transform.finish import called_helpers, calls_of_helpers, optimized
from .transform.request import Request, Reversed

if TYPE_CHECKING:
    from .derivation import Derivation

PRIVATE = (("private", "yes"),)  # in the header of a private derivative
DIRECTIONS = (("directions", "several"),)  # in that of one whose tangents have an axis for them
SILENT = ("differentiable", "ignore", "example")  # comments that change nothing that is generated
TUPLE = (("tuple", "yes"),)  # one name, but the derivative gives a tuple


@dataclass(frozen=True)
class Derived:
    """A derivative as text.

    source       what runs when appended to the module: imports, helpers, private derivatives, the function;
                 None where it cannot be derived
    diagnostics  what stands in the way, or is to be known
    source_map   for each line of `source` the span of the primal that it comes from
    function     the derivative alone, under its header; `helpers` and `imports` are what it needs
    name         what the derivative is called, or would be
    wrt          the parameters that it is taken with respect to
    captured     the variables around a nested function that its derivative has for its first parameters
    """

    source: str | None
    diagnostics: tuple[Diagnostic, ...]
    source_map: tuple[Span | None, ...] = ()
    name: str = ""
    header: str = ""
    imports: tuple[str, ...] = ()
    helpers: tuple[tuple[str, str], ...] = ()
    function: str = ""
    wrt: tuple[str, ...] = ()
    captured: tuple[str, ...] = ()


def text_of(job: Derivation, fn: Function, spell: Spelling) -> Emitted:
    """The text of a function as the file at hand writes it."""
    home = job.program.module_of(f"{fn.module}.{fn.qualname}")
    if fn.module and home is not None:
        fn = with_absolute_signature(fn, fn.module, scope_of(home))
    return emit_function(fn, "" if home is None else home.text, header=None, spell=spell)


def emitted(job: Derivation, request: Request, made: Reversed, privates: list[Private]) -> Derived:
    """The derivative as text, with the helpers and private derivatives that it needs above it."""
    module = job.program.module
    spell = job.program.spelling()
    assert made.fn is not None
    main = finished(job, made, request, job.show)
    privates = [*still_called(job, [main, *(p.made.fn for p in privates)]), *privates]
    ended = [(p, finished_private(job, p)) for p in privates]
    needed: set[str] = set()
    for f in (made, *(p.made for p in privates)):
        needed |= {*f.helpers, *called_helpers(f.fn)}
    if job.jit:
        functions = [(job.target, main), *((p.callee, fn) for p, fn in ended)]
        needed = {name for _, fn in functions for name in called_helpers(fn)}
        if uncompiled(job, functions):
            return Derived(None, tuple(job.found), name=request.name)
    names = helper_names([n for n, _ in helper_texts(needed)], module)
    main = decorated(job, with_helpers(main, names), spell)
    body = text_of(job, main, spell)
    helpers = [(fn.name, private_text(job, p, fn, spell, names)) for p, fn in ended]
    step, _ = indentation(job.target, "" if job.target.module else module.text)
    plain = [
        (names.get(n, n), indented(renamed(respelled(text, spell), names), step))
        for n, text in helper_texts(needed)
    ]
    header = header_of(job, request, body.text, privates)
    function = f"{header}\n{body.text}"
    parts = ([*spell.missing] and ["\n".join(spell.missing)]) or []
    all_helpers = (*plain, *helpers)
    parts += [text.strip("\n") for _, text in all_helpers] + [function.strip("\n")]
    source = "\n\n\n".join(parts) + "\n"
    function_map: tuple[Span | None, ...] = (None, *body.lines)
    above: list[Span | None] = [None] * (source.count("\n") - len(function_map))
    return Derived(
        source,
        tuple(job.remarks),
        (*above, *function_map),
        request.name,
        header,
        tuple(spell.missing),
        tuple(all_helpers),
        function,
        request.wrt,
        job.captured,
    )


def still_called(job: Derivation, functions: list[Function | None]) -> list[Private]:
    """The private derivatives whose values, not only tangents, the function needs: those of the gradient, and
    the derivatives that the primal takes."""
    known = earlier(job)
    found: dict[str, Private] = {}
    todo = [name for f in functions for name in sorted(calls_of_helpers(f))]
    while todo:
        name = todo.pop(0)
        if name in known and name not in found:
            found[name] = known[name]
            todo += sorted(calls_of_helpers(known[name].made.fn))
    return [*found.values()]


def reached(made: Reversed | None, privates: list[Private]) -> list[Private]:
    """Those of the private derivatives that are called, by others too."""
    known = {p.made.fn.name: p for p in privates if p.made.fn is not None}
    found: dict[str, Private] = {}
    todo = [made.fn] if made is not None else []
    while todo:
        for name in sorted(calls_of_helpers(todo.pop(0))):
            if name in known and name not in found:
                found[name] = known[name]
                todo.append(known[name].made.fn)
    return [*found.values()]


def earlier(job: Derivation) -> dict[str, Private]:
    """The private derivatives that were made before the one at hand, by name."""
    every = (*job.program.nested.privates(), *job.firsts)
    return {p.made.fn.name: p for p in every if p.made.fn is not None}


def finished(
    job: Derivation,
    made: Reversed,
    request: Request,
    watch: Callable[[str, Function], None] = lambda name, fn: None,
) -> Function:
    """A derivative as it is shown: optimized, and in the words of the compiler that it is for."""
    assert made.fn is not None
    fn = without_marks(made.fn)
    plain = optimized(fn, request, watch, harmless=job.harmless, narrow=made.narrow)
    return compiled(plain) if job.jit else plain


def finished_private(job: Derivation, private: Private) -> Function:
    fn = private.made.fn
    assert fn is not None
    return finished(job, private.made, Request(private.wanted.kind, (), fn.name, private=True))


def decorated(job: Derivation, fn: Function, spell: Spelling) -> Function:
    """`fn` under the decorator of the compiler that it is for."""
    return replace(fn, decorators=(*fn.decorators, spell(NJIT))) if job.jit else fn


def uncompiled(job: Derivation, functions: list[tuple[Function, Function]]) -> bool:
    """Whether the compiler lacks something that derivatives need, each beside its function; it is reported."""
    for of, fn in functions:
        problems = lacking(fn, place_of(of), job.program.function)
        job.found += [diagnostic(p, of, job.source()) for p in problems]
    return bool(job.found)


def private_text(
    job: Derivation, private: Private, fn: Function, spell: Spelling, names: dict[str, str]
) -> str:
    wanted, callee = private.wanted, private.callee
    made = decorated(job, replace(with_helpers(fn, names), qualname=fn.name), spell)
    body = text_of(job, made, spell).text
    options = private_options(private.made.types, job.jit, wanted.many)
    own = original(job, private)
    home = job.program.module_of(f"{own.module}.{own.qualname}")
    found = None if home is None else defined_around(home, own.qualname)
    # one that was made here itself is as old as what it was made from
    source = made_from(job, []) if found is None else digest(found.node)
    header = Header(wanted.kind, callee.qualname, callee.module, wanted.params, options, source)
    return f"{format_header(replace(header, body=body_digest(body)))}\n{body}"


def original(job: Derivation, private: Private) -> Function:
    """The user's function that a private derivative comes from, be it by way of others."""
    known = earlier(job)
    while (under := known.get(private.wanted.fn.removeprefix("<helper>."))) is not None:
        private = under
    return private.callee


def made_from(job: Derivation, privates: list[Private]) -> str:
    """The digest of the function, of those that it calls, and of what its comments say."""
    home = job.program.module_of(f"{job.target.module}.{job.target.qualname}")
    own = None if home is None else defined_around(home, job.target.qualname)
    assert own is not None
    parts = [digest(own.node)]
    comments = [said for said, _ in job.target.pragmas if not said.startswith(SILENT)]
    comments += placed_comments(job.target)
    called = {p.wanted.fn for p in privates if not p.wanted.product}
    for nested in job.program.nested.made.values():
        called |= nested.sources
    for fn in sorted({*called, *job.before, *job.inlined, *job.ruled}):
        at = job.program.place(fn)
        found = None if at is None else definitions(at.module).get(at.name)
        if found is not None:
            parts.append(digest(found.node))
        marked = job.program.function(fn)
        comments += [] if marked is None else placed_comments(marked)
    return digest_of([*parts, *comments])


def header_of(job: Derivation, request: Request, body: str, privates: list[Private]) -> str:
    """The line above a derivative, that ties it to its function."""
    source = made_from(job, privates)
    named = () if job.wished is None else (("name", job.wished),)
    outputs = (("out", ",".join(job.out)),) if job.out else ()
    alone = TUPLE if job.alone else ()
    inserts = insert_option(job.insert)
    jit = jit_option(job.jit)
    options = (*named, *outputs, *inserts, *alone, *jit, *argument_options(job.given))
    of = job.target.qualname
    header = Header(
        request.kind,
        of,
        job.target.module,
        request.wrt,
        options,
        source,
        body_digest(body),
    )
    return format_header(header)


def body_digest(text: str) -> str:
    """The digest of a generated function's text."""
    made = next((c.tree for c in parse_module(text).chunks if c.tree), None)
    return digest(made[-1]) if made else ""


def private_options(types: tuple[Type, ...], jit: str, many: bool) -> tuple[tuple[str, str], ...]:
    """What the header of a private derivative says: also the types of the arguments it was made for."""
    return (*PRIVATE, *(DIRECTIONS if many else ()), *jit_option(jit), *argument_options(types))


def jit_option(jit: str) -> tuple[tuple[str, str], ...]:
    """The compiler that a derivative is for, where it is for one."""
    return (("jit", jit),) if jit else ()


def argument_options(types: tuple[Type, ...]) -> tuple[tuple[str, str], ...]:
    """The types of the arguments that a derivative was made for, where they are known."""
    words = [type_word(t) for t in types]
    return () if set(words) <= {"any"} else (("args", ",".join(words)),)
