"""The functions that a derivation may look at: the file's own, and those of the workspace's modules, as text.

Finds a function by its resolved name, infers facts for given arguments, and summarizes what a call
gives.

May not know: how derivatives are made or printed.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Protocol, TypeVar

from .analysis.declared import annotated, declared, parameter_vals, used
from .analysis.evaluate import Evaluator
from .analysis.facts import Facts, Val
from .analysis.infer import infer
from .analysis.methods import Objects, with_functions
from .analysis.own_rules import NO_SOURCE, RULED, Misfit
from .analysis.signatures import Bound, bind_to, gathered, of_function
from .analysis.types import (
    ANY,
    CONTAINERS,
    MISSING,
    Type,
    fresh,
    leaf_dtype,
    loosened,
    may_be_complex,
    of_constant,
)
from .emit import Spelling
from .emit.insert import standing
from .global_types import global_types
from .ir import (
    Barrier,
    Call,
    Const,
    Expr,
    Function,
    Opaque,
    Param,
    Span,
    is_expr,
)
from .lower import (
    absolute,
    definitions,
    from_outside,
    lower_expression,
    lower_function,
    lower_lambda,
    scope_of,
)
from .lower.own_rules import MODES, without_rule
from .lower.records import records
from .nested import Derivatives, Made, Nested
from .objects import Classes, Place, place
from .primals import Known, known_parameters
from .rules import rule_for
from .source.module import Module, parse_module
from .source.project import Modules
from .stated import Entered, OwnRules, as_call
from .summaries import Seen, Summary, given_by, of_callee, signature, summary_of
from .support import calling, helper_function, written_helper
from .targets import UnknownTarget, wanted
from .transform.finish import calls_of
from .transform.inlining import Inlining
from .transform.nested_derivatives import (
    Unclear,
    Wrt,
    made_inside,
    with_named_derivatives,
)

_DEPTH = 8  # calls inside calls that are looked into
_NO_FUNCTIONS = (
    "?",
    "builtins.",
    "operator.",
    "method.",
    "attr.",
    "<helper>.",
    "<mark>.",
    "pullback.",
)
T = TypeVar("T")
_DEF = re.compile(r"def\s+(\w+)")


class Derived(Protocol):
    """Makes a derivative that a primal takes."""

    def __call__(
        self, program: Program, name: str, nested: Nested, types: tuple[Type, ...]
    ) -> Made: ...


@dataclass
class Program:
    """One file and what it can reach; answers are kept for as long as the object lives."""

    module: Module
    modules: Modules
    known: dict[str, Module | None] = field(default_factory=dict)
    functions: dict[str, Function | None] = field(default_factory=dict)
    nested: Derivatives = field(default_factory=Derivatives)
    seen: int = 0  # the version of the nested derivatives that facts were inferred with
    derived: Derived | None = None  # makes a nested derivative
    helpers: dict[str, str] = field(default_factory=dict)  # what they are called in the file
    parameters: dict[str, Known] = field(default_factory=dict)  # of generated functions
    inferred: dict[tuple[object, ...], Facts] = field(default_factory=dict)
    working: list[str] = field(default_factory=list)
    saw: Seen = field(default_factory=Seen)  # what is being looked at has seen so much
    stated: Entered = field(default_factory=Entered)

    @property
    def rules(self) -> OwnRules:
        """Not kept: it asks the program, and only the garbage collector would free two that know each other."""
        return OwnRules(self._module, self.modules, self.known, self.function, self.stated)

    def function(self, fn: str) -> Function | None:
        """A workspace function by resolved name (".mix", "other.mix"), or a derivative that one takes."""
        nested = self.nested.function(fn, self.derive) if fn.startswith("<helper>.") else None
        if nested is not None:
            return nested
        if fn not in self.functions:
            found = self.functions[fn] = self._find(fn)
            if found is not None:  # it may take its own derivative
                self.functions[fn] = self.with_names(found)
        at = None if fn.startswith(_NO_FUNCTIONS) else self.place(fn)
        if at is not None:
            self.saw.statements.add((at.owner, at.name))
        return self.functions[fn]

    def signature(self, fn: str) -> Function | None:
        """The same without its statements."""

        def found(program: Program) -> Function | None:
            whole = program.function(fn)
            return None if whole is None else signature(whole)

        return self.ask("signature", fn, found)

    def ask(self, what: str, name: str, question: Callable[[Program], T], *given: object) -> T:
        """The answer to a question about a resolved name, which is all that the analysis sees of what it is found
        from."""
        seen, self.saw = self.saw, Seen()
        try:
            answer = question(self)
        finally:
            self.saw = seen
        if answer is not None or name.startswith("."):  # what is not of the file does not change
            seen.answers.setdefault((what, name, *given), (question, answer))
        return answer

    def with_made(self, made: dict[str, Function]) -> Program:
        """A program that also holds functions that were generated, under the names that call them."""
        functions = {**self.functions, **made}
        return Program(
            self.module,
            self.modules,
            self.known,
            functions,
            self.nested,
            derived=self.derived,
            saw=self.saw,
        )

    def add(self, made: Function) -> str:
        """Makes a function known that a step took out of another one, and says by which name."""
        name, known = f"{made.module}.{made.qualname}", 1
        while self.functions.get(name, made) != made:
            known += 1
            name = f"{made.module}.{made.qualname}{known}"
        self.functions.setdefault(name, made)
        return name

    def target(self, qualname: str, owner: str = "") -> Function | None:
        """A function as one that is differentiated: of the file itself, or of module `owner` from there."""
        module = self._module(owner)
        found = None if module is None else lower_function(module, qualname)
        if module is None or found is None:
            return None
        if self.rules.modes(f"{owner}.{qualname}"):
            found = as_call(found, f"{owner}.{qualname}")
        if owner:
            own = replace(found, module=owner)
            found = from_outside(own, owner, scope_of(module), as_written=True)
        return self.with_names(with_functions(found, self.objects(owner), away=bool(owner)))

    def made_in(self, qualname: str, at: int) -> tuple[Function, tuple[str, ...]] | None:
        """The function that one of the file makes at a place of the text, and the variables that it captures."""
        around = lower_function(self.module, qualname)
        if around is None:
            return None
        return made_inside(with_functions(around, self.objects(""), away=False), at, self)

    def module_of(self, fn: str) -> Module | None:
        at = self.place(fn)
        return None if at is None else at.module

    def place(self, fn: str) -> Place | None:
        """Where what a resolved name means is defined: behind the names that packages import it under."""
        return place(fn, self._module)

    def home(self, qualname: str) -> str:
        """The module that a resolved name is in: all of it but the last word, and but the class."""
        if qualname.startswith("scipy.stats."):  # whose distributions are objects
            return "scipy.stats"
        at = None if qualname.startswith(_NO_FUNCTIONS) else self.place(qualname)
        within = (
            at is not None and at.name.count(".") and qualname.endswith(f"{at.owner}.{at.name}")
        )
        return at.owner if at is not None and within else qualname.rpartition(".")[0]

    def in_package(self, module: str) -> bool:
        """Whether the file stands in a package, and imports `module` from there."""
        inside = self.modules(".") is not None and self.modules(f".{module}") is not None
        return inside or module.startswith(".")

    def spelling(self) -> Spelling:
        """How the file writes what derivatives name."""
        scope = scope_of(self.module)
        taken = set(scope.names) - set(scope.imports)
        return Spelling(scope.imports, taken, self.home, self.in_package)

    def objects(self, owner: str) -> Objects:
        """What is known of classes, as module `owner` names them."""
        return Classes(self.place, self.module).seen_from(owner)

    def _module(self, name: str) -> Module | None:
        if not name:
            return self.module
        if name not in self.known:
            text = self.modules(name)
            package = text is not None and self.modules(f"{name}.__init__") is not None
            path = f"{name}/__init__.py" if package else None
            self.known[name] = None if text is None else self._parsed(text, path, name)
        return self.known[name]

    def _parsed(self, text: str, path: str | None, name: str) -> Module:
        """Another module, parsed once for all programs of this one's versions."""
        others: dict[str, Module] = self.module.memory.setdefault("others", {})
        others[name] = parse_module(text, path, name, previous=others.get(name))
        return others[name]

    def _find(self, fn: str) -> Function | None:
        if fn.startswith("<helper>."):
            return helper_function(fn.removeprefix("<helper>."))
        if fn.startswith(_NO_FUNCTIONS):
            return None
        at = self.place(fn)
        found = None if at is None else lower_function(at.module, at.name)
        modes = self.rules.modes(fn)
        if at is None or found is None:
            return self.rules.without_source(fn) if modes else None
        found = replace(found, decorators=without_rule(found.decorators, scope_of(at.module)))
        if modes:
            found = replace(found, decorators=(), flags=found.flags | {RULED})
        if at.owner:
            found = from_outside(replace(found, module=at.owner), at.owner, scope_of(at.module))
        return with_functions(found, self.objects(at.owner), away=True)

    def inner(self, fn: Function, made: Barrier | Opaque) -> Function | None:
        """A function that `fn` makes for itself: a nested `def` or a lambda."""
        module = self._module(fn.module)
        name = _DEF.match(made.text)
        if module is None or (isinstance(made, Barrier) and name is None):
            return None
        if isinstance(made, Opaque):
            found = lower_lambda(module, made)
        else:
            found = lower_function(module, _within(module, fn.qualname, name[1] if name else ""))
        if found is None or found.decorators:
            return None
        if fn.module:
            found = from_outside(replace(found, module=fn.module), fn.module, scope_of(module))
        return self.with_names(with_functions(found, self.objects(fn.module), away=True, around=fn))

    def default(self, fn: str, param: Param) -> Expr:
        """The default of a parameter of function `fn`, as this file would write it."""
        at = self.place(fn)
        if param.default is None or at is None:
            return Const(None)
        scope = scope_of(at.module)
        made = lower_expression(param.default, scope)
        return absolute(made, at.owner, scope) if at.owner else made

    def constant(self, qualname: str) -> Type | None:
        """The type of a module's global that one top-level statement binds, to a number; of a record's class."""
        return self.ask("constant", qualname, lambda program: program.constant_type(qualname))

    def constant_type(self, qualname: str) -> Type | None:
        made = self.record(qualname)
        if made is not None:
            return Type("class", each=made, maker=qualname)
        owner = qualname.rpartition(".")[0]
        at = self.place(qualname) if owner == "" or owner in self.known else None
        return None if at is None else global_types(at.module).get(at.name)

    def record(self, qualname: str) -> Type | None:
        """The type of the instances of a NamedTuple or dataclass of the workspace."""
        at = None if qualname.startswith(_NO_FUNCTIONS) else self.place(qualname)
        fields = None if at is None else records(at.module).get(at.name)
        if at is None or fields is None or qualname in self.working:
            return None
        module = at.module
        self.working.append(qualname)
        items = []
        for f in fields:
            said = annotated(f.annotation, f"{qualname}:{f.name}", self._meaning(module))
            items.append(loosened(said) if said is not None else Type("any"))
        self.working.pop()
        keys = tuple(f.name for f in fields)
        optional = tuple(f.name for f in fields if not f.required)
        return Type(
            "record", items=tuple(items), keys=keys, const=optional or MISSING, maker=qualname
        )

    def _meaning(self, module: Module) -> Callable[[str], Type | None]:
        """What the name of a class means in a module's annotations."""
        return lambda text: self.record(scope_of(module).resolve(text))

    # --- derivatives that primals take ----------------------------------------------------------

    def with_names(self, fn: Function) -> Function:
        """`fn` calling the derivatives that it takes by names, where there is somebody to make them.

        The helpers that a derivative in the file calls are ours, of which more is known than their text says.
        """
        ours = {name: self.helper(name) for name in calls_of(fn)}
        fn = calling(fn, {name: own for name, own in ours.items() if own != name})
        return fn if self.derived is None else with_named_derivatives(fn, self)

    def helper(self, fn: str) -> str:
        """What a function of the workspace is called: `<helper>._unbroadcast` where it is a known helper."""
        if fn.startswith(_NO_FUNCTIONS) or not fn.rpartition(".")[2].startswith("_"):
            return fn
        if fn not in self.helpers:
            at = self.place(fn)
            own = f"<helper>.{fn.rpartition('.')[2].rstrip('0123456789')}"
            known = at is not None and rule_for(own) and written_helper(at.module, at.name)
            self.helpers[fn] = own if known else fn
        return self.helpers[fn]

    def parameters_of(self, fn: Function) -> Known:
        """What is known of the parameters of a generated function from what it is a derivative of."""
        name, said = f"{fn.module}.{fn.qualname}", signature(fn)
        return self.ask("parameters", name, lambda program: program.seen_parameters(name, said))

    def seen_parameters(self, name: str, fn: Function) -> Known:
        if name not in self.parameters:
            self.parameters[name] = {}  # while it is found: a function may call its own derivative
            module = self._module(fn.module)
            known = {} if module is None else known_parameters(self, module, fn)
            self.parameters[name] = known
        return self.parameters[name]

    def with_known(self, fn: Function, types: tuple[Type, ...]) -> tuple[Type, ...]:
        """The types of the arguments of `fn`, as given, or else as what it is a derivative of shows them."""
        known = self.parameters_of(fn)
        if not known:
            return types
        given = types or tuple(Type("any", fresh(p.name)) for p in fn.params)
        return tuple(_as_known(t, known.get(p.name, t)) for p, t in zip(fn.params, given))

    def derive(self, name: str, nested: Nested, types: tuple[Type, ...]) -> Made:
        return Made({}) if self.derived is None else self.derived(self, name, nested, types)

    def inlining(self) -> Inlining:
        """What a pass asks that puts statements in the place of calls."""
        return Inlining(
            self.function,
            self.signature,
            self.default,
            self.inner,
            self.is_function,
            self.with_names,
            self.takes,
        )

    def is_function(self, fn: str) -> bool:
        return self.signature(fn) is not None or rule_for(fn) is not None

    def takes(self, fn: str) -> bool:
        """Whether a function of the workspace takes derivatives, or one that it calls."""
        known, todo = set[str](), [fn] if self.nested.asked else []
        while todo:
            found = None if (name := todo.pop()).startswith(_NO_FUNCTIONS) else self.function(name)
            called = set() if found is None else calls_of(found) - known
            if called & self.nested.asked.keys():
                return True
            known |= called
            todo += called
        return False

    def named(self, kind: str, key: str, fn: Function, wrt: Wrt, given: int) -> str:
        """The name that the derivative of `fn` is called by, whose first parameters are `given`."""
        try:
            names = wanted(fn, wrt, given)
        except UnknownTarget as missing:
            raise Unclear(str(missing)) from None
        whole = as_call(fn, key) if RULED in fn.flags else fn
        params = tuple(replace(p, default=None, default_value=None) for p in fn.params)
        alone = len(names) == 1 and (isinstance(wrt, tuple) or wrt == "*")
        nested = Nested(kind, key, replace(whole, params=params), names, alone)
        return self.nested.name(nested, lambda name: self._can_be_called(name, nested))

    def _can_be_called(self, name: str, nested: Nested) -> bool:
        """Whether a name is free, or is that of this very derivative in the file."""
        there = standing(self.module, name)
        if there is None or there.header is None:
            return name not in scope_of(self.module).names
        asked = (nested.kind, nested.fn.qualname, nested.wrt)
        return (there.header.kind, there.header.qualname, there.header.wrt) == asked

    def unclear(self, at: Span | None, fn: Function, reason: str) -> None:
        self.nested.unclear[fn.module, at] = reason

    # --- inference -----------------------------------------------------------------------------

    def facts(self, fn: Function, params: dict[str, Val], called: str = "") -> Facts:
        """The facts of `fn` for parameters as given.

        Where it is `called` by another, the names of shapes that are its own begin with that word: the
        caller's come in with the arguments, and may be the same.
        """
        if self.seen != self.nested.version:
            self.seen = self.nested.version
            self.inferred.clear()
        key = (id(fn), called, tuple(sorted((n, repr(v)) for n, v in params.items())))
        if key not in self.inferred:
            module = self._module(fn.module) or self.module
            said = {n: of_callee(t, called) for n, t in declared(fn, self._meaning(module)).items()}
            params = {
                n: replace(v, type=said[n]) if n in said and _says_more(v.type, said[n]) else v
                for n, v in params.items()
            }
            self.inferred[key] = self._inferred(fn, params, said, called or "v")
        return self.inferred[key]

    def _inferred(
        self, fn: Function, params: dict[str, Val], said: dict[str, Type], prefix: str
    ) -> Facts:
        """Facts, found again as long as the use of variables tells that they are containers."""
        found: dict[str, str] = {}
        while True:
            made = infer(fn, params, said, self.call, self.constant, prefix)
            new = {n: Type(kind) for n, kind in made.used_as.items() if n not in said}
            made.used_as = found = {**made.used_as, **found}
            if not new:
                return made
            said = {**said, **new}
            params = used(params, made)

    def evaluator(self, facts: Facts, prefix: str) -> Evaluator:
        """What evaluates single expressions against `facts`; what it makes has names of that prefix."""
        return Evaluator(facts, self.call, self.constant, prefix)

    def call(self, fn: str, call: Call, vals: dict[int, Val]) -> tuple[Val, frozenset[str]] | None:
        """What `call` gives ("new" stands for memory made by it), and the memory that it writes into."""
        self.nested.called(call, vals, aside=bool(self.working))
        target = self.signature(fn)
        if target is None or {"async", "generator"} & target.flags:
            return None
        bound = bind_to(of_function(target), call)
        if RULED in target.flags:
            return self._by_own_rule(fn, target, bound, call, vals)
        return None if bound is None else self._by_source(fn, target, bound, call, vals)

    def _by_own_rule(
        self, fn: str, target: Function, bound: Bound | None, call: Call, vals: dict[int, Val]
    ) -> tuple[Val, frozenset[str]]:
        """What a call gives whose function has a rule of the user's, which says what the value varies with."""
        if bound is None:  # reported where the rule is followed
            given = (*call.args, *(v for _, v in call.kwargs))
            return Val(active=any(vals.get(id(v), Val()).active for v in given)), frozenset()
        rules = [r for mode in MODES.values() if (r := self.rules.rule(fn, mode)) is not None]
        moving = {p for r in rules for p in (bound if isinstance(r, Misfit) else r.moving)}
        active = any(
            is_expr(v) and vals.get(id(v), Val()).active for p, v in bound.items() if p in moving
        )
        said = self.rules.result(rules, fn, self._meaning(self.module))
        if NO_SOURCE in target.flags:
            objs = frozenset() if said.kind == "scalar" else frozenset(("new",))
            return Val(said, objs, active=active), frozenset()
        got, written = self._by_source(fn, target, bound, call, vals)
        return replace(
            got, type=said if got.type.kind == "any" else got.type, active=active
        ), written

    def _by_source(
        self, fn: str, target: Function, bound: Bound, call: Call, vals: dict[int, Val]
    ) -> tuple[Val, frozenset[str]]:
        arguments = [vals.get(id(v), Val()) for v in (*call.args, *(v for _, v in call.kwargs))]
        active = any(v.active for v in arguments)
        if len(self.working) >= _DEPTH or fn in self.working:
            objs = frozenset(o for v in arguments for o in v.objs) | {"new"}
            return Val(replace(ANY, shape=fresh("new")), objs, False, True, active), frozenset()
        given: dict[str, Val] = {}
        for name, v in bound.items():
            if not isinstance(v, tuple):
                got = vals.get(id(v))
                if got is None and isinstance(v, Const) and type(v.value) in (int, float):
                    got = Val(of_constant(v.value))  # a default that the call leaves as it is
                if got is not None:
                    number = got.type.kind == "scalar" and not got.objs
                    kept = frozenset[str]() if number else frozenset((f"param {name}",))
                    given[name] = replace(got, objs=kept, exact=True, view=False)
        collecting = frozenset(
            p.name
            for p in target.params
            if p.kind.startswith("var-")
            and any(vals.get(id(v), Val()).active for v in gathered(bound, call, p))
        )
        said = self.summary(fn, given, collecting)
        for name, kind in said.used_as:
            arg = bound.get(name)
            if is_expr(arg) and vals.get(id(arg), Val()).type.kind == "any":
                vals[id(arg)] = replace(vals[id(arg)], type=Type(kind))
        result, written = given_by(said, f"{fn}()", bound, vals)
        if active and said.troubled:  # it must be reversed, for its problems to be reported
            result = replace(result, active=True)
        return result, written

    def summary(self, fn: str, given: dict[str, Val], collecting: frozenset[str]) -> Summary:
        """What a call gives for arguments as given; those parameters that are `collecting` get active ones."""
        key = tuple(sorted((n, repr(v)) for n, v in given.items()))
        return self.ask(
            "summary",
            fn,
            lambda program: program.summarized(fn, given, collecting),
            key,
            collecting,
        )

    def summarized(self, fn: str, given: dict[str, Val], collecting: frozenset[str]) -> Summary:
        target, own = self.function(fn), f"{fn}()"
        assert target is not None
        params = {
            n: replace(v, type=of_callee(v.type, own))
            for n, v in parameter_vals(target, (), self.with_known(target, ())).items()
        }
        params |= {n: replace(v, type=_as_known(v.type, params[n].type)) for n, v in given.items()}
        params |= {n: replace(params[n], active=True) for n in collecting}
        self.working.append(fn)
        facts = self.facts(target, params, own)
        self.working.pop()
        return summary_of(facts)


def _within(module: Module, around: str, name: str) -> str:
    """The qualified name of a nested function, which a function around `around` may have made."""
    known = definitions(module)
    while around.count(".") and f"{around}.{name}" not in known:
        around = around.rpartition(".")[0]
    return f"{around}.{name}"


def _as_known(t: Type, known: Type) -> Type:
    """The type of an argument, or where the caller does not know it, what is known of the parameter."""
    if known.kind == "any" or may_be_complex(leaf_dtype(t)):
        return t
    without_parts = t.kind == known.kind == "tuple" and t.items is None
    return known if without_parts or t.kind == "any" else t


def _says_more(t: Type, said: Type) -> bool:
    return t.kind == "any" and said.kind in CONTAINERS
