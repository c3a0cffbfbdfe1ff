"""What the analysis of one function says: facts beside the tree, keyed by node identity.

May not know: how facts are found or used.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..ir import Expr, Function, Span, Stmt
from .types import ANY, Type

Role = tuple[str, Span]  # what another place of a problem is to it, and where that is
ATTRIBUTE = "."  # the memory of attributes, of whatever object


@dataclass(frozen=True)
class Val:
    """What one evaluation may give.

    objs    the memory objects that it may share ("" is memory nobody knows)
    exact   the sharing is certain (a basic slice), not just possible (a reshape)
    view    it is a part or another form of its object, not the object itself
    sure    the variable that holds it is bound on every path
    active  it depends on an input of the derivative in a differentiable way (varied)
    """

    type: Type = ANY
    objs: frozenset[str] = frozenset()
    exact: bool = True
    view: bool = False
    active: bool = False
    sure: bool = True


@dataclass(frozen=True)
class Problem:
    """A diagnostic to be: the code, where, the values of its message, and other places with their roles.

    `severity` is "" for that of the code.
    """

    code: str
    span: Span
    values: tuple[tuple[str, Any], ...] = ()
    module: str = ""
    places: tuple[Role, ...] = ()
    severity: str = ""


UNKNOWN = Val()


@dataclass
class Facts:
    """The result of inference over one function.

    vals       what each expression gives
    before     what each variable holds just before a statement (of a loop: before any of its turns)
    entered    what each variable holds where a loop begins, before the first turn
    mutated    the objects that a statement may write into
    makes      the objects that a call of a workspace function makes, each time anew
    bound      what a statement binds a variable to
    augmented  `x op= e` as the expression `x op e`
    rebinds    whether `x op= e` binds the name anew (else it writes in place)
    joined     an object that stands for one of several, by the path that was taken: those
    returned   what the function returns, on all its paths together
    written    parameters written in place, and whether each is surely an array
    used_as    variables of unknown type that are used as containers, and as which kind
    attributes whether attributes are written with what is differentiated, here or in a call
    """

    fn: Function
    vals: dict[int, Val] = field(default_factory=dict)
    before: dict[int, dict[str, Val]] = field(default_factory=dict)
    entered: dict[int, dict[str, Val]] = field(default_factory=dict)
    mutated: dict[int, frozenset[str]] = field(default_factory=dict)
    makes: dict[int, frozenset[str]] = field(default_factory=dict)
    bound: dict[tuple[int, str], Val] = field(default_factory=dict)
    augmented: dict[int, Expr] = field(default_factory=dict)
    rebinds: dict[int, bool] = field(default_factory=dict)
    problems: dict[tuple[int, str], Problem] = field(default_factory=dict)
    joined: dict[str, frozenset[str]] = field(default_factory=dict)
    returned: Val | None = None
    written: dict[str, bool] = field(default_factory=dict)
    used_as: dict[str, str] = field(default_factory=dict)
    attributes: bool = False

    def of(self, e: Expr) -> Val:
        return self.vals.get(id(e), UNKNOWN)

    def type(self, e: Expr) -> Type:
        return self.of(e).type

    def active(self, e: Expr) -> bool:
        return self.of(e).active

    def var(self, stmt: Stmt, name: str) -> Val:
        """What variable `name` holds just before `stmt`."""
        return self.before.get(id(stmt), {}).get(name, Val())

    def first(self, stmt: Stmt, name: str) -> Val:
        """What variable `name` holds where `stmt` begins, of a loop before its first turn."""
        entered = self.entered.get(id(stmt), {})
        return entered[name] if name in entered else self.var(stmt, name)

    def namesakes(self, stmt: Stmt, name: str) -> list[str]:
        """Other variables that may hold what `name` holds just before `stmt`, or a part of it."""
        objs = self.var(stmt, name).objs
        env = self.before.get(id(stmt), {})
        return sorted(n for n, v in env.items() if n != name and v.objs & objs)

    def origins(self, objs: frozenset[str]) -> frozenset[str]:
        """`objs`, and all that they stand for: what may be the same at different places."""
        out: set[str] = set()
        todo = list(objs)
        while todo:
            o = todo.pop()
            if o not in out:
                out.add(o)
                todo += self.joined.get(o, ())
        return frozenset(out)

    def touching(self, objs: frozenset[str]) -> frozenset[str]:
        """All that may be one of `objs` at some place."""
        own = self.origins(objs)
        return own | {o for o in self.joined if self.origins(frozenset((o,))) & own}
