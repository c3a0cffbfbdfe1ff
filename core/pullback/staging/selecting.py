"""Branches as choices between numbers: `y = jnp.where(x > 0.0, y + 1.0, y)`, which costs less than two functions.

Only where both ways can be computed whatever the test says: sums of numbers, which never raise, and whose derivative
is finite, so that the way not taken passes on zeros and no nan.

May not know: the backend, loops.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..ir import (
    Assign,
    AugAssign,
    Block,
    Call,
    Compare,
    Const,
    Expr,
    If,
    Keep,
    Name,
    Stmt,
    Tuple,
    duplicate,
    rebuild,
    walk,
)
from ..optimize.build import ADD, DIV, MUL, NEG, SUB, number
from .passing import Arms, Staging, changed, common, passed, several, surely, types_behind

_ORDERS = frozenset(("<", "<=", ">", ">=", "==", "!="))
_TINY, _HUGE = 1e-30, 1e30  # what single precision divides one by, and multiplies it by
_IDLE = ("pass", "docstring", "continue")


def selectable(work: Staging, s: If, arms: Arms, results: list[str]) -> bool:
    """Whether both arms are made of sums of numbers, and give numbers."""
    if not results or not _is_number(work, s.test):
        return False
    if not all(n in work.defined or all(n in surely(a) for a in arms) for n in results):
        return False
    kinds = {t.kind for n in results for t in types_behind(work, s, arms, n)}
    return kinds == {"scalar"} and all(_sums(work, a, work.defined) for a in arms)


def selected(work: Staging, s: If, test: Expr, results: list[str]) -> list[Stmt]:
    """The branch `s`, whose test is `test` in the words of the backend, as choices of what each result is."""
    both = _Choosing(work)
    # whatever runs in a turn runs while the loop goes on
    values: dict[str, Expr] = {flag: Const(True) for flag in work.going[-1:] if flag}
    both.choose(s, test, values)
    given = [values.get(n, Name(n)) for n in results]
    lines, given = both.settled(given)
    out: list[Stmt] = [Assign((name,), e, origin=s.origin, made=True) for name, e in lines]
    value = given[0] if len(given) == 1 else Tuple(tuple(given))
    return [*out, Assign((several(results),), value, origin=s.origin, made=True)]


# --- what can be computed on either way -----------------------------------------------------------------


def _sums(work: Staging, block: Block, there: set[str]) -> bool:
    """Whether a block is made of sums of numbers; `there` are the variables that have a value where it begins."""
    there = set(there)
    for s in block:
        if not _is_sum(work, s, there):
            return False
        there |= surely((s,))
    return True


def _is_sum(work: Staging, s: Stmt, there: set[str]) -> bool:
    if isinstance(s, Keep):
        return s.kind in _IDLE or (s.kind == "break" and any(work.going[-1:]))
    if isinstance(s, If):
        if work.static.holds(s.test) or not _harmless(work, s.test):
            return False
        arms = (s.body, s.orelse)
        behind = there | (surely(s.body) & surely(s.orelse))
        bound_once = changed(work, arms) & work.live[id(s)] - behind
        return not bound_once and all(_sums(work, a, there) for a in arms)
    if isinstance(s, Assign):
        return len(s.targets) == 1 and isinstance(s.targets[0], Name) and _harmless(work, s.value)
    if isinstance(s, AugAssign) and isinstance(s.target, Name):
        return _harmless(work, Call(s.op, (s.target, s.value)))
    return False


def _harmless(work: Staging, e: Expr) -> bool:
    """Whether `e` is a number, or a comparison of numbers, that nothing makes raise or gives an infinite slope."""
    if isinstance(e, Const):
        return isinstance(e.value, (int, float))
    if isinstance(e, Name):
        return _is_number(work, e)
    if isinstance(e, Compare):
        return set(e.ops) <= _ORDERS and all(_harmless(work, p) for p in (e.first, *e.rest))
    if not isinstance(e, Call) or e.kwargs or not all(_harmless(work, a) for a in e.args):
        return False
    if e.fn == MUL:
        return any(abs(k) < _HUGE for a in e.args if (k := number(a)) is not None)
    if e.fn == DIV:
        by = number(e.args[1])
        return by is not None and abs(by) > _TINY
    return e.fn in (ADD, SUB, NEG)


def _is_number(work: Staging, e: Expr) -> bool:
    return work.facts.type(e).kind == "scalar"


# --- both ways, one after the other ---------------------------------------------------------------------


@dataclass
class _Choosing:
    """Expressions under names that are none of Python's yet; those that are read once lose them again."""

    work: Staging
    lines: list[tuple[str, Expr]] = field(default_factory=list)

    def choose(self, s: If, test: Expr, values: dict[str, Expr]) -> None:
        """Goes over both arms of a branch; `values` are what variables hold, before and behind it."""
        work, arms = self.work, (s.body, s.orelse)
        test = self.named("test", _with(test, values))
        then, other = ({**values}, {**values})
        for block, own in zip(arms, (then, other)):
            self.follow(block, own)
        for n in sorted(then.keys() | other.keys()):
            if n not in work.defined and not (n in then and n in other):
                continue  # it has a value on one way, and is read on none behind
            one, two = then.get(n, Name(n)), other.get(n, Name(n))
            values[n] = one if one == two else self.named(n, self.choice(s, n, test, (one, two)))

    def choice(self, s: If, n: str, test: Expr, ways: tuple[Expr, Expr]) -> Expr:
        """What `n` is behind the branch `s`, where it is one of two on its ways."""
        work = self.work
        if n in work.going:
            return self.going_on(test, *ways)
        types = types_behind(work, s, (s.body, s.orelse), n)
        given = (passed(work, e, t, common(types)) for e, t in zip(ways, types))
        return Call(work.backend.choice, (test, *given))

    def going_on(self, test: Expr, then: Expr, other: Expr) -> Expr:
        """Whether a loop goes on, where one way or both ways tell."""
        words = self.work.words
        if Const(False) in (then, other):
            rest = other if then == Const(False) else then
            test = Call(f"{words.array}logical_not", (test,)) if rest is other else test
            return test if rest == Const(True) else words.both("logical_and", (test, rest))
        rest = other if then == Const(True) else then
        test = test if rest is other else Call(f"{words.array}logical_not", (test,))
        return words.both("logical_or", (test, rest))

    def follow(self, block: Block, values: dict[str, Expr]) -> None:
        words = self.work.words
        for s in block:
            if isinstance(s, If):
                self.choose(s, words.truth(s.test), values)
            elif isinstance(s, Keep) and s.kind == "break":
                values[self.work.going[-1]] = Const(False)
            elif isinstance(s, Assign) and isinstance(s.targets[0], Name):
                n = s.targets[0].id
                values[n] = self.named(n, _with(words.of(s.value), values))
            elif isinstance(s, AugAssign) and isinstance(s.target, Name):
                n = s.target.id
                whole = words.of(Call(s.op, (s.target, s.value)))
                values[n] = self.named(n, _with(whole, values))

    def named(self, wish: str, e: Expr) -> Expr:
        """`e` under a name, where it is more than one or a literal."""
        if isinstance(e, (Const, Name)) or self.work.is_number(e):
            return e
        self.lines.append((f"{wish} {len(self.lines)}", e))
        return Name(self.lines[-1][0])

    def settled(self, given: list[Expr]) -> tuple[list[tuple[Name, Expr]], list[Expr]]:
        """The lines that are read more than once, under names of Python's, and what is given."""
        read = [e.id for top in (*(e for _, e in self.lines), *given) for e in _names(top)]
        known: dict[str, Expr] = {}
        kept: list[tuple[Name, Expr]] = []
        for name, e in self.lines:
            e = _with(e, known)
            if read.count(name) > 1:
                kept.append((Name(self.work.namer.fresh(name.split()[0])), e))
                e = kept[-1][0]
            known[name] = e
        return kept, [_with(e, known) for e in given]


def _names(e: Expr) -> list[Name]:
    return [part for part in walk(e) if isinstance(part, Name)]


def _with(e: Expr, values: Mapping[str, Expr]) -> Expr:
    """`e` with what variables hold in their places."""
    if isinstance(e, Name):
        return duplicate(values[e.id]) if e.id in values else e
    return rebuild(e, lambda part: _with(part, values))
