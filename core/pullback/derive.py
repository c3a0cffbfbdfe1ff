"""Text in, text out: the derivative of a function as source. The entry that all others use.

    parse, lower -> infer -> reverse -> optimize -> emit

May not know: files beyond the `modules` it is given, the command line, LSP, NumPy.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

from . import ir
from .analysis.facts import Problem
from .analysis.types import Type
from .diagnostics import Diagnostic, report
from .emit import Spelling, emit_function
from .ir import Function, Span
from .lower import definitions, scope_of
from .optimize.cse import share_common
from .optimize.dead import remove_dead
from .optimize.effects import known_pure
from .optimize.inline import inline_single_use
from .optimize.tidy import tidy
from .program import (
    Program,
    argument_type,
    common_types,
    differentiable_params,
    parameter_vals,
    type_word,
)
from .rules.helpers import HELPERS, helpers_in
from .source.digest import digest, digest_of
from .source.header import Header, format_header
from .source.module import Module, parse_module
from .source.pragmas import parse_all
from .source.project import Modules, default_modules
from .transform.desugar import desugar, with_copies
from .transform.request import Request, Reversed
from .transform.reverse import reverse

T = TypeVar("T")

KINDS = ("grad", "value_and_grad", "vjp")
PRIVATE = (("private", "yes"),)  # the option in the header of a private derivative
_CHANGING = {"stop", "straight-through", "insert", "implicit"}
_DROPPED = {
    "njit",
    "jit",
    "cache",
    "lru_cache",
    "vectorize",
    "staticmethod",
    "classmethod",
    "override",
    "final",
    "overload",
    "no_type_check",
}


@dataclass(frozen=True)
class Derived:
    """A derivative as text.

    source       what runs when appended to the module: imports, helpers, private derivatives, the function;
                 None where it cannot be derived
    diagnostics  what stands in the way, or is to be known
    source_map   for each line of `source` the span of the primal that it comes from
    function     the derivative alone, under its header; `helpers` and `imports` are what it needs
    """

    source: str | None
    diagnostics: tuple[Diagnostic, ...]
    source_map: tuple[Span | None, ...] = ()
    name: str = ""
    header: str = ""
    imports: tuple[str, ...] = ()
    helpers: tuple[tuple[str, str], ...] = ()
    function: str = ""
    function_map: tuple[Span | None, ...] = ()


class UnknownTarget(LookupError):
    """There is no such function, or no such parameter; the message says which."""


def derive(
    source: str,
    func: str,
    kind: str = "grad",
    wrt: str | int | tuple[str | int, ...] | None = None,
    *,
    path: str | None = None,
    modules: Modules | Mapping[str, str] | None = None,
    out: str | tuple[str, ...] | None = None,
    insert: Mapping[str, str] | None = None,
    name: str | None = None,
) -> Derived:
    """The derivative of function `func` (a qualified name) of the module text `source`.

    `wrt`: a parameter's name or position, a tuple of them, or "*"; None is the first. `modules` gives a
    module's text by dotted name; the default looks beside the file. Raises UnknownTarget for a function
    or parameter that is not there, ValueError for a kind that is not known. Text that cannot be
    differentiated never raises: it is reported.
    """
    module = parse_module(source, path)
    return derive_in(module, func, kind, wrt, modules=modules, out=out, insert=insert, name=name)


def derive_in(
    module: Module,
    func: str,
    kind: str = "grad",
    wrt: str | int | tuple[str | int, ...] | None = None,
    *,
    modules: Modules | Mapping[str, str] | None = None,
    out: str | tuple[str, ...] | None = None,
    insert: Mapping[str, str] | None = None,
    name: str | None = None,
) -> Derived:
    """`derive` for a module that is parsed already."""
    if kind not in KINDS:
        raise ValueError(f"{kind!r} is no kind of derivative: it is one of {', '.join(KINDS)}")
    if out is not None or insert:
        raise ValueError("`out` and `insert` are not supported yet: leave them away")
    job = _job(module, func, kind, wrt, modules, name)
    done = _guarded(job, job.run)
    return done if isinstance(done, Derived) else Derived(None, (done,), name=job.target.name)


def problems_in(
    module: Module,
    func: str,
    kind: str,
    wrt: str | int | tuple[str | int, ...] | None = None,
    *,
    modules: Modules | Mapping[str, str] | None = None,
) -> tuple[Diagnostic, ...]:
    """What stands in the way in `func` itself, found without writing the derivative."""
    job = _job(module, func, kind, wrt, modules, None)
    done = _guarded(job, job.problems)
    return (done,) if isinstance(done, Diagnostic) else done


def source_digest_in(
    module: Module,
    func: str,
    kind: str,
    wrt: str | int | tuple[str | int, ...] | None = None,
    *,
    modules: Modules | Mapping[str, str] | None = None,
    name: str | None = None,
) -> str | None:
    """The digest of all that the derivative would be made from; None where there is none."""
    job = _job(module, func, kind, wrt, modules, name)
    done = _guarded(job, job.source_digest)
    return None if isinstance(done, Diagnostic) else done


def _job(
    module: Module,
    func: str,
    kind: str,
    wrt: str | int | tuple[str | int, ...] | None,
    modules: Modules | Mapping[str, str] | None,
    name: str | None,
) -> Derivation:
    program = Program(module, _lookup(module, modules))
    target = program.function(f".{func}") if "." not in func else _method(program, func)
    if target is None:
        raise UnknownTarget(f"no function {func}")
    return Derivation(program, target, kind, wanted(target, wrt), name)


def _guarded(job: Derivation, work: Callable[[], T]) -> T | Diagnostic:
    """What `work` gives; a mistake of ours is one report, for this function, and takes no editor down."""
    at, func = _at(job.target), job.target.qualname
    try:
        return work()
    except RecursionError:
        return report("PB003", at, function=func, detail="nested too deeply")
    except Exception as e:
        return report("PB002", at, function=func, detail=f"{type(e).__name__}: {e}")


def _lookup(module: Module, modules: Modules | Mapping[str, str] | None) -> Modules:
    if modules is None:
        return default_modules(module.path)
    if isinstance(modules, Mapping):
        return modules.get
    return modules


def _method(program: Program, func: str) -> Function | None:
    from .lower import lower_function

    return lower_function(program.module, func)


def _at(fn: Function) -> Span:
    return fn.name_span or fn.origin or Span(0, 0)


def wanted(fn: Function, wrt: str | int | tuple[str | int, ...] | None) -> tuple[str, ...]:
    """The parameters that `wrt` means; raises UnknownTarget for one that is not there."""
    names = [p.name for p in fn.params]
    own = names[1:] if "method" in fn.flags and "static" not in fn.flags else names
    if wrt is None:
        if not own:
            raise UnknownTarget(f"{fn.name} has no parameter to differentiate with respect to")
        return (own[0],)
    if wrt == "*":
        return differentiable_params(fn)
    out = []
    for w in wrt if isinstance(wrt, tuple) else (wrt,):
        if isinstance(w, int):
            if not -len(own) <= w < len(own):
                raise UnknownTarget(f"{fn.name} has no parameter number {w}")
            out.append(own[w])
        elif w in names:
            out.append(w)
        else:
            raise UnknownTarget(f"{fn.name} has no parameter {w}; it has {', '.join(own)}")
    return tuple(dict.fromkeys(out))


@dataclass
class Derivation:
    """One derivation: the function asked for, and the private derivatives that it turns out to need."""

    program: Program
    target: Function
    kind: str
    wrt: tuple[str, ...]
    wished: str | None
    taken: set[str] = field(default_factory=set)
    private: dict[tuple[str, tuple[str, ...]], tuple[str, str]] = field(default_factory=dict)
    todo: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    assumed: dict[tuple[str, tuple[str, ...]], tuple[Type, ...]] = field(default_factory=dict)
    again: bool = False  # a call was found whose arguments are not of the assumed types
    found: list[Diagnostic] = field(default_factory=list)

    def run(self) -> Derived:
        request = self.request()
        made, privates = self.analysed(request)
        if self.found or made is None:
            return Derived(None, tuple(self.found), name=request.name)
        return self.emitted(request, made, privates)

    def problems(self) -> tuple[Diagnostic, ...]:
        """What stands in the way in the function itself; those that it calls are asked one by one."""
        self.found += target_problems(self.target, self.wrt)
        if not self.found:
            self.reversed(self.target, replace(self.request(), looking=True))
        return tuple(self.found)

    def source_digest(self) -> str | None:
        """The digest that the header would have; None where there is no derivative."""
        made, privates = self.analysed(self.request())
        return None if self.found or made is None else self.made_from([f for f, _, _ in privates])

    def request(self) -> Request:
        self.taken = set(scope_of(self.program.module).names)
        name = self.wished or derivative_name(self.target, self.kind, self.wrt, self.program.module)
        return Request(self.kind, self.wrt, name)

    def analysed(
        self, request: Request
    ) -> tuple[Reversed | None, list[tuple[str, Function, Reversed]]]:
        """The reversed function, and the private derivatives that it needs.

        A private derivative is made for the types of the arguments at all its calls; when a call turns
        out to bring others, everything is made again.
        """
        self.found += target_problems(self.target, self.wrt)
        if self.found:
            return None, []
        taken = set(self.taken)
        while True:
            self.again, self.taken = False, set(taken)
            self.private, self.todo, self.found = {}, [], []
            made, privates = self.analysed_once(request)
            if not self.again or self.found:
                return made, privates

    def analysed_once(
        self, request: Request
    ) -> tuple[Reversed | None, list[tuple[str, Function, Reversed]]]:
        made = self.reversed(self.target, request)
        privates: list[tuple[str, Function, Reversed]] = []
        while self.todo and not self.found and not self.again:
            key = self.todo.pop(0)
            callee = self.program.function(key[0])
            assert callee is not None
            self.found += target_problems(callee, (), quiet=True)
            wanted = Request("vjp", key[1], self.private[key][0], private=True)
            inner = self.reversed(callee, wanted, self.assumed[key])
            if inner is not None:
                privates.append((key[0], callee, replace(inner, types=self.assumed[key])))
        return made, privates

    def reversed(
        self, fn: Function, request: Request, types: tuple[Type, ...] = ()
    ) -> Reversed | None:
        vals = parameter_vals(fn, request.wrt, types)
        written = self.program.facts(fn, vals).written
        plain = with_copies(fn, written) if written else fn
        plain = desugar(plain, self.program.facts(plain, vals))
        facts = self.program.facts(plain, vals)
        got = reverse(
            plain,
            facts,
            request,
            self,
            self.taken,
            self.program.walk,
            fn.module,
        )
        self.found += [diagnostic(p, fn) for p in got.problems]
        return got if got.fn is not None else None

    def function(self, fn: str) -> Function | None:
        return self.program.function(fn)

    def default(self, fn: str, param: ir.Param) -> ir.Expr:
        return self.program.default(fn, param)

    def private_vjp(
        self, fn: str, params: tuple[str, ...], types: tuple[Type, ...]
    ) -> tuple[str, str] | None:
        """The name of the private vjp of a function that is called, and the name of its seed."""
        key = (fn, params)
        callee = self.program.function(fn)
        if callee is None:
            return None
        given = tuple(argument_type(t, p.name) for t, p in zip(types, callee.params))
        known = self.assumed.get(key)
        new = given if known is None else common_types(known, given, callee)
        if new != known:
            self.assumed[key] = new
            self.again = self.again or key in self.private
        if key not in self.private:
            wish = f"_{callee.name}_vjp"
            name, n = wish, 2
            while name in self.taken and not self.stands(name, callee, params, new):
                name, n = f"{wish}{n}", n + 1
            self.taken.add(name)
            self.private[key] = (name, _seed_name(callee))
            self.todo.append(key)
        return self.private[key]

    def stands(
        self, name: str, callee: Function, params: tuple[str, ...], types: tuple[Type, ...]
    ) -> bool:
        """Whether this very private derivative is in the file already, be it out of date."""
        from .emit.insert import standing

        there = standing(self.program.module, name)
        if there is None or there.header is None:
            return False
        wanted = Header("vjp", callee.qualname, callee.module, params, private_options(types))
        return replace(there.header, source="", body="") == wanted

    def emitted(
        self, request: Request, made: Reversed, privates: list[tuple[str, Function, Reversed]]
    ) -> Derived:
        module = self.program.module
        scope = scope_of(module)
        spell = Spelling(scope.imports, set(scope.names) - set(scope.imports))
        assert made.fn is not None
        main = optimized(made.fn, self.program, request)
        body = emit_function(main, module.text, header=None, spell=spell)
        helpers: list[tuple[str, str]] = []
        needed = set(made.helpers)
        for fn, callee, inner in privates:
            assert inner.fn is not None
            text = self.private_text(fn, callee, inner, spell)
            helpers.append((inner.fn.name, text))
            needed |= set(inner.helpers)
        plain = [(n, _respelled(text, spell)) for n, text in helper_texts(needed)]
        header = self.header(request, body.text, [f for f, _, _ in privates])
        function = f"{header}\n{body.text}"
        parts = ([*spell.missing] and ["\n".join(spell.missing)]) or []
        all_helpers = (*plain, *helpers)
        parts += [text.strip("\n") for _, text in all_helpers] + [function.strip("\n")]
        source = "\n\n\n".join(parts) + "\n"
        function_map: tuple[Span | None, ...] = (None, *body.lines)
        above: list[Span | None] = [None] * (source.count("\n") - len(function_map))
        return Derived(
            source,
            (),
            (*above, *function_map),
            request.name,
            header,
            tuple(spell.missing),
            tuple(all_helpers),
            function,
            function_map,
        )

    def private_text(self, fn: str, callee: Function, inner: Reversed, spell: Spelling) -> str:
        assert inner.fn is not None
        request = Request("vjp", (), inner.fn.name, private=True)
        module = self.program.module_of(fn)
        text = module.text if module is not None else ""
        made = replace(optimized(inner.fn, self.program, request), qualname=inner.fn.name)
        body = emit_function(made, text, header=None, spell=spell).text
        params = next(p for (_, p), (name, _) in self.private.items() if name == made.name)
        options = private_options(inner.types)
        found = definitions(module).get(callee.qualname) if module is not None else None
        source = digest(found.node) if found is not None else ""
        header = Header("vjp", callee.qualname, callee.module, params, options, source)
        return f"{format_header(replace(header, body=body_digest(body)))}\n{body}"

    def made_from(self, called: list[str]) -> str:
        """The digest of the function, of those that it calls, and of what its comments say."""
        module = self.program.module
        parts = [digest(definitions(module)[self.target.qualname].node)]
        for fn in sorted(set(called)):
            owner = self.program.module_of(fn)
            found = definitions(owner).get(fn.rpartition(".")[2]) if owner is not None else None
            if found is not None:
                parts.append(digest(found.node))
        shapes = [
            said
            for said, _ in self.target.pragmas
            if not said.lstrip().startswith("differentiable")
        ]
        return digest_of([*parts, *shapes])

    def header(self, request: Request, body: str, called: list[str]) -> str:
        source = self.made_from(called)
        options = () if self.wished is None else (("name", self.wished),)
        of = self.target.qualname
        header = Header(request.kind, of, "", request.wrt, options, source, body_digest(body))
        return format_header(header)


def body_digest(text: str) -> str:
    """The digest of a generated function's text."""
    made = next((c.tree for c in parse_module(text).chunks if c.tree), None)
    return digest(made[-1]) if made else ""


def private_options(types: tuple[Type, ...]) -> tuple[tuple[str, str], ...]:
    """What the header of a private derivative says: also the types of the arguments it was made for."""
    words = [type_word(t) for t in types]
    return PRIVATE if set(words) <= {"any"} else (*PRIVATE, ("args", ",".join(words)))


def _seed_name(fn: Function) -> str:
    """The seed parameter of a private vjp: a name that the function leaves free."""
    from .transform.naming import Namer
    from .transform.reverse import _names_of

    return Namer(_names_of(fn)).fresh(f"{fn.name}_bar")


def optimized(fn: Function, program: Program, request: Request) -> Function:
    """Dead code away, common subexpressions shared, temporaries moved to their one use."""

    def pure(call: ir.Call) -> bool:
        return known_pure(call) or (call.fn.startswith("helper.") and "_check_" not in call.fn)

    results = {f"{w}_bar" for w in request.wrt}
    users = {n for s in ir.statements(fn.body) for n in _user_names(s)}

    def may_inline(name: str) -> bool:
        return name in results or not (name.rpartition("_")[0] in users and name.endswith("_bar"))

    fn = remove_dead(fn, pure)
    fn = share_common(fn, pure=pure)
    fn = inline_single_use(fn, may_inline, pure=pure)
    fn = remove_dead(fn, pure)
    return tidy(fn)


def _user_names(s: ir.Stmt) -> set[str]:
    if getattr(s, "made", False):
        return set()
    out: set[str] = set()
    for e in ir.stmt_exprs(s):
        out |= ir.reads(e)
    return out


def helper_texts(names: set[str]) -> list[tuple[str, str]]:
    """The helpers of these names and those that they call, called ones first."""
    calls = " ".join(f"{n}(" for n in sorted(names))
    return [(n, HELPERS[n]) for n in helpers_in(calls)]


def _respelled(text: str, spell: Spelling) -> str:
    """A helper's text with the modules that it names spelled as the file spells them."""

    def name(found: re.Match[str]) -> str:
        module = {"np": "numpy"}.get(found[1], found[1])
        return spell(f"{module}.{found[2]}")

    return re.sub(r"\b(np|math|scipy(?:\.\w+)+?)\.(\w+)", name, text)


def derivative_name(fn: Function, kind: str, wrt: tuple[str, ...], module: Module) -> str:
    """`f_grad`; `f_grad_w` where another derivative of that kind stands in the file."""
    from .emit.insert import standing

    plain = f"{fn.name}_{kind}"
    owner = fn.qualname.rpartition(".")[0]
    there = standing(module, f"{owner}.{plain}" if owner else plain)
    if there is None:
        return plain
    same = (
        there.header is not None
        and there.header.qualname == fn.qualname
        and there.header.wrt == wrt
    )
    return plain if same else f"{plain}_{'_'.join(wrt)}"


def target_problems(fn: Function, wrt: tuple[str, ...], quiet: bool = False) -> list[Diagnostic]:
    """What makes a function no target at all."""
    at = _at(fn)
    out = []
    if "async" in fn.flags:
        out.append(report("PB103", at, function=fn.qualname, name=fn.name))
    if "generator" in fn.flags:
        out.append(report("PB102", _yield_span(fn) or at, function=fn.qualname, name=fn.name))
    if "nested" in fn.flags or "conditional" in fn.flags:
        out.append(report("PB108", at, function=fn.qualname, name=fn.name))
    for d in fn.decorators:
        last = d.lstrip("@").split("(")[0].rpartition(".")[2]
        if last not in _DROPPED:
            out.append(report("PB107", at, function=fn.qualname, name=d.lstrip("@").split("(")[0]))
    pragmas, _, errors = parse_all(fn.pragmas)
    for p in pragmas:
        if p.kind in _CHANGING:
            out.append(
                report(
                    "PB109", p.span or at, function=fn.qualname, construct=f"`# pullback: {p.kind}`"
                )
            )
    for e in errors:
        out.append(
            report(
                "PB109", e.span or at, function=fn.qualname, construct=f"this comment ({e.message})"
            )
        )
    vals = parameter_vals(fn, ())
    for w in wrt:
        t = vals[w].type
        if t.kind in ("str", "other", "dict", "tuple") or t.dtype in ("int", "bool"):
            out.append(report("PB308", at, function=fn.qualname, name=w))
    return out


def _yield_span(fn: Function) -> Span | None:
    for s in ir.statements(fn.body):
        for e in ir.stmt_exprs(s):
            for n in ir.walk(e):
                if isinstance(n, ir.Opaque) and "yield" in n.kind:
                    return n.origin
        if isinstance(s, ir.Keep) and "yield" in s.text:
            return s.origin
    return None


def diagnostic(p: Problem, fn: Function) -> Diagnostic:
    """A problem as the catalogue says it."""
    values = {
        "construct": "",
        "name": "",
        "reason": "",
        "where": "",
        "detail": "",
        "written": "",
        "other": "",
        **dict(p.values),
    }
    return report(p.code, p.span, function=fn.qualname, path=fn.module or None, **values)
