"""Calls replaced by what the functions do: of those that write into what they are passed or get functions passed,
of those that a function makes for itself, and of those that take derivatives.

    def relax(v, w):                   for _ in range(n):
        v[1:-1] += w * v[2:]    ->         u[1:-1] += 0.1 * u[2:]

    for _ in range(n):
        relax(u, 0.1)

So arrays that are known by two names, floats that may be arrays, single elements and captured variables are
what they are everywhere: matters of one function. Parameters become the variables that are passed, or are
bound once.

May not know: rules, how anything is reversed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from ..analysis.facts import Facts, Problem
from ..analysis.flow import bindings
from ..analysis.own_rules import RULED
from ..analysis.signatures import Bound, bind_to, gathered, of_function
from ..ir import (
    Assign,
    AugAssign,
    Barrier,
    Block,
    Call,
    Const,
    Expr,
    ExprStmt,
    For,
    Function,
    If,
    Name,
    Opaque,
    Param,
    Ref,
    Return,
    Span,
    Stmt,
    While,
    else_of,
    is_expr,
    map_statement,
    statements,
    stmt_exprs,
    unless_same,
    walk,
)
from ..lower.names import BUILTINS
from ..optimize.effects import is_pure, known_pure
from .arguments import collected, with_arguments_apart
from .called import imports, own_names, texts_of, without_frame, writes
from .endings import ended
from .exits import with_returns_as_breaks
from .local_functions import (
    NESTED,
    PARTIAL,
    Locals,
    Lowered,
    captured,
    local_functions,
    with_direct_calls,
    without_unused,
)
from .naming import Namer, describe, names_of
from .order import before, first, swapped, value_of, with_value
from .renaming import is_formatted, named_in, renamed, renamed_expr, with_own_names

LIMIT = 400  # statements that are put in place of calls, in one function


class NotInlined(Exception):
    """Why a call stays a call."""


@dataclass
class Inlining:
    """What is known of the calls of one function while they are replaced.

    function  the workspace function of a resolved name
    signature the same without its statements
    default   the default of a parameter, as this module writes it
    inner     the ir of a nested `def` or a lambda of a function
    is_function  whether a resolved name is a function's
    named     a function with names for the derivatives that it takes itself
    takes     whether the function of a resolved name takes derivatives, or one that it calls
    chains    the functions whose statements a call came with, by the call's identity
    made_of   the functions whose statements are here now
    reasons   why calls stay, by where they stand
    """

    function: Callable[[str], Function | None]
    signature: Callable[[str], Function | None]
    default: Callable[[str, Param], Expr]
    inner: Lowered
    is_function: Callable[[str], bool]
    named: Callable[[Function], Function]
    takes: Callable[[str], bool]
    chains: dict[int, tuple[str, ...]] = field(default_factory=dict)
    alive: list[Expr] = field(default_factory=list)  # an identity is only good while its node lives
    made_of: set[str] = field(default_factory=set)
    reasons: dict[Span | None, str] = field(default_factory=dict)
    kept: set[str] = field(default_factory=set)  # names for what partial calls are given
    replaced: set[str] = field(default_factory=set)  # local functions that calls were replaced of
    size: int = 0

    def run(self, fn: Function, facts: Facts) -> Function:
        """`fn` without some of the calls that are to go; `fn` itself where none is left or all of them stay."""
        named = self.named(fn)
        if named is not fn:
            return named
        apart = with_arguments_apart(fn, facts, self.carry)
        if apart is not fn:
            return apart
        known = local_functions(fn, self.inner, self.is_function)
        self.replaced |= known.others.keys()
        plain = with_direct_calls(fn, known, self.kept)
        if plain is not fn:
            return plain
        walk = Walk(self, fn, facts, known, Namer(names_of(fn)))
        walk.find()
        body = walk.block(fn.body) if walk.wanted else fn.body
        return replace(fn, body=body) if walk.changed else without_unused(fn, self.replaced)

    def carry(self, old: Call, new: Call) -> None:
        """`new` stands in the place of `old`."""
        self.alive.append(new)
        self.chains[id(new)] = self.chains.get(id(old), ())

    def explained(self, p: Problem) -> Problem:
        """A report of a call that stays, with the reason."""
        reason = self.reasons.get(p.span) if p.code == "PB205" else None
        return p if reason is None else replace(p, values=(*p.values, ("reason", reason)))


@dataclass(frozen=True)
class Called:
    """What a call is of. `local`: the function makes it itself; `foreign`: its text means something else here."""

    key: str
    callee: Function
    local: bool
    foreign: bool
    chain: tuple[str, ...]
    bound: Bound


@dataclass
class Walk:
    """One walk over a function, with the facts that hold before it."""

    known: Inlining
    fn: Function
    facts: Facts
    local: Locals
    namer: Namer
    wanted: set[int] = field(default_factory=set)
    changed: bool = False

    # --- which calls ---------------------------------------------------------------------------

    def find(self) -> None:
        """The calls that are to go: those that write, and those of and with functions that only are known here."""
        self.wanted = {node for node, code in self.facts.problems if code == "PB205"}
        for s in statements(self.fn.body):
            for e in stmt_exprs(s):
                self.wanted |= {id(c) for c in walk(e) if isinstance(c, Call) and self.goes(c, s)}

    def goes(self, call: Call, s: Stmt) -> bool:
        args = (*call.args, *(v for _, v in call.kwargs))
        own = self.inner(call)
        functions = [own] if own is not None else []
        if own is None and self.known.signature(call.fn) is not None:
            if self.collects(call) or self.known.takes(call.fn):
                return True
            if not any(self.is_function(a) for a in args):
                return False
            functions = [f for f in map(self.passed, map(_taken_of, args)) if f is not None]
        elif own is None:
            return False
        inside = {n for f in functions for n in captured(f)}
        active = any(self.facts.active(a) for a in args) or any(
            self.facts.var(s, n).active for n in inside
        )
        return active or any(writes(f) & captured(f) for f in functions)

    def collects(self, call: Call) -> bool:
        """Whether a parameter `*p` or `**p` of what is called collects active values."""
        callee = self.known.signature(call.fn)
        bound = None if callee is None else bind_to(of_function(callee), call)
        if callee is None or bound is None:
            return False
        many = [p for p in callee.params if p.kind.startswith("var-")]
        return any(self.facts.active(v) for p in many for v in gathered(bound, call, p))

    def inner(self, call: Call) -> Function | None:
        """The function that a call is of, where this function makes it."""
        return self.passed(call.callee) if call.fn == "?" and call.callee is not None else None

    def passed(self, e: Expr) -> Function | None:
        """The nested function or lambda that `e` is."""
        if isinstance(e, Name):
            return self.local.functions.get(e.id)
        return (
            self.known.inner(self.fn, e) if isinstance(e, Opaque) and e.kind == "lambda" else None
        )

    def is_function(self, e: Expr) -> bool:
        if isinstance(e, Name):
            return e.id in self.local
        if isinstance(e, Ref):
            return self.known.is_function(e.qualname)
        return (isinstance(e, Opaque) and e.kind == "lambda") or (
            isinstance(e, Call) and (e.fn == PARTIAL or e.fn in NESTED)
        )

    # --- statements ----------------------------------------------------------------------------

    def block(self, block: Block) -> Block:
        return unless_same([x for s in block for x in self.statement(s)], block)

    def statement(self, s: Stmt) -> Block:
        if isinstance(s, (If, For, While)):
            s = self.nested(s)
        found = [c for e in stmt_exprs(s) for c in walk(e) if id(c) in self.wanted]
        if not found:
            return (s,)
        try:
            made = self.without_call(s)
        except NotInlined as reason:
            for call in found:
                self.known.reasons.setdefault(call.origin, str(reason))
            return (s,)
        self.changed = True
        return made

    def nested(self, s: If | For | While) -> If | For | While:
        body, orelse = self.block(s.body), self.block(s.orelse)
        if body is s.body and orelse is s.orelse:
            return s
        return replace(s, body=body, orelse=else_of(orelse))

    def without_call(self, s: Stmt) -> Block:
        """`s` without one of its calls that are to go: what the call does, and what is left of `s`."""
        for e in stmt_exprs(s):
            for c in walk(e):
                value = (
                    self.value_of(c, s) if isinstance(c, Call) and id(c) in self.wanted else None
                )
                if value is not None:
                    return (_swapped(s, {id(c): value}),)
        whole = value_of(s)
        path = None if whole is None else first(whole, self.wanted)
        if whole is None or path is None:
            raise NotInlined(
                "it stands where only a value can: in a test of a loop, a target, an alternative"
            )
        call = path[-1]
        assert isinstance(call, Call)
        if len(path) == 1 and isinstance(s, (Assign, Return, ExprStmt)):
            return self.expanded(call, s, lambda value: _ending(s, value))
        if isinstance(s, AugAssign):
            self.require_apart(s.target, call)
        swaps: dict[int, Expr] = {}
        early = []
        for e in before(path):
            name = self.namer.fresh(describe(e))
            early.append(_bound(name, e, s))
            swaps[id(e)] = Name(name)
        name = self.namer.fresh(describe(call))
        body = self.expanded(call, s, lambda value: (_bound(name, value or Const(None), s),))
        swaps[id(call)] = Name(name)
        return (*early, *body, with_value(s, swapped(whole, swaps)))

    def require_apart(self, target: Expr, call: Call) -> None:
        """An element that is added to is read before the call: the call must not write there."""
        if isinstance(target, Name):
            return
        if self.inner(call) is not None:
            raise NotInlined("it may write into what its result is added to")
        objs = self.facts.of(target.args[0]).objs if isinstance(target, Call) else frozenset(("",))
        args = (*call.args, *(v for _, v in call.kwargs))
        if "" in objs or objs & {o for a in args for o in self.facts.of(a).objs}:
            raise NotInlined("it may write into what its result is added to")

    # --- one call ------------------------------------------------------------------------------

    def called(self, call: Call) -> Called:
        """What a call is of; raises where it has to stay a call."""
        callee = self.inner(call)
        local = callee is not None
        key = f"{self.fn.qualname}.{describe(call.callee)}" if local and call.callee else call.fn
        callee = callee if local else self.known.function(call.fn)
        chain = self.known.chains.get(id(call), ())
        if callee is None or key in chain:
            raise NotInlined("it calls itself")
        if RULED in callee.flags:
            raise NotInlined(
                "its derivative is given by a rule, which says nothing of what it writes"
            )
        _require_plain(callee, local)
        callee = with_own_names(with_returns_as_breaks(callee), [p.name for p in callee.params])
        outside = names_of(callee) - own_names(callee)
        if outside & own_names(self.fn) and not local:
            raise NotInlined("names of its module mean something else here")
        foreign = callee.module != self.fn.module or bool(imports(callee))
        texts = texts_of(callee)
        if foreign and not all(named_in(t.text) <= {*t.reads, *t.writes, *BUILTINS} for t in texts):
            raise NotInlined("it says what means something else outside of its module")
        bound = bind_to(of_function(callee), call)
        if bound is None:
            raise NotInlined("the text does not show which argument goes where")
        return Called(key, callee, local, foreign, (*chain, key), bound)

    def value_of(self, call: Call, s: Stmt) -> Expr | None:
        """The value of a call of a function that is one expression, if that can be said in its place."""
        to = self.called(call)
        body = without_frame(to.callee.body)
        value = body[0].value if len(body) == 1 and isinstance(body[0], Return) else None
        if value is None:
            return None
        names: dict[str, Expr] = {}
        for p in to.callee.params:
            given = self.argument(p, to, call)
            uses = sum(1 for e in walk(value) if e == Name(p.name))
            texts = any(p.name in t.reads for t in texts_of(to.callee))
            plain = isinstance(given, (Name, Const, Ref))
            if not is_pure(given, known_pure) or (texts and not isinstance(given, Name)):
                return None
            if uses > 1 and not plain:
                return None
            names[p.name] = given
        self.begin(to, 1)
        made = renamed_expr(value, names, s.origin if to.foreign else None)
        self.note(made, to.chain)
        return made

    def expanded(self, call: Call, s: Stmt, end: Callable[[Expr | None], Block]) -> Block:
        """What `call` does, with `end` of what it returns wherever it ends."""
        to = self.called(call)
        self.begin(to, sum(1 for _ in statements(to.callee.body)))
        binding, names = self.named(call, to, s)
        at = s.origin if to.foreign else None
        body = tuple(renamed(x, names, at) for x in without_frame(to.callee.body))
        for x in statements(body):
            for e in stmt_exprs(x):
                self.note(e, to.chain)
        return (*binding, *ended(body, end))

    def begin(self, to: Called, size: int) -> None:
        """Counts the statements of a call that is replaced, and takes the names that they use."""
        if self.known.size + size > LIMIT:
            raise NotInlined(f"with what it calls it has more than {LIMIT} statements")
        self.known.size += size
        self.namer.taken |= names_of(to.callee) - own_names(to.callee)
        if to.local:
            self.known.replaced.add(to.key.rpartition(".")[2])
        else:
            self.known.made_of.add(to.key)

    def note(self, e: Expr, chain: tuple[str, ...]) -> None:
        self.known.alive.append(e)
        for c in walk(e):
            if isinstance(c, Call):
                self.known.chains[id(c)] = chain

    def named(self, call: Call, to: Called, s: Stmt) -> tuple[Block, dict[str, Expr]]:
        """The statements that bind parameters, and what stands for each variable of the callee."""
        callee = to.callee
        texts = texts_of(callee)
        fixed = {n for t in texts for n in (*t.reads, *t.writes)}
        names: dict[str, Expr] = {}
        binding: list[Stmt] = []
        for p in sorted(callee.params, key=lambda p: _place(p, to.bound, call)):
            value = self.argument(p, to, call)
            plain = isinstance(value, Name) or p.name not in fixed
            if plain and self.stands_for(p.name, value, callee):
                names[p.name] = value
                continue
            names[p.name] = Name(self.namer.fresh(p.name))
            binding.append(Assign((replace(names[p.name]),), value, origin=s.origin))
        for n in sorted(own_names(callee) - names.keys()):
            names[n] = Name(self.namer.fresh(n))
        if any(
            names.get(n) != Name(n)
            for t in texts
            if is_formatted(t.text)
            for n in (*t.reads, *t.writes)
        ):
            raise NotInlined("it formats a text whose names mean something else here")
        return tuple(binding), names

    def argument(self, p: Param, to: Called, call: Call) -> Expr:
        if p.kind.startswith("var-"):
            return collected(p, to.bound, call)
        value = to.bound[p.name]
        assert is_expr(value)
        given = {id(a) for a in call.args} | {id(v) for _, v in call.kwargs}
        if id(value) in given:
            return value
        default = value if to.local else self.known.default(call.fn, p)
        if not isinstance(default, Const):
            raise NotInlined(f"the default of {p.name} is made once for all calls")
        return default

    def stands_for(self, name: str, value: Expr, callee: Function) -> bool:
        """Whether `value` may be written wherever the callee says `name`."""
        if not isinstance(value, (Name, Const, Ref)):
            return False
        changes = [s for s in statements(callee.body) if name in bindings(s)]
        in_place = all(isinstance(s, AugAssign) for s in changes)
        array = isinstance(value, Name) and self.facts.type(value).kind == "array"
        return not changes or (in_place and array)


def _taken_of(e: Expr) -> Expr:
    """The function that a partial call or a derivative is of; any other expression itself."""
    while isinstance(e, Call) and (e.fn == PARTIAL or e.fn in NESTED) and e.args:
        e = e.args[0]
    return e


# --- what is left of a statement ---------------------------------------------------------------------


def _swapped(s: Stmt, swaps: dict[int, Expr]) -> Stmt:
    """`s` with parts of its own expressions replaced."""
    return replace(map_statement(s, lambda e: swapped(e, swaps), lambda x: x), verbatim=False)


def _bound(name: str, value: Expr, s: Stmt) -> Stmt:
    return Assign((Name(name),), value, origin=s.origin)


def _ending(s: Assign | Return | ExprStmt, value: Expr | None) -> Block:
    """What becomes of `s`, whose value is all of a call, where the call ends with `value`."""
    if isinstance(s, ExprStmt):
        if value is None or is_pure(value, known_pure):
            return ()
        return (ExprStmt(value, origin=s.origin),)
    given = Const(None) if value is None else value
    if isinstance(s, Return):
        return (Return(given, origin=s.origin),)
    return (Assign(tuple(renamed_expr(t, {}) for t in s.targets), given, origin=s.origin),)


# --- what is called ----------------------------------------------------------------------------------


def _require_plain(callee: Function, local: bool) -> None:
    refused = {"async", "generator", "conditional"} | ({"nested"} if not local else set())
    if refused & callee.flags:
        raise NotInlined("it is no plain function")
    for s in statements(callee.body):
        if isinstance(s, Barrier):
            raise NotInlined(f"it has a `{s.kind}`")


def _place(p: Param, bound: Bound, call: Call) -> int:
    """Where the argument of `p` stands in the call: arguments are evaluated in that order."""
    order = [id(a) for a in call.args] + [id(v) for _, v in call.kwargs]
    if p.kind.startswith("var-"):
        return min([order.index(id(v)) for v in gathered(bound, call, p)], default=len(order))
    value = id(bound[p.name])
    return order.index(value) if value in order else len(order)
