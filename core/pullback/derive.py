"""Text in, text out: the derivative of a function as source. The entry that all others use.

    parse, lower -> infer -> reverse -> optimize -> emit

May not know: files beyond the `modules` it is given, the command line, LSP, NumPy.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from .analysis.facts import Facts
from .analysis.types import Type
from .derivation import Derivation, Looked, Watch
from .diagnostics import Diagnostic, report
from .ir import Function
from .lower import from_outside, inserted_code, scope_of
from .nesting import nested_derivative
from .program import Program
from .source.header import KINDS
from .source.module import Module, parse_module
from .source.project import Modules, default_modules
from .steps import OverBudget, counted
from .summaries import Seen
from .targets import UnknownTarget, outputs, place_of, wanted
from .written import Derived

T = TypeVar("T")
COMPILERS = ("numba",)


class UnknownInner(UnknownTarget):
    """The text does not tell what function another one makes at some place."""


def derive(
    source: str,
    func: str,
    kind: str = "grad",
    wrt: str | int | tuple[str | int, ...] | None = None,
    *,
    path: str | None = None,
    modules: Modules | Mapping[str, str] | None = None,
    out: str | tuple[str, ...] | None = None,
    insert: Mapping[str, str] | None = None,
    name: str | None = None,
    jit: str | None = None,
) -> Derived:
    """The derivative of function `func` (a qualified name) of the module text `source`.

    `wrt`: a parameter's name or position, a tuple of them, or "*"; None is the first. `modules` gives a
    module's text by dotted name; the default looks beside the file. `out` names variables whose values in
    the end are the outputs, instead of what is returned. `insert` gives code for the backward pass by the
    variable whose adjoint it is for, put behind each assignment of that, and in front of all for a parameter.
    `jit` names the compiler that the derivative is written for: "numba".
    Raises UnknownTarget for a function, parameter or variable that is not there, ValueError for a kind or
    compiler that is not known. Text that cannot be differentiated never raises: it is reported.
    """
    module = parse_module(source, path)
    return derive_in(
        module, func, kind, wrt, modules=modules, out=out, insert=insert, name=name, jit=jit
    )


def derive_in(
    module: Module,
    func: str,
    kind: str = "grad",
    wrt: str | int | tuple[str | int, ...] | None = None,
    *,
    modules: Modules | Mapping[str, str] | None = None,
    out: str | tuple[str, ...] | None = None,
    insert: Mapping[str, str] | None = None,
    name: str | None = None,
    jit: str | None = None,
    of: str = "",
    watch: Watch | None = None,
    given: tuple[Type, ...] = (),
    inside: int | None = None,
    captured: tuple[str, ...] = (),
) -> Derived:
    """`derive` for a module that is parsed already; `watch` is told what each pass made.

    `of` names the module that `func` is in where that is another than the derivative's. `given` are the types
    of the arguments, where what is called is known, too. With `inside`, a place of the text, it is the derivative
    of the function that `func` makes there; the first parameters of that derivative, and of a function that is
    one, are what was `captured`.
    """
    if kind not in KINDS:
        raise ValueError(f"{kind!r} is no kind of derivative: it is one of {', '.join(KINDS)}")
    if jit is not None and jit not in COMPILERS:
        raise ValueError(f"{jit!r} is no compiler that is known: it is {', '.join(COMPILERS)}")
    if inside is None:
        job = _job(module, func, kind, wrt, modules, name, out, insert, jit, of, captured)
    else:
        job = _job_inside(module, func, inside, kind, wrt, modules)
    job.watch, job.given = watch, given
    done = guarded(job.target, job.run)
    return done if isinstance(done, Derived) else Derived(None, (done,), name=job.target.name)


def problems_in(
    module: Module,
    func: str,
    kind: str,
    wrt: str | int | tuple[str | int, ...] | None = None,
    *,
    modules: Modules | Mapping[str, str] | None = None,
) -> Looked:
    """What stands in the way in `func` itself, found without writing the derivative."""
    job = _job(module, func, kind, wrt, modules, None)
    done = guarded(job.target, job.problems)
    return Looked((done,)) if isinstance(done, Diagnostic) else done


def still_seen(module: Module, seen: Seen, changed: frozenset[str], modules: Modules) -> bool:
    """Whether what was seen of a module's functions is to be seen in this version, where some of them changed."""
    return seen.holds(Program(module, modules, derived=nested_derivative), changed)


def facts_in(
    module: Module, func: str, *, modules: Modules | Mapping[str, str] | None = None
) -> Facts | None:
    """What is known of the expressions of a function, as it is written, where all its parameters vary."""
    job = _job(module, func, "vjp", "*", modules, None)
    done = guarded(job.target, job.as_written)
    return None if isinstance(done, Diagnostic) else done


def source_digest_in(
    module: Module,
    func: str,
    kind: str,
    wrt: str | int | tuple[str | int, ...] | None = None,
    *,
    modules: Modules | Mapping[str, str] | None = None,
    out: str | tuple[str, ...] | None = None,
    insert: Mapping[str, str] | None = None,
    name: str | None = None,
    jit: str | None = None,
    of: str = "",
) -> str | None:
    """The digest of all that the derivative would be made from; None where there is none."""
    job = _job(module, func, kind, wrt, modules, name, out, insert, jit, of)
    done = guarded(job.target, job.source_digest)
    return None if isinstance(done, Diagnostic) else done


def _job(
    module: Module,
    func: str,
    kind: str,
    wrt: str | int | tuple[str | int, ...] | None,
    modules: Modules | Mapping[str, str] | None,
    name: str | None,
    out: str | tuple[str, ...] | None = None,
    insert: Mapping[str, str] | None = None,
    jit: str | None = None,
    of: str = "",
    captured: tuple[str, ...] = (),
) -> Derivation:
    program = Program(module, lookup(module, modules), derived=nested_derivative)
    target = program.target(func, of)
    if target is None:
        raise UnknownTarget(f"no function {of}{'.' if of else ''}{func}")
    job = _job_of(program, target, kind, wrt, captured)
    job.wished, job.out = name, outputs(target, out)
    job.jit = jit or ""
    job.insert = dict(sorted((insert or {}).items()))
    for variable, code in job.insert.items():
        job.target = _with_insert(program, job.target, variable, code)
    return job


def _job_inside(
    module: Module,
    around: str,
    at: int,
    kind: str,
    wrt: str | int | tuple[str | int, ...] | None,
    modules: Modules | Mapping[str, str] | None,
) -> Derivation:
    program = Program(module, lookup(module, modules), derived=nested_derivative)
    found = program.made_in(around, at)
    if found is None:
        raise UnknownInner(f"{around} makes no function there that its text tells")
    return _job_of(program, found[0], kind, wrt, found[1])


def _job_of(
    program: Program,
    target: Function,
    kind: str,
    wrt: str | int | tuple[str | int, ...] | None,
    captured: tuple[str, ...],
) -> Derivation:
    asked = wanted(target, wrt, len(captured))
    alone = len(asked) == 1 and (isinstance(wrt, tuple) or wrt == "*")
    return Derivation(program, target, kind, asked, None, alone=alone, captured=captured)


def _with_insert(program: Program, fn: Function, variable: str, code: str) -> Function:
    home = program.module_of(f"{fn.module}.{fn.qualname}")
    assert home is not None
    made = inserted_code(home, fn, variable, code)
    if isinstance(made, str):
        raise UnknownTarget(f"{fn.name}: {made}")
    return from_outside(made, fn.module, scope_of(home), as_written=True) if fn.module else made


def guarded(target: Function, work: Callable[[], T]) -> T | Diagnostic:
    """What `work` gives; a mistake of ours is one report, for this function, and takes no editor down."""
    at, func = place_of(target), target.qualname
    try:
        with counted():
            return work()
    except RecursionError:
        return report("PB003", at, function=func, detail="nested too deeply")
    except OverBudget as e:
        return report("PB003", at, function=func, detail=str(e))
    except Exception as e:
        return report("PB002", at, function=func, detail=f"{type(e).__name__}: {e}")


def lookup(module: Module, modules: Modules | Mapping[str, str] | None) -> Modules:
    """How other modules are had: by default from beside the file."""
    if modules is None:
        return default_modules(module.path)
    if isinstance(modules, Mapping):
        return modules.get
    return modules


__all__ = [
    "COMPILERS",
    "KINDS",
    "Derived",
    "Looked",
    "UnknownInner",
    "UnknownTarget",
    "derive",
    "derive_in",
    "facts_in",
    "problems_in",
    "source_digest_in",
    "still_seen",
]
