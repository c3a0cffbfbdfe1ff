"""Text in, text out: a function written for another backend, with the functions that it calls.

    lower -> prepare -> staging -> emit

May not know: files beyond the `modules` it is given, the command line, LSP, NumPy.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from .analysis.declared import differentiable_params, parameter_vals
from .analysis.facts import Problem
from .analysis.signatures import bind_to, of_function
from .derive import guarded, lookup
from .diagnostics import Diagnostic, Source, report
from .emit import Spelling, emit_function, respelled
from .emit.imports import in_order
from .emit.insert import holds
from .ir import Call, Expr, Function, Stmt, is_expr, map_statement, rebuild, stmt_exprs
from .ir.marks import without_marks
from .lower import scope_of
from .program import Program
from .source.module import Module, parse_module
from .source.project import Modules
from .staging.compiled import NJIT, compiled
from .staging.functional import staged
from .staging.jax_words import JAX
from .staging.lacking import lacking, unfit
from .staging.static import places, static
from .staging.tensorflow_helpers import helper_texts
from .staging.tensorflow_words import TENSORFLOW
from .staging.words import Words
from .support import calling, renamed
from .support import helper_texts as compiled_helpers
from .targets import UnknownTarget, diagnostic, place_of, target_problems
from .transform.finish import calls_of_helpers
from .transform.naming import Namer, names_of, plain_name
from .transform.outputs import returns_values
from .transform.prepare import prepared
from .transform.request import Request
from .written import Derived

TRACED = {"jax": JAX, "tensorflow": TENSORFLOW}
BACKENDS = (*TRACED, "numba")
TITLES = {"numba": "Numba", **{name: b.title for name, b in TRACED.items()}}

Pairs = tuple[tuple[Function, Function], ...]  # functions as they were, and as they are staged


def stage_text(
    source: str,
    func: str,
    backend: str,
    *,
    path: str | None = None,
    modules: Modules | Mapping[str, str] | None = None,
) -> Derived:
    """Function `func` of the module text `source`, written for `backend`.

    Raises UnknownTarget for a function that is not there, ValueError for a backend that is not known. Text that
    cannot be staged never raises: it is reported.
    """
    return stage_in(parse_module(source, path), func, backend, modules=modules)


def stage_in(
    module: Module,
    func: str,
    backend: str,
    *,
    modules: Modules | Mapping[str, str] | None = None,
) -> Derived:
    """The same for a module that is parsed already."""
    if backend not in BACKENDS:
        raise ValueError(
            f"{backend!r} is no backend that is known: it is one of {', '.join(BACKENDS)}"
        )
    program = Program(module, lookup(module, modules))
    target = program.target(func)
    if target is None:
        raise UnknownTarget(f"no function {func}")
    job = Stage(program, target, backend)
    done = guarded(target, job.run)
    return done if isinstance(done, Derived) else Derived(None, (done,), name=job.name)


@dataclass
class Stage:
    """One function for a backend, and those that it calls, each under a name of its own."""

    program: Program
    target: Function
    backend: str
    name: str = ""
    names: dict[str, str] = field(default_factory=dict)  # of workspace functions that are called
    settings: dict[str, tuple[str, ...]] = field(
        default_factory=dict
    )  # static parameters, by function
    taken: dict[str, list[str]] = field(
        default_factory=dict
    )  # the names that each new one could have had, were they not the file's
    placed: dict[str, set[str]] = field(default_factory=dict)  # variables that select, by function
    found: list[Diagnostic] = field(default_factory=list)

    def run(self) -> Derived:
        self.name = self.fresh(f"{self.target.name}_{self.backend}")
        self.names[f".{self.target.qualname}"] = self.name
        self.found += target_problems(self.target, ())
        if "method" in self.target.flags:
            self.refuse(self.target, self.target.name, "methods are not staged")
        for name in self.objects():
            self.refuse(
                self.target, name, "an object of a class is no array, nor a container of them"
            )
        if self.found:
            return Derived(None, tuple(self.found), name=self.name)
        spell = self.program.spelling()
        main, *inner = self.all_staged()
        if any(d.severity == "error" for d in self.found):
            return Derived(None, tuple(self.found), name=self.name)
        *helpers, (name, text) = self.texts((*inner[::-1], main), spell)
        imports = [in_order(spell.missing)] if spell.missing else []
        return Derived(
            "\n\n\n".join([*imports, *(t for _, t in helpers), text]) + "\n",
            tuple(self.found),
            name=name,
            imports=tuple(spell.missing),
            helpers=tuple(helpers),
            function=text,
        )

    def texts(self, functions: Pairs, spell: Spelling) -> list[tuple[str, str]]:
        """The functions as text under their names, below the helpers that they call.

        What the file holds already, word for word, goes by the name that it has there.
        """
        called = {n for _, fn in functions for n in calls_of_helpers(fn)}
        helpers = (
            dict(compiled_helpers(called)) if self.backend == "numba" else helper_texts(called)
        )
        new = {n: self.fresh(n) for n in helpers}
        taken = dict(self.taken)
        while True:
            there = {name: names[0] for name, names in taken.items() if names}
            texts = {new[n]: (n, text) for n, text in helpers.items()}
            made, module = self.spelled(functions, texts, there, spell), self.program.module
            other = next(
                (n for n in made if n in there and not holds(module, there[n], made[n])), None
            )
            if other is None:
                return [(there.get(n, n), text) for n, text in made.items()]
            taken[other] = taken[other][1:]

    def spelled(
        self,
        functions: Pairs,
        helpers: Mapping[str, tuple[str, str]],
        there: Mapping[str, str],
        spell: Spelling,
    ) -> dict[str, str]:
        """Texts by their new names, with those of what is `there` in the place of new ones."""
        names = {n: there.get(name, name) for name, (n, _) in helpers.items()}
        calls = {f"<helper>.{n}": f"<helper>.{name}" for n, name in names.items()}
        calls |= {f".{name}": f".{old}" for name, old in there.items()}
        made = {name: renamed(respelled(text, spell), names) for name, (_, text) in helpers.items()}
        for of, fn in functions:
            called = replace(calling(fn, calls), name=there.get(fn.name, fn.name))
            made[fn.name] = self.text(called, of, spell)
        return {name: text.strip("\n") for name, text in made.items()}

    def all_staged(self) -> Pairs:
        """The target and all that it calls, called ones last, each beside the function that it was."""
        done = {
            f".{self.target.qualname}": (
                self.target,
                self.staged(self.target, self.name, main=True),
            )
        }
        while more := [name for name in self.names if name not in done]:
            fn = self.program.function(more[0])
            assert fn is not None
            done[more[0]] = fn, self.staged(fn, self.names[more[0]], main=False)
        return tuple(done.values())

    def staged(self, fn: Function, name: str, *, main: bool) -> Function:
        """One function in the words of the backend, under its new name."""
        new = self.for_numba(fn) if self.backend == "numba" else self.traced(fn, main)
        return replace(
            new,
            name=name,
            qualname=name,
            returns=None,
            docstring=f"{plain_name(fn)} for {TITLES[self.backend]}.",
            pragmas=(),
        )

    def for_numba(self, fn: Function) -> Function:
        new = compiled(self.renamed(without_marks(fn)))
        facts = self.program.facts(fn, parameter_vals(fn, ()))
        problems = unfit(fn, place_of(fn), facts) + lacking(new, place_of(fn), lambda name: None)
        self.found += [diagnostic(p, fn, self.source()) for p in problems]
        return replace(new, decorators=(NJIT,))

    def renamed(self, fn: Function) -> Function:
        """`fn` calling the workspace's functions by their new names."""
        return replace(fn, body=tuple(map(self._with_new_names, fn.body)))

    def _with_new_names(self, s: Stmt) -> Stmt:
        new = map_statement(s, self._with_new_name, self._with_new_names)
        same = all(a is b for a, b in zip(stmt_exprs(s), stmt_exprs(new)))
        return new if same else replace(new, verbatim=False)

    def _with_new_name(self, e: Expr) -> Expr:
        new = rebuild(e, self._with_new_name)
        if isinstance(new, Call) and self.program.function(new.fn) is not None:
            return replace(new, fn=f".{self.name_of(new.fn)}", callee=None)
        return new

    def traced(self, fn: Function, main: bool) -> Function:
        """A function for a compiler that traces it."""
        backend = TRACED[self.backend]
        request = Request("vjp", differentiable_params(fn), fn.name, private=not main)
        inlining = self.program.inlining()
        ready = prepared(without_marks(fn), request, (), self.program.facts, inlining, None)
        known = static(ready.fn, ready.facts, self.given)
        self.settings[_resolved(fn)] = known.params
        floating = Namer(names_of(ready.fn)).fresh("dtype")
        words = Words(
            backend, known, floating, self.program.function, self.name_of, self.writes, self.places
        )
        new, problems = staged(ready.fn, ready.facts, known, words, names_of(fn))
        if main and returns_values(fn):
            written = self.program.facts(fn, parameter_vals(fn, ())).written
            values = ((("name", name),) for name in written)
            problems = (*problems, *(Problem("PB509", place_of(fn), v) for v in values))
        self.found += [diagnostic(p, fn, self.source()) for p in problems]
        body = (*backend.opening(words, ready.fn), *new.body)
        return replace(
            new, body=body, decorators=(backend.decorator(known.params),) if main else ()
        )

    def given(self, call: Call) -> tuple[Expr, ...]:
        """The arguments of a call that a function of the workspace takes as static."""
        callee = self.program.function(call.fn)
        if callee is None:
            return ()
        if call.fn not in self.settings:
            self.settings[call.fn] = ()  # a recursive one asks for itself
            facts = self.program.facts(callee, parameter_vals(callee, ()))
            self.settings[call.fn] = static(callee, facts, self.given).params
        return _arguments(callee, call, self.settings[call.fn])

    def places(self, fn: Function) -> set[str]:
        """The variables of a function that select elements, in it or in those that it calls."""
        name = f".{fn.qualname}" if not fn.module else _resolved(fn)
        if name not in self.placed:
            self.placed[name] = set()  # a recursive one asks for itself
            self.placed[name] = places(fn, self.selecting)
        return self.placed[name]

    def selecting(self, call: Call) -> tuple[Expr, ...]:
        """The arguments of a call by which a function of the workspace selects elements."""
        callee = self.program.function(call.fn)
        return () if callee is None else _arguments(callee, call, self.places(callee))

    def writes(self, fn: str) -> bool:
        """Whether a workspace function writes into what it is passed."""
        callee = self.program.function(fn)
        assert callee is not None
        return bool(self.program.facts(callee, parameter_vals(callee, ())).written)

    def name_of(self, fn: str) -> str:
        """The new name of a workspace function, which is staged too."""
        if fn not in self.names:
            callee = self.program.function(fn)
            assert callee is not None
            self.names[fn] = self.fresh(f"_{plain_name(callee).lstrip('_')}_{self.backend}")
        return self.names[fn]

    def fresh(self, wanted: str) -> str:
        there = scope_of(self.program.module).names
        name, n = wanted, 2
        passed: list[str] = []
        while name in there or name in self.taken:
            passed += [name] if name in there else []
            name, n = f"{wanted}{n}", n + 1
        self.taken[name] = passed
        return name

    def objects(self) -> list[str]:
        """The parameters of which an annotation says that they are objects of a class that is no record."""
        known, fn = self.program.objects(self.target.module), self.target
        said = {p.name: known.said(p.annotation) for p in fn.params if p.annotation}
        return [n for n, i in said.items() if i is not None and self.program.record(i.of) is None]

    def refuse(self, fn: Function, name: str, reason: str) -> None:
        self.found.append(
            report("PB502", place_of(fn), function=fn.qualname, name=name, reason=reason)
        )

    def source(self) -> Source:
        return Source(self.program.module.text, scope_of(self.program.module).imports)

    def text(self, fn: Function, of: Function, spell: Spelling) -> str:
        module = self.program.module_of(_resolved(of)) if of.module else self.program.module
        decorators = tuple(_spelled(d, spell) for d in fn.decorators)
        made = replace(fn, decorators=decorators)
        return emit_function(made, module.text if module is not None else "", spell=spell).text


def _arguments(callee: Function, call: Call, names: Iterable[str]) -> tuple[Expr, ...]:
    """The arguments of a call for the parameters of these names."""
    bound = bind_to(of_function(callee), call)
    return tuple(e for n in names if bound is not None and is_expr(e := bound.get(n)))


def _resolved(fn: Function) -> str:
    return f"{fn.module}.{fn.qualname}"


def _spelled(decorator: str, spell: Spelling) -> str:
    """A decorator of ours with the names as the module imports them."""
    return re.sub(r"\w+(\.\w+)+", lambda found: spell(found[0]), decorator)
