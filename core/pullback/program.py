"""The functions that a derivation may look at: the file's own, and those of the workspace's modules, as text.

Finds a function by its resolved name, says what is declared of its variables, infers facts for given
arguments, and summarizes what a call gives.

May not know: how derivatives are made or printed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from .analysis.facts import Facts, Val
from .analysis.infer import _Walk, infer
from .analysis.signatures import Bound, bind_to, of_function
from .analysis.types import (
    ANY,
    MISSING,
    SCALAR,
    Atoms,
    Dim,
    Shape,
    Type,
    fresh,
    of_constant,
    scalar,
)
from .ir import Call, Const, Expr, Function, Name, Param, Ref, Stmt, rebuild
from .lower import lower_expression, lower_function, scope_of
from .source.module import Chunk, Module, parse_module
from .source.outline import outline
from .source.pragmas import Shape as Said
from .source.pragmas import parse_all, parse_annotation
from .source.project import Modules

_DEPTH = 8
_SITE = re.compile(r"\bv\d+")


@dataclass
class Program:
    """One file and what it can reach; answers are kept for as long as the object lives."""

    module: Module
    modules: Modules
    known: dict[str, Module | None] = field(default_factory=dict)
    functions: dict[str, Function | None] = field(default_factory=dict)
    inferred: dict[tuple[object, ...], Facts] = field(default_factory=dict)
    working: list[str] = field(default_factory=list)

    def function(self, fn: str) -> Function | None:
        """A workspace function by resolved name (".mix", "other.mix")."""
        if fn not in self.functions:
            self.functions[fn] = self._find(fn)
        return self.functions[fn]

    def module_of(self, fn: str) -> Module | None:
        owner = fn.rpartition(".")[0]
        return self.module if not owner else self._module(owner)

    def _module(self, name: str) -> Module | None:
        if name not in self.known:
            text = self.modules(name)
            self.known[name] = None if text is None else parse_module(text, None, name)
        return self.known[name]

    def _find(self, fn: str) -> Function | None:
        owner, _, name = fn.rpartition(".")
        if not name or fn.startswith(
            ("?", "builtins.", "operator.", "method.", "attr.", "helper.")
        ):
            return None
        if not owner:
            return lower_function(self.module, name)
        module = self._module(owner)
        found = None if module is None else lower_function(module, name)
        return None if found is None else _from_outside(replace(found, module=owner), owner)

    def default(self, fn: str, param: Param) -> Expr:
        """The default of a parameter of function `fn`, as this file would write it."""
        owner = fn.rpartition(".")[0]
        module = self.module_of(fn)
        if param.default is None or module is None:
            return Const(None)
        made = lower_expression(param.default, scope_of(module))
        return _absolute(made, owner) if owner else made

    def constant(self, qualname: str) -> Type | None:
        """The type of a module's global that one top-level statement binds, to a number."""
        owner, _, name = qualname.rpartition(".")
        module = self.module_of(qualname) if owner == "" or owner in self.known else None
        return None if module is None else _numbers(module).get(name)

    # --- inference -----------------------------------------------------------------------------

    def facts(self, fn: Function, params: dict[str, Val]) -> Facts:
        key = (id(fn), tuple(sorted((n, repr(v)) for n, v in params.items())))
        if key not in self.inferred:
            self.inferred[key] = infer(fn, params, declared(fn), self.call, self.constant)
        return self.inferred[key]

    def walk(self, facts: Facts) -> _Walk:
        return _Walk(facts, {}, self.call, self.constant)

    def call(self, fn: str, call: Call, vals: dict[int, Val]) -> tuple[Val, frozenset[str]] | None:
        """What `call` gives ("new" stands for memory made by it), and the memory that it writes into."""
        target = self.function(fn)
        if target is None or {"async", "generator"} & target.flags:
            return None
        bound = bind_to(of_function(target), call)
        if bound is None:
            return None
        given = [vals.get(id(v), Val()) for v in (*call.args, *(v for _, v in call.kwargs))]
        active = any(v.active for v in given)
        if len(self.working) >= _DEPTH or fn in self.working:
            objs = frozenset(o for v in given for o in v.objs) | {"new"}
            return Val(replace(ANY, shape=fresh("new")), objs, False, True, active), frozenset()
        params = parameter_vals(target, ())
        for name, v in bound.items():
            if not isinstance(v, tuple):
                got = vals.get(id(v))
                if got is None and isinstance(v, Const) and type(v.value) in (int, float):
                    got = Val(of_constant(v.value))  # a default that the call leaves as it is
                if got is not None:
                    kept = (
                        frozenset((f"param {name}",)) if got.type.kind != "scalar" else frozenset()
                    )
                    params[name] = replace(got, objs=kept, exact=True, view=False)
        self.working.append(fn)
        facts = self.facts(target, params)
        self.working.pop()
        got, written = self._returned(facts, bound, vals)
        if active and facts.problems:  # it must be reversed, for its problems to be reported
            got = replace(got, active=True)
        return got, written

    def _returned(
        self, facts: Facts, bound: Bound, vals: dict[int, Val]
    ) -> tuple[Val, frozenset[str]]:
        got = facts.returned or Val(Type("none"))

        def outside(objs: frozenset[str]) -> frozenset[str]:
            out: set[str] = set()
            for o in objs:
                if o.startswith("param "):
                    v = vals.get(id(bound.get(o[6:])), Val())
                    out |= v.objs
                else:
                    out.add(o if o == "" else "new")
            return frozenset(out)

        shared = any(o.startswith("param ") for o in got.objs)
        written = outside(frozenset(f"param {p}" for p in facts.written))
        whole = replace(got, type=retagged(got.type, _SITE), objs=outside(got.objs))
        return (replace(whole, exact=False, view=True) if shared else whole), written


def retagged(t: Type, local: re.Pattern[str], tag: str = "new:") -> Type:
    """`t` with the shapes that were made inside the callee marked as made by this call."""

    def name(s: str) -> str:
        return local.sub(lambda m: tag + m[0], s)

    def dim(d: Dim) -> Dim:
        return Dim(name(d.sym), d.off) if d.sym else d

    shape: Shape = (
        tuple(dim(d) for d in t.shape)
        if isinstance(t.shape, tuple)
        else Atoms(frozenset(name(a) for a in t.shape.names))
    )
    items = None if t.items is None else tuple(retagged(i, local, tag) for i in t.items)
    const = (
        dim(t.const)
        if isinstance(t.const, Dim)
        else MISSING
        if isinstance(t.const, Atoms)
        else t.const
    )
    return replace(t, shape=shape, items=items, const=const)


def _from_outside(fn: Function, owner: str) -> Function:
    """A function of another module, its module-level names made absolute; it prints from its tree, not its text."""

    def expr(e: Expr) -> Expr:
        return _absolute(e, owner)

    def stmt(s: Stmt) -> Stmt:
        return map_statement(replace(s, verbatim=False), expr, stmt)

    return replace(fn, body=tuple(stmt(s) for s in fn.body))


def _numbers(module: Module) -> dict[str, Type]:
    """The globals of a module that are bound once, to a literal number."""
    found: dict[str, Type] | None = module.notes.get("numbers")
    if found is None:
        found, seen = {}, set()
        for chunk in module.chunks:
            for name in outline(chunk.parsed).binds:
                if name in seen:
                    found.pop(name, None)
                elif (value := _number_bound(chunk)) is not None:
                    found[name] = of_constant(value)
                seen.add(name)
        module.notes["numbers"] = found
    return found


def _number_bound(chunk: Chunk) -> int | float | None:
    tree = chunk.tree
    if not tree or len(tree) != 1 or type(tree[0]).__name__ != "Assign":
        return None
    value = getattr(tree[0].value, "value", None)
    return value if type(value) in (int, float) else None


def _absolute(e: Expr, owner: str) -> Expr:
    """An expression of module `owner` with its module-level names made absolute."""
    e = rebuild(e, lambda c: _absolute(c, owner))
    if isinstance(e, Ref) and e.qualname.startswith("."):
        return replace(e, qualname=f"{owner}{e.qualname}", text="", origin=None)
    if isinstance(e, Ref):
        return replace(e, text="", origin=None)
    if isinstance(e, Call):
        fn_name = f"{owner}{e.fn}" if e.fn.startswith(".") else e.fn
        return replace(e, fn=fn_name, callee=e.callee if e.fn == "?" else None, origin=None)
    return replace(e, origin=None)


def map_statement(s: Stmt, expr: object, stmt: object) -> Stmt:
    """`s` with its expressions and nested statements mapped."""
    from .ir import Assign, AugAssign, ExprStmt, For, If, Return, While

    if isinstance(s, Assign):
        return replace(s, targets=tuple(expr(t) for t in s.targets), value=expr(s.value))  # type: ignore[operator]
    if isinstance(s, AugAssign):
        return replace(s, target=expr(s.target), value=expr(s.value))  # type: ignore[operator]
    if isinstance(s, (ExprStmt, Return)):
        return s if s.value is None else replace(s, value=expr(s.value))  # type: ignore[operator]
    if isinstance(s, (If, While)):
        return replace(
            s,
            test=expr(s.test),  # type: ignore[operator]
            body=tuple(stmt(x) for x in s.body),  # type: ignore[operator]
            orelse=tuple(stmt(x) for x in s.orelse),  # type: ignore[operator]
        )
    if isinstance(s, For):
        return replace(
            s,
            target=expr(s.target),  # type: ignore[operator]
            iter=expr(s.iter),  # type: ignore[operator]
            body=tuple(stmt(x) for x in s.body),  # type: ignore[operator]
            orelse=tuple(stmt(x) for x in s.orelse),  # type: ignore[operator]
        )
    return s


# --- what is declared ----------------------------------------------------------------------------


def declared(fn: Function) -> dict[str, Type]:
    """Types that comments and annotations give to parameters and variables."""
    out: dict[str, Type] = {}
    for p in fn.params:
        said = parse_annotation(p.annotation) if p.annotation else None
        if said is not None:
            out[p.name] = type_said(said, p.name)
        elif p.annotation and p.annotation.split("[")[0].strip() in _OTHER:
            out[p.name] = Type("other")
    pragmas, _, _ = parse_all(fn.pragmas)
    for pragma in pragmas:
        for name, said in pragma.shapes:
            out[name] = type_said(said, name)
    return out


_OTHER = {"list", "dict", "tuple", "List", "Dict", "Tuple", "Callable", "Sequence", "Mapping"}


def type_said(said: Said, name: str) -> Type:
    dtype = "any" if not said.dtype else re.sub(r"\d+$", "", said.dtype)
    if said.kind in ("float", "int", "bool", "complex"):
        const: object = Dim(name) if said.kind == "int" else MISSING
        return scalar(said.kind, const)
    if said.kind == "str":
        return Type("str")
    dims = said.dims
    if dims is None or "..." in dims:
        return Type(said.kind, fresh(name), dtype)
    if dims == ():
        return scalar(dtype)
    return Type("array", tuple(_dim(d) for d in dims), dtype)


def _dim(d: int | str) -> Dim:
    if isinstance(d, int):
        return Dim("", d)
    found = re.fullmatch(r"\s*(\w+)\s*([+-])\s*(\d+)\s*", d)
    if found:
        return Dim(found[1], int(found[2] + found[3]))
    return Dim(d)


def argument_type(t: Type, name: str) -> Type:
    """An argument's type as the parameter `name` has it: what the caller calls its dimensions is left behind."""
    if t.kind == "scalar" and t.dtype in ("float", "int", "bool"):
        return scalar(t.dtype)
    rank = t.rank()
    if t.kind == "array" and rank is not None and t.dtype == "float":
        return Type("array", tuple(Dim(f"{name}.{k}") for k in range(rank)), "float")
    return Type("any", fresh(name))


def common_types(a: tuple[Type, ...], b: tuple[Type, ...], fn: Function) -> tuple[Type, ...]:
    """What holds of the arguments of two calls."""
    return tuple(x if x == y else Type("any", fresh(p.name)) for x, y, p in zip(a, b, fn.params))


def type_word(t: Type) -> str:
    """A type in a word: float, int, array2, any."""
    if t.kind == "scalar":
        return t.dtype
    rank = t.rank()
    return "any" if rank is None else f"array{rank}"


def parameter_vals(
    fn: Function, wrt: tuple[str, ...], types: tuple[Type, ...] = ()
) -> dict[str, Val]:
    """What the parameters hold on entry: memory of the caller's, active where a derivative is wanted.

    `types` are those of the arguments where all calls are known.
    """
    said = declared(fn)
    given = {p.name: t for p, t in zip(fn.params, types) if t.kind != "any"}
    out: dict[str, Val] = {}
    for p in fn.params:
        t = said.get(p.name, given.get(p.name))
        if t is None:
            t = Type("any", fresh(p.name))
            if p.kind == "var-positional":
                t = Type("tuple")
            elif p.kind == "var-keyword":
                t = Type("dict")
        objs = frozenset() if t.kind in ("scalar", "str") else frozenset((f"param {p.name}",))
        out[p.name] = Val(t, objs, active=p.name in wrt)
    return out


def differentiable_params(fn: Function) -> tuple[str, ...]:
    """The parameters that a derivative can be taken with respect to, as far as the text tells."""
    said = declared(fn)
    out = []
    for k, p in enumerate(fn.params):
        if k == 0 and "method" in fn.flags and "static" not in fn.flags:
            continue
        t = said.get(p.name)
        if p.kind.startswith("var-"):
            continue
        if t is not None and (t.kind in ("str", "other") or t.dtype in ("int", "bool")):
            continue
        if t is None and p.default is not None and not isinstance(p.default_value, float):
            if isinstance(p.default_value, (bool, int, str)) or p.default == "None":
                continue
        out.append(p.name)
    return tuple(out)


__all__ = [
    "SCALAR",
    "Name",
    "Program",
    "declared",
    "differentiable_params",
    "map_statement",
    "parameter_vals",
]
