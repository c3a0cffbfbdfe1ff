"""A function of one module as another one sees it: what it says of its module's globals made absolute.

Names in the tree become absolute references; in code that is kept as text they become words
(`ir/words.py`). A statement of which nothing else changes may still be printed as it was written.

May not know: what is derived, where the function goes.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from typing import Any

import gast

from ..ir import (
    Barrier,
    Call,
    Comprehension,
    Expr,
    Function,
    Keep,
    Opaque,
    Param,
    Ref,
    Stmt,
    map_statement,
    rebuild,
    written_behind,
)
from ..ir.words import word
from ..source.module import Parsed, parse_piece
from .expressions import uses
from .names import Scope

_IN_STRING = re.compile(r"\{\{|[{}]|(?<![\w.!])[^\W\d]\w*")
_MARGIN = re.compile(r"\n([ \t]+)(?=\S)")
_KNOWN = ("module", "import", "class")  # what a dotted name begins with that is one name


def from_outside(fn: Function, owner: str, scope: Scope, *, as_written: bool = False) -> Function:
    """A function of module `owner`, whose names `scope` knows.

    It prints from its tree; with `as_written`, from its text where that says the same in the other module.
    """

    def expr(e: Expr) -> Expr:
        return absolute(e, owner, scope, as_written=as_written)

    def stmt(s: Stmt) -> Stmt:
        s = replace(s, verbatim=s.verbatim and as_written)
        if isinstance(s, (Keep, Barrier)):
            return replace(s, text=_absolute_text(s, owner, scope))
        return map_statement(s, expr, stmt)

    return replace(fn, body=tuple(stmt(s) for s in fn.body))


def absolute(e: Expr, owner: str, scope: Scope, *, as_written: bool = False) -> Expr:
    """An expression of module `owner` with its module-level names made absolute; it still knows where it stands."""

    def inner(c: Expr) -> Expr:
        return absolute(c, owner, scope, as_written=as_written)

    e = rebuild(e, inner)
    if isinstance(e, Opaque):
        made = replace(e, text=_absolute_text(e, owner, scope))
        if e.parts is None:
            return made
        p = e.parts
        generators = tuple(
            (t, inner(it), tuple(map(inner, tests))) for t, it, tests in p.generators
        )
        key = None if p.key is None else inner(p.key)
        return replace(made, parts=Comprehension(p.kind, inner(p.element), key, generators))
    if isinstance(e, Ref):
        return replace(e, qualname=_qualname(e.qualname, owner), text=e.text if as_written else "")
    if isinstance(e, Call):
        fn_name = _qualname(e.fn, owner)
        behind = written_behind(e)
        callee = Ref(fn_name, behind) if behind else e.callee if e.fn == "?" or as_written else None
        return replace(e, fn=fn_name, callee=callee)
    return replace(e)


def with_absolute_signature(fn: Function, owner: str, scope: Scope) -> Function:
    """`fn` with words for the globals in its defaults and annotations, for the emitter.

    An annotation goes that names what its module has on some paths only, as for type checkers alone.
    """

    def text(code: str | None) -> str | None:
        return None if code is None else absolute_code(code, (), owner, scope)

    def annotation(p: Param) -> str | None:
        names = [] if p.annotation is None else [n.id for n in _read(_piece(p.annotation)[0])]
        known = [scope.names.get(n) for n in names]
        return None if any(b is not None and b.conditional for b in known) else text(p.annotation)

    params = tuple(replace(p, default=text(p.default), annotation=annotation(p)) for p in fn.params)
    return replace(fn, params=params)


def absolute_code(text: str, local: Iterable[str], owner: str, scope: Scope) -> str:
    """A piece of code of module `owner` with words for the globals that it names; `local` are variables."""
    for start, end, qualname in sorted(_places(text, frozenset(local), scope), reverse=True):
        text = text[:start] + word(_qualname(qualname, owner)) + text[end:]
    return text


def _absolute_text(kept: Keep | Barrier | Opaque, owner: str, scope: Scope) -> str:
    return absolute_code(kept.text, (*kept.reads, *kept.writes), owner, scope)


def _qualname(qualname: str, owner: str) -> str:
    own = qualname.startswith(".") and not qualname.startswith("..")
    return f"{owner}{qualname}" if own else qualname


# --- names in a piece of code ---------------------------------------------------------------------


def _places(text: str, local: frozenset[str], scope: Scope) -> Iterator[tuple[int, int, str]]:
    """Where a piece of code names globals: all of `np.linalg.norm`, `W` alone of `W.shape`."""
    parsed, before = _piece(text)
    nodes = [n for tree in parsed.tree or () for n in gast.walk(tree)]
    attributes = {id(n.value): n for n in nodes if isinstance(n, gast.Attribute)}
    strings = [n for n in nodes if isinstance(n, gast.JoinedStr)]
    formatted = {id(part) for string in strings for part in gast.walk(string)}
    names: dict[str, str] = {}
    for node in _read(parsed):
        meant = "?" if node.id in local else scope.resolve(node.id)
        if meant.startswith(("?", "builtins.")):
            continue
        names[node.id] = meant
        if (
            id(node) in formatted
        ):  # the positions in there are right in some versions of Python only
            continue
        whole = node
        while scope.kind(node.id) in _KNOWN and id(whole) in attributes:
            whole = attributes[id(whole)]
            meant = f"{meant}.{whole.attr}"
        start, end = _offsets(parsed, whole)
        yield start - before, end - before, meant
    for string in strings:
        own = {n.id for n in gast.walk(string) if isinstance(n, gast.Name)}
        start, end = _offsets(parsed, string)
        for at, name in _in_fields(parsed.text[start:end], own & names.keys()):
            yield start + at - before, start + at + len(name) - before, names[name]


def _piece(text: str) -> tuple[Parsed, int]:
    """The code parsed, and how much was put in front: an expression or statements, cut out of their indentation."""
    margins = [m[1] for m in _MARGIN.finditer(text)]
    indented = f"if 1:\n{min(margins, default='')}"
    for before, after in (("", ""), ("(", "\n)"), ("", " pass"), (indented, "")):
        parsed = parse_piece(f"{before}{text}{after}")
        if parsed.tree is not None:
            return parsed, len(before)
    return parsed, 0


def _read(parsed: Parsed) -> Iterator[Any]:
    """The names that a piece of code reads and does not bind itself."""
    found = [use for tree in parsed.tree or () for use in uses(tree)]
    bound = {name for name, how, _ in found if how == "write"}
    return (node for name, how, node in found if how == "read" and node and name not in bound)


def _offsets(parsed: Parsed, node: Any) -> tuple[int, int]:
    start = parsed.offset(node.lineno, node.col_offset)
    return start, parsed.offset(node.end_lineno, node.end_col_offset)


def _in_fields(text: str, names: Collection[str]) -> Iterator[tuple[int, str]]:
    """Where names stand between the braces of a formatted string."""
    depth = 0
    for found in _IN_STRING.finditer(text):
        token = found[0]
        if token == "}":
            depth = max(depth - 1, 0)
        elif token.startswith("{"):
            depth += len(token) if depth or token == "{" else 0
        elif depth and token in names:
            yield found.start(), token
