"""Arrays of which a turn of a loop writes only parts: the rest stays what it was when the loop began.

    u[1:-1] = 0.5 * (u[:-2] + u[2:])              u_kept = u.copy()
                                                  u[1:-1] = 0.5 * (u[:-2] + u[2:])
                                           ->     u_kept[1:-1] = 0.0
                                                  u_start[1:-1] = 0.0
                                                  return u - u_kept + u_start

What is kept solves no equation: `u - u_kept` depends on the old u only in what is written, and the rest is given by the
array that the loop began with, `u_start`.

May not know: which loops state equations, how those are differentiated.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..analysis.facts import Facts
from ..analysis.flow import bindings, defined, may_exit
from ..analysis.types import Dim
from ..ir import (
    Assign,
    AugAssign,
    Block,
    Call,
    Const,
    Expr,
    For,
    Name,
    Slice,
    Stmt,
    Tuple,
    bound,
    duplicate,
    map_blocks,
    reads,
    root,
    statements,
    unless_same,
)
from ..optimize.build import add, sub

_COPIES = ("method.copy", "numpy.copy", "numpy.array")


class Unseen(Exception):
    """Why it cannot be told which parts a turn writes."""


@dataclass(frozen=True)
class Parts:
    """A state of which parts are kept.

    written  the variable through which the turn writes: the state itself, or the copy that takes its place
    kept     what the parts that the turn writes are cut out of
    start    the same of what the loop began with; "" where that does not vary
    """

    state: str
    written: str
    kept: str
    start: str

    def begun(self) -> tuple[Stmt, ...]:
        names = (self.kept, *((self.start,) if self.start else ()))
        of = (self.state, self.start)
        return tuple(Assign((Name(n),), _copy(o), made=True) for n, o in zip(names, of))

    def result(self) -> Expr:
        rest = sub(Name(self.state), Name(self.kept))
        return add(rest, Name(self.start)) if self.start else rest

    def cut(self, block: Block) -> Block:
        """`block`, where what is written is cut out of what is kept."""
        out: list[Stmt] = []
        for s in block:
            places = (t for t in _stores(s) if root(t) == Name(self.written))
            out += [c for t in places for c in self._cut_out(t)]
            out.append(map_blocks(s, self.cut))
        return unless_same(out, block)

    def _cut_out(self, target: Expr) -> list[Stmt]:
        whole = Call("operator.getitem", (target, Const(Ellipsis)))
        place = whole if isinstance(target, Name) else target
        names = (n for n in (self.kept, self.start) if n)
        return [Assign((_rebased(place, n),), Const(0.0), made=True) for n in names]


def _copy(name: str) -> Call:
    return Call("method.copy", (Name(name),))


def _rebased(place: Expr, name: str) -> Expr:
    """The same part of another array."""
    if not isinstance(place, Call):
        return Name(name)
    return Call(place.fn, (_rebased(place.args[0], name), duplicate(place.args[1])))


def _stores(s: Stmt) -> tuple[Expr, ...]:
    """What `s` writes into: parts of variables, and variables that change where they are."""
    if isinstance(s, AugAssign):
        return (s.target,)
    targets = s.targets if isinstance(s, Assign) else ()
    items = [i for t in targets for i in (t.items if isinstance(t, Tuple) else (t,))]
    return tuple(t for t in items if isinstance(t, Call) and t.fn == "operator.getitem")


def written_name(turn: Block, state: str, facts: Facts, counting: set[str]) -> str | None:
    """The variable through which a turn writes parts of an array of its state; None where it keeps none of it.

    `counting` are the variables that tell one turn from another.
    """
    name = _copied_into(turn, state) or state
    writing = [s for s in statements(turn) if _writes(s, name, facts)]
    if not writing or any(_covers(s, name, facts) for s in turn):
        return None
    if any(Name(name) not in map(root, _stores(s)) for s in writing):
        raise Unseen(f"parts of its state {state} are written by a call, or under another name")
    times = [n for s in statements(turn) for n in bindings(s) if n in (state, name)]
    if sorted(times) != ([] if name == state else sorted((state, name))):
        raise Unseen(f"its state {state} is assigned, and parts of it are written")
    changing = counting | {n for s in statements(turn) for n in defined(s, facts)} - {name}
    if len(_same_places(turn, name, changing)) < len(writing):
        raise Unseen(f"which parts of its state {state} are written may change from turn to turn")
    return name


def _same_places(block: Block, name: str, changing: set[str]) -> list[Stmt]:
    """The statements that write the same parts of an array in every turn."""
    out: list[Stmt] = []
    for s in block:
        if isinstance(s, For) and not reads(s.iter) & changing:
            out += _same_places(s.body, name, changing - bound(s.target))
        places = [t for t in _stores(s) if root(t) == Name(name)]
        read = {n for t in places if isinstance(t, Call) for n in reads(t.args[1])}
        out += [s] if places and not read & (changing | {name}) else []
    return out


def _copied_into(turn: Block, state: str) -> str | None:
    """`new` in a turn of `new = x.copy()`, …, `x = new`."""
    pairs = [(s.targets[0], s.value) for s in turn if isinstance(s, Assign)]
    copies = (
        t for t, v in pairs if isinstance(v, Call) and v.fn in _COPIES and v.args == (Name(state),)
    )
    handed_on = [t.id for t in copies if isinstance(t, Name) and (Name(state), t) in pairs]
    return handed_on[0] if len(handed_on) == 1 else None


def _writes(s: Stmt, name: str, facts: Facts) -> bool:
    return bool(facts.mutated.get(id(s), frozenset()) & facts.var(s, name).objs)


def _covers(s: Stmt, name: str, facts: Facts) -> bool:
    """Whether `s` surely writes all of an array."""
    if isinstance(s, AugAssign):
        return s.target == Name(name)
    if isinstance(s, For):
        return _goes_through(s, name, facts)
    wholes = (Slice(None, None, None), Const(Ellipsis))
    return any(
        t.args[0] == Name(name) and t.args[1] in wholes for t in _stores(s) if isinstance(t, Call)
    )


def _goes_through(s: For, name: str, facts: Facts) -> bool:
    """`for i in range(len(x)): x[i] = …`."""
    it, shape = s.iter, facts.var(s, name).type.shape
    if not isinstance(it, Call) or it.fn != "builtins.range" or len(it.args) != 1:
        return False
    element = Call("operator.getitem", (Name(name), s.target))
    each = any(isinstance(x, Assign) and element in x.targets for x in s.body)
    count = facts.type(it.args[0]).const
    length = Dim("", count) if isinstance(count, int) else count
    cut_short = any(may_exit(s.body, kind) for kind in ("break", "continue"))
    return each and not cut_short and isinstance(shape, tuple) and shape[:1] == (length,)
