"""Parameters that are integers because the function counts with them: `range(n)` takes nothing else.

Only what every call runs tells: the statements of the function itself, up to the first that may return.

May not know: types of anything else, how facts are used.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..ir import (
    BoolOp,
    Call,
    Const,
    Expr,
    Function,
    IfExp,
    Name,
    Opaque,
    Return,
    children,
    statements,
    stmt_exprs,
)
from .flow import bindings

_ARITHMETIC = ("operator.add", "operator.sub", "operator.mul", "operator.floordiv")


def counted(fn: Function) -> set[str]:
    """The parameters of `fn` that are integers wherever it gets past them."""
    open_names = {p.name for p in fn.params if not p.kind.startswith("var-")}
    out: set[str] = set()
    for s in fn.body:
        for e in stmt_exprs(s):
            out |= {n for n in _counting(e) if n in open_names}
        for inner in statements((s,)):
            open_names -= bindings(inner)
        if any(isinstance(x, Return) for x in statements((s,))):
            break
    return out


def _counting(e: Expr) -> Iterator[str]:
    """The names in the arguments of each range that evaluating `e` surely calls."""
    if isinstance(e, (Opaque, IfExp, BoolOp)):
        return
    if isinstance(e, Call) and e.fn == "builtins.range":
        for a in e.args:
            yield from _integers(a)
    for c in children(e):
        yield from _counting(c)


def _integers(e: Expr) -> Iterator[str]:
    """The names that must be integers for `e` to be one."""
    if isinstance(e, Name):
        yield e.id
    elif isinstance(e, Call) and e.fn in _ARITHMETIC and all(map(_plain, e.args)):
        for a in e.args:
            yield from _integers(a)


def _plain(e: Expr) -> bool:
    """A literal, a name, or arithmetic of such: what else there is may turn anything into an integer."""
    if isinstance(e, Call):
        return e.fn in _ARITHMETIC and all(map(_plain, e.args))
    return isinstance(e, Name) or (isinstance(e, Const) and type(e.value) is int)
