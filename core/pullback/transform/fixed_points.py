"""Loops that lead to a fixed point: what they give is a solution of the equation that one more turn states.

    for _ in range(100):  # pullback: implicit        for _ in range(100):     # no derivative goes through it
        new = np.cos(p * x)                               …
        if abs(new - x) < 1e-12:                      x = <mark>.solved(x, ".f.turn", x, p)
            break                           ->
        x = new                                       def turn(x, p):
                                                          new = np.cos(p * x)
                                                          x = new
                                                          return x

The state is what a turn hands on to the next one, or to what stands behind the loop, and varies: counters and what
only a test of convergence looks at are left out of the turn. A turn is a function of its own, whose private derivatives
`solutions.py` asks for.

May not know: how the equation is differentiated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from ..analysis.calls import RANDOM
from ..analysis.containers import is_container
from ..analysis.facts import Facts, Problem
from ..analysis.flow import defined, liveness, upward
from ..ir import (
    Assign,
    Barrier,
    Block,
    Call,
    Const,
    Expr,
    For,
    Function,
    If,
    Insert,
    Keep,
    Name,
    Param,
    Return,
    Span,
    Stmt,
    Tuple,
    While,
    bound,
    map_blocks,
    map_statement,
    statements,
    stmt_exprs,
    unless_same,
    walk,
)
from ..ir.marks import FOUND, IMPLICIT, SOLVED
from .exits import EXITS, ends, has_exit, with_returns_as_breaks
from .kept_parts import Parts, Unseen, written_name
from .loops import RANGES
from .naming import Namer, names_of, plain_name
from .remade import quiet

TURN = "turn"  # the flag of a function that is a turn of a loop

FactsOf = Callable[[Function], Facts]
Add = Callable[[Function], str]  # makes a function known, and says under which name


class Unfit(Exception):
    """Why a loop states no equation."""


@dataclass(frozen=True)
class _Place:
    """A loop with what is known where it stands: of its function, and what is read behind it."""

    loop: For | While
    fn: Function
    facts: Facts
    later: set[str]
    namer: Namer

    def varies(self, name: str) -> bool:
        v = self.facts.before[id(self.loop)].get(name)
        return v is not None and v.active

    def written(self, s: Stmt) -> set[str]:
        """The variables that `s`, or a statement in it, binds or writes into."""
        return {n for x in statements((s,)) for n in defined(x, self.facts)}


def with_solutions(fn: Function, facts: FactsOf, add: Add) -> tuple[Function, tuple[Problem, ...]]:
    """`fn` with its implicit loops solved, and what is wrong with those that cannot be."""
    if not any(_is_implicit(s) for s in statements(fn.body)):
        return fn, ()
    fn = with_returns_as_breaks(fn)
    known, later = facts(fn), liveness(fn.body)
    problems: list[Problem] = []
    namer = Namer(names_of(fn))

    def block(b: Block) -> Block:
        out: list[Stmt] = []
        for s in b:
            if not isinstance(s, (For, While)) or not _is_implicit(s) or id(s) not in known.before:
                out.append(map_blocks(s, block))
                continue
            try:
                out += _solved(_Place(s, fn, known, later[id(s)], namer), add)
            except Unfit as why:
                problems.append(_problem(fn, s, str(why)))
        return unless_same(out, b)

    return replace(fn, body=block(fn.body)), tuple(problems)


def _is_implicit(s: Stmt) -> bool:
    return isinstance(s, (For, While)) and s.turns == IMPLICIT


def _problem(fn: Function, s: For | While, why: str) -> Problem:
    header = s.iter if isinstance(s, For) else s.test
    at = header.origin or s.origin or fn.name_span or Span(0, 0)
    return Problem("PB112", at, (("word", IMPLICIT), ("detail", why)), fn.module)


def _solved(at: _Place, add: Add) -> list[Stmt]:
    """A loop, and behind it which equation its state solves."""
    loop = replace(at.loop, turns=FOUND)
    if any(isinstance(s, Insert) for s in statements(loop.body)):
        raise Unfit("code is inserted in its turns, which are not gone through backwards")
    outputs, turn = _state(at, _going_on(at))
    draws = (_draw(e) for s in statements(turn) for top in stmt_exprs(s) for e in walk(top))
    if any(draws):
        raise Unfit("a turn draws random numbers, others each time")
    if not outputs:
        return [loop]
    inputs = _inputs(at, outputs, turn)
    _check_state(at, outputs, inputs)
    parts = _kept(at, outputs, inputs, turn)
    starts = [p for p in parts if p.start]
    made = add(_function(at, outputs, inputs, turn, parts))
    args = map(Name, (*inputs, *(p.start for p in starts)))
    value = Call(SOLVED, (_together(map(Name, outputs)), Const(made), *args), origin=loop.origin)
    target = _together(map(Name, outputs))
    return [
        *(_made(at, p.start, Call("method.copy", (Name(p.state),))) for p in starts),
        loop,
        Assign((target,), value, origin=loop.origin, made=True),
    ]


def _draw(e: Expr) -> bool:
    return isinstance(e, Call) and e.fn.startswith(RANDOM)


def _made(at: _Place, name: str, value: Expr) -> Stmt:
    return Assign((Name(name),), value, origin=at.loop.origin, made=True)


def _together(exprs: Iterable[Expr]) -> Expr:
    items = tuple(exprs)
    return items[0] if len(items) == 1 else Tuple(items)


# --- the turn --------------------------------------------------------------------------------------


def _going_on(at: _Place) -> Block:
    """A turn that another one follows, with what only the last turn assigns."""
    body = at.loop.body
    out: list[Stmt] = []
    for k, s in enumerate(body):
        if isinstance(s, Keep) and s.kind in EXITS:
            raise Unfit(f"each of its turns ends at a `{s.kind}`")
        if not isinstance(s, If) or not has_exit((s,)):
            out.append(s)
            continue
        leaving, staying = (s.body, s.orelse) if ends(s.body) else (s.orelse, s.body)
        last = leaving[-1] if leaving else None
        breaks = isinstance(last, Keep) and last.kind == "break"
        if not breaks or has_exit(leaving[:-1]) or has_exit(staying):
            raise Unfit("it takes turns that go on, or end at one test with a `break`")
        out += _assigned_last(at, leaving[:-1], tuple(out), (*staying, *body[k + 1 :]))
        out += staying
    return tuple(out)


def _assigned_last(at: _Place, leaving: Block, before: Block, behind: Block) -> list[Stmt]:
    """What is assigned where the loop is left: what a turn that goes on assigns as well, or nowhere else."""
    out: list[Stmt] = []
    elsewhere = {n for x in (*before, *behind) for n in at.written(x)}
    for s in leaving:
        names = at.written(s)
        if _comes_too(at, s, behind):
            continue
        if names & elsewhere:
            name = sorted(names & elsewhere)[0]
            raise Unfit(f"where it is left, {name} is assigned otherwise than where it goes on")
        out.append(s)
    return out


def _comes_too(at: _Place, s: Stmt, behind: Block) -> bool:
    """Whether a turn that goes on runs the same statement, on the same values."""
    if s not in behind:
        return False
    first = behind[: behind.index(s)]
    return not upward((s,), set()) & {n for x in first for n in at.written(x)}


def _state(at: _Place, turn: Block) -> tuple[list[str], Block]:
    """What a turn hands on and varies, and the statements of the turn that it depends on."""
    written = {n for s in turn for n in at.written(s)}
    state = {n for n in written & at.later if at.varies(n)}
    while True:
        kept = _needed(at, turn, state)
        carried = upward(kept, state) & written
        new = state | {n for n in carried if at.varies(n)}
        if new == state:
            return sorted(state), kept
        state = new


def _needed(at: _Place, turn: Block, names: set[str]) -> Block:
    """The statements that `names` depend on."""
    out: list[Stmt] = []
    for s in reversed(turn):
        if at.written(s) & names:
            out.insert(0, s)
            names = names | upward((s,), names)
    return tuple(out)


def _inputs(at: _Place, outputs: list[str], turn: Block) -> list[str]:
    """What a turn reads: of the state first."""
    read = upward(turn, set(outputs))
    loop = at.loop
    counts = isinstance(loop, For) and isinstance(loop.iter, Call) and loop.iter.fn in RANGES
    if isinstance(loop, For) and not counts and read & bound(loop.target):
        name = sorted(read & bound(loop.target))[0]
        raise Unfit(f"its turns read {name}, which is another in each")
    return [*(n for n in outputs if n in read), *sorted(read - set(outputs))]


def _check_state(at: _Place, outputs: list[str], inputs: list[str]) -> None:
    """Raises Unfit for a state that is no set of numbers and arrays of their own."""
    env = at.facts.before[id(at.loop)]
    made = {n for s in statements(at.fn.body) if isinstance(s, Barrier) for n in s.writes}
    written = frozenset(o for objs in at.facts.mutated.values() for o in objs)
    for n in inputs:
        if n in made:
            raise Unfit(f"its turns read {n}, which is made inside of the function")
    for n in outputs:
        if is_container(env[n].type):
            raise Unfit(f"its state {n} is a container")
        objs = env[n].objs & written
        for m in sorted(at.later | set(inputs)):
            if m != n and m in env and env[m].objs & objs:
                raise Unfit(f"its state {n} shares memory with {m}")


def _kept(at: _Place, outputs: list[str], inputs: list[str], turn: Block) -> list[Parts]:
    """The arrays of the state of which a turn keeps parts."""
    found: list[Parts] = []
    counting = bound(at.loop.target) if isinstance(at.loop, For) else set[str]()
    for n in outputs:
        if n not in inputs or at.facts.before[id(at.loop)][n].type.kind == "scalar":
            continue
        try:
            written = written_name(turn, n, at.facts, counting)
        except Unseen as why:
            raise Unfit(str(why)) from None
        if written is not None:
            began = at.facts.entered[id(at.loop)].get(n)
            varies = began is not None and began.active
            start = at.namer.fresh(f"{n}_start") if varies else ""
            found.append(Parts(n, written, at.namer.fresh(f"{n}_kept"), start))
    return found


def _function(
    at: _Place, outputs: list[str], inputs: list[str], turn: Block, parts: list[Parts]
) -> Function:
    """The turn as a function that writes into no argument."""
    env = at.facts.before[id(at.loop)]
    written = frozenset(
        o for s in statements(turn) for o in at.facts.mutated.get(id(s), frozenset())
    )
    copied = [n for n in inputs if n in env and env[n].objs & written]
    begun = [s for p in parts for s in p.begun()]
    begun += [_made(at, n, Call("method.copy", (Name(n),))) for n in copied]
    for p in parts:
        turn = p.cut(turn)
    results = {p.state: p.result() for p in parts}
    given = _together(results.get(n, Name(n)) for n in outputs)
    params = (*inputs, *(p.start for p in parts if p.start))
    return Function(
        f"{plain_name(at.fn)}_turn",
        f"{at.fn.qualname}.turn",
        tuple(map(Param, params)),
        (*begun, *map(as_tree, quiet(turn)), Return(given, origin=at.loop.origin)),
        flags=frozenset((TURN,)),
        module=at.fn.module,
        name_span=at.fn.name_span,
    )


def as_tree(s: Stmt) -> Stmt:
    """A statement that prints from its tree: its text stands in another function."""
    return map_statement(replace(s, verbatim=False), lambda e: e, as_tree)
