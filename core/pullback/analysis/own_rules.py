"""The user's own rules, read: whether a function that is to be one fits what it is a rule of.

    @pullback.adjoint(drag)                        the parameters of drag, its result (may be left out), and the
    def drag_adjoint(speed, area, y, y_bar):       result's cotangent. It returns the cotangents of the parameters
        return 2.0 * y_bar * y / speed, None       in their order, None for one that has none.

    @pullback.tangent(drag)                        … and the tangents of those parameters that it varies with. It
    def drag_tangent(speed, area, speed_dot):      returns the tangent of the result.
        return 2.0 * area * speed * speed_dot

May not know: how a rule reaches a derivative.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Union

from ..ir import (
    Barrier,
    Block,
    Const,
    Expr,
    Function,
    Keep,
    Opaque,
    Return,
    Span,
    Tuple,
    reads,
    statements,
    stmt_exprs,
    walk,
)

RESULT = "y"
RULED = "ruled"  # the flag of functions that have a rule of the user's
NO_SOURCE = "no source"  # … and of those among them that are known by their rule alone


@dataclass(frozen=True)
class OwnRule:
    """A rule that fits.

    name      the rule's own function, as it is called; `fn` is its ir
    params    the parameters of what it is a rule of, as the rule names them
    last      what comes behind them: the result's name where it is asked for, the cotangent or the tangents
    moving    the parameters that the result varies with
    reads     the parameters of the rule that it looks at
    formulas  where the rule is one expression: what it returns, of an adjoint part by part
    """

    name: str
    fn: Function
    params: tuple[str, ...]
    last: tuple[str, ...]
    moving: tuple[str, ...]
    reads: frozenset[str]
    formulas: tuple[Expr, ...] = ()


@dataclass(frozen=True)
class Misfit:
    """A rule that does not fit: of what, why, and where it says so (in the rule's own module)."""

    fn: Function
    of: str
    why: str
    at: Span | None


Read = Union[OwnRule, Misfit]


def read_rule(mode: str, of: str, name: str, fn: Function, known: tuple[str, ...] | None) -> Read:
    """The function `fn` as a rule of `of`, whose parameters are `known` if it has source."""
    odd = [p for p in fn.params if p.kind not in ("plain", "positional-only")]
    if odd:
        return Misfit(
            fn, of, f"a rule has plain parameters, and {odd[0].name} is none", odd[0].origin
        )
    names = tuple(p.name for p in fn.params)
    params = shared_parameters(mode, fn, known)
    wrong = _wrong_names(params, known)
    if wrong is not None:
        at = next((p.origin for p in fn.params if p.name == wrong[1]), fn.name_span)
        return Misfit(fn, of, wrong[0], at)
    if mode == "tangent":
        return _tangent_rule(of, name, fn, params, names[len(params) :])
    return _adjoint_rule(of, name, fn, params, names[len(params) :])


def shared_parameters(
    mode: str, fn: Function, known: tuple[str, ...] | None = None
) -> tuple[str, ...]:
    """The parameters of a rule that are those of its function: all in front of result, cotangent and tangents."""
    names = [p.name for p in fn.params]
    if mode == "adjoint":
        names = names[:-1]
    while mode == "tangent" and names and names[-1].endswith("_dot"):
        names.pop()
    asks = bool(names) and names[-1] == RESULT and (known is None or len(known) < len(names))
    return tuple(names[:-1] if asks else names)


def _wrong_names(params: tuple[str, ...], known: tuple[str, ...] | None) -> tuple[str, str] | None:
    """What is wrong with the parameters that a rule shares with its function, and which one shows it."""
    if not params:
        return "it takes the function's parameters, and the cotangent or tangents behind them", ""
    if known is None or params == known:
        return None
    odd = next((p for p, k in zip(params, known) if p != k), params[-1])
    return f"its first parameters are to be those of the function: {', '.join(known)}", odd


def _adjoint_rule(
    of: str, name: str, fn: Function, params: tuple[str, ...], last: tuple[str, ...]
) -> Read:
    returned = [s for s in statements(fn.body) if isinstance(s, Return)]
    none: list[set[str]] = []
    for s in returned:
        parts = _parts(s.value, len(params))
        if parts is None:
            several = "a tuple of" if len(params) > 1 else "of"
            wanted = f"the cotangents {several} {', '.join(params)}"
            return Misfit(fn, of, f"it is to return {wanted}, None for one that has none", s.origin)
        none.append({p for p, e in zip(params, parts) if e == Const(None)})
    if not none or any(n != none[0] for n in none):
        return Misfit(
            fn, of, "a parameter has the cotangent None on all paths, or on none", fn.name_span
        )
    moving = tuple(p for p in params if p not in none[0])
    one = _only_expression(fn.body)
    formulas = () if one is None else _parts(one, len(params)) or ()
    return OwnRule(name, fn, params, last, moving, _read(fn), formulas)


def _tangent_rule(
    of: str, name: str, fn: Function, params: tuple[str, ...], last: tuple[str, ...]
) -> Read:
    dots = [d for d in last if d != RESULT]
    moving = tuple(d.removesuffix("_dot") for d in dots)
    odd = next((f"{p}_dot" for p in moving if p not in params), None)
    if odd is not None or not moving:
        at = next((p.origin for p in fn.params if p.name == odd), fn.name_span)
        return Misfit(
            fn, of, "it takes tangents named after the function's parameters, as x_dot of x", at
        )
    one = _only_expression(fn.body)
    return OwnRule(name, fn, params, last, moving, _read(fn), () if one is None else (one,))


def _parts(e: Expr | None, count: int) -> tuple[Expr, ...] | None:
    """What a rule returns, part by part; None where it shows another number of parts."""
    if count == 1:
        return None if e is None or isinstance(e, Tuple) else (e,)
    return e.items if isinstance(e, Tuple) and len(e.items) == count else None


def _only_expression(body: Block) -> Expr | None:
    """What a function of one expression returns; nothing that is kept as text is in it."""
    run = [s for s in body if not (isinstance(s, Keep) and s.kind == "docstring")]
    value = run[0].value if len(run) == 1 and isinstance(run[0], Return) else None
    plain = value is not None and not any(isinstance(n, Opaque) for n in walk(value))
    return value if plain else None


def _read(fn: Function) -> frozenset[str]:
    """The variables that a function looks at."""
    out: set[str] = set()
    for s in statements(fn.body):
        for e in stmt_exprs(s):
            out |= reads(e)
        if isinstance(s, (Keep, Barrier)):
            out |= set(s.reads)
    return frozenset(out)
