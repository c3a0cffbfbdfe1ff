"""One derivation: a function's derivative, with the private ones that it turns out to need, as text.

    lower -> prepare -> reverse or forward -> optimize -> emit

May not know: files, the command line, LSP, NumPy.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from . import ir
from .analysis.declared import argument_type, common_types, parameter_vals, type_word
from .analysis.facts import Facts, Problem
from .analysis.own_rules import Misfit, OwnRule
from .analysis.remarks import remarks
from .analysis.shown import shown_facts
from .analysis.types import Type
from .analysis.unbound import unbound
from .diagnostics import Diagnostic, Source, report
from .emit import Emitted, Spelling, emit_function, respelled
from .emit.insert import standing
from .ir import Function, Span
from .ir.marks import without_marks
from .lower import defined_around, definitions, scope_of, with_absolute_signature
from .lower.marked import placed_comments
from .nested import Private, Wanted
from .optimize.effects import gives_only
from .program import Program, outside
from .source.digest import digest, digest_of
from .source.header import Header, format_header, insert_option
from .source.module import parse_module
from .staging.compiled import NJIT, compiled
from .staging.lacking import lacking
from .support import helper_names, helper_texts, renamed, with_helpers
from .targets import derivative_name, diagnostic, place_of, target_problems
from .transform.dense import COLUMNS, GRADIENT, ROWS, dense, way
from .transform.finish import called_helpers, calls_of_helpers, optimized
from .transform.fixed_points import TURN
from .transform.inlining import Inlining
from .transform.naming import Namer, names_of, plain_name
from .transform.outputs import returns_values
from .transform.prepare import facts_as_written, prepared
from .transform.request import DENSE, FORWARD, SECOND, Request, Reversed
from .transform.reverse import reverse
from .transform.signature import describe
from .transform.tangent import forward

PRIVATE = (("private", "yes"),)  # in the header of a private derivative
SILENT = ("differentiable", "ignore", "example")  # comments that change nothing that is generated
TUPLE = (("tuple", "yes"),)  # one name, but the derivative gives a tuple


@dataclass(frozen=True)
class Derived:
    """A derivative as text.

    source       what runs when appended to the module: imports, helpers, private derivatives, the function;
                 None where it cannot be derived
    diagnostics  what stands in the way, or is to be known
    source_map   for each line of `source` the span of the primal that it comes from
    function     the derivative alone, under its header; `helpers` and `imports` are what it needs
    name         what the derivative is called, or would be
    wrt          the parameters that it is taken with respect to
    captured     the variables around a nested function that its derivative has for its first parameters
    """

    source: str | None
    diagnostics: tuple[Diagnostic, ...]
    source_map: tuple[Span | None, ...] = ()
    name: str = ""
    header: str = ""
    imports: tuple[str, ...] = ()
    helpers: tuple[tuple[str, str], ...] = ()
    function: str = ""
    wrt: tuple[str, ...] = ()
    captured: tuple[str, ...] = ()


Watch = Callable[[str, str], None]  # is told a pass's name and what it made, as text


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
            shown = self.text_of(fn, self.program.spelling())
            self.watch(f"{name} of {fn.qualname}", shown.text)

    def text_of(self, fn: Function, spell: Spelling) -> Emitted:
        """The text of a function as the file at hand writes it."""
        home = self.program.module_of(f"{fn.module}.{fn.qualname}")
        if fn.module and home is not None:
            fn = with_absolute_signature(fn, fn.module, scope_of(home))
        return emit_function(fn, "" if home is None else home.text, header=None, spell=spell)

    def run(self) -> Derived:
        made, privates = self.result()
        request = self.request()
        if made is None:
            return Derived(None, tuple(self.found), name=request.name)
        return self.emitted(request, made, privates)

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
            inner[f"helper.{one.name}"] = one
        self.program = self.program.with_made(inner)
        self.before = [*(p.wanted.fn for p in privates), *first.inlined, *first.ruled]
        self.firsts = privates
        self.gradient = replace(
            optimized(made.fn, request, last=False, harmless=self.harmless),
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
        one = optimized(private.made.fn, request, last=False, harmless=self.harmless)
        return replace(one, qualname=one.name, pragmas=private.callee.pragmas)

    def problems(self) -> tuple[Diagnostic, ...]:
        """What stands in the way in the function itself; those that it calls are asked one by one."""
        self.found += target_problems(self.target, self.wrt, self.source())
        if not self.found:
            self.derived(self.target, replace(self.request(), looking=True))
        return (*self.found, *self.remarks)

    def as_written(self) -> Facts:
        """What is known of the function as it stands in the text, where the parameters asked for vary."""
        return facts_as_written(self.target, self.request(), self.program.facts)

    def source_digest(self) -> str | None:
        """The digest that the header would have; None where there is no derivative."""
        made, privates = self.result()
        return None if made is None else self.made_from(privates)

    def request(self) -> Request:
        self.taken = set(scope_of(self.program.module).names) | self.program.nested.names()
        name = self.wished or derivative_name(
            self.target, self.kind, self.wrt, self.out, self.jit, self.program.module
        )
        return Request(self.kind, self.wrt, name, out=self.out, alone=self.alone)

    def analysed(self, request: Request) -> tuple[Reversed | None, list[Private]]:
        """The derivative, and the private ones that it needs; a Jacobian by rows if not by columns."""
        made, privates = self.settled(request)
        if made is None and request.kind == "jacobian" and returns_values(self.target):
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
            callee = self.callee(wanted)
            self.found += target_problems(callee, ()) if not wanted.product else ()
            asked = Request(
                wanted.kind,
                wanted.params,
                self.private_made[wanted][0],
                out=self.out if wanted.product and self.gradient is None else (),
                private=not wanted.product,
                product=wanted.product,
            )
            types = self.given if wanted.product else self.assumed[wanted]
            inner = self.derived(callee, asked, types)
            if wanted.fn.startswith("helper.") and self.found:
                self.found = [self.unwritten(callee)]
            self.found += self.underivable(inner)
            if inner is not None:
                privates.append(Private(wanted, callee, replace(inner, types=types)))
        return made, privates

    def underivable(self, made: Reversed | None) -> tuple[Diagnostic, ...]:
        """What stands in the way of the derivatives that a primal takes, in text that would call them."""
        called = calls_of_helpers(made.fn) if made is not None else set()
        return self.program.nested.found(f"helper.{n}" for n in sorted(called))

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
        inlining = Inlining(
            program.function,
            program.default,
            program.inner,
            program.is_function,
            program.with_names,
            program.takes,
        )
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
        if how == GRADIENT:
            got = self.derived(self.target, replace(request, kind="grad"), self.given)
            if got is None or got.fn is None:
                return None
            return replace(got, fn=replace(got.fn, docstring=describe(fn, request)))
        got = dense(fn, facts, request, self, self.taken, how, self.written())
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

    def function(self, fn: str) -> Function | None:
        return self.program.function(fn)

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
        callee = self.program.function(fn)
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
            seeds = _seed_names(callee, set(), self.inner, params)
            there = self.program.nested.private(key, new)
            if there is not None and there.made.fn is not None:
                return there.made.fn.name, seeds
            self.private_made[key] = (self.private_name(key, callee, new), seeds)
            self.todo.append(key)
        return self.private_made[key]

    def private_name(self, wanted: Wanted, callee: Function, types: tuple[Type, ...]) -> str:
        """A name that is free, or that this very private derivative has in the file already."""
        wish = f"_{plain_name(callee).lstrip('_')}_{wanted.kind}"
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
        options = private_options(types, self.jit)
        wanted = Header(made.kind, callee.qualname, callee.module, made.params, options)
        return replace(there.header, source="", body="") == wanted

    def emitted(self, request: Request, made: Reversed, privates: list[Private]) -> Derived:
        module = self.program.module
        spell = self.program.spelling()
        assert made.fn is not None
        main = self.finished(made.fn, request, self.show)
        privates = [*self.still_called([main, *(p.made.fn for p in privates)]), *privates]
        ended = [(p, self.finished_private(p)) for p in privates]
        needed: set[str] = set()
        for f in (made, *(p.made for p in privates)):
            needed |= {*f.helpers, *called_helpers(f.fn)}
        if self.jit:
            functions = [(self.target, main), *((p.callee, fn) for p, fn in ended)]
            needed = {name for _, fn in functions for name in called_helpers(fn)}
            if self.uncompiled(functions):
                return Derived(None, tuple(self.found), name=request.name)
        names = helper_names([n for n, _ in helper_texts(needed)], module)
        main = self.decorated(with_helpers(main, names), spell)
        body = self.text_of(main, spell)
        helpers = [(fn.name, self.private_text(p, fn, spell, names)) for p, fn in ended]
        plain = [
            (names.get(n, n), renamed(respelled(text, spell), names))
            for n, text in helper_texts(needed)
        ]
        header = self.header(request, body.text, privates)
        function = f"{header}\n{body.text}"
        parts = ([*spell.missing] and ["\n".join(spell.missing)]) or []
        all_helpers = (*plain, *helpers)
        parts += [text.strip("\n") for _, text in all_helpers] + [function.strip("\n")]
        source = "\n\n\n".join(parts) + "\n"
        function_map: tuple[Span | None, ...] = (None, *body.lines)
        above: list[Span | None] = [None] * (source.count("\n") - len(function_map))
        return Derived(
            source,
            tuple(self.remarks),
            (*above, *function_map),
            request.name,
            header,
            tuple(spell.missing),
            tuple(all_helpers),
            function,
            request.wrt,
            self.captured,
        )

    def still_called(self, functions: list[Function | None]) -> list[Private]:
        """The private derivatives whose values, not only tangents, the function needs: those of the gradient, and
        the derivatives that the primal takes."""
        known = self.earlier()
        found: dict[str, Private] = {}
        todo = [name for f in functions for name in sorted(calls_of_helpers(f))]
        while todo:
            name = todo.pop(0)
            if name in known and name not in found:
                found[name] = known[name]
                todo += sorted(calls_of_helpers(known[name].made.fn))
        return [*found.values()]

    def earlier(self) -> dict[str, Private]:
        """The private derivatives that were made before the one at hand, by name."""
        every = (*self.program.nested.privates(), *self.firsts)
        return {p.made.fn.name: p for p in every if p.made.fn is not None}

    def finished(
        self,
        fn: Function,
        request: Request,
        watch: Callable[[str, Function], None] = lambda name, fn: None,
    ) -> Function:
        """A derivative as it is shown: optimized, and in the words of the compiler that it is for."""
        plain = optimized(without_marks(fn), request, watch, harmless=self.harmless)
        return compiled(plain) if self.jit else plain

    def finished_private(self, private: Private) -> Function:
        fn = private.made.fn
        assert fn is not None
        return self.finished(fn, Request(private.wanted.kind, (), fn.name, private=True))

    def decorated(self, fn: Function, spell: Spelling) -> Function:
        """`fn` under the decorator of the compiler that it is for."""
        return replace(fn, decorators=(*fn.decorators, spell(NJIT))) if self.jit else fn

    def uncompiled(self, functions: list[tuple[Function, Function]]) -> bool:
        """Whether the compiler lacks something that derivatives need, each beside its function; it is reported."""
        for of, fn in functions:
            problems = lacking(fn, place_of(of), self.program.function)
            self.found += [diagnostic(p, of, self.source()) for p in problems]
        return bool(self.found)

    def private_text(
        self, private: Private, fn: Function, spell: Spelling, names: dict[str, str]
    ) -> str:
        wanted, callee = private.wanted, private.callee
        made = self.decorated(replace(with_helpers(fn, names), qualname=fn.name), spell)
        body = self.text_of(made, spell).text
        options = private_options(private.made.types, self.jit)
        own = self.original(private)
        home = self.program.module_of(f"{own.module}.{own.qualname}")
        found = None if home is None else defined_around(home, own.qualname)
        # one that was made here itself is as old as what it was made from
        source = self.made_from([]) if found is None else digest(found.node)
        header = Header(wanted.kind, callee.qualname, callee.module, wanted.params, options, source)
        return f"{format_header(replace(header, body=body_digest(body)))}\n{body}"

    def original(self, private: Private) -> Function:
        """The user's function that a private derivative comes from, be it by way of others."""
        known = self.earlier()
        while (under := known.get(private.wanted.fn.removeprefix("helper."))) is not None:
            private = under
        return private.callee

    def made_from(self, privates: list[Private]) -> str:
        """The digest of the function, of those that it calls, and of what its comments say."""
        home = self.program.module_of(f"{self.target.module}.{self.target.qualname}")
        own = None if home is None else defined_around(home, self.target.qualname)
        assert own is not None
        parts = [digest(own.node)]
        comments = [said for said, _ in self.target.pragmas if not said.startswith(SILENT)]
        comments += placed_comments(self.target)
        called = {p.wanted.fn for p in privates if not p.wanted.product}
        for nested in self.program.nested.made.values():
            called |= nested.sources
        for fn in sorted({*called, *self.before, *self.inlined, *self.ruled}):
            at = self.program.place(fn)
            found = None if at is None else definitions(at.module).get(at.name)
            if found is not None:
                parts.append(digest(found.node))
            marked = self.program.function(fn)
            comments += [] if marked is None else placed_comments(marked)
        return digest_of([*parts, *comments])

    def header(self, request: Request, body: str, privates: list[Private]) -> str:
        source = self.made_from(privates)
        named = () if self.wished is None else (("name", self.wished),)
        outputs = (("out", ",".join(self.out)),) if self.out else ()
        alone = TUPLE if self.alone else ()
        inserts = insert_option(self.insert)
        jit = jit_option(self.jit)
        options = (*named, *outputs, *inserts, *alone, *jit, *argument_options(self.given))
        of = self.target.qualname
        header = Header(
            request.kind,
            of,
            self.target.module,
            request.wrt,
            options,
            source,
            body_digest(body),
        )
        return format_header(header)


def body_digest(text: str) -> str:
    """The digest of a generated function's text."""
    made = next((c.tree for c in parse_module(text).chunks if c.tree), None)
    return digest(made[-1]) if made else ""


def private_options(types: tuple[Type, ...], jit: str) -> tuple[tuple[str, str], ...]:
    """What the header of a private derivative says: also the types of the arguments it was made for."""
    return (*PRIVATE, *jit_option(jit), *argument_options(types))


def jit_option(jit: str) -> tuple[tuple[str, str], ...]:
    """The compiler that a derivative is for, where it is for one."""
    return (("jit", jit),) if jit else ()


def argument_options(types: tuple[Type, ...]) -> tuple[tuple[str, str], ...]:
    """The types of the arguments that a derivative was made for, where they are known."""
    words = [type_word(t) for t in types]
    return () if set(words) <= {"any"} else (("args", ",".join(words)),)


def _seed_names(
    fn: Function, taken: set[str], kind: str, params: tuple[str, ...]
) -> tuple[str, ...]:
    """The seed parameters of a private derivative: names that the function leaves free."""
    namer = Namer(names_of(fn) | taken)
    if kind in FORWARD:
        return tuple(namer.fresh(f"{p}_dot") for p in params)
    return (namer.fresh(f"{plain_name(fn)}_bar"),)
