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

from dataclasses import replace

from ..analysis.facts import Facts, Problem
from ..analysis.flow import live_at_head, liveness, may_break
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
    Opaque,
    Ref,
    Return,
    Stmt,
    Tuple,
    While,
    bound,
    rebuild,
    root,
    statements,
    targets_of,
)
from ..transform.naming import Namer, names_of
from .counting import Counting, counting
from .passing import (
    Arms,
    Branch,
    Loop,
    Staging,
    arm,
    begun,
    changed,
    common,
    ending,
    grown,
    is_plain,
    operands_of,
    passed,
    problem,
    returned_types,
    root_name,
    same_kind,
    several,
    state_of,
    still_shared,
    surely,
    turn_types,
    types_behind,
)
from .selecting import selectable, selected
from .static import Static, ends
from .words import Words


def staged(
    fn: Function, facts: Facts, known: Static, words: Words, user_names: set[str]
) -> tuple[Function, tuple[Problem, ...]]:
    """`fn` with its loops, branches and writes staged, and what stands in the way or is to be known."""
    namer = Namer({*names_of(fn), words.floating})
    work = Staging(fn, facts, words, known, words.backend, namer, liveness(fn.body))
    work.defined, work.user_names = {p.name for p in fn.params}, user_names
    body = _ended_by_return(_whole(work, fn.body))
    problems = (*work.problems, *words.problems)
    return replace(fn, body=tuple(body)), tuple(dict.fromkeys(problems))


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
    before, numbers = set(work.defined), set(work.numbers)
    if work.static.holds(s.test):
        body = tuple(_whole(work, then))
        work.defined, work.numbers = before, numbers
        behind = _whole(work, other)
        return [replace(s, test=test, body=body, orelse=(), verbatim=False), *behind]
    types = [t for block in (then, other) for t in returned_types(work, block)]
    same_kind(work, s, "return", types[0], types[1:])
    operands = operands_of(work, (then, other), set())
    out: list[Stmt] = []
    for block, wish in ((then, "then"), (other, "otherwise")):
        name = work.namer.fresh(wish)
        with work.function():
            body = tuple(_returning_arrays(work, _whole(work, block), common(types)))
        if not ends(body):
            reason = "a way on which nothing is returned depends on a traced value"
            problem(work, "PB502", s, name="return", reason=reason)
        out.append(arm(work, name, operands, body, s))
    names = tuple(d.name for d in out if isinstance(d, Define))
    value = work.backend.branch(Branch(test, names, operands, work.is_number(test)))
    return [*out, Return(value, origin=s.origin, made=True)]


def _returning_arrays(work: Staging, body: list[Stmt], wanted: str) -> list[Stmt]:
    """A way of a branch whose own return gives what the other ways give."""
    last = body[-1] if body else None
    if not isinstance(last, Return) or last.value is None or last.made:
        return body
    value = passed(work, last.value, work.facts.type(last.value), wanted)
    return body if value is last.value else [*body[:-1], replace(last, value=value, verbatim=False)]


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
    if longer := grown(work, s):
        reason = "a traced value decides whether, or how often, this changes what it holds"
        problem(work, "PB502", s, name=longer, reason=reason)
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
        problem(work, "PB502", s, name=s.kind, reason="it has no form that is staged")
    return [s]


def _assignment(work: Staging, s: Assign | AugAssign) -> list[Stmt]:
    shared = still_shared(work, s)
    if shared:
        reason = "it shares memory with what is written here, and is read later"
        problem(work, "PB502", s, name=shared, reason=reason)
    apart = isinstance(targets_of(s)[0], Tuple) and not isinstance(s.value, Tuple)
    value = work.words.parts(s.value) if apart else work.words.of(s.value)
    new = s if value is s.value else replace(s, value=value, verbatim=False)
    if isinstance(s, AugAssign) and isinstance(s.target, Name):
        new = _augmented(work, s, value)
    targets = targets_of(new)
    for t in targets:
        _bind(work, t, s.value, s)
    if all(map(is_plain, targets)):
        return [new]
    if len(targets) > 1:
        return _one_by_one(work, new)
    made: Stmt | None = None
    if isinstance(new, AugAssign):
        made = work.backend.updated(work, new, s.value)
    else:
        made = work.backend.stored(work, new, s.value)
    if made is None:
        problem(
            work,
            "PB502",
            s,
            name=_said(targets[0]),
            reason="this writes into no array that has a name",
        )
        return [s]
    return [made]


def _augmented(work: Staging, s: AugAssign, value: Expr) -> Assign | AugAssign:
    """`y += e` of operands that the backend adds."""
    now = work.backend.alike(work.words, (s.target, s.value), (s.target, value))
    if now[0] is not s.target or s.op == "operator.matmul":
        whole = work.words.of(Call(s.op, (s.target, s.value)))
        return Assign((s.target,), whole, origin=s.origin)
    return s if now[1] is s.value else replace(s, value=now[1], verbatim=False)


def _bind(work: Staging, target: Expr, value: Expr, s: Assign | AugAssign) -> None:
    """Notes that a target has a value from here on, and whether that may be a number of Python's."""
    if isinstance(target, Tuple) and isinstance(value, Tuple):
        if len(target.items) == len(value.items):
            for t, v in zip(target.items, value.items):
                _bind(work, t, v, s)
            return
    names = bound(target)
    work.defined |= names
    read = (*map(Name, names), value) if isinstance(s, AugAssign) else (value,)
    number = all(map(work.is_number, read))
    work.numbers = work.numbers | names if number else work.numbers - names


def _one_by_one(work: Staging, s: Assign | AugAssign) -> list[Stmt]:
    """A chained assignment as one for each target."""
    value = s.value
    out: list[Stmt] = []
    if not isinstance(value, (Const, Name)):
        value = Name(work.namer.fresh("value"))
        out.append(Assign((value,), s.value, origin=s.origin, made=True))
    for t in targets_of(s):
        one = Assign((t,), value, origin=s.origin)
        made = one if is_plain(t) else work.backend.stored(work, one, s.value)
        out.append(one if made is None else made)
    return out


def _said(target: Expr) -> str:
    base = root(target)
    return base.text if isinstance(base, (Ref, Opaque)) else root_name(target)


def _kept(work: Staging, s: Keep) -> list[Stmt]:
    flag = work.going[-1] if work.going else ""
    if s.kind == "break" and flag:
        work.numbers.add(flag)
        return [Assign((Name(flag),), Const(False), origin=s.origin, made=True)]
    if s.kind == "continue":  # what would have followed stands in the other arm
        return []
    if s.kind in ("assert", "raise", "print"):
        problem(work, "PB505", s, name=s.kind)
        return [s] if s.kind == "print" else []
    if s.kind not in ("pass", "docstring", "import", "break"):
        problem(work, "PB502", s, name=s.kind, reason="it has no form that is staged")
    return [s]


# --- branches ---------------------------------------------------------------------------------------


def _if(work: Staging, s: If) -> list[Stmt]:
    test = work.words.truth(s.test)
    if not work.static.holds(s.test):
        return _branches(work, s, test, (s.body, s.orelse), work.live[id(s)])
    before, numbers = set(work.defined), set(work.numbers)
    body = tuple(_block(work, s.body))
    one, work.defined = work.defined, before
    either, work.numbers = work.numbers, numbers
    orelse = tuple(_block(work, s.orelse))
    work.defined &= one
    work.numbers |= either
    whole = replace(s, test=test, body=body, orelse=orelse, is_elif=False, verbatim=False)
    return [whole if body else replace(whole, body=(Keep("pass", "pass"),))]


def _branches(work: Staging, s: Stmt, test: Expr, arms: Arms, after: set[str]) -> list[Stmt]:
    """Two arms as functions of what they change; `after` is what is read behind them."""
    before = set(work.defined)
    results = sorted(changed(work, arms) & (after | set(work.going)))
    for n in results:
        if n not in before and not all(n in surely(a) for a in arms):
            problem(work, "PB503", s, name=n)
        elif n in work.user_names:
            first, *then = types_behind(work, s, arms, n)
            same_kind(work, s, n, first, then)
    if isinstance(s, If) and selectable(work, s, arms, results):
        work.defined, work.numbers = before | set(results), work.numbers - set(results)
        return selected(work, s, test, results)
    operands = operands_of(work, arms, set(results))
    types = {n: types_behind(work, s, arms, n) for n in results}
    out: list[Stmt] = []
    for k, (block, wish) in enumerate(zip(arms, ("then", "otherwise"))):
        name = work.namer.fresh(wish)
        kinds = {n: (types[n][k], common(types[n])) for n in results}
        with work.function():
            body = ending(work, _block(work, block), results, kinds)
        out.append(arm(work, name, operands, body, s))
    work.defined = before | set(results)
    work.numbers -= set(results)
    if not results:
        return []
    names = tuple(d.name for d in out if isinstance(d, Define))
    value = work.backend.branch(Branch(test, names, operands, work.is_number(test)))
    return [*out, Assign((several(results),), value, origin=s.origin, made=True)]


# --- loops ------------------------------------------------------------------------------------------


def _for(work: Staging, s: For) -> list[Stmt]:
    if id(s) in work.static.unrolled:
        return _unrolled(work, s)
    found = counting(s, work.static, work.intervals, work.namer.fresh)
    if found is None:
        problem(
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
    problem(work, "PB507", s, name=work.static.unrolled[id(s)])
    flag, start = _flagged(work, s, python=True)
    work.defined |= bound(s.target)
    varying = work.varying
    work.varying = varying | bound(s.target) | changed(work, (s.body,))
    body = _turn(work, s, flag, ())
    work.varying = varying
    work.going.pop()
    return [*start, replace(s, iter=work.words.parts(s.iter), body=tuple(body), verbatim=False)]


def _flagged(work: Staging, s: For | While, *, python: bool = False) -> tuple[str, list[Stmt]]:
    """Begins a loop: the flag that a break ends, where there is a break that a traced value decides."""
    traced = may_break(s.body) and not (python and work.static.breaks(s.body))
    flag = work.namer.fresh("going") if traced else ""
    work.going.append(flag)
    if not flag:
        return "", []
    work.defined.add(flag)
    work.numbers.add(flag)
    return flag, [Assign((Name(flag),), Const(True), origin=s.origin, made=True)]


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
        problem(work, "PB503", s, name=sorted(bound(s.target) & work.live[id(s)])[0])
    flag, start = _flagged(work, s)
    stop = flag if work.backend.stops else ""
    intervals = dict(work.intervals)
    work.intervals |= turns.intervals
    loop, begin = _loop(work, s, "" if stop else flag, flag, turns)
    work.going.pop()
    work.intervals = intervals
    if not loop.state:
        return []
    if not turns.known and not work.backend.stops:
        problem(work, "PB506", s)
    made = work.backend.counted(work, replace(loop, test=Name(stop) if stop else None))
    return [*start, *begin, *made]


def _while(work: Staging, s: While) -> list[Stmt]:
    if work.static.holds(s.test) and work.static.breaks(s.body):
        work.going.append("")
        body = tuple(_block(work, s.body))
        work.going.pop()
        return [replace(s, test=work.words.truth(s.test), body=body, verbatim=False)]
    if not work.backend.stops:
        problem(work, "PB506", s)
    flag, start = _flagged(work, s)
    test = work.words.truth(s.test)
    if flag:
        test = (
            Name(flag)
            if test == Const(True)
            else work.words.both("logical_and", (Name(flag), test))
        )
    loop, begin = _loop(work, s, "", flag, None)
    work.going.pop()
    return [*start, *begin, *work.backend.open(work, replace(loop, test=test))]


def _said_of_turns(work: Staging, turns: Counting) -> tuple[Block, tuple[Expr, ...]]:
    """What a turn is given, and when it takes place, in the words of the backend."""
    work.words.counters.add(turns.counter)
    looks = (replace(x, value=work.words.of(x.value)) for x in turns.looks)
    return tuple(looks), tuple(rebuild(g, work.words.of) for g in turns.guards)


def _loop(
    work: Staging, s: For | While, guard: str, flag: str, turns: Counting | None
) -> tuple[Loop, list[Stmt]]:
    """A loop as what its functions are made of, and what stands before it; turns take place while `guard` holds."""
    state = state_of(work, s, flag)
    start = begun(work, s, state)
    types = {n: turn_types(work, s, n) for n in state}
    initial = tuple(passed(work, Name(n), types[n][0], common(types[n])) for n in state)
    work.numbers -= set(state)
    asks = turns is None or work.backend.stops
    ask, name = work.namer.fresh("more") if asks else "", work.namer.fresh("turn")
    with work.function():
        looks, guards = _said_of_turns(work, turns) if turns is not None else ((), ())
        counted = {turns.counter} if turns is not None else set()
        counted |= bound(s.target) if isinstance(s, For) else set()
        work.defined |= counted
        work.numbers -= counted
        body = [*looks, *_turn(work, s, guard, guards)]
        kinds = {n: (types[n][-1], common(types[n])) for n in state}
        ended = ending(work, body, state, kinds) if state else tuple(body)
    return Loop(s, state, initial, name, ask, ended, turns), start
