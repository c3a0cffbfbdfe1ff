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
    While,
    bound,
    reads,
    root,
    statements,
)
from ..transform.naming import Namer, names_of
from .counting import Counting, counting
from .passing import (
    Arms,
    Staging,
    begun,
    carried,
    changed,
    defined,
    ending,
    given_kinds,
    grown,
    is_plain,
    opened,
    operands_of,
    problem,
    returned_kinds,
    root_name,
    same_kind,
    several,
    state_of,
    still_shared,
    surely,
    targets_of,
)
from .static import Static, ends
from .words import Words
from .writes import stored, updated


def staged(
    fn: Function, facts: Facts, known: Static, words: Words, user_names: set[str]
) -> tuple[Function, tuple[Problem, ...]]:
    """`fn` with its loops, branches and writes staged, and what stands in the way or is to be known."""
    work = Staging(fn, facts, words, known, Namer(names_of(fn)), liveness(fn.body))
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
    before = set(work.defined)
    if work.static.holds(s.test):
        body = tuple(_whole(work, then))
        work.defined = before
        behind = _whole(work, other)
        return [replace(s, test=test, body=body, orelse=(), verbatim=False), *behind]
    first, *rest = (kind for block in (then, other) for kind in returned_kinds(work, block))
    same_kind(work, s, "return", first, rest)
    operands = operands_of(work, (then, other), set())
    out: list[Stmt] = []
    for block, wish in ((then, "then"), (other, "otherwise")):
        name = work.namer.fresh(wish)
        with work.function():
            body = tuple(_whole(work, block))
        if not ends(body):
            reason = "a way on which nothing is returned depends on a traced value"
            problem(work, "PB502", s, name="return", reason=reason)
        out.append(defined(work, name, operands, body, s))
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
    value = work.words.of(s.value)
    new = s if value is s.value else replace(s, value=value, verbatim=False)
    targets = targets_of(new)
    work.defined |= {n for t in targets for n in bound(t)}
    if all(map(is_plain, targets)):
        return [new]
    if len(targets) > 1:
        return _one_by_one(work, new)
    made: Stmt | None = None
    if isinstance(new, AugAssign):
        made = updated(new, s.value, work.words.of, work.facts)
    else:
        made = stored(new, s.value, work.words.of, work.facts)
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


def _one_by_one(work: Staging, s: Assign | AugAssign) -> list[Stmt]:
    """A chained assignment as one for each target."""
    value = s.value
    out: list[Stmt] = []
    if not isinstance(value, (Const, Name)):
        value = Name(work.namer.fresh("value"))
        out.append(Assign((value,), s.value, origin=s.origin, made=True))
    for t in targets_of(s):
        one = Assign((t,), value, origin=s.origin)
        made = one if is_plain(t) else stored(one, s.value, work.words.of, work.facts)
        out.append(one if made is None else made)
    return out


def _said(target: Expr) -> str:
    base = root(target)
    return base.text if isinstance(base, (Ref, Opaque)) else root_name(target)


def _kept(work: Staging, s: Keep) -> list[Stmt]:
    flag = work.going[-1] if work.going else ""
    if s.kind == "break" and flag:
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
    before = set(work.defined)
    body = tuple(_block(work, s.body))
    one, work.defined = work.defined, before
    orelse = tuple(_block(work, s.orelse))
    work.defined &= one
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
            first, *then = given_kinds(work, s, arms, n)
            same_kind(work, s, n, first, then)
    operands = operands_of(work, arms, set(results))
    out: list[Stmt] = []
    for block, wish in zip(arms, ("then", "otherwise")):
        name = work.namer.fresh(wish)
        with work.function():
            body = _block(work, block)
        out.append(defined(work, name, operands, ending(body, results), s))
    work.defined = before | set(results)
    if not results:
        return []
    names = [Name(d.name) for d in out if isinstance(d, Define)]
    value = Call(work.words.cond, (test, *names, *operands))
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
        problem(work, "PB503", s, name=sorted(bound(s.target) & work.live[id(s)])[0])
    flag, start = _flagged(work, s)
    state = state_of(work, s, flag)
    start += begun(work, s, state)
    intervals = dict(work.intervals)
    work.intervals |= turns.intervals
    name = work.namer.fresh("turn")
    with work.function():
        work.defined |= {turns.counter, *bound(s.target)}
        body = [*opened(work, state), *turns.looks, *_turn(work, s, flag, turns.guards)]
    work.going.pop()
    work.intervals = intervals
    if not state:
        return []
    params = (Name(turns.counter), carried(work, state))
    made = defined(work, name, params, ending(body, state), s)
    value = Call(work.words.counted, (turns.start, turns.stop, Name(name), several(state)))
    if not turns.known:
        problem(work, "PB506", s)
    return [*start, made, Assign((several(state),), value, origin=s.origin, made=True)]


def _while(work: Staging, s: While) -> list[Stmt]:
    if work.static.holds(s.test) and _static_breaks(work, s.body):
        work.going.append("")
        body = tuple(_block(work, s.body))
        work.going.pop()
        return [replace(s, body=body, verbatim=False)]
    problem(work, "PB506", s)
    flag, start = _flagged(work, s)
    state = state_of(work, s, flag)
    start += begun(work, s, state)
    test = work.words.truth(s.test)
    if flag:
        test = (
            Name(flag)
            if test == Const(True)
            else work.words.both("logical_and", (Name(flag), test))
        )
    passed = carried(work, state)
    names = work.namer.fresh("more"), work.namer.fresh("turn")
    read = [n if n in reads(test) else "_" for n in state]
    asked = (*opened(work, read), Return(test, made=True))
    more = defined(work, names[0], (passed,), asked, s)
    with work.function():
        turn = ending([*opened(work, state), *_block(work, s.body)], state)
    made = defined(work, names[1], (passed,), turn, s)
    work.going.pop()
    value = Call(work.words.open, (Name(more.name), Name(made.name), several(state)))
    return [*start, more, made, Assign((several(state),), value, origin=s.origin, made=True)]
