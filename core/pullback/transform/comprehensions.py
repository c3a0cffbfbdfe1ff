"""Before a function is reversed: active comprehensions become loops that fill a list or dict.

    ys = [x * x for x in xs if x > 0.0]    ->    ys = []
                                                 for x in xs:
                                                     if x > 0.0:
                                                         ys.append(x * x)

`ys += [a, b]` and `ys.extend([a, b])` of a list append its items one by one.

Only where the statement surely evaluates them: others are left, and refused where they matter.

May not know: rules, how anything is reversed.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ..analysis.facts import Facts
from ..ir import (
    Assign,
    AugAssign,
    Block,
    BoolOp,
    Call,
    Comprehension,
    Dict,
    Expr,
    ExprStmt,
    For,
    Function,
    If,
    IfExp,
    Name,
    Opaque,
    Return,
    Star,
    Stmt,
    Tuple,
    bound,
    children,
    else_of,
    map_blocks,
    reads,
    rebuild,
    statements,
    stmt_exprs,
    walk,
)
from .naming import Namer, names_of


@dataclass
class Expansion:
    """The names of a function while its comprehensions are written out.

    `own` are variables of comprehensions that have become loops: they may serve another one.
    """

    namer: Namer
    facts: Facts
    own: set[str] = field(default_factory=set)
    changed: bool = False


def has_comprehensions(fn: Function) -> bool:
    """Whether there is anything to be done in `fn`."""
    return any(
        _added(s) is not None
        or any(
            isinstance(n, Opaque) and n.parts is not None for e in stmt_exprs(s) for n in walk(e)
        )
        for s in statements(fn.body)
    )


def _added(s: Stmt) -> tuple[Name, tuple[Expr, ...]] | None:
    """The variable and the items of `ys += [a, b]` and `ys.extend([a, b])`."""
    if isinstance(s, AugAssign) and s.op == "operator.add":
        target, value = s.target, s.value
    elif isinstance(s, ExprStmt) and isinstance(s.value, Call) and s.value.fn == "method.extend":
        target, value = s.value.args[0], s.value.args[-1]
    else:
        return None
    if not isinstance(target, Name) or not isinstance(value, Tuple):
        return None
    return None if any(isinstance(i, Star) for i in value.items) else (target, value.items)


def with_loops(fn: Function, work: Expansion) -> Function:
    """`fn` without the outermost active comprehensions; `fn` itself if there are none."""
    work.changed = False
    body = _block(fn.body, work, frozenset())
    return replace(fn, body=body) if work.changed else fn


def expansion(fn: Function, facts: Facts) -> Expansion:
    return Expansion(Namer(names_of(fn)), facts)


def _block(block: Block, work: Expansion, around: frozenset[str]) -> Block:
    out: list[Stmt] = []
    for s in block:
        out += _statement(s, work, around)
    return tuple(out)


def _statement(s: Stmt, work: Expansion, around: frozenset[str]) -> list[Stmt]:
    before: list[Stmt] = []
    added = _added(s)
    if added is not None and work.facts.var(s, added[0].id).type.kind == "list":
        return _appended(s, *added, work, around)
    if isinstance(s, (Assign, AugAssign, ExprStmt, Return)) and s.value is not None:
        value = _value(s, s.value, work, around, before)
        if value is None:
            return before
        return [*before, s if value is s.value else replace(s, value=value, verbatim=False)]
    if isinstance(s, For):
        it = _hoisted(s.iter, s, work, around, before)
        body = _block(s.body, work, around | bound(s.target))
        new = replace(s, iter=it, body=body, orelse=_block(s.orelse, work, around))
        return [*before, new if it is s.iter else replace(new, verbatim=False)]
    if isinstance(s, If):
        test = _hoisted(s.test, s, work, around, before)
        body, orelse = _block(s.body, work, around), _block(s.orelse, work, around)
        new_if = replace(s, test=test, body=body, orelse=else_of(orelse))
        return [*before, new_if if test is s.test else replace(new_if, verbatim=False)]
    return [map_blocks(s, lambda b: _block(b, work, around))]


def _appended(
    s: Stmt, target: Name, items: tuple[Expr, ...], work: Expansion, around: frozenset[str]
) -> list[Stmt]:
    """One append for each item; all are computed first where one of them reads the list."""
    work.changed = True
    out: list[Stmt] = []
    if len(items) > 1 and any(target.id in reads(i) for i in items):
        names = [Name(work.namer.fresh(f"{target.id}_item")) for _ in items]
        out = [Assign((n,), i, origin=s.origin) for n, i in zip(names, items)]
        items = tuple(Name(n.id) for n in names)
    out += [ExprStmt(Call("method.append", (Name(target.id), i)), origin=s.origin) for i in items]
    return [x for made in out for x in _statement(made, work, around)]


def _value(
    s: Stmt, e: Expr, work: Expansion, around: frozenset[str], before: list[Stmt]
) -> Expr | None:
    """The value of a statement; None where the loop has filled its target already."""
    if isinstance(s, Assign) and isinstance(e, Opaque) and _can_be_written(e, work, around):
        target, parts = s.targets[0], e.parts
        if len(s.targets) == 1 and isinstance(target, Name) and target.id not in e.reads:
            assert parts is not None
            before += _written(parts, target.id, s, work, around)
            return None
    return _hoisted(e, s, work, around, before)


def _hoisted(e: Expr, s: Stmt, work: Expansion, around: frozenset[str], before: list[Stmt]) -> Expr:
    """`e` with a variable for each comprehension that it surely evaluates."""
    if isinstance(e, Opaque) and _can_be_written(e, work, around):
        assert e.parts is not None
        name = work.namer.fresh("entries" if e.parts.kind == "dict" else "items")
        before += _written(e.parts, name, s, work, around)
        return Name(name)
    if isinstance(e, BoolOp):
        first = _hoisted(e.values[0], s, work, around, before)
        return e if first is e.values[0] else replace(e, values=(first, *e.values[1:]))
    if isinstance(e, IfExp):
        test = _hoisted(e.test, s, work, around, before)
        return e if test is e.test else replace(e, test=test)
    if not children(e):
        return e
    return rebuild(e, lambda c: _hoisted(c, s, work, around, before))


def _written(
    parts: Comprehension, name: str, s: Stmt, work: Expansion, around: frozenset[str]
) -> list[Stmt]:
    """The loops that fill `name`."""
    work.changed = True
    names = _renamed(parts, work, around | {name})

    def own(e: Expr) -> Expr:
        if isinstance(e, Name):
            return replace(e, id=names.get(e.id, e.id))
        return rebuild(e, own)

    if parts.kind == "dict":
        assert parts.key is not None
        place = Call("operator.getitem", (Name(name), own(parts.key)))
        stmt: Stmt = Assign((place,), own(parts.element), origin=s.origin)
    else:
        stmt = ExprStmt(Call("method.append", (Name(name), own(parts.element))), origin=s.origin)
    for k, (target, it, tests) in reversed(list(enumerate(parts.generators))):
        for test in reversed(tests):
            stmt = If(own(test), (stmt,), origin=s.origin)
        stmt = For(own(target), own(it) if k else it, (stmt,), origin=s.origin)
    empty: Expr = Dict((), ()) if parts.kind == "dict" else Tuple((), "list")
    return [Assign((Name(name),), empty, origin=s.origin), stmt]


def _can_be_written(e: Opaque, work: Expansion, around: frozenset[str]) -> bool:
    """An active comprehension; none where a part that is kept as text reads a variable that needs a new name."""
    if e.parts is None or not work.facts.active(e):
        return False
    exprs = [e.parts.element, *(x for _, it, tests in e.parts.generators for x in (it, *tests))]
    read = {n for x in exprs for o in walk(x) if isinstance(o, Opaque) for n in o.reads}
    own = {n for target, _, _ in e.parts.generators for n in bound(target)}
    return all(_is_free(n, work, around) for n in own & read)


def _is_free(name: str, work: Expansion, around: frozenset[str]) -> bool:
    return name not in work.namer.taken or (name in work.own and name not in around)


def _renamed(parts: Comprehension, work: Expansion, around: frozenset[str]) -> dict[str, str]:
    """New names for the comprehension's variables that mean something else in the function."""
    out: dict[str, str] = {}
    for n in dict.fromkeys(n for target, _, _ in parts.generators for n in sorted(bound(target))):
        out[n] = n if _is_free(n, work, around) else work.namer.fresh(n)
        work.namer.taken.add(out[n])
        work.own.add(out[n])
    return out
