"""Derivatives of live functions: `grad(f)` and its kin.

The function's file is read as text and derived; the generated text is compiled into a function that
sees the primal's globals. Its lines are registered with `linecache`, so that tracebacks, pdb and
profilers show them, and what it was made from is kept, so that it can be differentiated again.

May not know: how anything is derived, the command line.
"""

from __future__ import annotations

import ast
import functools
import inspect
import linecache
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import combinations, count
from pathlib import Path
from typing import Any

from pullback.analysis.declared import parameter_vals
from pullback.analysis.types import Type
from pullback.cells import completed
from pullback.derive import Derived, UnknownInner, derive_in
from pullback.diagnostics import Diagnostic, report
from pullback.files import other
from pullback.ir import Span
from pullback.lower import lower_function
from pullback.output import line_of, locate
from pullback.program import Program
from pullback.source.module import parse_module
from pullback.source.project import default_modules
from pullback.source.text import Lines
from pullback.stage import stage_text
from pullback.transform.request import FORWARD

Function = Callable[..., Any]
Wrt = str | int | tuple[str | int, ...] | None

_numbers = count(1)


class DerivationError(Exception):
    """A function cannot be differentiated; `diagnostics` say where and why, and so does the message."""

    def __init__(self, message: str, diagnostics: tuple[Diagnostic, ...] = ()) -> None:
        super().__init__(message)
        self.diagnostics = diagnostics


@dataclass(frozen=True)
class _Origin:
    """The module's text that a function stands in, and what the text names but the globals do not."""

    text: str
    path: str | None
    qualname: str
    shown: str  # what tracebacks call the text
    names: dict[str, Any] = field(default_factory=dict)
    inside: int | None = None  # where `qualname` makes the function, if that makes it
    cells: tuple[tuple[str, types.CellType], ...] = ()  # what the first parameters stand for


def grad(f: Function, wrt: Wrt = None) -> Function:
    """The gradient of a scalar function, as a function with its parameters."""
    return _derivative(f, "grad", wrt, again=True)


def value_and_grad(f: Function, wrt: Wrt = None) -> Function:
    """`(value, gradient)` of a scalar function, as a function with its parameters."""
    return _derivative(f, "value_and_grad", wrt, again=True)


def vjp(f: Function, wrt: Wrt = None) -> Function:
    """The cotangents of `wrt`: a function of f's parameters and the cotangents of its outputs."""
    return _derivative(f, "vjp", wrt, again=True)


def jvp(f: Function, wrt: Wrt = None) -> Function:
    """Value and tangent: a function of f's parameters and the tangents of `wrt`."""
    return _derivative(f, "jvp", wrt, again=True)


def hvp(f: Function, wrt: Wrt = None) -> Function:
    """Hessian times vector of a scalar function: a function of f's parameters and a vector for each of `wrt`."""
    return _derivative(f, "hvp", wrt, again=True)


def jacobian(f: Function, wrt: Wrt = None) -> Function:
    """The Jacobian: a dense array for each output and each of `wrt`, the output's axes first."""
    return derivative(f, "jacobian", wrt)


def sparse_jacobian(f: Function, wrt: Wrt = None) -> Function:
    """Entries of the Jacobian: a function of f's parameters and the rows and columns of what is not zero."""
    return derivative(f, "sparse_jacobian", wrt)


def hessian(f: Function, wrt: Wrt = None) -> Function:
    """The Hessian of a scalar function: a dense array for each two of `wrt`."""
    return derivative(f, "hessian", wrt)


def stage(f: Function, backend: str) -> Function:
    """`f` on a backend ("jax", "tensorflow", "numba"), which has to be installed; its `source` says what it is."""
    primal = inspect.unwrap(f)
    if not inspect.isfunction(primal):
        raise TypeError(f"stage needs a function written in Python, and {f!r} is none")
    origin = _origin(primal)
    if origin.inside is not None or origin.cells:
        raise _nested(primal, origin.text, origin.shown)
    staged = stage_text(origin.text, origin.qualname, backend, path=origin.path)
    if staged.source is None:
        raise DerivationError(_told("staged form", origin, staged.diagnostics), staged.diagnostics)
    function: Function = _laid(primal, origin, staged)[0][staged.name]
    function.source = staged.source  # type: ignore[attr-defined]
    return function


def derivative(f: Function, kind: str, wrt: Wrt = None) -> Function:
    """The derivative of `f` of any kind, running its `source`; raises DerivationError where it has none."""
    return _derivative(f, kind, wrt, again=False)


def _derivative(f: Function, kind: str, wrt: Wrt, *, again: bool) -> Function:
    """The derivative of `f`; with `again` it is made again for what it is called with."""
    if inspect.ismethod(f):
        bound = _derivative(f.__func__, kind, wrt, again=again)
        return types.MethodType(bound, f.__self__)
    primal = _unwrapped(f)
    if not inspect.isfunction(primal):
        raise TypeError(f"{kind} needs a function written in Python, and {f!r} is none")
    origin = _origin(primal)
    if origin.cells:  # the derivative of a nested function, which gets them
        primal = primal.__dict__["__wrapped__"]
    try:
        derived = _derived(origin, kind, wrt)
    except UnknownInner:
        raise _nested(primal, origin.text, origin.shown) from None
    if derived.source is None:
        raise DerivationError(_told(kind, origin, derived.diagnostics), derived.diagnostics)
    made = _compiled(primal, origin, derived)
    if derived.captured:
        return _with_cells(made, primal, origin, derived.captured)
    if again:
        made = _by_arguments(made, primal, origin, derived, kind, wrt)
    if _written(origin):
        return _guarded(made, primal.__name__)
    return made


def _unwrapped(f: Function) -> Any:
    """The function behind wrappers, but for what a nested function captures."""
    return inspect.unwrap(f, stop=lambda g: bool(getattr(_known(g), "cells", ())))


def _known(f: Any) -> _Origin | None:
    known = getattr(f, "__pullback__", None)
    return known if isinstance(known, _Origin) else None


def _derived(origin: _Origin, kind: str, wrt: Wrt, given: tuple[Type, ...] = ()) -> Derived:
    module = parse_module(origin.text, origin.path)
    captured = tuple(name for name, _ in origin.cells)
    return derive_in(
        module,
        origin.qualname,
        kind,
        wrt,
        given=given,
        inside=origin.inside,
        captured=captured,
    )


# --- from a function to its text -------------------------------------------------------------------


def _origin(f: types.FunctionType) -> _Origin:
    known = _known(f)
    if known is not None:
        return known
    path = f.__code__.co_filename
    linecache.checkcache(path)
    text = "".join(linecache.getlines(path, f.__globals__))
    if not text:
        raise _no_source(f)
    _require_same(f, text, path)
    around, local, name = f.__qualname__.rpartition(".<locals>.")
    qualname = around.replace(".<locals>", "") if local else name
    inside = _place(f, text) if local else None
    if "<lambda>" in qualname or (local and inside is None):
        raise _nested(f, text, path)
    if Path(path).exists():
        return _Origin(text, path, qualname, path, inside=inside)
    return _Origin(completed(text, f.__globals__), None, qualname, path, inside=inside)


def _place(f: types.FunctionType, text: str) -> int | None:
    """Where in the text a nested function is made; None where lines alone do not tell which lambda it is."""
    lines, code = Lines(text), f.__code__
    start, end = lines.bounds(code.co_firstlineno - 1)
    line = text[start:end]
    if f.__name__ != "<lambda>":
        return start + len(line) - len(line.lstrip())
    if not hasattr(code, "co_positions"):  # Python 3.10
        return start + line.index("lambda") if line.count("lambda") == 1 else None
    places = [(row, column) for row, _, column, stop in code.co_positions() if row and stop]
    if not places:
        return None
    row, column = places[-1]  # of an expression of its own: what stands before it is inside
    start, end = lines.bounds(row - 1)
    return start + len(text[start:end].encode()[:column].decode()) - 1


def _nested(f: types.FunctionType, text: str, path: str) -> DerivationError:
    start, end = Lines(text).bounds(f.__code__.co_firstlineno - 1)
    start += len(text[start:end]) - len(text[start:end].lstrip())
    found = (report("PB108", Span(start, end), function=f.__qualname__, name=f.__name__),)
    return DerivationError(
        _told("derivative", _Origin(text, path, f.__qualname__, path), found), found
    )


def _require_same(f: types.FunctionType, text: str, path: str) -> None:
    """Refuses a text that is not what the running function was compiled from."""
    if "@pytest_ar" in f.__code__.co_names:
        return  # pytest compiles functions with assertions in its own way
    try:
        whole = compile(text, path, "exec", _future_flags(f.__code__), dont_inherit=True)
    except SyntaxError:
        whole = None
    if whole is not None and any(code == f.__code__ for code in _codes(whole)):
        return
    if not Path(path).exists():
        raise _no_source(f)
    raise DerivationError(
        f"{path} has changed since {f.__qualname__} was made from it; import it again"
    )


def _no_source(f: types.FunctionType) -> DerivationError:
    path = f.__code__.co_filename
    return DerivationError(f"the source of {f.__qualname__} cannot be found ({path})")


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield constant
            yield from _codes(constant)


def _told(kind: str, origin: _Origin, found: tuple[Diagnostic, ...]) -> str:
    errors = sorted((d for d in found if d.severity == "error"), key=lambda d: d.span.start)
    places = locate(errors, origin.shown, origin.text, lambda path: other(path, origin.path))
    lines = "\n".join(f"  {line_of(item)}" for item in places)
    return f"no {kind} of {origin.qualname}:\n{lines}"


def _by_arguments(
    made: types.FunctionType,
    primal: types.FunctionType,
    origin: _Origin,
    general: Derived,
    kind: str,
    wrt: Wrt,
) -> types.FunctionType:
    """`made`, or the derivative for the types of the arguments, made when they are first seen."""
    from pullback.dispatch import dispatching

    def again(given: tuple[Type, ...]) -> types.FunctionType | None:
        derived = _derived(origin, kind, wrt, given)
        return None if derived.source is None else _compiled(primal, origin, derived)

    code = primal.__code__
    params = code.co_argcount + code.co_kwonlyargcount
    return dispatching(made, params, general.wrt, kind in FORWARD, again)


# --- from text to a function -----------------------------------------------------------------------


def _compiled(primal: types.FunctionType, origin: _Origin, derived: Derived) -> types.FunctionType:
    """The function that `derived` describes, over the primal's globals, which stay as they are.

    The generated statements become the body of a maker whose local names are the helpers, so that two
    derivatives never share one by accident. The text is laid behind the module's own, line for line.
    """
    made, where = _laid(primal, origin, derived)
    function = made[derived.name]
    if isinstance(function, (staticmethod, classmethod)):
        function = function.__func__
    assert isinstance(function, types.FunctionType)
    _dress(function, primal)
    function.__dict__["source"] = derived.source
    text, filename = where
    names_now = {**origin.names, **made}
    function.__dict__["__pullback__"] = _Origin(
        text, origin.path, derived.name, filename, names_now
    )
    return function


def _laid(
    primal: types.FunctionType, origin: _Origin, derived: Derived
) -> tuple[dict[str, Any], tuple[str, str]]:
    """What a generated text binds, and the text of the module with it and what that is called."""
    assert derived.source is not None
    before = origin.text.rstrip() + "\n\n\n"
    text = before + derived.source.rstrip() + "\n"
    filename = f"<pullback {next(_numbers)}: {derived.name}>"
    body = ast.parse(derived.source)
    ast.increment_lineno(body, before.count("\n"))
    names = _bound(body)
    maker = _maker(body.body, tuple(origin.names), names)
    flags = _future_flags(primal.__code__)
    code = compile(maker, filename, "exec", flags, dont_inherit=True)
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    space: dict[str, Any] = {}
    exec(code, primal.__globals__, space)
    made: dict[str, Any] = space["make"](**origin.names)
    return made, (text, filename)


def _maker(body: list[ast.stmt], given: tuple[str, ...], names: tuple[str, ...]) -> ast.Module:
    """`def make(<given>): <body>; return {"name": name, …}` around trees that keep their positions."""
    shell = ast.parse(f"def make({', '.join(given)}): return {{}}")
    function = shell.body[0]
    assert isinstance(function, ast.FunctionDef)
    result = ast.parse(f"return_ = {{{', '.join(f'{n!r}: {n}' for n in names)}}}").body[0]
    assert isinstance(result, ast.Assign)
    function.body = [*body, ast.Return(result.value)]
    return ast.fix_missing_locations(shell)


def _bound(module: ast.Module) -> tuple[str, ...]:
    """The names that a generated text binds: imports, helpers, the derivative."""
    names: list[str] = []
    for node in module.body:
        if isinstance(node, ast.FunctionDef):
            names.append(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            names += [a.asname or a.name.partition(".")[0] for a in node.names]
    return tuple(dict.fromkeys(names))


def _future_flags(code: types.CodeType) -> int:
    import __future__

    features = (getattr(__future__, name) for name in __future__.all_feature_names)
    return sum({f.compiler_flag for f in features if code.co_flags & f.compiler_flag})


def _dress(function: types.FunctionType, primal: types.FunctionType) -> None:
    """The module and the name of the primal, and its default values as they are now."""
    prefix = primal.__qualname__.rpartition(".")[0]
    function.__module__ = primal.__module__
    function.__qualname__ = f"{prefix}.{function.__name__}" if prefix else function.__name__
    if function.__defaults__ is not None:
        function.__defaults__ = primal.__defaults__
    if function.__kwdefaults__ is not None:
        function.__kwdefaults__ = primal.__kwdefaults__


# --- what a nested function captures ---------------------------------------------------------------


def _with_cells(
    made: types.FunctionType, primal: types.FunctionType, origin: _Origin, captured: tuple[str, ...]
) -> Function:
    """`made` without its first parameters: what they stand for is looked up when it is called, as Python does."""
    found = ((n, _cell(primal, n)) for n in captured)
    cells = origin.cells or tuple((n, cell) for n, cell in found if cell is not None)
    if len(cells) < len(captured):
        raise _nested(primal, origin.text, origin.shown)

    @functools.wraps(made)
    def called(*args: Any, **kwargs: Any) -> Any:
        return made(*(cell.cell_contents for _, cell in cells), *args, **kwargs)

    own = inspect.signature(made)
    params = [*own.parameters.values()][len(cells) :]
    called.__dict__["__signature__"] = own.replace(parameters=params)
    called.__dict__["__pullback__"] = replace(made.__dict__["__pullback__"], cells=cells)
    return called


def _cell(f: types.FunctionType, name: str) -> types.CellType | None:
    """The cell of a variable that `f` captures, or a function that it captures."""
    cells = dict(zip(f.__code__.co_freevars, f.__closure__ or ()))
    if name in cells:
        return cells[name]
    held = (c.cell_contents for n, c in cells.items() if n != f.__name__)
    found = (_cell(g, name) for g in held if inspect.isfunction(g))
    return next((c for c in found if c is not None), None)


# --- the assumption on memory, at the call ---------------------------------------------------------


def written_parameters(f: Function) -> tuple[str, ...]:
    """The parameters that `f` writes into, in the order of its signature."""
    primal = _unwrapped(f)
    return _written(_origin(primal)) if inspect.isfunction(primal) else ()


def _written(origin: _Origin) -> tuple[str, ...]:
    module = parse_module(origin.text, origin.path)
    program = Program(module, default_modules(origin.path))
    fn = lower_function(module, origin.qualname)
    if origin.inside is not None:
        inner = program.made_in(origin.qualname, origin.inside)
        fn = None if inner is None else inner[0]
    if fn is None:
        return ()
    written = program.facts(fn, parameter_vals(fn, ())).written
    return tuple(p.name for p in fn.params if p.name in written)


def _guarded(function: types.FunctionType, primal: str) -> Function:
    """`function`, refusing array arguments that overlap: its primal writes to one of them."""
    import numpy as np

    signature = inspect.signature(function)

    @functools.wraps(function)
    def checked(*args: Any, **kwargs: Any) -> Any:
        given = signature.bind(*args, **kwargs).arguments
        arrays = [(n, a) for n, a in given.items() if isinstance(a, np.ndarray)]
        for (n, a), (m, b) in combinations(arrays, 2):
            if np.may_share_memory(a, b) and np.shares_memory(a, b):
                raise ValueError(
                    f"{n} and {m} share memory, and {primal} writes to its arguments; pass a copy"
                )
        return function(*args, **kwargs)

    return checked
