"""One derivation: a function's derivative, with the private ones that it turns out to need.

    lower -> prepare -> reverse or forward -> written.py: optimize -> emit

May not know: files, the command line, LSP, NumPy.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from . import ir
from .analysis.declared import argument_type, common_types, parameter_vals
from .analysis.facts import Facts, Problem
from .analysis.own_rules import Misfit, OwnRule
from .analysis.remarks import remarks
from .analysis.shown import shown_facts
from .analysis.types import Type
from .analysis.unbound import unbound
from .at_once import at_once
from .diagnostics import Diagnostic, Source, report
from .emit.insert import standing
from .ir import Function
from .lower import scope_of
from .nested import Private, Wanted
from .optimize.effects import gives_only
from .program import Program
from .source.header import Header
from .steps import taken
from .summaries import Seen, outside
from .targets import derivative_name, diagnostic, place_of, target_problems
from .transform.dense import COLUMNS, GRADIENT, ROWS, dense, way
from .transform.finish import calls_of_helpers, optimized
from .transform.fixed_points import TURN
from .transform.naming import Namer, names_of, plain_name
from .transform.outputs import returns_values
from .transform.prepare import facts_as_written, prepared
from .transform.request import DENSE, FORWARD, SECOND, SPARSE, Request, Reversed
from .transform.reverse import reverse
from .transform.signature import describe
from .transform.sparse import sparse
from .transform.tangent import forward
from .written import Derived, emitted, made_from, private_options, reached, text_of

Watch = Callable[[str, str], None]  # is told a pass's name and what it made, as text


@dataclass(frozen=True)
class Looked:
    """What stands in the way of a function's derivative, and what was seen of those that it calls for that, where
    that is known."""

    found: tuple[Diagnostic, ...]
    seen: Seen | None = None


@dataclass
class Derivation:
    """One derivation: the function asked for, and the private derivatives that it turns out to need."""

    program: Program
    target: Function
    kind: str
    wrt: tuple[str, ...]
    wished: str | None
    watch: Watch | None = None
    out: tuple[str, ...] = ()  # the outputs that are asked for by name
    insert: dict[str, str] = field(default_factory=dict)  # code for the backward pass, by variable
    captured: tuple[str, ...] = ()  # the first parameters, where another function makes the target
    alone: bool = False  # one name, asked for as a tuple: a tuple of one is what it gives
    given: tuple[Type, ...] = ()  # of the arguments, where those are known
    jit: str = ""  # the compiler that the derivative is for
    taken: set[str] = field(default_factory=set)
    private_made: dict[Wanted, tuple[str, tuple[str, ...]]] = field(default_factory=dict)
    todo: list[Wanted] = field(default_factory=list)
    at_once: list[Private] = field(default_factory=list)  # those for several directions
    declined: set[Wanted] = field(default_factory=set)  # those that are not clear
    assumed: dict[Wanted, tuple[Type, ...]] = field(default_factory=dict)
    inner: str = ""  # the kind of the private derivatives of what is being made
    by: str = ""  # how a dense derivative is made, where not as the text suggests
    gradient: Function | None = None  # what is differentiated in the place of the target
    before: list[str] = field(default_factory=list)  # the functions that it was made from
    firsts: list[Private] = field(default_factory=list)  # its private derivatives
    ruled: set[str] = field(default_factory=set)  # the user's own rules that it follows
    inlined: set[str] = field(default_factory=set)  # functions whose statements stand in others
    effects: dict[str, bool] = field(default_factory=dict)  # whether a function is harmless
    again: bool = False  # a call was found whose arguments are not of the assumed types
    found: list[Diagnostic] = field(default_factory=list)  # what stands in the way
    remarks: list[Diagnostic] = field(default_factory=list)  # what is to be known of the target

    def show(self, name: str, fn: Function) -> None:
        """Shows whoever watches what a pass made of a function."""
        if self.watch is not None:
            shown = text_of(self, fn, self.program.spelling())
            self.watch(f"{name} of {fn.qualname}", shown.text)

    def run(self) -> Derived:
        made, privates = self.result()
        request = self.request()
        if made is None:
            return Derived(None, tuple(self.found), name=request.name)
        return emitted(self, request, made, privates)

    def result(self, *, private: bool = False) -> tuple[Reversed | None, list[Private]]:
        """The derivative, and the private ones that it needs; None where problems were found."""
        if self.kind in SECOND and not self.of_gradient():
            return None, []
        made, privates = self.analysed(replace(self.request(), product=private))
        return (None, []) if self.found else (made, privates)

    def source(self) -> Source:
        """What quick fixes are made from."""
        return Source(self.program.module.text, scope_of(self.program.module).imports)

    def of_gradient(self) -> bool:
        """Makes the gradient the function that is differentiated; False where there is none.

        A Hessian times a vector is the tangent of the gradient, a Hessian its Jacobian.
        """
        first = Derivation(
            self.program,
            self.target,
            "grad",
            self.wrt,
            None,
            out=self.out,
            alone=self.alone,
            given=self.given,
            jit=self.jit,
        )
        request = first.request()
        made, privates = first.analysed(request)
        self.found += first.found
        if self.found or made is None or made.fn is None:
            return False
        inner: dict[str, Function] = {}
        for private in privates:
            one = self.again_differentiable(private)
            inner[f"<helper>.{one.name}"] = one
        self.program = self.program.with_made(inner)
        self.before = [*(p.wanted.fn for p in privates), *first.inlined, *first.ruled]
        self.firsts = privates
        self.gradient = replace(
            optimized(made.fn, request, last=False, harmless=self.harmless, narrow=made.narrow),
            name=self.target.name,
            qualname=self.target.qualname,
            params=self.target.params,
            pragmas=self.target.pragmas,
        )
        return True

    def again_differentiable(self, private: Private) -> Function:
        """A private derivative as a function that can be differentiated."""
        assert private.made.fn is not None
        request = Request(private.wanted.kind, (), private.made.fn.name, private=True)
        made = private.made
        one = optimized(
            private.made.fn, request, last=False, harmless=self.harmless, narrow=made.narrow
        )
        return replace(one, qualname=one.name, pragmas=private.callee.pragmas)

    def problems(self) -> Looked:
        """What stands in the way in the function itself; those that it calls are asked one by one."""
        self.found += target_problems(self.target, self.wrt, self.source())
        if not self.found:
            self.derived(self.target, replace(self.request(), looking=True))
        seen = replace(self.program.saw, steps=taken(), whole=not self.program.nested.asked)
        return Looked((*self.found, *self.remarks), seen)

    def as_written(self) -> Facts:
        """What is known of the function as it stands in the text, where the parameters asked for vary."""
        return facts_as_written(self.target, self.request(), self.program.facts)

    def source_digest(self) -> str | None:
        """The digest that the header would have; None where there is no derivative."""
        made, privates = self.result()
        return None if made is None else made_from(self, privates)

    def request(self) -> Request:
        self.taken = set(scope_of(self.program.module).names) | self.program.nested.names()
        name = self.wished or derivative_name(
            self.target, self.kind, self.wrt, self.out, self.jit, self.program.module
        )
        return Request(self.kind, self.wrt, name, out=self.out, alone=self.alone)

    def analysed(self, request: Request) -> tuple[Reversed | None, list[Private]]:
        """The derivative, and the private ones that it needs; a Jacobian by rows if not by columns."""
        made, privates = self.settled(request)
        if made is None and request.kind in ("jacobian", SPARSE) and returns_values(self.target):
            found, self.found, self.by = self.found, [], ROWS
            made, privates = self.settled(request)
            self.found = found if made is None else []
        return made, privates

    def maker(self) -> str:
        """What tells this derivation from those of the derivatives that it calls."""
        return f"{self.kind} {self.target.qualname} {self.gradient is None}"

    def settled(self, request: Request) -> tuple[Reversed | None, list[Private]]:
        """The same, for the types that the arguments of calls turn out to have.

        A private derivative is made for the types of the arguments at all its calls; when a call turns
        out to bring others, everything is made again.
        """
        self.found += target_problems(self.target, self.wrt, self.source())
        for stated, why in self.program.rules.misstated():
            name = stated.of.rpartition(".")[2] or "anything"
            self.found.append(report("PB311", stated.at, name=name, reason=why))
        if self.found:
            return None, []
        taken = set(self.taken)
        nested = self.program.nested
        while True:
            version, nested.calls[self.maker()] = nested.version, {}
            self.again, self.taken = False, taken | nested.names()
            self.private_made, self.todo, self.found, self.remarks = {}, [], [], []
            self.at_once, self.declined = [], set()
            self.inlined, self.ruled = set(), set()
            made, privates = self.analysed_once(request)
            if (
                version != self.program.nested.version
            ):  # what was looked at is not what is there now
                if self.gradient is not None and not self.of_gradient():
                    return None, []
                continue
            if self.found:
                return None, []
            if not self.again:
                return made, privates

    def analysed_once(self, request: Request) -> tuple[Reversed | None, list[Private]]:
        if self.gradient is not None:  # its outputs are what it returns
            made = self.derived(self.gradient, replace(request, out=()), self.given)
        else:
            made = self.derived(self.target, request, self.given)
        privates: list[Private] = []
        self.found += self.underivable(made)
        while self.todo and not self.found and not self.again:
            wanted = self.todo.pop(0)
            callee, types = self.callee(wanted), self.types(wanted)
            self.found += target_problems(callee, ()) if not wanted.product else ()
            inner = self.derived(callee, self.asked(wanted, self.private_made[wanted][0]), types)
            if wanted.fn.startswith("<helper>.") and self.found:
                self.found = [self.unwritten(callee)]
            self.found += self.underivable(inner)
            if inner is not None:
                privates.append(Private(wanted, callee, replace(inner, types=types)))
        if self.at_once:  # what they are made of need not be called any more
            privates = reached(made, [*self.at_once, *privates])
        return made, privates

    def asked(self, wanted: Wanted, name: str) -> Request:
        """The request for a private derivative."""
        own = wanted.product
        out = self.out if own and self.gradient is None else ()
        return Request(wanted.kind, wanted.params, name, out=out, private=not own, product=own)

    def types(self, wanted: Wanted) -> tuple[Type, ...]:
        """The types of the arguments that a private derivative is made for."""
        return self.given if wanted.product else self.assumed[replace(wanted, many=False)]

    def underivable(self, made: Reversed | None) -> tuple[Diagnostic, ...]:
        """What stands in the way of the derivatives that a primal takes, in text that would call them."""
        called = calls_of_helpers(made.fn) if made is not None else set()
        return self.program.nested.found(f"<helper>.{n}" for n in sorted(called))

    def unwritten(self, helper: Function) -> Diagnostic:
        """What is said where a private helper, which stands in no file of the user's, stands in the way."""
        reason = "its second derivative has not been written"
        told = Problem("PB302", place_of(self.target), (("name", helper.name), ("reason", reason)))
        return diagnostic(told, self.target, self.source())

    def callee(self, wanted: Wanted) -> Function:
        """The function that a private derivative is of."""
        own = self.gradient or self.target
        found = own if wanted.product else self.program.function(wanted.fn)
        assert found is not None
        return found

    def derived(
        self, fn: Function, request: Request, types: tuple[Type, ...] = ()
    ) -> Reversed | None:
        program, self.inner = self.program, "jvp" if request.forward else "vjp"
        inlining = program.inlining()
        types = program.with_known(fn, types)
        ready = prepared(fn, request, types, program.facts, inlining, program.add)
        for name in sorted(inlining.made_of - self.inlined):
            callee = program.function(name)
            self.found += target_problems(callee, ()) if callee is not None else ()
        self.inlined |= inlining.made_of
        for s in ir.statements(ready.fn.body):
            for call in (e for top in ir.stmt_exprs(s) for e in ir.walk(top)):
                if isinstance(call, ir.Call):
                    program.nested.note(self.maker(), call, ready.facts.vals)
        if not request.helper:
            told = (*unbound(ready.written), *remarks(ready.facts))
            self.remarks += [diagnostic(p, fn, self.source()) for p in told]
        self.show("lowering", ready.fn)
        if self.watch is not None:
            self.watch(f"facts of {fn.qualname}", shown_facts(ready.facts))
        if request.kind in DENSE:
            return self.dense(ready.fn, ready.facts, request)
        mode = forward if request.forward else reverse
        got = mode(
            ready.fn,
            ready.facts,
            request,
            self,
            self.taken,
            program.evaluator,
            fn.module,
        )
        problems = dict.fromkeys((*got.problems, *ready.unclear))
        self.found += [d for p in problems for d in self.explained(inlining.explained(p), fn)]
        if got.fn is not None:
            self.show("forward" if request.forward else "reverse", got.fn)
        return got if got.fn is not None else None

    def explained(self, p: Problem, fn: Function) -> tuple[Diagnostic, ...]:
        """A problem as it is reported; of a derivative that the primal takes, why it cannot be taken."""
        told = self.program.nested.explained(p, fn.module)
        return told if isinstance(told, tuple) else (diagnostic(told, fn, self.source()),)

    def dense(self, fn: Function, facts: Facts, request: Request) -> Reversed | None:
        """A Jacobian or Hessian of `fn`; the Jacobian of one number is its gradient."""
        how = self.by or way(facts, request)
        if how == ROWS and (self.out or not returns_values(self.target)):
            how = COLUMNS
        if how == GRADIENT and request.kind == SPARSE:
            how = ROWS if returns_values(self.target) else COLUMNS
        if how == GRADIENT:
            got = self.derived(self.target, replace(request, kind="grad"), self.given)
            if got is None or got.fn is None:
                return None
            return replace(got, fn=replace(got.fn, docstring=describe(fn, request)))
        made = sparse if request.kind == SPARSE else dense
        got = made(fn, facts, request, self, self.taken, how, self.written())
        self.found += [diagnostic(p, fn, self.source()) for p in got.problems]
        return got if got.fn is not None else None

    def written(self) -> set[str]:
        """The parameters that the function writes into."""
        return set(self.program.facts(self.target, parameter_vals(self.target, self.wrt)).written)

    def product(self, kind: str, wrt: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
        """The name of a private product of the function at hand, and those of its seeds."""
        wanted = Wanted(kind, self.target.qualname, wrt, product=True)
        if wanted not in self.private_made:
            name = self.private_name(wanted, self.target, self.given)
            self.private_made[wanted] = (name, _seed_names(self.target, self.taken, kind, wrt))
            self.todo.append(wanted)
        return self.private_made[wanted]

    def along(self, kind: str, wrt: tuple[str, ...]) -> tuple[str, tuple[str, ...]] | None:
        """The same for several directions at once; None where that is not clear."""
        return self.several(Wanted(kind, self.target.qualname, wrt, product=True, many=True))

    def several(self, wanted: Wanted) -> tuple[str, tuple[str, ...]] | None:
        """The name of a private derivative for several directions at once, and those of its seeds."""
        if wanted in self.private_made or wanted in self.declined:
            return self.private_made.get(wanted)
        self.declined.add(wanted)  # it may call itself
        callee, taken = self.callee(wanted), self.taken if wanted.product else set[str]()
        seeds = _seed_names(callee, taken, wanted.kind, wanted.params)
        name = self.private_name(wanted, callee, self.types(wanted))
        made = at_once(self, wanted, name, seeds)
        if made is None:
            self.taken.discard(name)
            return None
        self.at_once.append(made)
        self.private_made[wanted] = (name, seeds)
        return name, seeds

    def function(self, fn: str) -> Function | None:
        return self.program.function(fn)

    def signature(self, fn: str) -> Function | None:
        return self.program.signature(fn)

    def seeds(self, fn: str, kind: str, params: tuple[str, ...]) -> tuple[str, ...]:
        """The seed parameters of a function's private derivative."""

        def found(program: Program) -> tuple[str, ...]:
            callee = program.function(fn)
            return () if callee is None else _seed_names(callee, set(), kind, params)

        return self.program.ask("seeds", fn, found, kind, params)

    def own_rule(self, fn: str, mode: str) -> OwnRule | None:
        rule = self.program.rules.rule(fn, mode)
        if isinstance(rule, Misfit):
            at, path, name = rule.at or place_of(rule.fn), rule.fn.module or None, rule.fn.qualname
            found = report("PB311", at, function=name, path=path, name=rule.of, reason=rule.why)
            self.found += [] if found in self.found else [found]
            return None
        if rule is not None:
            self.ruled.add(rule.name)
        return rule

    def harmless(self, fn: str) -> bool:
        """Whether calling a workspace function does nothing but give its result."""
        if fn not in self.effects:
            self.effects[fn] = False  # a recursive one need not end
            callee = self.program.function(fn)
            self.effects[fn] = callee is not None and gives_only(callee, self.harmless)
        return self.effects[fn]

    def default(self, fn: str, param: ir.Param) -> ir.Expr:
        return self.program.default(fn, param)

    def private(
        self, fn: str, params: tuple[str, ...], types: tuple[Type, ...]
    ) -> tuple[str, tuple[str, ...]] | None:
        """The name of the private derivative of a function that is called, and its seeds' names."""
        key = Wanted(self.inner, fn, params)
        callee = self.program.signature(fn)
        if callee is None:
            return None
        exact = TURN in callee.flags  # it is called in one place
        given = tuple(
            outside(t) if exact else argument_type(t, p.name) for t, p in zip(types, callee.params)
        )
        known = self.assumed.get(key)
        new = given if known is None else common_types(known, given, callee)
        if new != known:
            self.assumed[key] = new
            self.again = self.again or key in self.private_made
        if key not in self.private_made:
            seeds = self.seeds(fn, self.inner, params)
            there = self.program.nested.private(key, new)
            if there is not None and there.made.fn is not None:
                return there.made.fn.name, seeds
            self.private_made[key] = (self.private_name(key, callee, new), seeds)
            self.todo.append(key)
        return self.private_made[key]

    def private_name(self, wanted: Wanted, callee: Function, types: tuple[Type, ...]) -> str:
        """A name that is free, or that this very private derivative has in the file already."""
        wish = f"_{plain_name(callee).lstrip('_')}_{wanted.kind}{'s' if wanted.many else ''}"
        name, n = wish, 2
        while name in self.taken and not self.stands(name, callee, wanted, types):
            name, n = f"{wish}{n}", n + 1
        self.taken.add(name)
        return name

    def stands(self, name: str, callee: Function, made: Wanted, types: tuple[Type, ...]) -> bool:
        """Whether this very private derivative is in the file already, be it out of date."""
        there = standing(self.program.module, name)
        if there is None or there.header is None:
            return False
        options = private_options(types, self.jit, made.many)
        wanted = Header(made.kind, callee.qualname, callee.module, made.params, options)
        return replace(there.header, source="", body="") == wanted


def _seed_names(
    fn: Function, taken: set[str], kind: str, params: tuple[str, ...]
) -> tuple[str, ...]:
    """The seed parameters of a private derivative: names that the function leaves free."""
    namer = Namer(names_of(fn) | taken)
    if kind in FORWARD:
        return tuple(namer.fresh(f"{p}_dot") for p in params)
    return (namer.fresh(f"{plain_name(fn)}_bar"),)
