"""A function as one that is staged: loops and branches as functions of what they change, and no array written in place.

    for i in range(n):                     def turn(i, y):
        y = y * x[i]              ->           y = y * x[i]
                                               return y

                                           y = lax.fori_loop(0, n, turn, y)

What is static stays Python (static.py). Loops count as often as the text lets them, so that reverse mode passes; a
turn that does not take place, behind a break or in the corner of a triangle, leaves everything as it is.

May not know: how derivatives are made, text.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from ..analysis.facts import Facts, Problem, Val
from ..analysis.flow import bindings, live_at_head, liveness, may_break, upward
from ..ir import (
    Assign,
    AugAssign,
    Barrier,
    Block,
    Call,
    Const,
    Define,
    Expr,
    ExprStmt,
    For,
    Function,
    If,
    Keep,
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
from ..transform.naming import Namer, names_of
from .bounds import Interval
from .counting import Counting, counting
from .static import Static, ends
from .words import Words
from .writes import stored, updated


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


def staged(
    fn: Function, facts: Facts, known: Static, words: Words, user_names: set[str]
) -> tuple[Function, tuple[Problem, ...]]:
    """`fn` with its loops, branches and writes staged, and what stands in the way or is to be known."""
    work = Staging(fn, facts, words, known, Namer(names_of(fn)), liveness(fn.body))
    work.defined, work.user_names = {p.name for p in fn.params}, user_names
    body = _ended_by_return(_whole(work, fn.body))
    problems = (*work.problems, *words.problems)
    return replace(fn, body=tuple(body)), tuple(dict.fromkeys(problems))


def _problem(work: Staging, code: str, s: Stmt, **values: str) -> None:
    at = s.origin or work.fn.name_span or Span(0, 0)
    work.problems.append(Problem(code, at, tuple(values.items())))


# --- the function as a whole: returns ---------------------------------------------------------------


def _whole(work: Staging, block: Block) -> list[Stmt]:
    """A block that the function ends with; a return behind a traced test is one of two functions."""
    out: list[Stmt] = []
    for i, s in enumerate(block):
        if isinstance(s, If) and any(isinstance(x, Return) for x in statements((s,))):
            rest = block[i + 1 :]
            return [*out, *_returning(work, s, _going_on(s.body, rest), _going_on(s.orelse, rest))]
        out += _statement(work, s)
    return out


def _returning(work: Staging, s: If, then: Block, other: Block) -> list[Stmt]:
    """What follows a test until the function returns, on either way."""
    test = work.words.truth(s.test)
    before = set(work.defined)
    if work.static.holds(s.test):
        body = tuple(_whole(work, then))
        work.defined = before
        rest = _whole(work, other)
        return [replace(s, test=test, body=body, orelse=(), verbatim=False), *rest]
    operands = _operands(work, (then, other), set())
    out: list[Stmt] = []
    for block, wish in ((then, "then"), (other, "otherwise")):
        name = work.namer.fresh(wish)
        with work.function():
            body = tuple(_whole(work, block))
        if not ends(body):
            reason = "a way on which nothing is returned depends on a traced value"
            _problem(work, "PB502", s, name="return", reason=reason)
        out.append(_defined(work, name, operands, body, s))
    names = [Name(d.name) for d in out if isinstance(d, Define)]
    value = Call(work.words.cond, (test, *names, *operands))
    return [*out, Return(value, origin=s.origin, made=True)]


def _ended_by_return(body: list[Stmt]) -> list[Stmt]:
    """`y = e` and `return y` in the end as `return e`, where it is ours."""
    if len(body) < 2:
        return body
    last, before = body[-1], body[-2]
    if isinstance(last, Return) and isinstance(before, Assign) and before.made:
        if before.targets == (last.value,):
            return [*body[:-2], replace(last, value=before.value, verbatim=False)]
    return body


def _going_on(block: Block, rest: Block) -> Block:
    return block if ends(block) else (*block, *rest)


# --- statements -------------------------------------------------------------------------------------


def _block(work: Staging, block: Block) -> list[Stmt]:
    return [x for s in block for x in _statement(work, s)]


def _statement(work: Staging, s: Stmt) -> list[Stmt]:
    if grown := _grown(work, s):
        reason = "a traced value decides whether, or how often, this changes what it holds"
        _problem(work, "PB502", s, name=grown, reason=reason)
    if isinstance(s, (Assign, AugAssign)):
        return _assignment(work, s)
    if isinstance(s, If):
        return _if(work, s)
    if isinstance(s, For):
        return _for(work, s)
    if isinstance(s, While):
        return _while(work, s)
    if isinstance(s, (Return, ExprStmt)) and s.value is not None:
        value = work.words.of(s.value)
        return [s if value is s.value else replace(s, value=value, verbatim=False)]
    if isinstance(s, Keep):
        return _kept(work, s)
    if isinstance(s, Barrier):
        _problem(work, "PB502", s, name=s.kind, reason="it has no form that is staged")
    return [s]


def _grown(work: Staging, s: Stmt) -> str:
    """A list from outside of a function of ours that `s` makes longer or shorter: tracing does so once."""
    if not isinstance(s, (Return, ExprStmt)) and not (
        isinstance(s, Assign) and all(map(_plain, s.targets))
    ):
        return ""
    objs = work.facts.mutated.get(id(s)) or frozenset()
    env = work.facts.before.get(id(s), {})
    return next((n for n in sorted(work.outside) if n in env and env[n].objs & objs), "")


def _assignment(work: Staging, s: Assign | AugAssign) -> list[Stmt]:
    shared = _still_shared(work, s)
    if shared:
        reason = "it shares memory with what is written here, and is read later"
        _problem(work, "PB502", s, name=shared, reason=reason)
    value = work.words.of(s.value)
    new = s if value is s.value else replace(s, value=value, verbatim=False)
    targets = _targets(new)
    work.defined |= {n for t in targets for n in bound(t)}
    if all(map(_plain, targets)):
        return [new]
    if len(targets) > 1:
        return _one_by_one(work, new)
    made: Stmt | None = None
    if isinstance(new, AugAssign):
        made = updated(new, s.value, work.words.of, work.facts)
    else:
        made = stored(new, s.value, work.words.of, work.facts)
    if made is None:
        _problem(
            work,
            "PB502",
            s,
            name=root_name(targets[0]),
            reason="this writes into no array that has a name",
        )
        return [s]
    return [made]


def _one_by_one(work: Staging, s: Assign | AugAssign) -> list[Stmt]:
    """A chained assignment as one for each target."""
    value = s.value
    out: list[Stmt] = []
    if not isinstance(value, (Const, Name)):
        value = Name(work.namer.fresh("value"))
        out.append(Assign((value,), s.value, origin=s.origin, made=True))
    for t in _targets(s):
        one = Assign((t,), value, origin=s.origin)
        made = one if _plain(t) else stored(one, s.value, work.words.of, work.facts)
        out.append(one if made is None else made)
    return out


def _plain(t: Expr) -> bool:
    return isinstance(t, Name) or (isinstance(t, Tuple) and all(map(_plain, t.items)))


def root_name(t: Expr) -> str:
    """The variable that a target is a part of."""
    found = root(t)
    return found.id if isinstance(found, Name) else ""


def _still_shared(work: Staging, s: Assign | AugAssign) -> str:
    """Another variable that sees what `s` writes, and is read later."""
    objs = work.facts.mutated.get(id(s))
    if not objs or (isinstance(s, Assign) and all(map(_plain, s.targets))):
        return ""  # what a list gives or takes is a matter of the trace
    own = bindings(s) | {root_name(t) for t in _targets(s)}
    env = work.facts.before.get(id(s), {})
    seen = (n for n in sorted(env) if n not in own and env[n].objs & objs)
    return next((n for n in seen if n in work.live.get(id(s), ())), "")


def _targets(s: Stmt) -> tuple[Expr, ...]:
    if isinstance(s, Assign):
        return s.targets
    return (s.target,) if isinstance(s, AugAssign) else ()


def _kept(work: Staging, s: Keep) -> list[Stmt]:
    flag = work.going[-1] if work.going else ""
    if s.kind == "break" and flag:
        return [Assign((Name(flag),), Const(False), origin=s.origin, made=True)]
    if s.kind == "continue":  # what would have followed stands in the other arm
        return []
    if s.kind in ("assert", "raise", "print"):
        _problem(work, "PB505", s, name=s.kind)
        return [s] if s.kind == "print" else []
    if s.kind not in ("pass", "docstring", "import", "break"):
        _problem(work, "PB502", s, name=s.kind, reason="it has no form that is staged")
    return [s]


# --- branches ---------------------------------------------------------------------------------------


def _if(work: Staging, s: If) -> list[Stmt]:
    test = work.words.truth(s.test)
    if not work.static.holds(s.test):
        return _branches(work, s, test, (s.body, s.orelse), work.live[id(s)])
    before = set(work.defined)
    body = tuple(_block(work, s.body))
    one, work.defined = work.defined, before
    orelse = tuple(_block(work, s.orelse))
    work.defined &= one
    whole = replace(s, test=test, body=body, orelse=orelse, is_elif=False, verbatim=False)
    return [whole if body else replace(whole, body=(Keep("pass", "pass"),))]


Arms = tuple[Block, ...]


def _branches(work: Staging, s: Stmt, test: Expr, arms: Arms, after: set[str]) -> list[Stmt]:
    """Two arms as functions of what they change; `after` is what is read behind them."""
    before = set(work.defined)
    results = sorted(_changed(work, arms) & (after | set(work.going)))
    for n in results:
        if n not in before and not all(n in _surely(a) for a in arms):
            _problem(work, "PB503", s, name=n)
    operands = _operands(work, arms, set(results))
    out: list[Stmt] = []
    for block, wish in zip(arms, ("then", "otherwise")):
        name = work.namer.fresh(wish)
        with work.function():
            body = _block(work, block)
        out.append(_defined(work, name, operands, _ending(body, results), s))
    work.defined = before | set(results)
    if not results:
        return []
    names = [Name(d.name) for d in out if isinstance(d, Define)]
    value = Call(work.words.cond, (test, *names, *operands))
    return [*out, Assign((_several(results),), value, origin=s.origin, made=True)]


def _changed(work: Staging, arms: Arms) -> set[str]:
    """The variables that blocks bind or write into; a break ends the flag of the loop around."""
    flag = {f for f in work.going[-1:] if any(map(may_break, arms))}
    return flag | {
        n
        for block in arms
        for s in statements(block)
        for n in (*bindings(s), *map(root_name, _targets(s)))
        if n
    }


def _surely(block: Block) -> set[str]:
    """The variables that a block surely binds."""
    out: set[str] = set()
    for s in block:
        if isinstance(s, If):
            out |= _surely(s.body) & _surely(s.orelse)
        elif not isinstance(s, (For, While)):
            out |= bindings(s)
    return out


def _operands(work: Staging, arms: Arms, later: set[str]) -> tuple[Expr, ...]:
    """What the arms read of what they change: that is passed, all else is seen from inside."""
    read = later.union(*(upward(a, later) for a in arms))
    return tuple(Name(n) for n in sorted(_changed(work, arms) & work.defined & read))


def _defined(work: Staging, name: str, params: tuple[Expr, ...], body: Block, s: Stmt) -> Define:
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


def _ending(body: list[Stmt], names: list[str]) -> Block:
    """A function's body that gives those variables; what is bound last is given as it is."""
    last = body[-1] if body and names else None
    if isinstance(last, Assign) and last.targets == (_several(names),):
        return (*body[:-1], Return(last.value, origin=last.origin, made=True))
    return (*body, Return(_several(names), made=True))


def _several(names: list[str]) -> Expr:
    return Name(names[0]) if len(names) == 1 else Tuple(tuple(Name(n) for n in names))


# --- loops ------------------------------------------------------------------------------------------


def _for(work: Staging, s: For) -> list[Stmt]:
    if id(s) in work.static.unrolled:
        return _unrolled(work, s)
    found = counting(s, work.static, work.intervals, work.namer.fresh)
    if found is None:
        _problem(
            work,
            "PB502",
            s,
            name=root_name(s.iter) or "for",
            reason="what it runs over has no length that is known",
        )
        return [s]
    return _counted(work, s, found)


def _unrolled(work: Staging, s: For) -> list[Stmt]:
    """A loop that stays Python's: every turn is traced."""
    _problem(work, "PB507", s, name=work.static.unrolled[id(s)])
    flag, start = _flagged(work, s, python=True)
    work.defined |= bound(s.target)
    varying = work.varying
    work.varying = varying | bound(s.target) | _changed(work, (s.body,))
    body = _turn(work, s, flag, ())
    work.varying = varying
    work.going.pop()
    return [*start, replace(s, iter=work.words.of(s.iter), body=tuple(body), verbatim=False)]


def _flagged(work: Staging, s: For | While, *, python: bool = False) -> tuple[str, list[Stmt]]:
    """Begins a loop: the flag that a break ends, where there is a break that a traced value decides."""
    traced = may_break(s.body) and not (python and _static_breaks(work, s.body))
    flag = work.namer.fresh("going") if traced else ""
    work.going.append(flag)
    if not flag:
        return "", []
    work.defined.add(flag)
    return flag, [Assign((Name(flag),), Const(True), origin=s.origin, made=True)]


def _static_breaks(work: Staging, block: Block) -> bool:
    """Whether only static tests decide that a loop is left."""
    return all(
        work.static.holds(s.test)
        and _static_breaks(work, s.body)
        and _static_breaks(work, s.orelse)
        for s in block
        if isinstance(s, If) and may_break((s,))
    )


def _turn(work: Staging, s: For | While, flag: str, guards: tuple[Expr, ...]) -> list[Stmt]:
    """One turn: what it does where the loop goes on and the turn takes place at all."""
    tests = (*((Name(flag),) if flag else ()), *guards)
    if not tests:
        return _block(work, s.body)
    test = work.words.both("logical_and", tests)
    after = live_at_head(s, work.live[id(s)])
    return _branches(work, s, test, (s.body, ()), after)


def _counted(work: Staging, s: For, turns: Counting) -> list[Stmt]:
    """A loop as a function of the number of the turn and of what turns pass on."""
    if bound(s.target) & work.live[id(s)]:
        _problem(work, "PB503", s, name=sorted(bound(s.target) & work.live[id(s)])[0])
    flag, start = _flagged(work, s)
    state = _state(work, s, flag)
    start += _begun(work, s, state)
    intervals = dict(work.intervals)
    work.intervals |= turns.intervals
    name = work.namer.fresh("turn")
    with work.function():
        work.defined |= {turns.counter, *bound(s.target)}
        body = [*_opened(work, state), *turns.looks, *_turn(work, s, flag, turns.guards)]
    work.going.pop()
    work.intervals = intervals
    if not state:
        return []
    params = (Name(turns.counter), _carried(work, state))
    made = _defined(work, name, params, _ending(body, state), s)
    value = Call(work.words.counted, (turns.start, turns.stop, Name(name), _several(state)))
    if not turns.known:
        _problem(work, "PB506", s)
    return [*start, made, Assign((_several(state),), value, origin=s.origin, made=True)]


def _while(work: Staging, s: While) -> list[Stmt]:
    if work.static.holds(s.test) and _static_breaks(work, s.body):
        work.going.append("")
        body = tuple(_block(work, s.body))
        work.going.pop()
        return [replace(s, body=body, verbatim=False)]
    _problem(work, "PB506", s)
    flag, start = _flagged(work, s)
    state = _state(work, s, flag)
    start += _begun(work, s, state)
    test = work.words.truth(s.test)
    if flag:
        test = (
            Name(flag)
            if test == Const(True)
            else work.words.both("logical_and", (Name(flag), test))
        )
    carried = _carried(work, state)
    names = work.namer.fresh("more"), work.namer.fresh("turn")
    read = [n if n in reads(test) else "_" for n in state]
    asked = (*_opened(work, read), Return(test, made=True))
    more = _defined(work, names[0], (carried,), asked, s)
    with work.function():
        turn = _ending([*_opened(work, state), *_block(work, s.body)], state)
    made = _defined(work, names[1], (carried,), turn, s)
    work.going.pop()
    value = Call(work.words.open, (Name(more.name), Name(made.name), _several(state)))
    return [*start, more, made, Assign((_several(state),), value, origin=s.origin, made=True)]


def _state(work: Staging, s: For | While, flag: str) -> list[str]:
    """What a turn passes on to the next, and to what is behind the loop."""
    after = work.live[id(s)]
    state = sorted(_changed(work, (s.body,)) & (live_at_head(s, after) | after | {flag}))
    for n in state:
        if n not in work.defined and n in work.user_names:
            _problem(work, "PB503", s, name=n)
        elif _grows(work, s, n):
            _problem(work, "PB504", s, name=n)
    return state


def _grows(work: Staging, s: For | While, n: str) -> bool:
    """Whether what begins as a number becomes an array in a turn."""
    kinds = {v.type.kind for v in _bound_values(work, s, n)}
    return work.facts.first(s, n).type.kind == "scalar" and "array" in kinds


def _bound_values(work: Staging, s: For | While, n: str) -> list[Val]:
    found = (work.facts.bound.get((id(x), n)) for x in statements(s.body))
    return [v for v in found if v is not None]


def _begun(work: Staging, s: For | While, state: list[str]) -> list[Stmt]:
    """What a loop begins with: a whole number that turns make a float is one, a result that is not there yet is 0."""
    out: list[Stmt] = []
    for n in state:
        if n not in work.defined:
            work.defined.add(n)
            out.append(Assign((Name(n),), Const(0.0), origin=s.origin, made=True))
        elif work.facts.first(s, n).type.dtype in ("int", "bool") and any(
            v.type.dtype in ("float", "inexact") for v in _bound_values(work, s, n)
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


def _carried(work: Staging, state: list[str]) -> Name:
    return Name(state[0]) if len(state) == 1 else Name(work.namer.fixed("state", "state"))


def _opened(work: Staging, state: list[str]) -> list[Stmt]:
    if len(state) == 1:
        return []
    return [Assign((_several(state),), _carried(work, state), made=True)]
