"""The classes of a module, as the text shows them: bases, what their bodies bind, what their instances hold.

May not know: functions' statements as ir, rules, types.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import gast

from ..ir import Call, Ref
from ..source.assembled import assembled
from ..source.module import Module, Parsed
from .expressions import Context, lower, parameters
from .names import Scope, scope_of, stored
from .records import word

METHODS = ("method", "static", "class", "property")
# class decorators and bases that leave the methods as they are
_PLAIN = {"dataclass", "final", "runtime_checkable", "total_ordering"}
_SEQUENCES = {"list", "List", "tuple", "Tuple", "Sequence"}
_EMPTY = {"object", "ABC", "Protocol", "Generic", "NamedTuple"}
_KINDS = {
    "staticmethod": "static",
    "classmethod": "class",
    "property": "property",
    "cached_property": "property",
}
_SPECIAL = {"__getattribute__", "__new__", "__class_getitem__", "__init_subclass__"}


@dataclass(frozen=True)
class Class:
    """A class at top level of a module; names of other classes are absolute as its module sees them.

    bases    in order, without those that bring no methods; "?" for what is not known
    members  what each name in the body is last: one of METHODS, "abstract", "value"
    stored   the attributes that its methods write
    declared the annotations of attributes
    made     the classes of attributes that `__init__` makes and nothing else writes
    plain    whether attributes are looked up as everywhere
    """

    name: str
    bases: tuple[str, ...]
    members: dict[str, str]
    stored: frozenset[str]
    declared: dict[str, str] = field(default_factory=dict)
    made: dict[str, str] = field(default_factory=dict)
    plain: bool = True


def classes(module: Module) -> dict[str, Class]:
    """The classes of a module by name; one that is defined twice, conditionally or changed later is not there."""
    scope = scope_of(module)
    return assembled(module, "classes", _told, lambda told: _classes(told, scope), given=scope)


@dataclass(frozen=True)
class _Told:
    """What one statement says of classes: those that it defines, and those that it changes."""

    defined: tuple[tuple[Any, Parsed], ...]
    patched: frozenset[str]


def _told(parsed: Parsed) -> _Told:
    tree = parsed.tree or ()
    defined = tuple((n, parsed) for n in tree if isinstance(n, gast.ClassDef))
    return _Told(defined, frozenset(n for node in tree for n in _patched(node)))


def _classes(told: list[_Told], scope: Scope) -> dict[str, Class]:
    defined = [d for t in told for d in t.defined]
    named = [n.name for n, _ in defined]
    patched = {n for t in told for n in t.patched}
    return {
        node.name: _class(node, Context(parsed, 0, scope, frozenset()))
        for node, parsed in defined
        if scope.kind(node.name) == "class"
        and named.count(node.name) == 1
        and node.name not in patched
    }


def _patched(node: Any) -> Iterator[str]:
    """The classes that a top-level statement changes: `Model.step = fast_step`."""
    if not isinstance(node, (gast.FunctionDef, gast.ClassDef)):
        for n in gast.walk(node):
            if isinstance(n, gast.Attribute) and isinstance(n.value, gast.Name):
                if not isinstance(n.ctx, gast.Load):
                    yield n.value.id


def instances(module: Module) -> dict[str, str]:
    """The globals that one statement binds, to an instance: the class's name, as the module resolves it."""
    scope = scope_of(module)

    def made(parsed: Parsed) -> tuple[tuple[str | None, tuple[str, ...]], ...]:
        cx = Context(parsed, 0, scope, frozenset())
        return tuple((_made(node, cx), tuple(stored(node))) for node in parsed.tree or ())

    return assembled(module, "instances", made, _instances, given=scope)


def _instances(found: list[tuple[tuple[str | None, tuple[str, ...]], ...]]) -> dict[str, str]:
    known: dict[str, str] = {}
    seen: set[str] = set()
    for made, names in (node for statement in found for node in statement):
        for name in names:
            known.pop(name, None)
            if made is not None and name not in seen:
                known[name] = made
            seen.add(name)
    return known


def class_said(annotation: str, scope: Scope) -> tuple[str, bool] | None:
    """The absolute name of the class that an annotation names, and whether of a sequence's items (`list[Layer]`)."""
    try:
        tree = ast.parse(annotation.strip().strip("\"'"), mode="eval").body
    except (SyntaxError, ValueError):
        return None
    many = isinstance(tree, ast.Subscript) and _word(tree.value) in _SEQUENCES
    if many and isinstance(tree, ast.Subscript):
        tree = tree.slice
        if isinstance(tree, ast.Tuple):  # tuple[Layer, ...]
            tree = tree.elts[0] if isinstance(tree.elts[-1], ast.Constant) else tree
    parts: list[str] = []
    while isinstance(tree, ast.Attribute):
        parts.append(tree.attr)
        tree = tree.value
    if not isinstance(tree, ast.Name):
        return None
    return ".".join([scope.resolve(tree.id), *reversed(parts)]), many


def _word(e: ast.expr) -> str:
    return e.attr if isinstance(e, ast.Attribute) else e.id if isinstance(e, ast.Name) else ""


# --- one class -----------------------------------------------------------------------------------


def _class(node: Any, cx: Context) -> Class:
    members: dict[str, str] = {}
    declared: dict[str, str] = {}
    for s in node.body:
        for name in stored(s):
            members[name] = "value"
        if isinstance(s, gast.FunctionDef):
            members[s.name] = _kind(s)
        elif isinstance(s, gast.AnnAssign) and isinstance(s.target, gast.Name):
            declared[s.target.id] = cx.source(s.annotation)
    functions = [s for s in node.body if isinstance(s, gast.FunctionDef)]
    writes = [w for f in functions for w in _writes(f)]
    bases = [b for b in node.bases if word(b) not in _EMPTY]
    init = next((f for f in functions if f.name == "__init__"), None)
    said, made = ({}, {}) if init is None else _held(init, cx)
    once = {n for n in writes if writes.count(n) == 1}
    return Class(
        node.name,
        tuple(_absolute(b, cx) for b in bases),
        members,
        frozenset(writes),
        {**{k: v for k, v in declared.items() if k not in writes}, **_only(said, once)},
        _only(made, once),
        not node.keywords
        and all(word(d) in _PLAIN for d in node.decorator_list)
        and not _SPECIAL & members.keys(),
    )


def _only(found: dict[str, str], names: set[str]) -> dict[str, str]:
    return {k: v for k, v in found.items() if k in names}


def _kind(function: Any) -> str:
    words = [word(d) for d in function.decorator_list]
    if "abstractmethod" in words or _is_empty(function) or {"setter", "deleter"} & set(words):
        return "abstract"
    return next((_KINDS[w] for w in words if w in _KINDS), "method")


def _is_empty(function: Any) -> bool:
    """Whether a method is there to be overridden: all that it does is raise, or nothing."""
    body = [s for s in function.body if not _is_text(s)]
    return all(isinstance(s, (gast.Raise, gast.Pass)) for s in body)


def _is_text(s: Any) -> bool:
    return isinstance(s, gast.Expr) and isinstance(s.value, gast.Constant)


def _writes(function: Any) -> Iterator[str]:
    """The attributes of its first parameter that a method writes."""
    first = next(parameters(function.args), None)
    for n in gast.walk(function):
        if isinstance(n, gast.Attribute) and not isinstance(n.ctx, gast.Load):
            if first is not None and isinstance(n.value, gast.Name) and n.value.id == first.id:
                yield n.attr


def _held(init: Any, cx: Context) -> tuple[dict[str, str], dict[str, str]]:
    """What `__init__` shows of attributes: annotations, and classes of what it makes."""
    said: dict[str, str] = {}
    made: dict[str, str] = {}
    names = list(parameters(init.args))
    bound = {n for s in init.body for n in stored(s)}
    notes = {p.id: cx.source(p.annotation) for p in names if p.annotation is not None}
    inner = Context(cx.parsed, 0, cx.scope, frozenset({*(p.id for p in names), *bound}))
    for s in init.body:
        target = s.targets[0] if isinstance(s, gast.Assign) and len(s.targets) == 1 else None
        target = s.target if isinstance(s, gast.AnnAssign) else target
        if not isinstance(target, gast.Attribute) or not isinstance(target.value, gast.Name):
            continue
        if isinstance(s, gast.AnnAssign):
            said[target.attr] = cx.source(s.annotation)
        elif isinstance(s.value, gast.Name) and s.value.id in notes.keys() - bound:
            said[target.attr] = notes[s.value.id]
        elif (of := _called(s.value, inner)) is not None:
            made[target.attr] = of
    return said, made


def _made(node: Any, cx: Context) -> str | None:
    """What is called in `NAME = Model(...)`."""
    if isinstance(node, gast.Assign) and len(node.targets) == 1:
        return _called(node.value, cx) if isinstance(node.targets[0], gast.Name) else None
    return None


def _called(node: Any, cx: Context) -> str | None:
    made = lower(node, cx) if isinstance(node, gast.Call) else None
    return made.fn if isinstance(made, Call) and isinstance(made.callee, Ref) else None


def _absolute(node: Any, cx: Context) -> str:
    """The absolute name of a base; "?" where it is more than a name."""
    if isinstance(node, gast.Subscript):
        node = node.value
    made = lower(node, cx)
    return made.qualname if isinstance(made, Ref) else "?"
