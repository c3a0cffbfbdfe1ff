"""What the functions that a compiler runs are given, and what they give: the variables that branches and turns change.

Also the walk's own book, `Staging`, and what is reported of variables: without a value on some way, of another kind
there, grown or written where only the trace would see it.

May not know: how statements are staged, text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from ..analysis.facts import Facts, Problem, Val
from ..analysis.flow import bindings, live_at_head, may_break, upward
from ..ir import (
    Assign,
    AugAssign,
    Block,
    Call,
    Const,
    Define,
    Expr,
    ExprStmt,
    For,
    Function,
    If,
    Name,
    Return,
    Span,
    Stmt,
    Tuple,
    While,
    blocks,
    bound,
    reads,
    root,
    statements,
    stmt_exprs,
)
from ..transform.naming import Namer
from .bounds import Interval
from .static import Static
from .words import Words


@dataclass
class Staging:
    """One function on its way; `defined` are the variables that surely have a value where the walk is."""

    fn: Function
    facts: Facts
    words: Words
    static: Static
    namer: Namer
    live: dict[int, set[str]]
    problems: list[Problem] = field(default_factory=list)
    defined: set[str] = field(default_factory=set)
    intervals: dict[str, Interval] = field(
        default_factory=dict
    )  # of variables that count staged turns
    going: list[str] = field(
        default_factory=list
    )  # the flags of the loops around, "" where there is none
    varying: set[str] = field(
        default_factory=set
    )  # what Python's loops around bind anew in each turn
    user_names: set[str] = field(
        default_factory=set
    )  # the variables of the function as it is written

    outside: set[str] = field(default_factory=set)  # what is there around the function of ours

    @contextmanager
    def function(self) -> Iterator[None]:
        """While the body of a function of ours is made: its variables are its own."""
        defined, varying, outside = set(self.defined), self.varying, self.outside
        self.varying, self.outside = set(), defined
        yield
        self.defined, self.varying, self.outside = defined, varying, outside


def problem(work: Staging, code: str, s: Stmt, **values: str) -> None:
    at = s.origin or work.fn.name_span or Span(0, 0)
    work.problems.append(Problem(code, at, tuple(values.items())))


def is_plain(t: Expr) -> bool:
    return isinstance(t, Name) or (isinstance(t, Tuple) and all(map(is_plain, t.items)))


def root_name(t: Expr) -> str:
    """The variable that a target is a part of."""
    found = root(t)
    return found.id if isinstance(found, Name) else ""


def targets_of(s: Stmt) -> tuple[Expr, ...]:
    if isinstance(s, Assign):
        return s.targets
    return (s.target,) if isinstance(s, AugAssign) else ()


# --- what changes, what is given and what comes back ------------------------------------------------


Arms = tuple[Block, ...]


def changed(work: Staging, arms: Arms) -> set[str]:
    """The variables that blocks bind or write into; a break ends the flag of the loop around."""
    flag = {f for f in work.going[-1:] if any(map(may_break, arms))}
    return flag | {
        n
        for block in arms
        for s in statements(block)
        for n in (*bindings(s), *map(root_name, targets_of(s)))
        if n
    }


def surely(block: Block) -> set[str]:
    """The variables that a block surely binds."""
    out: set[str] = set()
    for s in block:
        if isinstance(s, If):
            out |= surely(s.body) & surely(s.orelse)
        elif not isinstance(s, (For, While)):
            out |= bindings(s)
    return out


def operands_of(work: Staging, arms: Arms, later: set[str]) -> tuple[Expr, ...]:
    """What the arms read of what they change: that is passed, all else is seen from inside."""
    read = later.union(*(upward(a, later) for a in arms))
    return tuple(Name(n) for n in sorted(changed(work, arms) & work.defined & read))


def defined(work: Staging, name: str, params: tuple[Expr, ...], body: Block, s: Stmt) -> Define:
    """A function of ours; what a Python loop around binds anew is held as it is in this turn."""
    made = Define(name, params, body, origin=s.origin)
    return replace(made, held=tuple(sorted(_free(made) & work.varying)))


def _free(d: Define) -> set[str]:
    """The variables that a function of ours sees from outside."""
    own = {n for p in d.params for n in bound(p)}
    seen: set[str] = set()
    todo = list(d.body)
    while todo:
        s = todo.pop()
        own |= bindings(s)
        seen |= {n for e in stmt_exprs(s) for n in reads(e)} | set(getattr(s, "reads", ()))
        if isinstance(s, Define):
            own.add(s.name)
            seen |= _free(s)
        else:
            todo += [x for b in blocks(s) for x in b]
    return seen - own


def ending(body: list[Stmt], names: list[str]) -> Block:
    """A function's body that gives those variables; what is bound last is given as it is."""
    last = body[-1] if body and names else None
    if isinstance(last, Assign) and last.targets == (several(names),):
        return (*body[:-1], Return(last.value, origin=last.origin, made=True))
    return (*body, Return(several(names), made=True))


def several(names: list[str]) -> Expr:
    return Name(names[0]) if len(names) == 1 else Tuple(tuple(Name(n) for n in names))


def state_of(work: Staging, s: For | While, flag: str) -> list[str]:
    """What a turn passes on to the next, and to what is behind the loop."""
    after = work.live[id(s)]
    state = sorted(changed(work, (s.body,)) & (live_at_head(s, after) | after | {flag}))
    for n in state:
        if n not in work.defined and n in work.user_names:
            problem(work, "PB503", s, name=n)
        elif n in work.user_names:
            first = work.facts.first(s, n).type.kind
            then = (v.type.kind for v in _bound_values(work, s.body, n))
            same_kind(work, s, n, first, then)
    return state


def begun(work: Staging, s: For | While, state: list[str]) -> list[Stmt]:
    """What a loop begins with: a whole number that turns make a float is one, a result that is not there yet is 0."""
    out: list[Stmt] = []
    for n in state:
        if n not in work.defined:
            work.defined.add(n)
            out.append(Assign((Name(n),), Const(0.0), origin=s.origin, made=True))
        elif work.facts.first(s, n).type.dtype in ("int", "bool") and any(
            v.type.dtype in ("float", "inexact") for v in _bound_values(work, s.body, n)
        ):
            out.append(
                Assign(
                    (Name(n),),
                    Call("operator.mul", (Const(1.0), Name(n))),
                    origin=s.origin,
                    made=True,
                )
            )
    return out


def carried(work: Staging, state: list[str]) -> Name:
    return Name(state[0]) if len(state) == 1 else Name(work.namer.fixed("state", "state"))


def opened(work: Staging, state: list[str]) -> list[Stmt]:
    if len(state) == 1:
        return []
    return [Assign((several(state),), carried(work, state), made=True)]


# --- what is reported of variables --------------------------------------------------------------------

_KINDS = {"none": "`None`", "scalar": "a number", "array": "an array"}


def same_kind(work: Staging, s: Stmt, n: str, first: str, then: Iterable[str]) -> None:
    """Reports what is `None`, or a number and no array, on one of two ways only."""
    for kind in then:
        grows = (first, kind) == ("scalar", "array")
        shrinks = (first, kind) == ("array", "scalar") and isinstance(s, If)
        if grows or shrinks or (first == "none") != (kind == "none"):
            one, other = (_KINDS.get(k, "a value") for k in (first, kind))
            part = "branch" if isinstance(s, If) else "loop"
            problem(work, "PB504", s, name=n, first=one, then=other, part=part)
            return


def returned_kinds(work: Staging, block: Block) -> list[str]:
    """The kinds of what is returned in a block."""
    values = [x.value for x in statements(block) if isinstance(x, Return)]
    return ["none" if v is None else work.facts.type(v).kind for v in values]


def given_kinds(work: Staging, s: Stmt, arms: Arms, n: str) -> list[str]:
    """What kinds of value `n` has behind the arms: the last one that each binds, or the one from before."""
    return [(_bound_values(work, a, n) or [work.facts.var(s, n)])[-1].type.kind for a in arms]


def grown(work: Staging, s: Stmt) -> str:
    """A list from outside of a function of ours that `s` makes longer or shorter: tracing does so once."""
    if not isinstance(s, (Return, ExprStmt)) and not (
        isinstance(s, Assign) and all(map(is_plain, s.targets))
    ):
        return ""
    objs = work.facts.mutated.get(id(s)) or frozenset()
    env = work.facts.before.get(id(s), {})
    return next((n for n in sorted(work.outside) if n in env and env[n].objs & objs), "")


def still_shared(work: Staging, s: Assign | AugAssign) -> str:
    """Another variable that sees what `s` writes, and is read later."""
    objs = work.facts.mutated.get(id(s))
    if not objs or (isinstance(s, Assign) and all(map(is_plain, s.targets))):
        return ""  # what a list gives or takes is a matter of the trace
    own = bindings(s) | {root_name(t) for t in targets_of(s)}
    env = work.facts.before.get(id(s), {})
    seen = (n for n in sorted(env) if n not in own and env[n].objs & objs)
    return next((n for n in seen if n in work.live.get(id(s), ())), "")


def _bound_values(work: Staging, block: Block, n: str) -> list[Val]:
    found = (work.facts.bound.get((id(x), n)) for x in statements(block))
    return [v for v in found if v is not None]
