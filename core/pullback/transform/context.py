"""What one reverse transformation carries around: the primal with its facts, and what is being made.

A hole stands in the backward pass for a primal value that it needs: the value of an expression just
before or just after a statement. Which form it takes (the variable itself, recomputed, a temporary, a
tape) is decided when all holes are known (residuals.py).

May not know: how holes are filled, how statements are reversed.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Protocol, TypeGuard

from ..analysis.calls import name_of, shape_attribute
from ..analysis.evaluate import Evaluator
from ..analysis.facts import Facts, Problem, Role, Val
from ..analysis.flow import Flow
from ..analysis.own_rules import OwnRule
from ..analysis.types import SCALAR, Shape, Type, scalar
from ..ir import (
    Assign,
    Call,
    Const,
    Expr,
    Function,
    IfExp,
    Name,
    Param,
    Ref,
    Slice,
    Span,
    Stmt,
    Tuple,
)
from ..optimize.simplify import simplify
from .naming import Namer
from .narrow import may_be_narrow

HOLE = "\0"


@dataclass(frozen=True)
class Hole:
    """A primal value that the backward pass needs.

    `query` is "" for the value itself, or what is asked of it: "like" (anything of its shape and floating
    dtype), "size", "shape", "ndim", "dim N".
    """

    expr: Expr
    stmt: Stmt
    when: str  # "before" or "after"
    query: str
    val: Val


def known_answer(t: Type, query: str) -> Expr | None:
    """What its type alone tells of the shape of a value."""
    if query == "ndim" and t.rank() is not None:
        return Const(t.rank())
    if t.kind == "scalar" and query in ("size", "shape"):
        return Const(1) if query == "size" else Tuple(())
    return None


def question(query: str, of: Expr, array: bool) -> Expr:
    """A question about the shape of `of`, which surely is an `array` or may be a number, too."""
    if not query.startswith("dim "):
        return Call(f"attr.{query}" if array else f"numpy.{query}", (of,))
    axis = Const(int(query[4:]))
    if axis.value == 0 and not array:
        return Call("builtins.len", (of,))
    shape = Call("attr.shape" if array else "numpy.shape", (of,))
    return Call("operator.getitem", (shape, axis))


@dataclass(frozen=True)
class Bar:
    """A cotangent.

    full     it has its primal's shape already (else it broadcasts to it)
    owned    nothing else holds its memory
    masked   it may be exactly zero where the primal's value is not used at all
    excess   its primal was broadcast, and that is not undone yet
    """

    expr: Expr
    full: bool = True
    owned: bool = True
    masked: bool = False
    excess: bool = False


class Calls(Protocol):
    """What is asked about the workspace functions that a primal calls, by resolved name."""

    def function(self, fn: str) -> Function | None:
        """The function's ir."""

    def signature(self, fn: str) -> Function | None:
        """The same without its statements: all that is needed to call it."""

    def own_rule(self, fn: str, mode: str) -> OwnRule | None:
        """The user's own rule for a function that is flagged to have one; None where `mode` has none that fits."""

    def private(
        self, fn: str, params: tuple[str, ...], types: tuple[Type, ...]
    ) -> tuple[str, tuple[str, ...]] | None:
        """The name of its private derivative with respect to `params`, and of the seeds of that."""

    def default(self, fn: str, param: Param) -> Expr:
        """The default of a parameter, as the calling module writes it."""


@dataclass
class Numbers:
    """What is surely no container: expressions by identity, variables, and which variables hold an expression."""

    exprs: set[int] = field(default_factory=set)
    names: set[str] = field(default_factory=set)
    held: dict[int, set[str]] = field(default_factory=dict)


@dataclass
class Context:
    fn: Function
    facts: Facts
    flow: Flow
    namer: Namer
    calls: Calls
    walk: Evaluator  # evaluates what is made
    primal: Evaluator  # evaluates what the user wrote
    holes: dict[str, Hole] = field(default_factory=dict)
    hole_keys: dict[tuple[object, ...], str] = field(default_factory=dict)
    made: dict[str, Val] = field(default_factory=dict)
    floats: dict[str, bool] = field(default_factory=dict)  # adjoints that are floating for certain
    narrow: set[str] = field(default_factory=set)  # what may be other than floating
    values: dict[str, Expr] = field(default_factory=dict)  # what temporaries were bound to
    problems: list[Problem] = field(default_factory=list)
    helpers: set[str] = field(default_factory=set)
    vjps: set[str] = field(default_factory=set)  # private ones: what they give is floating
    out: list[Stmt] = field(default_factory=list)
    numbers: Numbers | None = None  # found when first asked for
    unbounded: frozenset[str] | None = None  # what may be infinite or nan, likewise
    live: dict[int, set[str]] = field(default_factory=dict)  # what may be read behind a statement
    module: str = ""
    early_returns: bool = False
    complex: bool = False  # complex numbers come up

    # --- problems ------------------------------------------------------------------------------

    def problem(self, code: str, at: Expr | Stmt, *places: Role, **values: object) -> None:
        span = at.origin or self.fn.name_span or Span(0, 0)
        self.problems.append(Problem(code, span, tuple(values.items()), self.module, places))

    def unknown(self, e: Call) -> None:
        """Reports an active call that nobody has a derivative of, where the analysis has not done so."""
        if any(node == id(e) for node, _ in self.facts.problems):
            return
        if self.facts.type(e).kind == "other":
            self.problem("PB110", e, construct="an iterator outside the header of a loop; a list")
        else:
            self.problem("PB301", e, name=name_of(e))

    # --- primal values -------------------------------------------------------------------------

    def hole(self, e: Expr, s: Stmt, when: str = "before", query: str = "") -> Expr:
        """The value of `e` at `s`, to be had in the backward pass."""
        if not query and isinstance(e, (Const, Ref)):
            return replace(e, origin=None)
        key = (e, id(s), when, query)
        name = self.hole_keys.get(key)
        if name is None:
            name = f"{HOLE}{len(self.holes)}"
            self.hole_keys[key] = name
            val = self.facts.of(e)
            if isinstance(e, Name) and id(e) not in self.facts.vals:
                val = self.facts.var(s, e.id)
            if when == "after" and isinstance(e, Name):
                val = self.facts.bound.get((id(s), e.id), val)
            self.holes[name] = Hole(e, s, when, query, val)
            self.made[name] = _answer(val, query)
            if not query and may_be_narrow(val):
                self.narrow.add(name)
        return Name(name)

    def simplified(self, e: Expr) -> Expr:
        """`e`, of which the user wrote no part, in its simplest form."""
        return simplify(e, narrow=self.narrow, ours=True)

    def index(self, index: Expr, s: Stmt) -> Expr:
        """An index for the backward pass: its slices stay, its parts become holes."""
        if isinstance(index, Tuple) and index.kind == "tuple":
            return Tuple(tuple(self.index(i, s) for i in index.items))
        if isinstance(index, Slice):
            low, high, step = (
                None if p is None else self.hole(p, s)
                for p in (index.lower, index.upper, index.step)
            )
            return Slice(low, high, step)
        return self.hole(index, s)

    # --- types of what is made -----------------------------------------------------------------

    def val(self, e: Expr) -> Val:
        """The Val of a made expression, over holes and adjoints."""
        return self.walk.expr(e, self.made)

    def shape(self, e: Expr) -> Shape:
        return self.val(e).type.shape

    def declared(self, e: Expr) -> Shape:
        """The shape of a primal expression."""
        t = self.facts.type(e)
        return SCALAR if t.kind == "scalar" else t.shape

    # --- statements of the backward pass -------------------------------------------------------

    def emit(self, s: Stmt) -> None:
        self.out.append(s)

    def bind(self, value: Expr, wanted: str, s: Stmt, type: Type | None = None) -> Name:
        """A temporary of the backward pass."""
        name = self.namer.fresh(wanted)
        val = self.val(value)
        self.made[name] = val if type is None else Val(type)
        self.values[name] = value
        self.emit(Assign((Name(name),), value, origin=s.origin, made=True))
        return Name(name)


def _answer(val: Val, query: str) -> Val:
    """What is known of the answer to a query about a value."""
    if query == "shape":
        return shape_attribute(val)
    return val if query in ("", "like") else Val(scalar("int"))


def is_hole(e: Expr) -> TypeGuard[Name]:
    return isinstance(e, Name) and e.id.startswith(HOLE)


def weight(e: Expr) -> int:
    """How much work evaluating a made expression twice would waste: 0 is none to speak of."""
    if isinstance(e, Call):
        own = 0 if e.fn.startswith("attr.") else 1
        return own + sum(weight(a) for a in e.args) + sum(weight(v) for _, v in e.kwargs)
    if isinstance(e, Tuple):
        return sum(weight(i) for i in e.items)
    if isinstance(e, IfExp):
        return 1 + weight(e.body) + weight(e.orelse)
    return 0
