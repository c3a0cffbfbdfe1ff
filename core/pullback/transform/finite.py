"""Whether a value may be infinite or nan though all arguments are finite: an exponential, a quotient, a root.

A cotangent that is exactly zero must not meet such a value as a factor: the product would be nan.

May not know: rules, how cotangents are made.
"""

from __future__ import annotations

from ..ir import (
    Assign,
    AugAssign,
    Call,
    Const,
    Expr,
    For,
    Function,
    Name,
    Stmt,
    bound,
    root,
    statements,
    walk,
)
from ..optimize.build import number

_UNBOUNDED = {
    f"numpy.{name}"
    for name in (
        "exp", "exp2", "expm1", "cosh", "sinh", "log", "log2", "log10", "log1p", "sqrt", "reciprocal",
        "arcsin", "arccos", "arccosh", "arctanh", "divide", "true_divide", "float_power",
    )
}  # fmt: skip
_QUOTIENTS = ("operator.truediv", "numpy.divide", "numpy.true_divide")
_POWERS = ("operator.pow", "numpy.power")


def unbounded_names(fn: Function) -> frozenset[str]:
    """The variables that may hold such a value at some time, or a part that is one."""
    pairs = [pair for s in statements(fn.body) if (pair := _given(s)) is not None]
    found: frozenset[str] = frozenset()
    while True:
        new = found.union(*(names for names, e in pairs if may_be_unbounded(e, found)))
        if new == found:
            return found
        found = new


def _given(s: Stmt) -> tuple[set[str], Expr] | None:
    """The variables that a statement binds or writes into, and the value that they get."""
    if isinstance(s, Assign):
        targets = s.targets
    elif isinstance(s, (AugAssign, For)):
        targets = (s.target,)
    else:
        return None
    names = {n for x in targets for n in bound(x)}
    for x in targets:
        held = root(x)
        names |= {held.id} if isinstance(held, Name) else set()
    if isinstance(s, AugAssign):
        return names, Call(s.op, (s.target, s.value))
    return names, s.iter if isinstance(s, For) else s.value


def may_be_unbounded(e: Expr, names: frozenset[str]) -> bool:
    """Whether the value of `e` may be infinite or nan."""
    return any(
        (isinstance(n, Name) and n.id in names) or (isinstance(n, Call) and _diverges(n))
        for n in walk(e)
    )


def _diverges(e: Call) -> bool:
    if e.fn in _QUOTIENTS:
        return len(e.args) < 2 or not isinstance(e.args[1], Const)
    if e.fn in _POWERS:
        exponent = number(e.args[1]) if len(e.args) > 1 else None
        return exponent is None or exponent < 0 or exponent != int(exponent)
    return e.fn in _UNBOUNDED
