"""What containers made in the function hold: the statements that put something in, and whether it is there once.

May not know: adjoints, how anything is reversed.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..analysis.containers import DEEP, PUTS, is_container, made_by, root, taking
from ..ir import (
    Assign,
    AugAssign,
    Call,
    Dict,
    Expr,
    ExprStmt,
    Name,
    Opaque,
    Star,
    Stmt,
    Tuple,
    walk,
)
from .context import Context

_WITHOUT_MEMORY = ("scalar", "str", "none")
_EMPTY = ("builtins.list", "builtins.dict", "builtins.tuple")


def puts_into(ctx: Context, target: Expr) -> bool:
    """`xs[i] = …`, `d["k"] = …`: a store that replaces a part of a container."""
    place = isinstance(target, Call) and target.fn == "operator.getitem"
    return place and is_container(ctx.facts.type(target.args[0]))  # type: ignore[union-attr]


def is_put(ctx: Context, s: Stmt) -> bool:
    """`xs.append(value)`."""
    if not isinstance(s, ExprStmt) or not isinstance(s.value, Call) or s.value.fn not in PUTS:
        return False
    return ctx.facts.type(s.value.args[0]).kind == "list"


def is_take(ctx: Context, s: Stmt) -> bool:
    """`value = xs.pop()`."""
    e = taking(s)
    return e is not None and ctx.facts.type(e.args[0]).kind == "list"


def changed(ctx: Context) -> Iterator[tuple[Stmt, Expr]]:
    """The statements that change what a container holds, and the container."""
    for s in ctx.flow.stmts.values():
        if is_take(ctx, s):
            assert isinstance(s, (Assign, ExprStmt)) and isinstance(s.value, Call)
            yield s, s.value.args[0]
    yield from ((s, holder) for s, holder, _ in puts(ctx))


def puts(ctx: Context) -> Iterator[tuple[Stmt, Expr, Expr]]:
    """The statements that put something into a container: the container, and the value."""
    for s in ctx.flow.stmts.values():
        if is_put(ctx, s):
            assert isinstance(s, ExprStmt) and isinstance(s.value, Call)
            yield s, s.value.args[0], s.value.args[-1]
        elif isinstance(s, (Assign, AugAssign)):
            for t in s.targets if isinstance(s, Assign) else (s.target,):
                if isinstance(t, Call) and t.fn == "operator.getitem":
                    if is_container(ctx.facts.type(t.args[0])):
                        yield s, t.args[0], s.value


def apart(ctx: Context, base: Name) -> bool:
    """Whether no array is in the container of `base` twice: each is made for its place."""
    seen: set[str] = set()
    for s, value in _put_in(ctx, base):
        if isinstance(value, Call) and value.fn == DEEP and s.made:
            continue  # of a parameter, whose arrays do not share memory
        for leaf in _leaves(ctx, value):
            if ctx.facts.type(leaf).kind in _WITHOUT_MEMORY and not ctx.facts.of(leaf).objs:
                continue
            obj = _made(ctx, s, leaf)
            if obj is None or obj in seen:
                return False
            seen.add(obj)
    return True


def _put_in(ctx: Context, base: Name) -> Iterator[tuple[Stmt, Expr]]:
    """What is bound to the name of a container, and what is put into it."""
    for d, n in ctx.facts.bound:
        s = ctx.flow.stmts[d]
        if n == base.id:
            yield s, s.value if isinstance(s, Assign) and s.targets == (base,) else base
    for s, holder, value in puts(ctx):
        if root(holder) == base:
            yield s, value


def _leaves(ctx: Context, e: Expr) -> Iterator[Expr]:
    """The parts of the containers that `e` writes out; `e` itself where it is something else."""
    if isinstance(e, Tuple) and not any(isinstance(i, Star) for i in e.items):
        parts = e.items
    elif isinstance(e, Dict) and None not in e.keys:
        parts = e.values
    elif isinstance(e, Opaque) and e.parts is not None:
        parts = (e.parts.element,)
    elif isinstance(e, Call) and e.fn in _EMPTY and not (e.args or e.kwargs):
        parts = ()
    elif isinstance(e, Call) and made_by(ctx.primal, e) is not None and e.args != (e,):
        parts = (*e.args, *(v for _, v in e.kwargs))
    else:
        yield e
        return
    for p in parts:
        yield from _leaves(ctx, p)


def _made(ctx: Context, s: Stmt, e: Expr) -> str | None:
    """The array that `e` at `s` is, where each run of `s` has one of its own; None for all else."""
    val = ctx.facts.var(s, e.id) if isinstance(e, Name) else ctx.facts.of(e)
    if val.type.kind not in ("array", "number") or val.view or not val.exact or len(val.objs) != 1:
        return None
    [obj] = val.objs
    if isinstance(e, Name):
        version = ctx.flow.reaching[id(s)].get(e.id)
        made = ctx.flow.stmts.get(version) if isinstance(version, int) else None
        if not isinstance(made, Assign) or made.targets != (e,) or isinstance(made.value, Name):
            return None
        if any(x not in ctx.flow.loops(made) for x in ctx.flow.loops(s)):
            return None
        return obj if _made(ctx, made, made.value) == obj else None
    given = (n for n in walk(e) if n is not e)
    return None if any(obj in ctx.facts.of(n).objs for n in given) else obj
