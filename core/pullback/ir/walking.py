"""What a tree holds: its parts in order of evaluation, the variables that it reads and binds.

May not know: what trees are made into.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeGuard, TypeVar

from .nodes import (
    Assign,
    AugAssign,
    Block,
    BoolOp,
    Call,
    Compare,
    Const,
    Define,
    Dict,
    Expr,
    ExprStmt,
    For,
    If,
    IfExp,
    Insert,
    Name,
    Opaque,
    Ref,
    Return,
    Slice,
    Star,
    Stmt,
    Tuple,
    While,
)

# The fields of each kind of expression that hold expressions, in order of evaluation.
PARTS: dict[type, tuple[str, ...]] = {
    Const: (),
    Name: (),
    Ref: (),
    Call: ("args", "kwargs"),
    Compare: ("first", "rest"),
    BoolOp: ("values",),
    IfExp: ("test", "body", "orelse"),
    Tuple: ("items",),
    Dict: ("keys", "values"),
    Slice: ("lower", "upper", "step"),
    Star: ("value",),
    Opaque: (),
}
_LEAVES = frozenset(kind for kind, parts in PARTS.items() if not parts)

T = TypeVar("T")
N = TypeVar("N")


def once(node: N, what: str, find: Callable[[N], T]) -> T:
    """find(node), kept with the node: trees do not change, and most are asked a dozen times.

    It is no field of the node, so that copies begin anew.
    """
    known: T | None = node.__dict__.get(what)
    if known is None:
        known = node.__dict__[what] = find(node)
    return known


def children(e: Expr) -> tuple[Expr, ...]:
    """The direct subexpressions of `e`, in order of evaluation."""
    if type(e) in _LEAVES:
        return ()
    if isinstance(e, Call):
        values = (*e.args, *[v for _, v in e.kwargs]) if e.kwargs else e.args
        return (e.callee, *values) if e.fn == "?" and e.callee is not None else values
    if isinstance(e, Compare):
        return (e.first, *e.rest)
    if isinstance(e, BoolOp):
        return e.values
    if isinstance(e, IfExp):
        return (e.test, e.body, e.orelse)
    if isinstance(e, Tuple):
        return e.items
    if isinstance(e, Dict):
        return (*(k for k in e.keys if k is not None), *e.values)
    if isinstance(e, Slice):
        return tuple(p for p in (e.lower, e.upper, e.step) if p is not None)
    if isinstance(e, Star):
        return (e.value,)
    return ()


def walk(e: Expr) -> tuple[Expr, ...]:
    """`e` and all below it, parents first."""
    return (e,) if type(e) in _LEAVES else (e, *once(e, "below", _below))


def _below(e: Expr) -> tuple[Expr, ...]:
    found: list[Expr] = []
    todo = list(reversed(children(e)))
    while todo:
        here = todo.pop()
        found.append(here)
        if type(here) not in _LEAVES:
            todo.extend(reversed(children(here)))
    return tuple(found)


def is_expr(x: Any) -> TypeGuard[Expr]:
    return type(x) in PARTS


def written_behind(e: Expr) -> str:
    """How the call of a method is written behind its first argument: ".loss()", "()" of `__call__`, ".rate" of a
    property; "" of anything else."""
    text = e.callee.text if isinstance(e, Call) and isinstance(e.callee, Ref) else ""
    return text if text.startswith((".", "(")) else ""


def reads(e: Expr) -> set[str]:
    """The local variables that evaluating `e` may read."""
    if isinstance(e, Name):
        return {e.id}
    every = walk(e)
    out = {n.id for n in every if type(n) is Name}
    for n in every:
        if type(n) is Opaque:
            out.update(n.reads)
    return out


def root(e: Expr) -> Expr:
    """What a chain of subscripts and attributes begins with."""
    while isinstance(e, Call) and e.fn.startswith(("operator.getitem", "attr.")):
        e = e.args[0]
    return e


def bound(target: Expr) -> set[str]:
    """The variables that assigning to `target` rebinds (not those whose contents it changes)."""
    if isinstance(target, Name):
        return {target.id}
    if isinstance(target, Tuple):
        return {n for t in target.items for n in bound(t)}
    if isinstance(target, Star):
        return bound(target.value)
    return set()


def targets_of(s: Stmt) -> tuple[Expr, ...]:
    """What an assignment assigns to."""
    if isinstance(s, Assign):
        return s.targets
    return (s.target,) if isinstance(s, AugAssign) else ()


def statements(block: Block) -> Iterator[Stmt]:
    """All statements of `block`, nested ones included, parents first."""
    for s in block:
        yield s
        if blocks(s):
            yield from once(s, "inside", _inside)


def _inside(s: Stmt) -> tuple[Stmt, ...]:
    return tuple(x for b in blocks(s) for x in statements(b))


def blocks(s: Stmt) -> tuple[Block, ...]:
    """The blocks directly inside a statement."""
    if type(s) is If or type(s) is For or type(s) is While:
        return (s.body, s.orelse)
    return (s.body,) if type(s) is Define else ()


def stmt_exprs(s: Stmt) -> tuple[Expr, ...]:
    """The expressions of a statement itself (a compound statement's header only)."""
    found = _OWN.get(type(s))
    return () if found is None else found(s)


_OWN: dict[type, Callable[[Any], tuple[Expr, ...]]] = {
    Assign: lambda s: (s.value, *s.targets),
    AugAssign: lambda s: (s.value, s.target),
    ExprStmt: lambda s: (s.value,),
    Return: lambda s: () if s.value is None else (s.value,),
    If: lambda s: (s.test,),
    While: lambda s: (s.test,),
    For: lambda s: (s.iter, s.target),
    Insert: lambda s: (s.name, *s.reads),
}
