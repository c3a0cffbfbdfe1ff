"""Outputs that a function does not return: arrays that it fills, and variables that are asked for by name.

    def fill(x, out):              def fill(x, out):
        out[:] = x * x     ->          out[:] = x * x
                                       return out

May not know: rules, how anything is reversed.
"""

from __future__ import annotations

from dataclasses import replace

from ..analysis.facts import Facts, Problem
from ..analysis.flow import bindings
from ..ir import (
    Assign,
    AugAssign,
    Block,
    Call,
    Const,
    ExprStmt,
    Function,
    If,
    Keep,
    Name,
    Return,
    Span,
    Stmt,
    Tuple,
    map_blocks,
    statements,
    stmt_exprs,
    unless_same,
    walk,
)
from ..optimize.effects import is_pure, known_pure
from .naming import Namer, names_of

_OF_ARRAYS = {"attr.shape", "attr.T", "attr.size", "attr.ndim", "operator.getitem", "builtins.len"}


def filled(fn: Function, facts: Facts) -> tuple[dict[str, bool], tuple[Problem, ...]]:
    """The parameters that `fn` writes, each with whether it is surely an array, and what is not clear of them.

    Where `fn` returns nothing, what is written is what it is for, so that an array is meant: `v += h * a`.
    Of several parameters, one may be a float that is only changed for `fn` itself: then that is asked.
    """
    written = dict(facts.written)
    if returns_values(fn):
        return written, ()
    for name in written:
        written[name] = written[name] or _used_as_array(fn, name)
    if not any(written.values()):
        return dict.fromkeys(written, True), ()
    unsure = [s for s in statements(fn.body) if _augments(s, written)]
    problems = {
        _name_of(s): Problem("PB204", _place(s, fn), (("name", _name_of(s)),)) for s in unsure
    }
    return written, tuple(problems.values())


def returns_values(fn: Function) -> bool:
    """Whether any path of `fn` returns something."""
    returns = [s for s in statements(fn.body) if isinstance(s, Return)]
    return any(s.value is not None and s.value != Const(None) for s in returns)


def with_outputs(fn: Function, names: tuple[str, ...]) -> Function:
    """`fn` with what the variables `names` hold in the end as its result, on every path.

    A parameter that is bound to something else on the way stands for the array that was passed.
    """
    params = {p.name for p in fn.params}
    changed = {n for s in statements(fn.body) if not isinstance(s, AugAssign) for n in bindings(s)}
    namer = Namer(names_of(fn))
    kept = {n: namer.fresh(f"{n}_out") for n in names if n in params & changed}
    start = tuple(Assign((Name(new),), Name(n), made=True) for n, new in kept.items())
    ends = tuple(kept.get(n, n) for n in names)
    body = _returning((*start, *fn.body), ends)
    return replace(fn, body=body if _leaves(body) else (*body, _result(ends, None)))


def _result(names: tuple[str, ...], origin: Span | None) -> Return:
    values = tuple(Name(n) for n in names)
    return Return(values[0] if len(values) == 1 else Tuple(values), origin=origin)


def _returning(block: Block, names: tuple[str, ...]) -> Block:
    out: list[Stmt] = []
    for s in block:
        if isinstance(s, Return):
            if s.value is not None and not is_pure(s.value, known_pure):
                out.append(ExprStmt(s.value, origin=s.origin))
            out.append(_result(names, s.origin))
        else:
            out.append(map_blocks(s, lambda b: _returning(b, names)))
    return unless_same(out, block)


def _leaves(block: Block) -> bool:
    """Whether nothing runs behind `block`."""
    last = block[-1] if block else None
    if isinstance(last, If):
        return _leaves(last.body) and _leaves(last.orelse)
    return isinstance(last, Return) or (isinstance(last, Keep) and last.kind == "raise")


def _used_as_array(fn: Function, name: str) -> bool:
    """Whether the text asks of parameter `name` what no float has."""
    if any(name in bindings(s) for s in statements(fn.body) if not isinstance(s, AugAssign)):
        return False
    return any(
        isinstance(e, Call) and e.fn in _OF_ARRAYS and e.args[:1] == (Name(name),)
        for s in statements(fn.body)
        for whole in stmt_exprs(s)
        for e in walk(whole)
    )


def _augments(s: Stmt, written: dict[str, bool]) -> bool:
    return isinstance(s, AugAssign) and written.get(_name_of(s)) is False


def _name_of(s: Stmt) -> str:
    return s.target.id if isinstance(s, AugAssign) and isinstance(s.target, Name) else ""


def _place(s: Stmt, fn: Function) -> Span:
    target = s.target if isinstance(s, AugAssign) else None
    return getattr(target, "origin", None) or s.origin or fn.name_span or Span(0, 0)
