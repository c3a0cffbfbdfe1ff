"""Statements with other names for their variables, as nodes of their own.

May not know: why anything is renamed.
"""

from __future__ import annotations

import io
import keyword
import tokenize
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from itertools import accumulate
from typing import TypeVar

from ..analysis.facts import Facts
from ..analysis.flow import liveness, upward
from ..ir import (
    Assign,
    AugAssign,
    Block,
    Call,
    Const,
    Expr,
    For,
    Function,
    If,
    Keep,
    Name,
    Opaque,
    Ref,
    Span,
    Stmt,
    While,
    bound,
    map_blocks,
    map_statement,
    reads,
    rebuild,
    root,
    statements,
    stmt_exprs,
    targets_of,
    unless_same,
    written_behind,
)
from ..optimize.effects import captured
from .naming import Namer, names_in, names_of

Names = Mapping[str, Expr]
FactsOf = Callable[[Function], Facts]


def renamed(s: Stmt, names: Names, at: Span | None = None) -> Stmt:
    """`s` with its variables replaced by what `names` gives for them.

    It prints as it was written where that is still what it says; not where it comes from another text: then
    `at` is where it counts as standing, and what it refers to is spelled as the module spells it.
    """

    def expr(e: Expr) -> Expr:
        return renamed_expr(e, names, at)

    def stmt(x: Stmt) -> Stmt:
        return renamed(x, names, at)

    new = map_statement(s, expr, stmt)
    if isinstance(s, Keep):
        new = _renamed_text(s, names)
    if at is not None:
        return replace(new, origin=at, verbatim=False, made=True)
    same = new == s if isinstance(s, Keep) else stmt_exprs(new) == stmt_exprs(s)
    return replace(new, verbatim=s.verbatim and same)


def renamed_expr(e: Expr, names: Names, at: Span | None = None) -> Expr:
    """`e` as nodes of its own, with its variables replaced by what `names` gives for them."""
    if isinstance(e, Name) and e.id in names:
        new = names[e.id]
        if isinstance(new, (Name, Const, Ref)):
            return replace(new, origin=e.origin if at is None else at)
        return renamed_expr(new, {})
    if isinstance(e, Opaque):
        return _renamed_opaque(e, names, at)
    e = rebuild(e, lambda c: renamed_expr(c, names, at))
    if isinstance(e, Call) and e.fn == "?" and isinstance(e.callee, Ref):
        e = replace(e, fn=e.callee.qualname)  # it is passed for a parameter
    if at is None:
        return replace(e)
    if isinstance(e, Ref):
        return replace(e, text="", origin=at)
    if isinstance(e, Call):
        stays = e.fn == "?" or written_behind(e)
        return replace(e, callee=e.callee if stays else None, origin=at)
    return replace(e, origin=at)


T = TypeVar("T", Keep, Opaque)


def _renamed_opaque(e: Opaque, names: Names, at: Span | None) -> Opaque:
    """The same of a construct that is kept as text; a comprehension has its parts beside it."""

    def expr(x: Expr) -> Expr:
        return renamed_expr(x, names, at)

    new = _renamed_text(e, names)
    if at is not None:
        new = replace(new, origin=at)
    if e.parts is None:
        return new
    generators = tuple(
        (expr(t), expr(it), tuple(expr(x) for x in tests)) for t, it, tests in e.parts.generators
    )
    key = None if e.parts.key is None else expr(e.parts.key)
    made = replace(e.parts, element=expr(e.parts.element), key=key, generators=generators)
    return replace(new, parts=made)


def _renamed_text(t: T, names: Names) -> T:
    """What is kept as text, with other names for the variables in it."""
    given = {n: names.get(n) for n in (*t.reads, *t.writes)}
    new = {n: e.id for n, e in given.items() if isinstance(e, Name)}
    if all(n == m for n, m in new.items()):
        return replace(t)
    text = t.text
    for start, end, name in reversed(_names(text)):
        text = text[:start] + new.get(name, name) + text[end:]
    reads, writes = (tuple(new.get(n, n) for n in ns) for ns in (t.reads, t.writes))
    return replace(t, text=text, reads=reads, writes=writes)


def named_in(text: str) -> set[str]:
    """The names that a piece of code says, those in formatted strings left out; "?" where it cannot be read."""
    return {name for _, _, name in _names(text)} | ({"?"} if _tokens(text) is None else set())


def is_formatted(text: str) -> bool:
    """Whether a piece of code has formatted strings, whose names are not seen, or cannot be read."""
    tokens = _tokens(text)
    return tokens is None or any(
        tokenize.tok_name[t.type].startswith("FSTRING")
        or (t.type == tokenize.STRING and "f" in t.string.partition(t.string[-1])[0].lower())
        for t in tokens
    )


def _names(text: str) -> list[tuple[int, int, str]]:
    """Names of variables with where they stand: no attributes, no keywords of calls."""
    starts = [0, *accumulate(len(line) for line in text.splitlines(keepends=True))]
    tokens = _tokens(text) or []
    found = []
    for before, t, after in zip([None, *tokens], tokens, [*tokens[1:], None]):
        free = (before is None or before.string != ".") and (after is None or after.string != "=")
        if t.type == tokenize.NAME and free and not keyword.iskeyword(t.string):
            begin = starts[t.start[0] - 1] + t.start[1]
            found.append((begin, begin + len(t.string), t.string))
    return found


def _tokens(text: str) -> list[tokenize.TokenInfo] | None:
    try:
        return list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (tokenize.TokenError, SyntaxError):
        return None


def with_own_names(fn: Function, params: Collection[str]) -> Function:
    """`fn` where a parameter that a statement of its outermost block binds anew has another name from there on.

    So the parameter stands for what was passed, to the end.
    """
    namer = Namer(names_of(fn))
    names: dict[str, Expr] = {}
    out: list[Stmt] = []
    for s in fn.body:
        target = s.targets[0] if isinstance(s, Assign) and len(s.targets) == 1 else None
        if not isinstance(target, Name) or target.id not in params:
            out.append(renamed(s, names) if names else s)
            continue
        assert isinstance(s, Assign)
        value = renamed_expr(s.value, names)
        names[target.id] = Name(namer.fresh(target.id))
        out.append(replace(s, targets=(renamed_expr(target, names),), value=value, verbatim=False))
    return replace(fn, body=tuple(out)) if names else fn


def with_own_views(fn: Function, facts: FactsOf) -> Function:
    """`fn` where a name of a written array that is bound to a view of it is another name from there on.

    u = np.empty(3)              u = np.empty(3)
    u[0] = a              ->     u[0] = a
    u = u[:, None]               u2 = u[:, None]
    """
    apart = _bound_to_views(fn, facts(fn))
    if not apart:
        return fn
    live = liveness(fn.body)
    namer = Namer(names_of(fn))

    def block(b: Block) -> Block:
        names: dict[str, Expr] = {}
        out: list[Stmt] = []
        jumps = any(isinstance(x, Keep) and x.kind in ("break", "continue") for x in statements(b))
        for s in b:
            name = None if jumps else apart.get(id(s))  # a jump may take the name with it
            if isinstance(s, Assign) and name is not None and name not in live[id(b[-1])]:
                value = renamed_expr(s.value, names)
                names[name] = Name(namer.fresh(name))
                out.append(replace(s, targets=(names[name],), value=value, verbatim=False))
            else:
                inner = map_blocks(s, block)
                out.append(renamed(inner, names) if names else inner)
        return unless_same(out, b)

    return replace(fn, body=block(fn.body))


def _bound_to_views(fn: Function, facts: Facts) -> dict[int, str]:
    """The statements that bind a name to a view of the array that it names, which something writes: `u = u.T`."""
    written = frozenset(o for objs in facts.mutated.values() for o in objs)
    out: dict[int, str] = {}
    for s in statements(fn.body):
        target = s.targets[0] if isinstance(s, Assign) and len(s.targets) == 1 else None
        if not isinstance(s, Assign) or not isinstance(target, Name) or s.value == target:
            continue
        old, new = facts.before.get(id(s), {}).get(target.id), facts.bound.get((id(s), target.id))
        if (
            old is None
            or new is None
            or target.id not in reads(s.value)
            or new.type.kind != "array"
        ):
            continue
        if old.type.kind in ("array", "number") and new.view and old.objs & new.objs & written:
            out[id(s)] = target.id
    held = captured(fn) if out else frozenset()
    return {k: n for k, n in out.items() if n not in held}


def with_own_rows(fn: Function, facts: FactsOf) -> Function:
    """`fn` where parts of arrays that loops write through have names of their own in each of the loops.

    for row in b:             for row in b:
        row *= 2.0                row *= 2.0
    for row in b:      ->     for row2 in b:
        row += c                  row2 += c
    """
    names = {n for s in statements(fn.body) for n in _written_through(s)}
    apart = {n: loops for n in sorted(names) if len(loops := _loops_apart(fn.body, n)) > 1}
    if not apart:
        return fn
    parts = {n for (_, n), v in facts(fn).bound.items() if v.view and v.type.kind != "scalar"}
    namer = Namer(names_of(fn))
    new: dict[int, dict[str, Expr]] = {}
    for n in apart.keys() & parts:
        for s in apart[n][1:]:
            new.setdefault(id(s), {})[n] = Name(namer.fresh(n))

    def block(b: Block) -> Block:
        inner = (renamed(s, new[id(s)]) if id(s) in new else map_blocks(s, block) for s in b)
        return unless_same(list(inner), b)

    return replace(fn, body=block(fn.body)) if new else fn


def _written_through(s: Stmt) -> set[str]:
    """The variables into which `s` stores, or may: `row[0] = …`, `row *= …`."""
    bases = (root(t) for t in targets_of(s) if isinstance(s, AugAssign) or isinstance(t, Call))
    return {b.id for b in bases if isinstance(b, Name)}


def _loops_apart(block: Block, name: str) -> list[Stmt]:
    """The loops, side by side, in each of which `name` is a variable of its own: all that says it."""
    said = [s for s in block if name in names_in((s,))]
    if len(said) == 1 and isinstance(said[0], (For, If, While)):
        header = said[0].target if isinstance(said[0], For) else None
        if header is None or name not in bound(header):
            return _loops_apart((*said[0].body, *said[0].orelse), name)
    own = (
        isinstance(s, For)
        and name not in reads(s.iter) | names_in(s.orelse)
        and name not in upward(s.body, set()) - bound(s.target)
        for s in said
    )
    return said if all(own) else []


def copied(block: Block) -> Block:
    """The same statements as nodes of their own."""
    return tuple(renamed(s, {}) for s in block)
