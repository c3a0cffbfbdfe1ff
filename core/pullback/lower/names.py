"""What the names of a module mean: imports, functions, classes, globals, each by absolute name.

A binding is decided by the text alone. The last one counts; where alternatives disagree (`if`/`else`,
`try`/`except` at top level) the name is unresolved ("?name"), so that nobody guesses.

May not know: the inside of functions, files, rules.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import gast

from ..ir.words import qualname_of
from ..source.assembled import assembled
from ..source.module import Module, Parsed

# fixed, so that every Python version resolves alike
_NEWER = {
    "aiter",
    "anext",
    "BaseExceptionGroup",
    "ExceptionGroup",
    "EncodingWarning",
    "PythonFinalizationError",
}
BUILTINS = frozenset(
    n
    for n in {*dir(builtins), *_NEWER}
    if not n.startswith("_") or n in ("__import__", "__debug__")
)
_MODULE_NAMES = frozenset({"__name__", "__file__", "__doc__", "__package__", "__spec__"})
# builtins that `from numpy import *` hides in some versions of NumPy and not in others
_STAR_CLASH = frozenset(
    {"abs", "all", "any", "bool", "max", "min", "pow", "round", "sum", "divmod"}
)
_NAMED = (
    *(gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef),
    *(gast.ExceptHandler, gast.MatchAs, gast.MatchStar),
)
NUMERIC = ("numpy", "scipy", "math")
# what methods and attributes of objects are called in the tree: modules of these names cannot be told from them
_TAKEN = ("method", "attr")
# attributes that say that an imported name is an array, not a module
_ON_ARRAYS = """T all any argmax argmin argsort astype base clip conj conjugate copy cumprod cumsum data diagonal dot
    dtype fill flags flat flatten imag item itemsize max mean min nbytes ndim nonzero prod ptp put ravel real
    repeat reshape resize round searchsorted shape size sort squeeze std strides sum swapaxes take tobytes
    tolist trace transpose var view append extend insert pop remove clear update items keys values get"""
ARRAY_ATTRIBUTES = frozenset(_ON_ARRAYS.split())


@dataclass(frozen=True)
class Binding:
    """One meaning of a name. `kind`: "module", "import" (from … import), "function", "class", "global", "unknown"."""

    name: str
    kind: str
    qualname: str
    conditional: bool = False
    empty: bool = False  # bound to None: what an optional import is when it is missing


@dataclass(frozen=True)
class Scope:
    """What module-level names mean. `names` holds the last binding of each."""

    module: str = ""
    names: dict[str, Binding] = field(default_factory=dict)
    stars: tuple[str, ...] = ()

    @cached_property
    def imports(self) -> dict[str, str]:
        return {n: b.qualname for n, b in self.names.items() if b.kind in ("module", "import")}

    @property
    def functions(self) -> tuple[str, ...]:
        return self._of("function")

    @property
    def classes(self) -> tuple[str, ...]:
        return self._of("class")

    @property
    def globals(self) -> tuple[str, ...]:
        return self._of("global")

    def _of(self, kind: str) -> tuple[str, ...]:
        return tuple(n for n, b in self.names.items() if b.kind == kind)

    def resolve(self, name: str) -> str:
        """The absolute name of a module-level name or builtin; "?name" where the text does not tell."""
        if (meant := qualname_of(name)) is not None:
            return meant
        known = self.names.get(name)
        if known is not None:
            return known.qualname
        if name in _MODULE_NAMES:
            return f".{name}"
        if name in BUILTINS:
            clash = name in _STAR_CLASH and any(s.split(".")[0] == "numpy" for s in self.stars)
            unsure = clash or any(s.split(".")[0] not in NUMERIC for s in self.stars)
            return f"?{name}" if unsure else f"builtins.{name}"
        return f"{self.stars[0]}.{name}" if len(self.stars) == 1 else f"?{name}"

    def kind(self, name: str) -> str:
        """The kind of a name's binding; "builtin" or "unknown" for the others."""
        if qualname_of(name) is not None:
            return "import"
        known = self.names.get(name)
        if known is not None:
            return known.kind
        return "builtin" if self.resolve(name).startswith("builtins.") else "unknown"


def _itself(name: str, qualname: str) -> Binding:
    return Binding(name, "module", qualname)


# The scope of rule formulas and of pragmas: the numeric modules mean themselves.
FORMULA = Scope(
    names={
        "np": _itself("np", "numpy"),
        "numpy": _itself("numpy", "numpy"),
        "math": _itself("math", "math"),
        "scipy": _itself("scipy", "scipy"),
    }
)


def scope_of(module: Module) -> Scope:
    """What the module-level names of `module` mean."""
    package = package_of(module)
    return assembled(
        module,
        "scope",
        lambda p: _of_statement(p, package),
        lambda found: _scope(module.name, found),
    )


def _scope(module: str, found: list[tuple[Binding, ...]]) -> Scope:
    names: dict[str, Binding] = {}
    stars: list[str] = []
    for statement in found:
        for binding in statement:
            if binding.name == "*":
                stars.append(binding.qualname)
            elif not _rewraps(binding, names):
                names.pop(binding.name, None)
                names[binding.name] = _settled(binding)
    return Scope(module, names, tuple(dict.fromkeys(stars)))


def _rewraps(binding: Binding, names: dict[str, Binding]) -> bool:
    """`f = jit(f)` after `def f`: still the function, with one more decorator."""
    old = names.get(binding.name)
    return binding.kind == "rewrap" and old is not None and old.kind == "function"


def _settled(binding: Binding) -> Binding:
    if binding.kind != "rewrap":
        return binding
    return Binding(binding.name, "global", binding.qualname, binding.conditional)


def _of_statement(parsed: Parsed, package: str) -> tuple[Binding, ...]:
    try:
        return tuple(b for node in parsed.tree or () for b in bindings(node, package))
    except RecursionError:
        return ()


def package_of(module: Module) -> str:
    """The dotted name that relative imports start from; "" for a file that has no name of its own."""
    if not module.name or (module.path or "").replace("\\", "/").endswith("/__init__.py"):
        return module.name
    above = module.name[: len(module.name) - len(module.name.lstrip("."))]
    return above + module.name[len(above) :].rpartition(".")[0]


def absolute(package: str, level: int, name: str) -> str:
    """The dotted name of `from <level dots><name> import …` inside of `package`.

    What lies above the top is kept as leading dots: "..name" is beside the file's own folder.
    """
    if level == 0:
        return name
    lead = len(package) - len(package.lstrip("."))
    parts = [p for p in package.lstrip(".").split(".") if p]
    up = level - 1
    drop = min(up, len(parts))
    parts = parts[: len(parts) - drop]
    above = up - drop
    dots = "." * ((max(lead, 1) + above) if lead or above else 0)
    return dots + ".".join([*parts, *([name] if name else [])])


def join(module: str, name: str) -> str:
    return f"{module}.{name}" if module and not module.endswith(".") else f"{module}{name}"


# --- one statement -------------------------------------------------------------------------------


def bindings(node: Any, package: str = "") -> Iterator[Binding]:
    """What a top-level statement binds, in order. "*" stands for a star import."""
    if isinstance(node, (gast.Import, gast.ImportFrom)):
        yield from imported(node, package)
    elif isinstance(node, (gast.FunctionDef, gast.AsyncFunctionDef)):
        yield Binding(node.name, "function", f".{node.name}")
    elif isinstance(node, gast.ClassDef):
        yield Binding(node.name, "class", f".{node.name}")
    elif isinstance(node, gast.If):
        yield from _alternatives([node.body, node.orelse], package)
    elif isinstance(node, gast.Try) or type(node).__name__ == "TryStar":
        yield from _alternatives([node.body, *(h.body for h in node.handlers)], package)
        yield from _block([*node.orelse, *node.finalbody], package)
    elif isinstance(node, (gast.For, gast.AsyncFor, gast.While, gast.With, gast.AsyncWith)):
        yield from _globals(node)
        yield from _block([*node.body, *getattr(node, "orelse", [])], package)
    elif rewrapped(node) is not None:
        yield Binding(node.targets[0].id, "rewrap", f".{node.targets[0].id}")
    else:
        yield from _globals(node)


def imported(node: Any, package: str = "") -> Iterator[Binding]:
    """The bindings of an import statement."""
    for binding in _imported(node, package):
        taken = binding.qualname.partition(".")[0] in _TAKEN
        yield replace(binding, kind="unknown", qualname=f"?{binding.name}") if taken else binding


def _imported(node: Any, package: str) -> Iterator[Binding]:
    if isinstance(node, gast.Import):
        for alias in node.names:
            if alias.asname:
                yield Binding(alias.asname, "module", alias.name)
            else:
                top = alias.name.partition(".")[0]
                yield Binding(top, "module", top)
        return
    source = absolute(package, node.level or 0, node.module or "")
    for alias in node.names:
        if alias.name == "*":
            yield Binding("*", "import", source)
        else:
            yield Binding(alias.asname or alias.name, "import", join(source, alias.name))


def rewrapped(node: Any) -> Any | None:
    """The wrapper's expression in `f = wrapper(f)`, None for any other statement."""
    if not (
        isinstance(node, gast.Assign)
        and len(node.targets) == 1
        and isinstance(node.targets[0], gast.Name)
    ):
        return None
    call = node.value
    if not (isinstance(call, gast.Call) and len(call.args) == 1 and not call.keywords):
        return None
    inner = call.args[0]
    same = isinstance(inner, gast.Name) and inner.id == node.targets[0].id
    return call.func if same else None


def _globals(node: Any) -> Iterator[Binding]:
    empty = (
        isinstance(node, gast.Assign)
        and isinstance(node.value, gast.Constant)
        and node.value.value is None
    )
    for name in stored(node):
        yield Binding(name, "global", f".{name}", empty=empty)


def _block(body: list[Any], package: str) -> Iterator[Binding]:
    for node in body:
        for b in bindings(node, package):
            yield Binding(b.name, b.kind, b.qualname, True, b.empty)


def _alternatives(blocks: list[list[Any]], package: str) -> Iterator[Binding]:
    """Bindings of blocks of which one is run: kept where they agree, unknown where they do not."""
    found: dict[str, list[Binding]] = {}
    for body in blocks:
        for name, binding in {b.name: b for b in _block(body, package)}.items():
            found.setdefault(name, []).append(binding)
    for name, options in found.items():
        real = [b for b in options if not b.empty] or options
        if len({(b.kind, b.qualname) for b in real}) == 1:
            yield real[-1]
        else:
            yield Binding(name, "unknown", f"?{name}", True)


def stored(node: Any) -> Iterator[str]:
    """The names that a statement binds in the scope it stands in, by assignment of any form."""
    if isinstance(node, gast.Name):
        if not isinstance(node.ctx, gast.Load):
            yield node.id
    elif isinstance(node, (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef)):
        yield node.name
        return
    elif isinstance(node, gast.Lambda):
        return
    elif isinstance(node, (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)):
        yield from (n.target.id for n in gast.walk(node) if isinstance(n, gast.NamedExpr))
        return
    elif isinstance(node, (gast.Import, gast.ImportFrom)):
        yield from (b.name for b in imported(node) if b.name != "*")
        return
    else:
        yield from named(node)
    for child in gast.iter_child_nodes(node):
        yield from stored(child)


def named(node: Any) -> Iterator[str]:
    """The names that a node binds without a Name node: of definitions, handlers and patterns."""
    if isinstance(node, _NAMED):
        name = node.name
    elif isinstance(node, gast.MatchMapping):
        name = node.rest
    else:
        return
    if isinstance(name, str):  # gast makes a Name of some, which a walk meets by itself
        yield name
