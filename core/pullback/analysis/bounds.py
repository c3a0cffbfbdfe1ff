"""What an index may be: a variable plus a constant, and the ends of the loops that the variable runs through.

May not know: memory, rules, the transformation.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Union

from ..ir import Call, Const, Expr, For, Name, Slice, Stmt
from .flow import Flow, bindings

Key = Union[str, int]


@dataclass(frozen=True)
class Term:
    """`of + off`; `of` is the identity of the loop that binds the variable, else the variable's name, "" for none."""

    of: Key
    off: int

    def plus(self, n: int) -> Term:
        return replace(self, off=self.off + n)


@dataclass(frozen=True)
class Span:
    """Terms that an index is never below, and terms that it is never above."""

    lows: tuple[Term, ...] = ()
    highs: tuple[Term, ...] = ()


def term(e: Expr, s: Stmt, flow: Flow) -> Term | None:
    """An index at `s` as a variable plus a constant; None for any other."""
    if isinstance(e, Const) and type(e.value) is int:
        return Term("", e.value)
    if isinstance(e, Name):
        key = _key(e.id, s, flow)
        return None if key is None else Term(key, 0)
    if not isinstance(e, Call):
        return None
    parts = [term(a, s, flow) for a in e.args]
    if e.fn == "operator.neg" and parts[0] is not None and not parts[0].of:
        return Term("", -parts[0].off)
    if e.fn not in ("operator.add", "operator.sub") or len(parts) != 2:
        return None
    a, b = parts
    if a is None or b is None or (a.of and b.of) or (b.of and e.fn == "operator.sub"):
        return None
    return Term(a.of or b.of, a.off - b.off if e.fn == "operator.sub" else a.off + b.off)


def _key(var: str, s: Stmt, flow: Flow) -> Key | None:
    """The loop around `s` whose turns give `var`, or its name where it has one value in the whole run."""
    bound_by = [d for d in flow.defs.get(var, ()) if var in bindings(d)]
    for loop in flow.loops(s):
        inside = [d for d in bound_by if d is loop or loop in flow.chain(d)]
        if inside == [loop] and isinstance(loop, For) and loop.target == Name(var):
            return id(loop)
        if inside:
            return None
    param = any(p.name == var for p in flow.params)
    once = len(bound_by) == (0 if param else 1) and not any(map(flow.loops, bound_by))
    return var if once else None


def span(e: Expr, s: Stmt, flow: Flow) -> Span:
    """The ends of an index at `s`: of a slice, those of what it selects."""
    if isinstance(e, Slice):
        if e.step is not None:
            return Span()
        low = Span((Term("", 0),)) if e.lower is None else span(e.lower, s, flow)
        high = Span() if e.upper is None else span(e.upper, s, flow)
        return Span(low.lows, tuple(t.plus(-1) for t in high.highs))
    if isinstance(e, Call) and e.fn == "builtins.len":
        return Span((Term("", 0),))
    at = term(e, s, flow)
    return Span() if at is None else _through_loops(at, s, flow)


def _through_loops(at: Term, s: Stmt, flow: Flow) -> Span:
    """The term itself, and what the ends of the loop that binds its variable say of it."""
    lows, highs = [at], [at]
    loop = next((x for x in flow.loops(s) if id(x) == at.of), None)
    if loop is not None:
        first, last = _ends(loop, flow)
        lows += [t.plus(at.off) for t in first.lows]
        highs += [t.plus(at.off) for t in last.highs]
    return Span(tuple(lows), tuple(highs))


def _ends(loop: Stmt, flow: Flow) -> tuple[Span, Span]:
    """What the first and the last of the numbers that a loop over a range gives, in their order, are."""
    it, step = _range(loop)
    if it is None or step is None:
        return Span(), Span()
    start = span(it.args[0], loop, flow) if len(it.args) > 1 else Span((Term("", 0),))
    stop = span(it.args[0] if len(it.args) == 1 else it.args[1], loop, flow)
    if step > 0:
        return start, Span(highs=tuple(t.plus(-1) for t in stop.highs))
    return Span(tuple(t.plus(1) for t in stop.lows)), start


def _range(loop: Stmt) -> tuple[Call | None, int | None]:
    """The range that a loop runs over, and the range's own step."""
    if not isinstance(loop, For) or not isinstance(loop.iter, Call):
        return None, None
    it = loop.iter
    if it.fn == "builtins.reversed" and it.args and isinstance(it.args[0], Call):
        it = it.args[0]
    if it.fn not in ("builtins.range", "numpy.arange") or it.kwargs or not it.args:
        return None, None
    return it, _constant(it.args[2]) if len(it.args) > 2 else 1


def _constant(e: Expr) -> int | None:
    if isinstance(e, Call) and e.fn == "operator.neg":
        inner = _constant(e.args[0])
        return None if inner is None else -inner
    return e.value if isinstance(e, Const) and type(e.value) is int and e.value else None


def step_of(loop: Stmt) -> int | None:
    """How a loop over a range counts: the constant from one turn to the next, 0 excluded."""
    it, step = _range(loop)
    backwards = isinstance(loop, For) and it is not loop.iter
    return -step if backwards and step is not None else step


def not_negative(e: Expr, s: Stmt, flow: Flow) -> bool:
    """Whether an index counts from the start for certain, both ends of a slice included."""
    if isinstance(e, Slice):
        return all(p is None or not_negative(p, s, flow) for p in (e.lower, e.upper))
    return any(not t.of and t.off >= 0 for t in span(e, s, flow).lows)
