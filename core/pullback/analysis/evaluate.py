"""What an expression may give, given what the variables hold: types, shapes, memory and activity.

Results are written into the Facts, for every expression that is looked at. What a call gives is said in calls.py.

May not know: statements, how derivatives are made.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ..ir import (
    BoolOp,
    Call,
    Compare,
    Comprehension,
    Const,
    Dict,
    Expr,
    IfExp,
    Name,
    Opaque,
    Ref,
    Slice,
    Span,
    Star,
    Stmt,
    Tuple,
)
from ..ir.marks import ROOT, STOPS
from ..steps import spend
from . import calls, containers, marks, solvers, structure
from .facts import Facts, Problem, Role, Val
from .indexing import BASIC, UNKNOWN, index_items, index_kind, indexed_shape
from .structure import CONCATENATORS
from .types import (
    ANY,
    MISSING,
    NONE,
    SCALAR,
    Atoms,
    Dim,
    Type,
    array,
    fresh,
    join,
    of_constant,
    scalar,
)

Env = dict[str, Val]
Summary = Callable[[str, Call, dict[int, Val]], "tuple[Val, frozenset[str]] | None"]
Constant = Callable[[str], "Type | None"]
_DYNAMIC = {
    "builtins.eval",
    "builtins.exec",
    "builtins.globals",
    "builtins.locals",
    "builtins.vars",
}
_REFINING = {"T", "shape", "ndim", "dtype", "flat", "strides"}


class Evaluator:
    """The facts of a function and what is asked of the world outside, for as long as one analysis takes.

    `summary` says what a workspace call returns and writes, `constant` what a module's global is; `prefix` keeps
    the names of shapes apart from those of other evaluators; `stmt` is the statement that is at hand, if any.
    """

    def __init__(
        self, facts: Facts, summary: Summary, constant: Constant, prefix: str = "v"
    ) -> None:
        self.facts = facts
        self.constant = constant
        self.summary = summary
        self.prefix = prefix
        self.sites: dict[int, str] = {}
        self.alive: list[object] = []  # an identity is only good while its node lives
        self.stmt: Stmt | None = None
        self.tapes: dict[str, Val] = {}  # what generated code records on each of its lists

    def site(self, node: object) -> str:
        """A name for what is made at `node`: no name of the user's has a colon, no other evaluator this prefix."""
        known = self.sites.get(id(node))
        if known is None:
            known = self.sites[id(node)] = f"{self.prefix}:{len(self.sites)}"
            self.alive.append(node)
        return known

    def problem(
        self, code: str, span: Span | None, node: object, *places: Role, **values: object
    ) -> None:
        if self.stmt is not None and self.stmt.made:  # it stands for a statement of the user's
            span = self.stmt.origin or self.facts.fn.name_span or Span(0, 0)
        elif span is None and self.stmt is not None:  # of an expression that stands for another one
            span = self.stmt.origin or self.facts.fn.name_span
        if span is not None:
            told = Problem(code, span, tuple(values.items()), places=places)
            self.facts.problems[(id(node), code)] = told

    def taped(self, e: Call, args: tuple[Val, ...]) -> Val | None:
        """What `y_tape.append(y)` and `y_tape.pop()` of generated code give; None for other calls."""
        made = self.stmt is not None and self.stmt.made and bool(e.args)
        if not made or e.fn not in ("method.append", "method.pop") or len(args) > 2:
            return None
        tape = e.args[0]
        if not isinstance(tape, Name) or args[0].type.kind != "list":
            return None
        held = self.tapes.get(tape.id)
        if e.fn == "method.pop":
            return containers.part(args[0], MISSING, self.site(e)) if held is None else held
        self.tapes[tape.id] = args[1] if held is None else self.join(held, args[1], tape.id)
        return Val(NONE)

    def makers(self, objs: frozenset[str]) -> tuple[Role, ...]:
        """The calls that make the memory `objs`."""
        nodes = [n for n in self.alive if isinstance(n, Call) and self.sites[id(n)] in objs]
        return tuple(("made", n.origin) for n in nodes if n.origin is not None)

    def write(self, s: Stmt, objs: frozenset[str], elements: bool = True) -> None:
        """`s` surely writes into `objs`: into their elements, or (`x += 1`) into what may be a number."""
        for o in self.facts.origins(objs):
            if o.startswith("param "):
                self.facts.written[o[6:]] = self.facts.written.get(o[6:], False) or elements
        self.mutate(s, objs)

    def mutate(self, s: Stmt, objs: frozenset[str]) -> None:
        """`s` may write into `objs`."""
        if objs:
            self.facts.mutated[id(s)] = self.facts.mutated.get(id(s), frozenset()) | objs

    def join(self, a: Val, b: Val, site: str) -> Val:
        if a == b:
            return a
        return Val(
            join(a.type, b.type, site),
            a.objs | b.objs,
            a.exact and b.exact and (a.objs == b.objs or not a.objs or not b.objs),
            a.view or b.view,
            a.active or b.active,
            a.sure and b.sure,
        )

    def expr(self, e: Expr, env: Env) -> Val:
        spend()
        val = self.evaluate(e, env)
        self.facts.vals[id(e)] = val
        return val

    def evaluate(self, e: Expr, env: Env) -> Val:
        if isinstance(e, Const):
            return Val(of_constant(e.value))
        if isinstance(e, Name):
            return env.get(e.id, Val())
        if isinstance(e, Ref):
            return self.outside(e)
        if isinstance(e, Call):
            return self.call(e, env)
        if isinstance(e, Compare):
            parts = [self.expr(x, env) for x in (e.first, *e.rest)]
            return calls.elementwise("operator.lt", tuple(parts), self.site(e), "bool")
        if isinstance(e, BoolOp):
            return self.choice(e, [self.expr(v, env) for v in e.values])
        if isinstance(e, IfExp):
            self.expr(e.test, env)
            return self.join(self.expr(e.body, env), self.expr(e.orelse, env), self.site(e))
        if isinstance(e, Tuple):
            return containers.display(e, tuple(self.expr(i, env) for i in e.items), self.site(e))
        if isinstance(e, Dict):
            for k in e.keys:
                if k is not None:
                    self.expr(k, env)
            return containers.display(e, tuple(self.expr(v, env) for v in e.values), self.site(e))
        if isinstance(e, Slice):
            for p in (e.lower, e.upper, e.step):
                if p is not None:
                    self.expr(p, env)
            return Val(Type("slice"))
        if isinstance(e, Star):
            return self.expr(e.value, env)
        return self.opaque(e, env)

    def choice(self, e: BoolOp, vals: list[Val]) -> Val:
        if all(v.type.dtype == "bool" for v in vals):
            return Val(scalar("bool"))
        out = vals[0]
        for v in vals[1:]:
            out = self.join(out, v, self.site(e))
        return out

    def outside(self, e: Ref) -> Val:
        """A module's constant: never active; its memory is not ours to write."""
        if e.qualname in (
            "numpy.pi",
            "numpy.e",
            "math.pi",
            "math.e",
            "math.tau",
            "numpy.inf",
            "math.inf",
        ):
            return Val(scalar("float"))
        if e.qualname == "numpy.newaxis":
            return Val(NONE)
        if e.qualname.startswith(("numpy.", "math.", "builtins.")):
            return Val(Type("function", const=e.qualname))
        known = self.constant(e.qualname)
        if known is not None:
            return Val(known, frozenset(("",)) if known.kind in ("list", "dict") else frozenset())
        return Val(Type("any", fresh(f"global {e.qualname}")), frozenset(("",)), exact=False)

    def opaque(self, e: Opaque, env: Env) -> Val:
        active = any(env[n].active for n in e.reads if n in env)
        objs = frozenset(o for n in e.reads if n in env for o in env[n].objs)
        for n in e.writes:
            env[n] = Val(ANY, objs, False, False, active)
        if e.kind == "f-string":
            return Val(Type("str", dtype="inexact" if active else "any"))
        if e.parts is not None:
            return self.comprehension(e, e.parts, dict(env))
        if active:
            code = "PB101" if e.kind == "lambda" else "PB110"
            self.problem(code, e.origin, e, construct=e.kind, name=e.kind)
        return Val(ANY, objs | {""}, exact=False)

    def element(self, it: Expr, val: Val, env: Env) -> Val:
        """What one turn over an iterable gives."""
        if (
            isinstance(it, Call)
            and it.fn in ("builtins.range", "numpy.arange")
            and self.all_int(it)
        ):
            return Val(scalar("int"))
        if isinstance(it, Call) and it.fn == "builtins.reversed" and it.args:
            return self.element(it.args[0], self.facts.of(it.args[0]), env)
        if isinstance(it, Call) and it.fn == "builtins.enumerate" and it.args:
            inner = self.element(it.args[0], self.facts.of(it.args[0]), env)
            return self.group((Val(scalar("int")), inner))
        if (
            isinstance(it, Call)
            and it.fn == "builtins.zip"
            and not any(isinstance(a, Star) for a in it.args)
        ):
            return self.group(tuple(self.element(a, self.facts.of(a), env) for a in it.args))
        t = val.type
        if containers.is_container(t):
            return containers.each_turn(val, self.site(it))
        if isinstance(t.shape, tuple) and t.shape and t.kind in ("array", "number"):
            return self.part(val, array(t.shape[1:], t.dtype))
        kind = "number" if t.kind in ("array", "number") else "any"
        return self.part(val, Type(kind, fresh(self.site(it)), t.dtype))

    def all_int(self, call: Call) -> bool:
        return call.fn == "builtins.range" or all(
            self.facts.type(a).dtype == "int" for a in call.args
        )

    def comprehension(self, e: Opaque, parts: Comprehension, env: Env) -> Val:
        """A list or dict of what the element gives, in an environment of its own."""
        for target, it, tests in parts.generators:
            self.bind(target, self.element(it, self.expr(it, env), env), env)
            for t in tests:
                self.expr(t, env)
        if parts.key is not None:
            self.expr(parts.key, env)
        return containers.gathered(parts, self.expr(parts.element, env), self.site(e))

    def bind(self, target: Expr, value: Val, env: Env) -> None:
        """Binds the variables of a comprehension."""
        if isinstance(target, Name):
            env[target.id] = self.facts.vals[id(target)] = value
        elif isinstance(target, Tuple):
            whole = value
            if value.type.kind == "any" and value.active:
                whole = replace(value, type=Type("struct"))
            for k, t in enumerate(target.items):
                site = f"{self.site(target)}.{k}"
                held = containers.is_container(whole.type)
                got = (
                    containers.part(whole, k, site)
                    if held
                    else replace(value, type=Type("any", fresh(site)))
                )
                self.bind(t, got, env)

    def call(self, e: Call, env: Env) -> Val:
        if e.fn in _DYNAMIC:
            self.problem("PB111", e.origin, e, name=e.fn.removeprefix("builtins."))
        if e.fn == "?" and e.callee is not None:
            self.expr(e.callee, env)
        if e.fn.startswith("attr.") and e.fn[5:] in _REFINING and isinstance(e.args[0], Name):
            self.refine_kind(e.args[0], env)
        if e.fn in ("operator.matmul", "numpy.matmul"):
            for a in e.args:
                if isinstance(a, Name):
                    self.refine_kind(a, env)
        seen = marks.at_rest(env) if e.fn in STOPS else env
        if e.fn == ROOT:
            args = solvers.root_arguments(self, e, env)
        else:
            args = tuple(self.expr(a, seen) for a in e.args)
        for _, v in e.kwargs:
            self.expr(v, seen)
        containers.noticed(self, e, args)
        if e.fn == "operator.getitem":
            if isinstance(e.args[0], Ref) and e.args[0].qualname in CONCATENATORS:
                return structure.built(self, e, args[1:], self.site(e))
            if isinstance(e.args[0], Name) and args[0].type.kind == "number":
                self.refine_kind(e.args[0], env)  # a float has no elements
            return self.getitem(e, args[0], e.args[1])
        return calls.result(self, e, args)

    def refine_kind(self, x: Name, env: Env) -> None:
        """`x.shape` and `x @ y` tell that x is an array."""
        v = env.get(x.id)
        if v is not None and v.type.kind in ("number", "any") and v.type.items is None:
            env[x.id] = replace(v, type=replace(v.type, kind="array"))

    def getitem(self, e: Call, base: Val, index: Expr) -> Val:
        t = base.type
        site = self.site(e)
        if t.kind == "tuple" and isinstance(t.const, Atoms):
            return Val(_length_along(t.const, self.facts.type(index).const))
        if containers.is_container(t):
            if isinstance(index, Slice):
                return containers.sliced(base, site)
            return containers.part(base, self.facts.type(index).const, site)
        if t.kind in ("other", "str", "function", "module", "none"):
            return Val(Type("any", fresh(site)), base.objs | {""}, False, True, base.active)
        kind = index_kind(index, self.facts.type)
        shape = indexed_shape(t.shape, index, self.facts.type, site)
        if shape == SCALAR:
            got = scalar(t.dtype)
        else:
            sliced = any(isinstance(i, Slice) for i in index_items(index))
            sure = isinstance(shape, tuple) or (sliced and t.kind in ("array", "number"))
            got = Type(
                "array" if sure else "number" if t.kind in ("array", "number") else "any",
                shape,
                t.dtype,
            )
        if kind == BASIC and got.kind == "scalar" and Const(Ellipsis) in index_items(index):
            return Val(got, base.objs, base.exact, True, base.active)  # a view that has no axes
        if kind == BASIC:
            return self.part(base, got)
        active = base.active and got.dtype not in ("int", "bool")
        if kind == UNKNOWN:
            return Val(got, base.objs, False, True, active)
        return Val(got, frozenset((site,)), active=active)

    def group(self, vals: tuple[Val, ...]) -> Val:
        return Val(
            Type("tuple", items=tuple(v.type for v in vals)),
            frozenset(o for v in vals for o in v.objs),
            False,
            True,
            any(v.active for v in vals),
        )

    def part(self, base: Val, t: Type) -> Val:
        """An element or a view of `base`."""
        active = base.active and t.dtype not in ("int", "bool")
        if t.kind == "scalar":
            return Val(t, active=active)
        return Val(t, base.objs, base.exact and t.kind == "array", True, active)


def _length_along(shape: Atoms, axis: object) -> Type:
    """An element of the shape of an array whose rank is not known: an integer, the same wherever it is asked."""
    if not isinstance(axis, int) or not shape.names:
        return scalar("int")
    if axis == 0:
        return scalar("int", Dim("len " + "*".join(sorted(shape.names))))
    return scalar("int", Dim(f"axis {axis} of " + "*".join(sorted(shape.names))))
