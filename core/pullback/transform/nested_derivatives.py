"""Derivatives that a primal takes itself: calls of them as calls of functions that have a name.

    def cost(y):
        return x * y * y

    slope = pullback.grad(cost)(x)      ->      slope = _cost_grad(x, x)

A function that is made where its derivative is taken gets what it captures as parameters in front of its own,
and makes for itself the functions that it captures. So each level has variables of its own, and no tangent of
one level can be taken for that of another.

May not know: facts, how the derivatives are made.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from operator import is_
from typing import Any, Protocol

from ..ir import (
    Block,
    Call,
    Comprehension,
    Const,
    Expr,
    Function,
    Name,
    Opaque,
    Param,
    Ref,
    Span,
    Stmt,
    Tuple,
    duplicate,
    map_blocks,
    map_statement,
    reads,
    rebuild,
    statements,
    stmt_exprs,
    unless_same,
    walk,
)
from .local_functions import (
    NESTED,
    PARTIAL,
    Locals,
    bound_once,
    captured,
    local_functions,
    without_unused,
)

Wrt = str | int | tuple[str | int, ...] | None


class Unclear(Exception):
    """Why the text does not show which derivative is meant."""


class Known(Protocol):
    """What is asked about the functions of the workspace."""

    def function(self, fn: str) -> Function | None:
        """The function of a resolved name, or the derivative that was named so."""

    def default(self, fn: str, param: Param) -> Expr:
        """The default of a parameter, as the calling module writes it."""

    def inner(self, fn: Function, made: Any) -> Function | None:
        """A function that `fn` makes for itself."""

    def is_function(self, fn: str) -> bool:
        """Whether a resolved name is a function's."""

    def named(self, kind: str, key: str, fn: Function, wrt: Wrt, given: int) -> str:
        """The name of a derivative of `fn`, which `key` tells from other functions; may raise Unclear.

        The first parameters, as many as are `given`, are none that the user counts.
        """

    def unclear(self, at: Span | None, fn: Function, reason: str) -> None:
        """Is told of a derivative in `fn` that has no name, and why."""


def with_named_derivatives(fn: Function, known: Known) -> Function:
    """`fn` calling the derivatives that it takes by their names; `fn` itself if it takes none."""
    if not any(_takes(e) for s in statements(fn.body) for e in stmt_exprs(s)):
        return fn
    own = local_functions(fn, known.inner, known.is_function)
    naming = _Naming(fn, own, known)
    body = naming.block(fn.body)
    if body is fn.body:
        return fn
    return without_unused(replace(fn, body=body), naming.named)


def made_inside(fn: Function, at: int, known: Known) -> tuple[Function, tuple[str, ...]] | None:
    """The function that `fn` makes at a place of the text, as one that stands for itself, and what it captures."""
    naming = _Naming(fn, local_functions(fn, known.inner, known.is_function), known)
    meant = naming.made_at(at)
    if meant is None:
        return None
    return meant.fn, tuple(p.name for p in meant.fn.params[: len(meant.given)])


def _takes(e: Expr) -> bool:
    return any(
        n.fn in NESTED if isinstance(n, Call) else isinstance(n, Opaque) and _takes_inside(n)
        for n in walk(e)
    )


def _takes_inside(e: Opaque) -> bool:
    return e.parts is not None and any(map(_takes, _expressions(e.parts)))


def _expressions(parts: Comprehension) -> Iterator[Expr]:
    yield parts.element
    if parts.key is not None:
        yield parts.key
    for _, it, tests in parts.generators:
        yield from (it, *tests)


def _lambdas(s: Stmt) -> Iterator[Opaque]:
    """The lambdas in a statement's own expressions, those in comprehensions too."""
    todo = list(stmt_exprs(s))
    while todo:
        for e in walk(todo.pop()):
            if isinstance(e, Opaque) and e.kind == "lambda":
                yield e
            elif isinstance(e, Opaque) and e.parts is not None:
                todo += _expressions(e.parts)


@dataclass(frozen=True)
class _Meant:
    """A function whose derivative is taken: what its name or its place is, and the arguments that it is given first."""

    key: str
    fn: Function
    given: tuple[Expr, ...] = ()


@dataclass
class _Naming:
    fn: Function
    own: Locals
    known: Known
    named: set[str] = field(default_factory=set)  # local names that are not needed for it any more

    # --- statements ----------------------------------------------------------------------------

    def block(self, block: Block) -> Block:
        return unless_same([self.statement(s) for s in block], block)

    def statement(self, s: Stmt) -> Stmt:
        s = map_blocks(s, self.block)
        new = map_statement(s, self.expr, lambda inner: inner)
        return s if all(map(is_, stmt_exprs(new), stmt_exprs(s))) else replace(new, verbatim=False)

    def expr(self, e: Expr) -> Expr:
        if isinstance(e, Opaque):
            return self.comprehension(e)
        e = rebuild(e, self.expr)
        if not isinstance(e, Call) or e.fn != "?" or e.callee is None:
            return e
        taken = self.derivative(e.callee)
        if taken is None:
            return e
        try:
            return self.call(e, taken)
        except Unclear as reason:
            self.known.unclear(e.origin, self.fn, str(reason))
            return e

    def comprehension(self, e: Opaque) -> Expr:
        p = e.parts
        if p is None or not _takes_inside(e):
            return e
        generators = tuple(
            (t, self.expr(it), tuple(map(self.expr, tests))) for t, it, tests in p.generators
        )
        key = None if p.key is None else self.expr(p.key)
        return replace(e, parts=Comprehension(p.kind, self.expr(p.element), key, generators))

    # --- which derivative ----------------------------------------------------------------------

    def derivative(self, e: Expr) -> Call | None:
        """What takes the derivative that `e` is: the call of `pullback.grad` or its kin; None for all else."""
        if isinstance(e, Name) and e.id in self.own.others:
            self.named.add(e.id)
            return self.derivative(self.own.others[e.id])
        return e if isinstance(e, Call) and e.fn in NESTED else None

    def call(self, e: Call, taken: Call) -> Call:
        """`e` as a call of the derivative's name, with every argument that its function has."""
        name, of = self.taken(taken)
        args = (*map(duplicate, of.given), *e.args)
        kwargs = (*e.kwargs, *self.defaults(e, of))
        return replace(e, fn=name, args=args, kwargs=kwargs, callee=None)

    def taken(self, taken: Call) -> tuple[str, _Meant]:
        """The name of the derivative that `taken` is, and the function that it is of."""
        given = dict(zip(("f", "wrt"), taken.args)) | dict(taken.kwargs)
        if not {"f"} <= given.keys() <= {"f", "wrt"} or len(taken.args) > 2:
            raise Unclear("the text does not show what it is given")
        of = self.function(given["f"])
        wrt = _literal(given.get("wrt", Const(None)))
        return self.known.named(NESTED[taken.fn], of.key, of.fn, wrt, len(of.given)), of

    def function(self, e: Expr) -> _Meant:
        """The function that `e` is."""
        if isinstance(e, Name) and e.id in self.own:
            self.named.add(e.id)
            other = self.own.others.get(e.id)
            return self.function(other) if other is not None else self.named_here(e.id)
        made = self.known.inner(self.fn, e) if isinstance(e, Opaque) else None
        if made is not None:
            return self.local(made, made.name, e.origin)
        if isinstance(e, Call) and e.fn in NESTED:
            return self.derived(e)
        if isinstance(e, Call) and e.fn == PARTIAL:
            return self.method(e)
        fn = self.known.function(e.qualname) if isinstance(e, Ref) else None
        if fn is None:
            raise Unclear("the text does not show the source of the function that it is of")
        assert isinstance(e, Ref)
        return _Meant(e.qualname, fn)

    def derived(self, e: Call) -> _Meant:
        """The derivative that `e` is, as a function that can be differentiated."""
        name, of = self.taken(e)
        fn = self.known.function(name)
        if fn is None:
            raise Unclear(f"there is no {NESTED[e.fn]} of {of.fn.name}")
        return _Meant(name, fn, of.given)

    def method(self, e: Call) -> _Meant:
        """`self.loss`, a method that knows its receiver."""
        fn = self.known.function(e.args[0].qualname) if isinstance(e.args[0], Ref) else None
        if fn is None or "method" not in fn.flags or len(e.args) != 2 or e.kwargs:
            raise Unclear("it is of a partial call; a lambda can be differentiated")
        assert isinstance(e.args[0], Ref)
        return _Meant(e.args[0].qualname, fn, e.args[1:])

    def defaults(self, e: Call, of: _Meant) -> tuple[tuple[str, Expr], ...]:
        """The defaults of the parameters that `e` gives nothing for."""
        plain = [p for p in of.fn.params if p.kind in ("positional-only", "plain")]
        there = {p.name for p in plain[: len(of.given) + len(e.args)]} | {k for k, _ in e.kwargs}
        missing = [p for p in of.fn.params if p.name not in there and p.default is not None]
        return tuple(
            (p.name, self.known.default(of.key, p) if _is_made_once(p) else Const(p.default_value))
            for p in missing
        )

    # --- functions that are made here ------------------------------------------------------------

    def made_at(self, at: int) -> _Meant | None:
        """The innermost function that is made there."""
        defined = bound_once(self.fn)
        made: list[tuple[Span | None, Expr]] = [
            *((defined[n].origin, Name(n)) for n in self.own.functions),
            *((e.origin, e) for s in statements(self.fn.body) for e in _lambdas(s)),
        ]
        spans = [(o.end - o.start, e) for o, e in made if o is not None and o.start <= at < o.end]
        try:
            return self.function(min(spans, key=lambda found: found[0])[1]) if spans else None
        except Unclear:
            return None

    def named_here(self, name: str) -> _Meant:
        return self.local(self.own.functions[name], name, bound_once(self.fn)[name].origin)

    def local(self, function: Function, name: str, at: Span | None) -> _Meant:
        """A nested function, made at that place, as one that stands for itself."""
        if any(_is_made_once(p) for p in function.params):
            raise Unclear("a default of its function is made once, where that is")
        defining = bound_once(self.fn)
        free, inside = captured(function), set[str]()
        while found := (free & self.own.names()) - inside:
            inside |= found
            free = free.union(*(self.captured(n) for n in found))
        self.named |= inside
        outside = tuple(sorted(free - inside))
        made = [s for n, s in defining.items() if n in inside]
        first = function.params[:1]
        kind = "positional-only" if first and first[0].kind == "positional-only" else "plain"
        whole = replace(
            function,
            name=name,
            qualname=f"{self.fn.qualname}.{name}",
            params=(*(Param(n, kind) for n in outside), *function.params),
            body=(*made, *function.body),
            flags=function.flags - {"nested", "conditional"},
            name_span=function.name_span or at,
        )
        start = 0 if at is None else at.start
        key = f"{function.module}:{start}:{','.join(outside)}"
        return _Meant(key, whole, tuple(Name(n) for n in outside))

    def captured(self, name: str) -> set[str]:
        """What a function of this one captures, or a name for it is made of."""
        made = self.own.functions.get(name)
        return reads(self.own.others[name]) if made is None else captured(made)


def _is_made_once(p: Param) -> bool:
    """Whether a parameter has a default that is no literal."""
    return p.default not in (None, "None") and p.default_value is None


def _literal(e: Expr) -> Wrt:
    """What `wrt` says."""
    if isinstance(e, Const) and (e.value is None or type(e.value) in (int, str)):
        value: Wrt = e.value
        return value
    if isinstance(e, Tuple) and e.kind == "tuple":
        items = [i.value for i in e.items if isinstance(i, Const) and type(i.value) in (int, str)]
        if len(items) == len(e.items):
            return tuple(items)
    raise Unclear("the text does not show with respect to what it is")
