"""Solutions that SciPy finds of an equation whose function is known: `scipy.optimize.brentq`, `root` and their kin.

    x = brentq(f, 0.0, 2.0, args=(p,))        ->     x = <mark>.root(brentq(f, 0.0, 2.0, args=(p,)), ".f", "number", p)
    x = brentq(lambda x: x * x - p, 0.0, 2.0)        x = <mark>.root(brentq(…), ".h.equation", "number", p)
    s = root(f, x0, args=(p,))                       s = root(f, x0, args=(p,))
                                                     root_x = <mark>.root(s.x, ".f", "array", p)

A function that is made inside of the one at hand becomes one of its own, which is passed what it captures.

May not know: how an equation is differentiated.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from ..analysis.facts import Facts
from ..analysis.flow import bindings
from ..analysis.own_rules import RULED
from ..analysis.signatures import bind, of_function
from ..analysis.solvers import FUNCTION, PARTS, SIGNATURES, gives, holder, solver
from ..ir import (
    Assign,
    Barrier,
    Block,
    Call,
    Const,
    Expr,
    Function,
    Keep,
    Name,
    Opaque,
    Param,
    Ref,
    Stmt,
    Tuple,
    children,
    is_expr,
    map_blocks,
    map_statement,
    rebuild,
    statements,
    stmt_exprs,
    unless_same,
    walk,
)
from ..ir.marks import ROOT, STOP
from .fixed_points import TURN, as_tree
from .inlining import Inlining
from .local_functions import Locals, captured, local_functions
from .naming import Namer, names_of, plain_name

Add = Callable[[Function], str]


def has_roots(fn: Function) -> bool:
    return any(
        solver(e) != "" for s in statements(fn.body) for top in stmt_exprs(s) for e in walk(top)
    )


def with_roots(fn: Function, facts: Facts, inlining: Inlining, add: Add) -> Function:
    """`fn` with what solvers give marked as solutions of their equations, where those are known."""
    known = local_functions(fn, inlining.inner, inlining.is_function)
    work = _Work(fn, facts, known, inlining, add, Namer(names_of(fn)))
    body = work.block(fn.body)
    alone = work.solved - {n for s in statements(body) for e in _read(s) for n in _used(e)}
    return replace(fn, body=_at_rest(body, alone))


def _read(s: Stmt) -> tuple[Expr, ...]:
    named = isinstance(s, Assign) and all(isinstance(t, Name) for t in s.targets)
    return (s.value,) if isinstance(s, Assign) and named else stmt_exprs(s)


def _used(e: Expr) -> set[str]:
    """The variables that `e` reads outside of what solvers are given."""
    if isinstance(e, Call) and e.fn in (ROOT, STOP) and solver(holder(e.args[0])):
        return {n for a in e.args[1:] for n in _used(a)}
    own = {e.id} if isinstance(e, Name) else set(e.reads) if isinstance(e, Opaque) else set()
    return own.union(*map(_used, children(e)))


def _at_rest(block: Block, names: set[str]) -> Block:
    """`block`, where functions that only solvers call are no hazard: what they capture is passed to the equation."""
    out: list[Stmt] = []
    for s in block:
        s = map_blocks(s, lambda b: _at_rest(b, names))
        if isinstance(s, Barrier) and set(s.writes) & names:
            s = Keep(s.kind, s.text, s.reads, s.writes, s.origin, s.verbatim)
        if isinstance(s, Assign) and any(Name(n) in s.targets for n in names):
            s = replace(s, value=Call(STOP, (s.value,), origin=s.value.origin))
        out.append(s)
    return unless_same(out, block)


@dataclass
class _Work:
    """`solutions` are the variables for what the results of solvers hold, by the expression for it; `solved` the
    functions made in this one that solvers call.
    """

    fn: Function
    facts: Facts
    known: Locals
    inlining: Inlining
    add: Add
    namer: Namer
    solutions: dict[Expr, Name] = field(default_factory=dict)
    solved: set[str] = field(default_factory=set)

    def block(self, block: Block) -> Block:
        out: list[Stmt] = []
        for s in block:
            s = map_blocks(s, self.block)
            new = map_statement(s, self.expr, lambda inner: inner)
            parts = set(self.solutions) & {n for e in stmt_exprs(s) for n in walk(e)}
            new = replace(new, verbatim=s.verbatim and not parts)
            out += self.result(new)
        return unless_same(out, block)

    def result(self, s: Stmt) -> list[Stmt]:
        """`s`, and behind `s = root(f, x0)` the solution that it holds."""
        target = s.targets[0] if isinstance(s, Assign) else None
        value = s.value if isinstance(s, Assign) else None
        name = solver(value)
        if name not in PARTS or not isinstance(value, Call) or not isinstance(target, Name):
            return [s]
        once = sum(target.id in bindings(x) for x in statements(self.fn.body)) == 1
        found = self.equation(value, name) if once else None
        if found is None or not isinstance(s, Assign):
            return [s]
        part = Call(PARTS[name], (replace(target),), origin=value.origin)
        self.solutions[part] = Name(self.namer.fresh(f"{target.id}_{PARTS[name][5:]}"))
        marked = Call(ROOT, (part, *found), origin=value.origin)
        still = replace(s, value=Call(STOP, (value,), origin=value.origin))
        return [still, Assign((self.solutions[part],), marked, origin=s.origin, made=True)]

    def expr(self, e: Expr) -> Expr:
        if isinstance(e, Call) and e in self.solutions:
            return replace(self.solutions[e])
        e = rebuild(e, self.expr)
        call = holder(e)
        name = solver(call)
        held = call is not e
        if not isinstance(call, Call) or not name or held != (name in PARTS):
            return e
        found = self.equation(call, name)
        return e if found is None else Call(ROOT, (e, *found), origin=e.origin)

    def equation(self, call: Call, name: str) -> tuple[Expr, ...] | None:
        """The equation's function, as its name, and what it is called with behind the solution."""
        known = {"f", "args", "a", "b", "x0", "fprime"}
        own = FUNCTION.get(name, "f")
        kwargs = tuple(("f" if k == own else k, v) for k, v in call.kwargs)
        plain = replace(call, kwargs=tuple((k, v) for k, v in kwargs if k in known))
        bound = bind(SIGNATURES[name], plain)
        if bound is None or any(k == "full_output" for k, _ in kwargs):
            return None
        f, args = bound.get("f"), self.further(bound.get("args"))
        if args is None or not is_expr(f):
            return None
        start = bound.get("x0")
        kind = gives(name, start if is_expr(start) else None, self.facts)
        equation = self.of(f, args)
        if equation is None:
            return None
        self.solved |= {n.id for n in walk(call) if isinstance(n, Name) and n.id in self.known}
        return (equation[0], Const(kind), *equation[1:])

    def further(self, args: object) -> tuple[Expr, ...] | None:
        """The items of `args=`."""
        if isinstance(args, Tuple):
            return args.items
        return () if args is None else None

    def of(self, f: Expr, args: tuple[Expr, ...]) -> tuple[Expr, ...] | None:
        if isinstance(f, Ref):
            fn = self.inlining.function(f.qualname)
            if fn is None or RULED in fn.flags or len(of_function(fn)) != 1 + len(args):
                return None
            return (Const(f.qualname), *args)
        inner = self.known.functions.get(f.id) if isinstance(f, Name) else None
        if isinstance(f, Opaque) and f.kind == "lambda":
            inner = self.inlining.inner(self.fn, f)
        if inner is None or len(inner.params) != 1 + len(args):
            return None
        captures = sorted(captured(inner))
        if any(n in self.known for n in captures):
            return None
        made = Function(
            f"{plain_name(self.fn)}_equation",
            f"{self.fn.qualname}.equation",
            (*inner.params, *map(Param, captures)),
            tuple(map(as_tree, inner.body)),
            flags=frozenset((TURN,)),
            module=self.fn.module,
            name_span=self.fn.name_span,
        )
        return (Const(self.add(made)), *args, *map(Name, captures))
