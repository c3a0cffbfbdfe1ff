"""Dense Jacobians: products with one direction after the other, side by side in an array.

Column by column, by the tangent along each element of a parameter:

    columns = []
    for x_dot in np.eye(len(x), dtype=x.dtype):
        _, column = _f_jvp(x, y, x_dot)
        columns.append(column)
    return np.stack(columns, axis=-1)

or row by row, by the cotangents of each element of the output, where the text shows that there are fewer
of those. Output axes come first. A Hessian is the Jacobian of the gradient.

May not know: text, modules, how the products are made.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import prod
from typing import Protocol

from ..analysis.containers import is_container
from ..analysis.facts import Facts, Problem, Val
from ..analysis.types import Type, floating, leaf_dtype, may_be_complex
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
    Star,
    Stmt,
    Tuple,
    statements,
)
from .floating import copy_of
from .formulas import formula, substitute
from .naming import Namer, describe, names_of, plain_name
from .request import Request, Reversed
from .signature import signed
from .tangent_state import WHOLE

GRADIENT, COLUMNS, ROWS = "gradient", "columns", "rows"


class Products(Protocol):
    """What is asked about the private products of the function itself."""

    def product(self, kind: str, wrt: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
        """The name of its private derivative of that kind, and those of the seeds."""

    def along(self, kind: str, wrt: tuple[str, ...]) -> tuple[str, tuple[str, ...]] | None:
        """The same where the seeds have several directions along their last axis; None where that is not clear."""


@dataclass(frozen=True)
class _Output:
    """One of the things that the function gives: what it is called, and its type."""

    name: str
    type: Type

    @property
    def varies(self) -> bool:
        return self.type.dtype not in WHOLE and self.type.kind not in ("none", "str")


def way(facts: Facts, request: Request) -> str:
    """How the Jacobian is made: as a gradient, by columns or by rows."""
    out = facts.returned.type if facts.returned is not None else Type()
    params = [parameter(facts, w) for w in request.wrt]
    if request.kind == "hessian" or out.kind == "tuple" or may_be_complex(out.dtype):
        return COLUMNS
    if out.kind == "scalar":
        return GRADIENT
    if any(is_container(t) for t in params):
        return ROWS
    return ROWS if _is_smaller(out, params) else COLUMNS


def _is_smaller(out: Type, params: list[Type]) -> bool:
    """Whether the output has fewer elements than the parameters, as far as the text shows.

    A number of elements that it tells is taken for smaller than one that it leaves open.
    """
    given = _size(out)
    sizes = [_size(t) for t in params]
    if given is not None and None not in sizes:
        return given < sum(n for n in sizes if n is not None)
    rank, highest = out.rank(), max(t.rank() or 0 for t in params)
    return highest > 0 and (given is not None or (rank is not None and rank < highest))


def _size(t: Type) -> int | None:
    """How many elements, where the text tells the number."""
    if t.kind == "scalar":
        return 1
    if not isinstance(t.shape, tuple) or any(d.sym or d.cut for d in t.shape):
        return None
    return prod(d.off for d in t.shape)


def parameter(facts: Facts, name: str) -> Type:
    entry = facts.before.get(id(facts.fn.body[0]), {}) if facts.fn.body else {}
    return entry.get(name, Val()).type


def dense(
    fn: Function,
    facts: Facts,
    request: Request,
    products: Products,
    taken: set[str],
    by: str,
    written: set[str],
) -> Reversed:
    """The Jacobian of `fn`, which writes the parameters `written`, by `COLUMNS` or by `ROWS`.

    `products` answers for the products with directions.
    """
    problems = problems_of(fn, facts, request, complex_output=by == COLUMNS)
    if problems:
        return Reversed(None, problems)
    namer = Namer(names_of(fn) | taken | {request.name})
    made = Dense(fn, facts, request, products, namer, written)
    body = made.by_columns() if by == COLUMNS else made.by_rows()
    helpers = ("_restored", "_stacked_rows") if _containers(facts, request) else ()
    return Reversed(signed(fn, request, (), tuple(body)), (), helpers)


def problems_of(
    fn: Function, facts: Facts, request: Request, *, complex_output: bool
) -> tuple[Problem, ...]:
    """What keeps the products from being put into arrays; tangents may be complex, a row cannot (`complex_output`)."""
    at = fn.name_span or fn.origin or Span(0, 0)
    out = facts.returned.type if facts.returned is not None else Type("none")
    if out.kind == "none":
        return (Problem("PB308", at, (("name", fn.name),), fn.module),)
    why = _of_complex(facts, request)
    if not (why or complex_output) and may_be_complex(leaf_dtype(out)):
        why = (
            "its result may be complex, and one cotangent gives the slope of one of its parts alone"
        )
    if why:
        return (Problem("PB302", at, (("name", fn.name), ("reason", why)), fn.module),)
    parts = out.items if out.kind == "tuple" and out.items is not None else (out,)
    containers = _containers(facts, request)
    what = ""
    if any(is_container(t) for t in parts):
        what = "a container as the result of a Jacobian"
    elif containers and request.kind != "jacobian":
        what = f"{containers[0]}, a container, in a {request.kind}"
    elif containers and out.kind == "tuple":
        what = f"{containers[0]}, a container, in a Jacobian of several results"
    return (Problem("PB110", at, (("construct", what),), fn.module),) if what else ()


def _containers(facts: Facts, request: Request) -> list[str]:
    """The parameters asked for that are containers: a gradient of each element of the output has their form."""
    return [w for w in request.wrt if is_container(parameter(facts, w))]


def _of_complex(facts: Facts, request: Request) -> str:
    """Why one number is not enough for an entry where a parameter is complex."""
    for w in request.wrt:
        if may_be_complex(leaf_dtype(parameter(facts, w))):
            return (
                f"{w} may be complex, and a result has one slope along its real part and another along its "
                "imaginary part; `jvp` and `vjp` know both"
            )
    return ""


@dataclass
class Dense:
    """The body of one Jacobian."""

    fn: Function
    facts: Facts
    request: Request
    products: Products
    namer: Namer
    written: set[str]

    # --- by columns ------------------------------------------------------------------------------

    def by_columns(self) -> list[Stmt]:
        outputs = self._outputs()
        body: list[Stmt] = []
        blocks: list[list[Expr]] = [[] for _ in outputs]  # of each output, by parameter
        for w in self.request.wrt:
            made, results = self._columns(w, outputs)
            body += made
            for block, result in zip(blocks, results):
                block.append(result)
        rows: list[Expr] = [b[0] if self._is_single() else Tuple(tuple(b)) for b in blocks]
        whole = Tuple(tuple(rows)) if self._is_tuple() else rows[0]
        return [*body, Return(whole, made=True)]

    def _columns(self, w: str, outputs: list[_Output]) -> tuple[list[Stmt], list[Expr]]:
        """The loop over the elements of parameter `w`, and the block of each output."""
        kind = "hvp" if self.request.kind == "hessian" else "jvp"
        t = parameter(self.facts, w)
        together = None if t.kind == "scalar" else self.products.along(kind, (w,))
        if together is not None:
            return self._together(together, Name(w), t, outputs)
        made = self.products.product(kind, (w,))
        if t.kind == "scalar":
            dots = [self.name(f"{o.name}_dot") for o in outputs]
            taken = self._unpacked(self.call(made, Const(1.0)), dots, outputs, kind)
            return [taken], [d if o.varies else Const(None) for d, o in zip(dots, outputs)]
        seed = self.name(f"{w}_dot")
        words = [self._words(o, w) for o in outputs]
        columns = [self.name("_".join([*x, "column"])) for x in words]
        lists = [self.name("_".join([*x, "columns"])) for x in words]
        varying = [k for k, o in enumerate(outputs) if o.varies]
        call = self.call(made, seed)
        turn = (
            self._unpacked(call, columns, outputs, kind),
            *(_append(lists[k], columns[k]) for k in varying),
        )
        if kind == "hvp" and not self._is_tuple() and t.rank() == 1:
            turn = (_append(lists[0], call),)
        loop = For(seed, _basis(Name(w), t), turn, made=True)
        begun = [Assign((lists[k],), Tuple((), "list"), made=True) for k in varying]
        results = [
            _side_by_side(c, columns[k], Name(w), t) if outputs[k].varies else Const(None)
            for k, c in enumerate(lists)
        ]
        return [*begun, loop], results

    def _together(
        self, made: tuple[str, tuple[str, ...]], x: Name, t: Type, outputs: list[_Output]
    ) -> tuple[list[Stmt], list[Expr]]:
        """The tangents along all directions, from one call."""
        call = self.call(made, _directions(x, t))
        if not self._is_tuple() and t.rank() == 1:
            return [], [call]
        blocks = [self.name("_".join([*self._words(o, x.id), "columns"])) for o in outputs]
        kept = tuple(b if o.varies else Name("_") for b, o in zip(blocks, outputs))
        target: Expr = Tuple(kept) if self._is_tuple() else kept[0]
        results = [
            (b if t.rank() == 1 else _with_axes(b, x)) if o.varies else Const(None)
            for b, o in zip(blocks, outputs)
        ]
        return [Assign((target,), call, made=True)], results

    def _words(self, o: _Output, w: str) -> list[str]:
        """What tells a column from others: its output and its parameter, where there are several."""
        return [*([o.name] if self._is_tuple() else []), *([w] if self._several() else [])]

    def _several(self) -> bool:
        return len(self.request.wrt) > 1

    def _is_single(self) -> bool:
        """Whether one block is given, and not a tuple of them."""
        return not (self._several() or self.request.alone)

    def _unpacked(self, call: Expr, dots: list[Name], outputs: list[_Output], kind: str) -> Stmt:
        """`_, (u_dot, v_dot) = _f_jvp(…)`: the tangents of what varies; an hvp gives nothing else."""
        kept = tuple(d if o.varies else Name("_") for d, o in zip(dots, outputs))
        target: Expr = Tuple(kept) if self._is_tuple() else kept[0]
        if kind == "jvp":
            target = Tuple((Name("_"), target))
        return Assign((target,), call, made=True)

    # --- by rows ---------------------------------------------------------------------------------

    def by_rows(self) -> list[Stmt]:
        wrt = self.request.wrt
        value = self.name("value")
        seed = self.name(f"{plain_name(self.fn)}_bar")
        rows = [self.name(f"{w}_row") for w in wrt]
        lists = [self.name(f"{w}_rows" if self._several() else "rows") for w in wrt]
        call = self.call(self.products.product("vjp", wrt), seed)
        turn: tuple[Stmt, ...] = (_append(lists[0], call),)
        if self._several():
            taken = Assign((Tuple(tuple(rows)),), call, made=True)
            turn = (taken, *(_append(r, row) for r, row in zip(lists, rows)))
        out = self.facts.returned
        assert out is not None
        loop = For(seed, _basis(value, out.type), turn, made=True)
        results = tuple(
            _restored(r, value, Name(w))
            if is_container(parameter(self.facts, w))
            else _stacked(r, value, Name(w), out.type)
            for r, w in zip(lists, wrt)
        )
        return [
            Assign((value,), self.primal(), made=True),
            *(Assign((r,), Tuple((), "list"), made=True) for r in lists),
            loop,
            Return(results[0] if self._is_single() else Tuple(results), made=True),
        ]

    def primal(self) -> Expr:
        """The function itself, at the arguments, which stay as they are."""
        call = self._passed(f".{self.fn.qualname}")
        args = (copy_of(a, True) if getattr(a, "id", "") in self.written else a for a in call.args)
        return replace(call, args=tuple(args))

    # --- calls -----------------------------------------------------------------------------------

    def call(self, made: tuple[str, tuple[str, ...]], seed: Expr) -> Call:
        """A product of all parameters and the seed, which is the last of them or goes by its name."""
        name, (own,) = made
        call = self._passed(f"<helper>.{name}")
        if any(p.kind in ("keyword-only", "var-positional") for p in self.fn.params):
            return replace(call, kwargs=((own, seed), *call.kwargs))
        return replace(call, args=(*call.args, seed))

    def _passed(self, fn: str) -> Call:
        """`fn` of all parameters."""
        args: list[Expr] = []
        kwargs: list[tuple[str, Expr]] = []
        for p in self.fn.params:
            if p.kind == "var-positional":
                args.append(Star(Name(p.name)))
            elif p.kind in ("keyword-only", "var-keyword"):
                kwargs.append(("**" if p.kind == "var-keyword" else p.name, Name(p.name)))
            else:
                args.append(Name(p.name))
        return Call(fn, tuple(args), tuple(kwargs))

    # --- outputs ---------------------------------------------------------------------------------

    def _is_tuple(self) -> bool:
        return self.facts.returned is not None and self.facts.returned.type.kind == "tuple"

    def _outputs(self) -> list[_Output]:
        """What the function gives, called as its variables are."""
        assert self.facts.returned is not None
        t = self.facts.returned.type
        if not self._is_tuple():
            return [_Output("value", t)]
        items = t.items or ()
        if self.request.kind == "hessian":
            return [_Output(w, item) for w, item in zip(self.request.wrt, items)]
        ends = [s.value for s in statements(self.fn.body) if isinstance(s, Return)]
        last = ends[-1] if ends else None
        parts = last.items if isinstance(last, Tuple) and len(last.items) == len(items) else items
        own = Namer(set())
        names = [own.fresh(describe(p) if isinstance(p, Name) else "value") for p in parts]
        return [_Output(name, item) for name, item in zip(names, items)]

    def name(self, wanted: str) -> Name:
        return Name(self.namer.fresh(wanted))


def _append(to: Name, value: Expr) -> Stmt:
    return ExprStmt(Call("method.append", (to, value)), made=True)


# --- directions, and what is put together ----------------------------------------------------------


def _basis(x: Expr, t: Type) -> Expr:
    """What has one element of `x` after the other be one, in arrays of its shape."""
    dtype = "x.dtype" if t.kind == "array" and floating(t.dtype) else "np.result_type(x, 0.0)"
    if t.rank() == 1:
        return of(f"np.eye(len(x), dtype={dtype})", x=x)
    if t.kind == "array":
        return of(f"np.eye(x.size, dtype={dtype}).reshape(x.size, *x.shape)", x=x)
    return of(f"np.eye(np.size(x), dtype={dtype}).reshape(np.size(x), *np.shape(x))", x=x)


def _directions(x: Expr, t: Type) -> Expr:
    """The same elements, each along the last axis."""
    dtype = "x.dtype" if t.kind == "array" and floating(t.dtype) else "np.result_type(x, 0.0)"
    if t.rank() == 1:
        return of(f"np.eye(len(x), dtype={dtype})", x=x)
    return of(f"np.eye(np.size(x), dtype={dtype}).reshape(*np.shape(x), np.size(x))", x=x)


def _with_axes(columns: Expr, x: Expr) -> Expr:
    """Columns with the axes of `x` in the place of their last one."""
    return of("columns.reshape(columns.shape[:-1] + np.shape(x))", columns=columns, x=x)


def _side_by_side(columns: Expr, column: Expr, x: Expr, t: Type) -> Expr:
    """The columns as the last axes of an array, which are those of `x`."""
    if t.rank() == 1:
        return of("np.stack(columns, axis=-1)", columns=columns)
    shape = "x.shape" if t.kind == "array" else "np.shape(x)"
    made = f"np.stack(columns, axis=-1).reshape(np.shape(column) + {shape})"
    return of(made, columns=columns, column=column, x=x)


def _stacked(rows: Expr, value: Expr, x: Expr, out: Type) -> Expr:
    """The rows as an array whose first axes are those of the value."""
    if out.rank() == 1:
        return of("np.stack(rows)", rows=rows)
    return of("np.stack(rows).reshape(np.shape(value) + np.shape(x))", rows=rows, value=value, x=x)


def _restored(rows: Expr, value: Expr, x: Expr) -> Expr:
    """The rows in the form of `x`, a container."""
    parts = Call("<helper>._stacked_rows", (rows, Call("numpy.shape", (value,))))
    return Call("<helper>._restored", (parts, x))


def of(text: str, **values: Expr) -> Expr:
    """A formula with expressions in the place of its names."""
    return substitute(formula(text), values.get, lambda call: None)
