"""A live derivative that is made again for what it is called with.

The general text asks when it runs what nothing in the module tells: whether an argument is a number or an
array, and which axes were stretched. A call tells it:

    f(w, 0.1, X)    w: (n,), a float, X: (m, n)

as a comment `# pullback: w: (n,), X: (m, n)` would; a list, a tuple and a dict are told from an array, too.
Lengths that are equal have one name, and a length of one is 1; the derivative that is made of that holds for
every call that agrees with it, and is kept for them.
Where it still asks for shapes when it runs (`z[:, :n]` may be as long as z), another one is made for the lengths
themselves.
What the types do not tell apart for certain (subclasses, arrays without axes, single precision among double)
is left to the general text.

May not know: how anything is derived or compiled.
"""

from __future__ import annotations

import functools
import inspect
import linecache
import types
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pullback.analysis.types import Dim, Type, fresh, scalar

Function = Callable[..., Any]
Again = Callable[
    [tuple[Type, ...]], "Function | None"
]  # the derivative for arguments of these types

MOST_TEXTS = 8  # signatures that a derivative is made again for
MOST_CALLS = 256  # combinations of shapes that are remembered

_NUMBERS: dict[type, str] = {float: "float", np.float64: "float", int: "int", bool: "bool"}
_WHOLE = {np.dtype(np.int64): "int", np.dtype(np.int32): "int", np.dtype(bool): "bool"}


def dispatching(
    made: types.FunctionType, params: int, wrt: tuple[str, ...], forward: bool, again: Again
) -> types.FunctionType:
    """`made`, the general derivative, and in its place what `again` gives for the arguments of a call.

    The first `params` parameters are the primal's; behind them are seeds, in `forward` mode one for each of `wrt`.
    """
    code = made.__code__
    if code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS):
        return made
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    table = _Table(made, names[:params], wrt, names[params:] if forward else (), again)
    dispatch = _compiled(made, names, table)
    functools.update_wrapper(dispatch, made)
    dispatch.__defaults__, dispatch.__kwdefaults__ = made.__defaults__, made.__kwdefaults__
    return dispatch


@dataclass
class _Table:
    """The functions that run for calls: `known` by what the arguments show, `texts` by their types."""

    general: Function
    params: tuple[str, ...]
    wrt: tuple[str, ...]
    tangents: tuple[str, ...]
    again: Again
    known: dict[tuple[Any, ...], Function] = field(default_factory=dict)
    texts: dict[tuple[Type, ...], Function] = field(default_factory=dict)
    asking: set[tuple[Type, ...]] = field(default_factory=set)  # whatever the lengths are

    def find(self, key: tuple[Any, ...], given: dict[str, Any]) -> Function:
        """What runs for a call that is not known yet."""
        if len(self.known) >= MOST_CALLS:
            self.known.clear()
        self.known[key] = run = self.made_for(given)
        return run

    def made_for(self, given: dict[str, Any]) -> Function:
        found = self.types(given)
        if found is None:
            return self.general
        run = self.text(found, self.general)
        if found in self.asking or not _asks_for_shapes(run):
            return run
        exact = self.types(given, exact=True)
        run = run if exact is None else self.text(exact, run)
        if _asks_for_shapes(run):
            self.asking.add(found)
        return run

    def text(self, found: tuple[Type, ...], otherwise: Function) -> Function:
        """The derivative for arguments of these types, or one that holds for more where there is none."""
        if found not in self.texts and len(self.texts) < MOST_TEXTS:
            self.texts[found] = self.again(found) or otherwise
        return self.texts.get(found, otherwise)

    def types(self, given: dict[str, Any], exact: bool = False) -> tuple[Type, ...] | None:
        """The types of the primal's arguments; None where tangents do not fit them."""
        primal = {n: given[n] for n in self.params}
        moved = {**primal, **{w: given[t] for w, t in zip(self.wrt, self.tangents)}}
        types = argument_types(primal, self.wrt, exact)
        return types if argument_types(moved, self.wrt, exact) == types else None


def _asks_for_shapes(f: Function) -> bool:
    """Whether its text undoes broadcasts that only the shapes at hand show."""
    return "def _unbroadcast" in f.__dict__["source"]


def argument_types(
    given: dict[str, Any], wrt: tuple[str, ...], exact: bool = False
) -> tuple[Type, ...] | None:
    """The types of the arguments `given` by name; None where they say nothing that is certain.

    Lengths are names, or numbers where they are `exact`; an array without elements tells no number.
    """
    if not _of_one_precision([*given.values()]):
        return None
    lengths: dict[int, Dim] = {1: Dim("", 1)}
    if exact:
        arrays = (v for v in given.values() if isinstance(v, np.ndarray))
        lengths |= {n: Dim("", n) for v in arrays for n in v.shape if n}
    told = tuple(_type(n, value, n in wrt, lengths) for n, value in given.items())
    return told if any(t.kind != "any" for t in told) else None


def _of_one_precision(values: list[Any]) -> bool:
    """Whether all that is floating is double, or all arrays are of single precision."""
    kinds = {v.dtype for v in values if isinstance(v, (np.ndarray, np.generic))}
    kinds |= {np.dtype(complex) for v in values if isinstance(v, complex)}
    inexact = {k for k in kinds if k.kind not in "iub"}
    return inexact <= {np.dtype(np.float64)} or inexact <= {np.dtype(np.float32)}


def _type(name: str, value: Any, differentiated: bool, lengths: dict[int, Dim]) -> Type:
    """The type of the argument for `name`; `lengths` has the names of lengths so far."""
    kind = type(value)
    if kind is np.ndarray and value.ndim:
        dims = tuple(lengths.setdefault(n, Dim(f"{name}.{k}")) for k, n in enumerate(value.shape))
        if value.dtype.kind == "f":
            return Type("array", dims, "float")
        if value.dtype in _WHOLE:  # what is differentiated counts as real
            return Type("array", dims, "any" if differentiated else _WHOLE[value.dtype])
    elif kind in (list, tuple, dict):
        return Type(kind.__name__)
    elif kind in _NUMBERS and not (differentiated and _NUMBERS[kind] != "float"):
        return scalar(_NUMBERS[kind], Dim(name)) if kind is int else scalar(_NUMBERS[kind])
    return Type("any", fresh(name))


# --- the function that looks at its arguments ------------------------------------------------------

_KEY = (
    "{0}.shape if ({m}of := {m}type({0})) is {m}ndarray and {0}.dtype is {m}double "
    "else ({0}.dtype, {0}.shape) if {m}of is {m}ndarray else {m}of"
)
_TEXT = """\
def {m}make({m}known, {m}find, {m}type, {m}ndarray, {m}double):
    def {name}{signature}:
        {m}key = ({keys},)
        {m}run = {m}known.get({m}key)
        if {m}run is None:
            {m}run = {m}find({m}key, {{{given}}})
        return {m}run({passed})
    return {name}
"""


def _compiled(
    made: types.FunctionType, names: tuple[str, ...], table: _Table
) -> types.FunctionType:
    """A function with the parameters of `made` that calls what `table` has for its arguments."""
    mark = "_"  # no parameter begins with it
    while any(n.startswith(mark) for n in names):
        mark += "_"
    only = names[made.__code__.co_argcount :]
    text = _TEXT.format(
        m=mark,
        name=made.__name__,
        signature=_bare(inspect.signature(made)),
        keys=", ".join(_KEY.format(n, m=mark) for n in names),
        given=", ".join(f"{n!r}: {n}" for n in names),
        passed=", ".join(f"{n}={n}" if n in only else n for n in names),
    )
    filename = made.__code__.co_filename.removesuffix(">") + ", by its arguments>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    space: dict[str, Any] = {}
    exec(compile(text, filename, "exec", dont_inherit=True), space)
    make = space[f"{mark}make"]
    function = make(table.known, table.find, type, np.ndarray, np.dtype(np.float64))
    assert isinstance(function, types.FunctionType)
    return function


def _bare(signature: inspect.Signature) -> str:
    """Parameters as text, without annotations, and None in the place of what is their default."""
    empty = inspect.Parameter.empty
    return str(
        inspect.Signature(
            [
                p.replace(annotation=empty, default=empty if p.default is empty else None)
                for p in signature.parameters.values()
            ]
        )
    )
