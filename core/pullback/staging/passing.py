"""What the functions that a compiler runs are given, and what they give: the variables that branches and turns change.

Also the walk's own book, `Staging`, and what is reported of variables: without a value on some way, of another kind
there, grown or written where only the trace would see it.

May not know: how statements are staged, text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from ..analysis.facts import Facts, Problem
from ..analysis.flow import bindings, live_at_head, may_break, upward
from ..analysis.types import NONE, Type, scalar
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
    targets_of,
)
from ..transform.naming import Namer
from .backend import Backend
from .bounds import Interval
from .counting import Counting
from .static import Static
from .words import Words


@dataclass
class Staging:
    """One function on its way; `defined` are the variables that surely have a value where the walk is."""

    fn: Function
    facts: Facts
    words: Words
    static: Static
    backend: Backend
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
    numbers: set[str] = field(
        default_factory=set
    )  # what may be a number of Python's, though traced

    @contextmanager
    def function(self) -> Iterator[None]:
        """While the body of a function of ours is made: its variables are its own."""
        defined, varying, outside = set(self.defined), self.varying, self.outside
        numbers = set(self.numbers)
        self.varying, self.outside = set(), defined
        yield
        self.defined, self.varying, self.outside = defined, varying, outside
        self.numbers = numbers

    def is_number(self, e: Expr) -> bool:
        """Whether `e` may be a number of Python's while the function is traced."""
        names = self.static.names
        self.static.names = names | self.numbers
        found = self.static.holds(e)
        self.static.names = names
        return found


@dataclass(frozen=True)
class Branch:
    """A choice between functions of what they change; `operands` are what those are given."""

    test: Expr
    names: tuple[str, ...]
    operands: tuple[Expr, ...]
    number: bool  # whether the test may be one of Python's


@dataclass(frozen=True)
class Loop:
    """A loop as a function `name` with `body`, from `initial`; `ask` is the name of what tells whether it goes on.

    It goes through `turns`, or on while `test` holds; where both are there, to the end of the one that ends first.
    """

    s: For | While
    state: list[str]
    initial: tuple[Expr, ...]
    name: str
    ask: str
    body: Block
    turns: Counting | None = None
    test: Expr | None = None


Kinds = Mapping[str, tuple[Type, str]]  # what variables hold, and what they are to be passed on as


def problem(work: Staging, code: str, s: Stmt, **values: str) -> None:
    at = s.origin or work.fn.name_span or Span(0, 0)
    work.problems.append(Problem(code, at, tuple(values.items())))


def is_plain(t: Expr) -> bool:
    return isinstance(t, Name) or (isinstance(t, Tuple) and all(map(is_plain, t.items)))


def root_name(t: Expr) -> str:
    """The variable that a target is a part of."""
    found = root(t)
    return found.id if isinstance(found, Name) else ""


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


def arm(work: Staging, name: str, operands: tuple[Expr, ...], body: Block, s: Stmt) -> Define:
    """A function of ours that is one of a branch's; what it is given may be what it holds."""
    if not work.backend.typed:
        return defined(work, name, operands, body, s)
    made = defined(work, name, (), body, s)
    own = {e.id for e in operands if isinstance(e, Name)}
    return replace(made, held=tuple(sorted({*made.held, *own})))


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


def ending(work: Staging, body: list[Stmt], names: list[str], kinds: Kinds) -> Block:
    """A function's body that gives those variables; what is bound last is given as it is."""
    last = body[-1] if body and names else None
    if isinstance(last, Assign) and last.targets == (several(names),):
        whole = not work.backend.typed or isinstance(last.value, Tuple) or len(names) == 1
        if whole:
            value = _given(work, last.value, names, kinds)
            return (*body[:-1], Return(value, origin=last.origin, made=True))
    return (*body, Return(_given(work, several(names), names, kinds), made=True))


def _given(work: Staging, value: Expr, names: list[str], kinds: Kinds) -> Expr:
    if isinstance(value, Tuple) and len(names) > 1:
        return Tuple(tuple(passed(work, v, *kinds[n]) for v, n in zip(value.items, names)))
    return passed(work, value, *kinds[names[0]]) if len(names) == 1 else value


def passed(work: Staging, value: Expr, own: Type, wanted: str) -> Expr:
    """A value of type `own` as it is passed on: an array already, where the backend asks for one."""
    if not work.backend.typed or not wanted:
        return value
    return work.backend.passed(work.words, value, work.is_number(value), own, wanted)


def common(types: Iterable[Type]) -> str:
    """What values of these types are passed on as: "float" or "int"; "" where they are as they are."""
    found = list(types)
    dtypes = {t.dtype for t in found}
    if not all(t.numeric() for t in found) or dtypes <= {"bool"}:
        return ""
    return "int" if dtypes <= {"int", "bool"} else "float"


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
            first, *then = turn_types(work, s, n)
            same_kind(work, s, n, first, then)
    return state


def turn_types(work: Staging, s: For | While, n: str) -> list[Type]:
    """What a variable holds before a loop, and what its turns bind it to."""
    if n in work.going:
        return [scalar("bool")]
    return [work.facts.first(s, n).type, *_bound_types(work, s.body, n)]


def begun(work: Staging, s: For | While, state: list[str]) -> list[Stmt]:
    """What a loop begins with: a whole number that turns make a float is one, a result that is not there yet is 0."""
    out: list[Stmt] = []
    for n in state:
        first, *then = turn_types(work, s, n)
        value: Expr
        if n not in work.defined:
            work.defined.add(n)
            work.numbers.add(n)
            value = Const(0.0 if common(then) == "float" else 0)
        elif (
            not work.backend.typed
            and first.dtype in ("int", "bool")
            and any(t.dtype in ("float", "inexact") for t in then)
        ):
            value = Call("operator.mul", (Const(1.0), Name(n)))
        else:
            continue
        out.append(Assign((Name(n),), value, origin=s.origin, made=True))
    return out


# --- what is reported of variables --------------------------------------------------------------------

_KINDS = {"none": "`None`", "scalar": "a number", "array": "an array"}


def same_kind(work: Staging, s: Stmt, n: str, first: Type, then: Iterable[Type]) -> None:
    """Reports what is `None`, or a number and no array, on one of two ways only."""
    for kind in (t.kind for t in then):
        grows = (first.kind, kind) == ("scalar", "array")
        shrinks = (first.kind, kind) == ("array", "scalar") and isinstance(s, If)
        if grows or shrinks or (first.kind == "none") != (kind == "none"):
            one, other = (_KINDS.get(k, "a value") for k in (first.kind, kind))
            part = "branch" if isinstance(s, If) else "loop"
            problem(work, "PB504", s, name=n, first=one, then=other, part=part)
            return


def returned_types(work: Staging, block: Block) -> list[Type]:
    """The types of what is returned in a block."""
    values = [x.value for x in statements(block) if isinstance(x, Return)]
    return [NONE if v is None else work.facts.type(v) for v in values]


def types_behind(work: Staging, s: Stmt, arms: Arms, n: str) -> list[Type]:
    """What `n` is behind each of the arms: as it binds it last, or as it was before."""
    if n in work.going:
        return [scalar("bool") for _ in arms]
    return [(_bound_types(work, a, n) or [work.facts.var(s, n).type])[-1] for a in arms]


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


def _bound_types(work: Staging, block: Block, n: str) -> list[Type]:
    found = (work.facts.bound.get((id(x), n)) for x in statements(block))
    return [v.type for v in found if v is not None]
