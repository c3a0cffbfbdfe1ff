"""Conditional expressions, `and` and `or` inside an expression are taken before its statement.

    y = a * (b if c else d)    ->    if c:
                                         chosen = b
                                     else:
                                         chosen = d
                                     y = a * chosen

No arm is evaluated that the user's program leaves out. A statement that does more than give a value stays as it
is: nothing is moved in front of what has an effect.

May not know: how anything is reversed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..analysis.calls import RANDOM
from ..analysis.facts import Facts
from ..ir import (
    Assign,
    AugAssign,
    Block,
    BoolOp,
    Call,
    Expr,
    For,
    Function,
    If,
    IfExp,
    Name,
    Opaque,
    Return,
    Stmt,
    map_blocks,
    rebuild,
    statements,
    stmt_exprs,
    unless_same,
    walk,
)
from ..optimize.effects import known_pure
from .costs import pure
from .naming import Namer, names_of

Choice = IfExp | BoolOp


def with_choices_before(fn: Function, facts: Facts, *, every: bool = True) -> Function:
    """`fn` without active choices inside expressions; `fn` itself if there are none.

    Where not `every` one goes, conditional expressions stay whose arms may be evaluated twice.
    """
    if not any(_concerned(s, facts, every) for s in statements(fn.body)):
        return fn
    return replace(fn, body=_Hoist(facts, Namer(names_of(fn)), every).block(fn.body))


def _concerned(s: Stmt, facts: Facts, every: bool) -> bool:
    if not isinstance(s, (Assign, AugAssign, Return, For)):
        return False
    return any(
        isinstance(n, (IfExp, BoolOp)) and facts.active(n) and (every or _must_go(n))
        for e in stmt_exprs(s)
        for n in walk(e)
    )


def _must_go(e: Choice) -> bool:
    return isinstance(e, BoolOp) or not pure(e)


@dataclass
class _Hoist:
    facts: Facts
    namer: Namer
    every: bool

    def block(self, block: Block) -> Block:
        out: list[Stmt] = []
        for s in block:
            if _concerned(s, self.facts, self.every) and self._alone(s):
                out += self.statement(s)
                s = out.pop()
            out.append(map_blocks(s, self.block))
        return unless_same(out, block)

    def statement(self, s: Stmt) -> list[Stmt]:
        """What comes before `s`, and `s` itself last."""
        out: list[Stmt] = []
        if isinstance(s, (Assign, AugAssign, Return)) and s.value is not None:
            value = self.value(s.value, s, out)
            return [*out, s if value is s.value else replace(s, value=value, verbatim=False)]
        if isinstance(s, For):
            it = self.inner(s.iter, s, out)
            return [*out, s if it is s.iter else replace(s, iter=it, verbatim=False)]
        return [s]

    def value(self, e: Expr, s: Stmt, out: list[Stmt]) -> Expr:
        """The value of a statement: a conditional expression at the top is a statement's own two arms."""
        return e if isinstance(e, IfExp) and not self._inside(e) else self.inner(e, s, out)

    def _inside(self, e: IfExp) -> bool:
        """Whether the arms of a conditional expression hold choices that are no arms of it themselves."""
        arms = [a for a in (e.body, e.orelse) if self.facts.active(a)]
        return any(self._inside(a) if isinstance(a, IfExp) else self._holds(a) for a in arms)

    def _holds(self, e: Expr) -> bool:
        return any(isinstance(n, (IfExp, BoolOp)) and self.facts.active(n) for n in walk(e))

    def inner(self, e: Expr, s: Stmt, out: list[Stmt]) -> Expr:
        """`e` with names in the place of its active choices, which are taken in `out`."""
        if not self.facts.active(e):
            return e
        if not isinstance(e, (IfExp, BoolOp)):
            return rebuild(e, lambda c: self.inner(c, s, out))
        name = Name(self.namer.fresh("chosen"))
        out += self.choice(name, e, s)
        return replace(name)

    def choice(self, name: Name, e: Choice, s: Stmt) -> list[Stmt]:
        """`name = e`, each operand evaluated only where `e` does."""
        if isinstance(e, IfExp):
            arms = (self.assigned(name, e.body, s), self.assigned(name, e.orelse, s))
            return [If(e.test, *arms, origin=s.origin)]
        first, *rest = e.values
        more = rest[0] if len(rest) == 1 else replace(e, values=tuple(rest))
        test: Expr = replace(name)
        if e.op == "or":
            test = Call("operator.not_", (test,))
        then = (
            self.choice(name, more, s) if isinstance(more, BoolOp) else self.assigned(name, more, s)
        )
        return [*self.assigned(name, first, s), If(test, tuple(then), origin=s.origin)]

    def assigned(self, name: Name, e: Expr, s: Stmt) -> Block:
        if isinstance(e, (IfExp, BoolOp)) and self.facts.active(e):
            return tuple(self.choice(name, e, s))
        out: list[Stmt] = []
        value = self.inner(e, s, out)
        return (*out, Assign((replace(name),), value, origin=s.origin))

    def _alone(self, s: Stmt) -> bool:
        """Whether evaluating the expressions of `s` has no effect that could be seen in another order."""
        parts = [n for e in stmt_exprs(s) for n in walk(e)]
        return not any(
            (isinstance(n, Opaque) and n.writes)
            or (
                isinstance(n, Call)
                and (n.fn.startswith(RANDOM) or not (known_pure(n) or self._own(n, s)))
            )
            for n in parts
        )

    def _own(self, e: Call, s: Stmt) -> bool:
        """A function of the workspace that writes nothing; what `s` stores into itself does not count."""
        written = self.facts.mutated.get(id(s), frozenset())
        given = (*e.args, *(v for _, v in e.kwargs))
        return not any(self.facts.of(a).objs & written for a in given)
