"""Sparse Jacobians: the entries at given places, of several columns with each tangent.

Columns that have no row in common are told apart in the sum of them (Curtis, Powell and Reid):

    entries = np.zeros(len(rows), dtype=np.result_type(x, 0.0))
    for group in _groups(rows, columns):
        x_dot = np.zeros_like(x)
        x_dot[columns[group]] = 1.0
        _, column = _f_jvp(x, x_dot)
        entries[group] = column[rows[group]]
    x_dot = np.cos(np.arange(np.size(x))).reshape(np.shape(x)).astype(entries.dtype)
    _, column = _f_jvp(x, x_dot)
    _check_entries(entries, rows, columns, x_dot, column)
    return entries

or several rows with each cotangent, where the text shows that the output has fewer elements. Arrays of other ranks
count their elements in one row, as `np.ravel` does.

May not know: text, modules, how the products are made.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..analysis.facts import Facts, Problem
from ..analysis.types import Type, floating
from ..ir import (
    Assign,
    Call,
    Const,
    Expr,
    ExprStmt,
    For,
    Function,
    Name,
    Return,
    Span,
    Stmt,
    Tuple,
)
from .dense import COLUMNS, Dense, Products, of, parameter, problems_of
from .naming import Namer, names_of, plain_name
from .request import Request, Reversed
from .signature import signed


def sparse(
    fn: Function,
    facts: Facts,
    request: Request,
    products: Products,
    taken: set[str],
    by: str,
    written: set[str],
) -> Reversed:
    """The entries of the Jacobian of `fn` at the places that its last parameters give."""
    problems = problems_of(fn, facts, request, complex_output=False)
    problems = problems or _problems(fn, facts, request)
    if problems:
        return Reversed(None, problems)
    namer = Namer(names_of(fn) | taken | {request.name})
    made = Dense(fn, facts, request, products, namer, written)
    places = made.name("rows"), made.name("columns")
    body = _by_columns(made, *places) if by == COLUMNS else _by_rows(made, *places)
    seeds = tuple(p.id for p in places)
    return Reversed(signed(fn, request, seeds, tuple(body)), (), ("_check_entries", "_groups"))


def _problems(fn: Function, facts: Facts, request: Request) -> tuple[Problem, ...]:
    """What has more than one array of entries."""
    at = fn.name_span or fn.origin or Span(0, 0)
    several = ""
    if len(request.wrt) > 1 or request.alone:
        several = "more than one parameter"
    elif facts.returned is not None and facts.returned.type.kind == "tuple":
        several = "more than one output"
    told = (("construct", f"{several} in a sparse Jacobian"),)
    return (Problem("PB110", at, told, fn.module),) if several else ()


def _by_columns(made: Dense, rows: Name, columns: Name) -> list[Stmt]:
    [w] = made.request.wrt
    seed, column = made.name(f"{w}_dot"), made.name("column")
    product = made.call(made.products.product("jvp", (w,)), seed)
    taken = Assign((Tuple((Name("_"), column)),), product, made=True)
    moved = _Axis(Name(w), parameter(made.facts, w), columns)
    return _collected(made, seed, taken, moved, _Axis(column, _output(made), rows))


def _by_rows(made: Dense, rows: Name, columns: Name) -> list[Stmt]:
    [w] = made.request.wrt
    value, row = made.name("value"), made.name("row")
    seed = made.name(f"{plain_name(made.fn)}_bar")
    taken = Assign((row,), made.call(made.products.product("vjp", (w,)), seed), made=True)
    moved = _Axis(value, _output(made), rows)
    read = _Axis(row, parameter(made.facts, w), columns)
    return [
        Assign((value,), made.primal(), made=True),
        *_collected(made, seed, taken, moved, read),
    ]


def _output(made: Dense) -> Type:
    return made.facts.returned.type if made.facts.returned is not None else Type()


@dataclass(frozen=True)
class _Axis:
    """One side of the matrix: an array of that side's elements, and where the entries are in it."""

    array: Name
    type: Type
    places: Name

    def flat(self, array: Name) -> Expr:
        """An array of the same shape, as one row that can be written."""
        return array if self.type.rank() == 1 else Call("attr.flat", (array,))

    def at(self, group: Name) -> Expr:
        return Call("operator.getitem", (self.places, group))


def _collected(made: Dense, seed: Name, taken: Stmt, moved: _Axis, read: _Axis) -> list[Stmt]:
    """The entries, group by group: `seed` is one along each of a group, and what is `taken` has the sum of all.

    At last one product along all is held against them: it tells of entries that nobody gave a place.
    """
    entries, group = made.name("entries"), made.name("group")
    x, floats = moved.array, floating(moved.type.dtype)
    zeros = "np.zeros_like(x)" if floats else "np.zeros_like(x, dtype=entries.dtype)"
    ones = Call("operator.getitem", (moved.flat(seed), moved.at(group)))
    got = read.array if read.type.rank() == 1 else of("np.ravel(found)", found=read.array)
    turn = (
        Assign((seed,), of(zeros, x=x, entries=entries), made=True),
        Assign((ones,), Const(1.0), made=True),
        taken,
        Assign(
            (Call("operator.getitem", (entries, group)),),
            Call("operator.getitem", (got, read.at(group))),
            made=True,
        ),
    )
    start = of("np.zeros(len(places), dtype=np.result_type(x, 0.0))", places=read.places, x=x)
    every = of(
        "np.cos(np.arange(np.size(x))).reshape(np.shape(x)).astype(entries.dtype)",
        x=x,
        entries=entries,
    )
    given = (entries, read.places, moved.places, seed, read.array)
    return [
        Assign((entries,), start, made=True),
        For(group, Call("<helper>._groups", (read.places, moved.places)), turn, made=True),
        Assign((seed,), every, made=True),
        replace(taken),
        ExprStmt(Call("<helper>._check_entries", given), made=True),
        Return(entries, made=True),
    ]
