"""One walk over a function's tree: which names are its own, and what kind of function it is.

May not know: what names outside of the function mean.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import gast

from .expressions import parameters
from .late import is_generator
from .names import imported, named

DEEPEST = 150  # levels of a function's tree; passes take up to four stack frames for each

_SCOPES = (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef)
_COMPREHENSIONS = (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)
_SKIPPED = frozenset({"ctx", "op", "ops", "type_comment", "annotation", "kind"})


@dataclass
class Survey:
    """`assigned` are the names bound by anything but an import, `imports` what imports bind them to;
    `lazy` where there is a generator."""

    assigned: set[str] = field(default_factory=set)
    imports: dict[str, set[tuple[str, str]]] = field(default_factory=dict)
    outside: set[str] = field(default_factory=set)  # global and nonlocal
    generator: bool = False
    lazy: bool = False
    deep: bool = False

    @property
    def local(self) -> frozenset[str]:
        return frozenset((self.assigned | self.imports.keys()) - self.outside)

    def modules(self) -> dict[str, tuple[str, str]]:
        """(kind, absolute name) of the names that imports in the function alone bind, always to the same."""
        taken = self.assigned | self.outside
        return {n: next(iter(m)) for n, m in self.imports.items() if len(m) == 1 and n not in taken}


def survey(function: Any, package: str) -> Survey:
    """What a function's own names are. A stack instead of recursion: trees may have any depth."""
    found = Survey(assigned={p.id for p in parameters(function.args)})
    stack: list[tuple[Any, int, bool]] = [(node, 1, False) for node in function.body]
    while stack:
        node, depth, inner = stack.pop()
        if depth > DEEPEST:
            found.deep = True
            break
        if inner:  # of a comprehension, whose targets are its own
            if isinstance(node, gast.NamedExpr) and isinstance(node.target, gast.Name):
                found.assigned.add(node.target.id)
        else:
            _note(node, found, package)
        inner = inner or isinstance(node, _COMPREHENSIONS)
        found.lazy = found.lazy or is_generator(node)
        stack += [(child, depth + 1, inner) for child in _children(node)]
    return found


def _note(node: Any, found: Survey, package: str) -> None:
    """Add what one node says of its function's names."""
    if isinstance(node, gast.Name):
        if not isinstance(node.ctx, gast.Load):
            found.assigned.add(node.id)
    elif isinstance(node, (gast.Import, gast.ImportFrom)):
        for b in imported(node, package):
            if b.name != "*":
                found.imports.setdefault(b.name, set()).add((b.kind, b.qualname))
    elif isinstance(node, (gast.Global, gast.Nonlocal)):
        found.outside.update(node.names)
    elif isinstance(node, (gast.Yield, gast.YieldFrom)):
        found.generator = True
    else:
        found.assigned.update(named(node))


def _children(node: Any) -> list[Any]:
    """The parts of a node that run in the same function."""
    if isinstance(node, _SCOPES):
        args = [] if isinstance(node, gast.ClassDef) else defaults(node.args)
        keywords = [k.value for k in getattr(node, "keywords", [])]
        return [*node.decorator_list, *args, *getattr(node, "bases", []), *keywords]
    if isinstance(node, gast.Lambda):
        return defaults(node.args)
    out: list[Any] = []
    for name in node._fields:
        if name in _SKIPPED:
            continue
        value = getattr(node, name, None)
        if isinstance(value, list):
            out += [v for v in value if isinstance(v, gast.AST)]
        elif isinstance(value, gast.AST):
            out.append(value)
    return out


def defaults(args: Any) -> list[Any]:
    """The expressions of a signature's defaults."""
    return [*args.defaults, *(d for d in args.kw_defaults if d is not None)]


def is_deep(root: Any) -> bool:
    """Whether a tree is deeper than recursive passes can follow."""
    level = [root]
    for _ in range(DEEPEST):
        level = [c for node in level for c in _children(node)]
        if not level:
            return False
    return True
