"""What one forward transformation carries around: which variables have tangents, and the statement at hand.

The tangent of `x` is `x_dot`, in a variable that lives and shares memory as x does: a view of an array
has the same view of its tangent. A variable has one if any of its values is active, or is memory into
which something active is written; where a value of it is not, its tangent is zero.

May not know: rules, statements.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ..analysis.containers import is_container
from ..analysis.facts import Facts, Val
from ..analysis.types import Type, floating, same_shape, scalar
from ..ir import Assign, Call, Const, Expr, Name, Stmt, Tuple
from ..optimize.build import MUL, add
from .context import Context
from .floating import copy_of
from .gather import shares_memory

WHOLE = ("int", "bool")


@dataclass(frozen=True)
class Dot:
    """A tangent.

    full    it has its primal's shape (else it broadcasts to it)
    owned   nothing else holds its memory
    steep   it may be infinite where its primal is finite
    """

    expr: Expr
    full: bool = True
    owned: bool = True
    steep: bool = False


@dataclass(frozen=True)
class Traits:
    """What the tangents of some variables are, as far as is known: found by going over the function again.

    thin   may broadcast to the variable's shape
    steep  may be infinite
    lent   may share memory with another tangent, or with a seed
    """

    thin: frozenset[str] = frozenset()
    steep: frozenset[str] = frozenset()
    lent: frozenset[str] = frozenset()


@dataclass
class Tangents:
    """The state of one forward transformation.

    memory   the objects that hold active values at some time
    written  the objects that are written in place at some time
    named    the variables that have tangents
    whole    those that are written memory at some time: what is shared is shared as it is, in its full shape
    known    their traits as the last round found them, and `seen` those of this round
    stmt     the statement at hand; `early` goes before it, and `held` says which of its expressions
             stand in temporaries; `instead` is what takes its place, if anything
    private  whether other derivatives call this one
    inline   what is at hand may not be evaluated at all: nothing is moved before the statement
    """

    ctx: Context
    memory: frozenset[str]
    written: frozenset[str]
    named: frozenset[str]
    known: Traits
    private: bool
    alone: bool  # the tangent is all that is wanted
    seen: dict[str, set[str]] = field(
        default_factory=lambda: {"thin": set(), "steep": set(), "lent": set()}
    )
    stmt: Stmt = field(default_factory=lambda: Assign((), Const(None)))
    early: list[Stmt] = field(default_factory=list)
    instead: Stmt | None = None
    held: dict[int, str] = field(default_factory=dict)
    inline: bool = False
    whole: frozenset[str] = frozenset()

    def begin(self, s: Stmt) -> None:
        """Makes `s` the statement at hand."""
        self.stmt, self.early, self.held = s, [], {}
        self.instead, self.inline = None, False
        for n, v in self.ctx.facts.before.get(id(s), {}).items():
            if n in self.named:
                thin = n in self.known.thin
                self.ctx.made[self.name(n)] = Val(scalar() if thin else v.type)

    def name(self, var: str) -> str:
        """What the tangent of a variable is called; that of `y_tape` is y_dot_tape."""
        tape = var.endswith("_tape")
        wanted = f"{var.removesuffix('_tape')}_dot_tape" if tape else f"{var}_dot"
        return self.ctx.namer.fixed(f"dot {var}", wanted)

    def entry(self, param: str) -> Val:
        """What a parameter holds where the function begins."""
        first = self.ctx.fn.body[0] if self.ctx.fn.body else None
        return self.ctx.facts.before.get(id(first), {}).get(param, Val())

    def holds(self, v: Val) -> bool:
        """Whether a value has a tangent: it is active, or memory that is active at some time."""
        return v.active or (v.type.dtype not in WHOLE and bool(v.objs & self.memory))

    def lives(self, e: Expr) -> bool:
        return self.holds(self.ctx.facts.of(e))

    def traits(self) -> Traits:
        found = {k: frozenset(v) | getattr(self.known, k) for k, v in self.seen.items()}
        return Traits(**found)

    def emit_early(self, name: Expr, value: Expr) -> None:
        """`name = value` in front of the statement."""
        self.early.append(Assign((name,), value, origin=self.stmt.origin, made=True))


def values(facts: Facts) -> Iterator[tuple[str, Val]]:
    """What the variables hold at some time."""
    for env in facts.before.values():
        yield from env.items()
    for (_, n), v in facts.bound.items():
        yield n, v


def active_memory(facts: Facts) -> frozenset[str]:
    """The objects that hold active values at some time."""
    return facts.touching(frozenset(o for _, v in values(facts) if v.active for o in v.objs if o))


def root(e: Expr) -> str | None:
    """The variable that `e` is a part or another form of."""
    while isinstance(e, Call) and e.args and shares_memory(e):
        e = e.args[0]
    return e.id if isinstance(e, Name) else None


# --- zeros and full shapes -------------------------------------------------------------------------


def as_tangent(t: Tangents, dot: Expr, like: Expr) -> Expr:
    """The tangent of container `like` in the form that tangents have, from that which seeds have."""
    t.ctx.helpers.add("_as_tangent")
    return Call("<helper>._as_tangent", (dot, like))


def zero(tangents: Tangents, t: Type, like: Expr) -> Expr:
    """The tangent of a value of type `t` that does not vary; `like` gives its shape."""
    if t.kind in ("none", "str", "function", "module", "slice"):
        return Const(None)
    if t.kind == "scalar":
        return Const(None) if t.const is None else Const(0.0)
    if t.items is not None and t.kind in ("tuple", "list"):
        parts = (Call("operator.getitem", (like, Const(k))) for k in range(len(t.items)))
        return Tuple(tuple(zero(tangents, i, p) for i, p in zip(t.items, parts)), t.kind)
    if _is_list_of_numbers(t):
        return Call(MUL, (Tuple((Const(0.0),), "list"), Call("builtins.len", (like,))))
    if is_container(t):
        return as_tangent(tangents, Const(None), like)
    made = Call("numpy.zeros_like", (like,))
    if t.kind == "array" and floating(t.dtype):
        return made
    return Call("operator.add", (made, Const(0.0)))  # a number stays one, whole numbers float


def _is_list_of_numbers(t: Type) -> bool:
    return t.kind == "list" and t.each is not None and t.each.kind == "scalar"


def copied(t: Tangents, dot: Expr) -> Expr:
    """A tangent as memory of its own; what may be a number stays what it is."""
    return copy_of(dot, t.ctx.val(dot).type.kind == "array")


def own(t: Tangents, e: Expr, d: Dot, held: set[str] | frozenset[str] = frozenset()) -> Expr:
    """`d`, copied where it is another's memory, primal `e` (with `held`) has its own, and one of them is written."""
    v, source = t.ctx.facts.of(e), _source(t, d.expr)
    if d.owned or v.type.kind == "scalar" or source is None or v.objs & source.objs:
        return d.expr
    return copied(t, d.expr) if (v.objs | held | source.objs) & t.written else d.expr


def _source(t: Tangents, dot: Expr) -> Val | None:
    """What is known of the variable, or of a call's result, whose tangent `dot` is a part of."""
    name = root(dot)
    env = t.ctx.facts.before.get(id(t.stmt), {})
    found = next((v for n, v in env.items() if n in t.named and t.name(n) == name), None)
    return found or (None if name is None else t.ctx.made.get(name))


def widened(t: Tangents, d: Dot, e: Expr, like: Expr) -> Dot:
    """`d` with the shape of its primal `e`; `like` is anything of that shape."""
    if d.full or is_full(t, d.expr, e):
        return d
    return Dot(add(d.expr, Call("numpy.zeros_like", (like,))), steep=d.steep)


def is_full(t: Tangents, made: Expr, e: Expr) -> bool:
    """Whether a tangent surely has the shape of primal `e`."""
    shape = t.ctx.declared(e)
    return shape == () or same_shape(t.ctx.shape(made), shape)
