"""Before a function is reversed: active conditional expressions become if statements.

    y = a if c else b    ->    if c: y = a
                               else: y = b

A parameter that is written in place is copied first.

May not know: rules, how anything is reversed.
"""

from __future__ import annotations

from dataclasses import replace

from ..analysis.containers import DEEP, is_container, is_field
from ..analysis.facts import Facts, Val
from ..analysis.flow import bindings
from ..ir import (
    Assign,
    AugAssign,
    Block,
    Call,
    Expr,
    For,
    Function,
    If,
    IfExp,
    Name,
    Return,
    Slice,
    Stmt,
    Tuple,
    bound,
    duplicate,
    map_blocks,
    rebuild,
    root,
    statements,
    unless_same,
)
from .floating import copy_of
from .naming import Namer, describe, names_of
from .positions import by_position


def desugar(fn: Function, facts: Facts) -> Function:
    """`fn` without active conditional expressions at the top of a statement's value; `fn` itself if there are none."""
    body = _block(fn.body, facts)
    return fn if body is fn.body else replace(fn, body=body)


def with_copies(
    fn: Function, written: dict[str, bool], facts: Facts, lists: bool = False
) -> Function:
    """`fn` on copies of the parameters that it writes in place: the caller's arrays stay as they are.

    `lists`: what is not known may be a list of arrays.
    """
    entry = facts.before[id(fn.body[0])]
    copies = []
    for name in (p.name for p in fn.params if p.name in written):
        t = entry[name].type
        held = is_container(t) or (lists and t.kind == "any" and _holds_what_is_written(fn, name))
        copy = Call(DEEP, (Name(name),)) if held else copy_of(Name(name), written[name])
        copies.append(Assign((Name(name),), copy, made=True))
    return replace(fn, body=(*copies, *fn.body))


def _holds_what_is_written(fn: Function, name: str) -> bool:
    """`rows[0][1] = …`, `for row in rows: row[0] = …`: where `rows` is a list, its copy has the same arrays."""
    parts: set[str] = set()
    for s in statements(fn.body):
        if isinstance(s, For) and s.iter == Name(name):
            parts |= bound(s.target)
        elif isinstance(s, Assign) and isinstance(s.value, Call) and root(s.value) == Name(name):
            parts |= set().union(*(bound(t) for t in s.targets if isinstance(t, Name)))
    return any(_writes_part(s, name, parts) for s in statements(fn.body))


def _writes_part(s: Stmt, name: str, parts: set[str]) -> bool:
    """Whether `s` writes into one of `parts`, or into a part of `name` that it reaches by a subscript."""
    if isinstance(s, AugAssign) and isinstance(s.target, Name):
        return s.target.id in parts
    targets = (
        s.targets if isinstance(s, Assign) else (s.target,) if isinstance(s, AugAssign) else ()
    )
    inner = [t.args[0] for t in targets if isinstance(t, Call) and t.fn == "operator.getitem"]
    return any(root(e) in [Name(n) for n in parts] for e in inner) or any(
        isinstance(e, Call) and root(e) == Name(name) for e in inner
    )


def with_numbers(fn: Function, facts: Facts) -> Function:
    """`fn` with `s = s * x` for `s *= x` of arrays that have no axes: what is recorded of them must not change.

    Where one of them is held twice that is reported, and all stay as they are.
    """
    found = [
        (s, s.target.id)
        for s in statements(fn.body)
        if isinstance(s, AugAssign) and isinstance(s.target, Name)
    ]
    found = [(s, name) for s, name in found if _has_no_axes(facts.var(s, name))]
    if not found or facts.problems:
        return fn
    return replace(fn, body=_rebound(fn.body, {id(s) for s, _ in found}))


def _has_no_axes(v: Val) -> bool:
    return v.type.kind == "scalar" and bool(v.objs)


def _rebound(block: Block, found: set[int]) -> Block:
    out: list[Stmt] = []
    for s in block:
        if isinstance(s, AugAssign) and id(s) in found:
            value = Call(s.op, (duplicate(s.target), s.value), origin=s.origin)
            s = Assign((s.target,), value, origin=s.origin)
        out.append(map_blocks(s, lambda b: _rebound(b, found)))
    return unless_same(out, block)


def with_own_iterables(fn: Function, facts: Facts) -> Function:
    """`fn` with a name for each active iterable whose own name the loop binds anew, or that has none."""
    if not any(isinstance(s, For) and facts.active(s.iter) for s in statements(fn.body)):
        return fn
    body = _named_block(fn.body, facts, Namer(names_of(fn)))
    return fn if body is fn.body else replace(fn, body=body)


def _named_block(block: Block, facts: Facts, namer: Namer) -> Block:
    out: list[Stmt] = []
    for s in block:
        written = by_position(s, facts, namer) if isinstance(s, For) else [s]
        out += written[:-1]
        s = written[-1]
        s = map_blocks(s, lambda b: _named_block(b, facts, namer))
        if isinstance(s, For) and facts.active(s.iter):
            changed = {n for x in (s, *statements(s.body)) for n in bindings(x)}
            it = _named_iterable(s.iter, s, changed, facts, namer, out)
            if it is not s.iter:
                s = replace(s, iter=it, verbatim=False)
        out.append(s)
    return unless_same(out, block)


_OVER = ("builtins.enumerate", "builtins.zip", "builtins.reversed")


def _named_iterable(
    it: Expr, s: For, changed: set[str], facts: Facts, namer: Namer, out: list[Stmt]
) -> Expr:
    if isinstance(it, Call) and it.fn in _OVER:
        return rebuild(it, lambda a: _named_iterable(a, s, changed, facts, namer, out))
    if not facts.active(it) or (isinstance(it, Name) and it.id not in changed):
        return it
    if isinstance(it, Tuple) or _is_part(it, changed, facts):
        return it
    views = ("method.items", "method.keys", "method.values")
    if isinstance(it, Call) and it.fn in views and is_container(facts.type(it)):
        whole = _named_iterable(it.args[0], s, changed, facts, namer, out)
        return it if whole is it.args[0] else replace(it, args=(whole,))
    name = namer.fresh(f"{describe(it)}_items")
    out.append(Assign((Name(name),), it, origin=s.origin))
    return Name(name, origin=None)


def _is_part(it: Expr, changed: set[str], facts: Facts) -> bool:
    """`x[1:]` of a variable that stays; a slice of what may be a list is a list of its own."""
    while isinstance(it, Call) and it.args:
        if it.fn != "operator.getitem" and not is_field(facts.type(it.args[0]), it.fn):
            return False
        if is_container(facts.type(it.args[0])) and isinstance(it.args[-1], Slice):
            return False
        it = it.args[0]
    return isinstance(it, Name) and it.id not in changed


def _block(block: Block, facts: Facts) -> Block:
    return unless_same([_statement(s, facts) for s in block], block)


def _statement(s: Stmt, facts: Facts) -> Stmt:
    if (
        isinstance(s, (Assign, AugAssign, Return))
        and isinstance(s.value, IfExp)
        and facts.active(s.value)
    ):
        return _split(s, s.value, facts)
    return map_blocks(s, lambda b: _block(b, facts))


def _split(s: Assign | AugAssign | Return, value: IfExp, facts: Facts) -> If:
    def arm(e: Expr) -> Stmt:
        made = replace(_fresh(s), value=e, verbatim=False)
        return _split(made, e, facts) if isinstance(e, IfExp) else made

    return If(value.test, (arm(value.body),), (arm(value.orelse),), origin=s.origin)


def _fresh(s: Assign | AugAssign | Return) -> Assign | AugAssign | Return:
    """A copy whose targets are nodes of their own, so that facts can tell them apart."""
    if isinstance(s, Assign):
        return replace(s, targets=tuple(duplicate(t) for t in s.targets))
    return replace(s, target=duplicate(s.target)) if isinstance(s, AugAssign) else s
