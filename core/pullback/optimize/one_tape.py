"""One tape a loop: what a turn records goes on one list together, and a loop that only reads it runs over it.

    for i in range(n):                          for i in range(n):
        u_tape.append(u)                            u_0 = u
        u = f(w)                                    u = f(w)
        w_tape.append(w)                            tape.append((u_0, w))
    for i in reversed(range(n)):        ->      for i in reversed(range(n)):
        u = u_tape.pop()                            u, w = tape.pop()
        w = w_tape.pop()

    for _ in range(n):                          for y in reversed(y_tape):
        y = y_tape.pop()                ->          …

May not know: rules, types.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ..ir import (
    Assign,
    Block,
    Call,
    Expr,
    ExprStmt,
    For,
    Function,
    Keep,
    Name,
    Return,
    Stmt,
    Tuple,
    While,
    blocks,
    map_blocks,
    reads,
    statements,
)
from .effects import Changes, Pure, known_pure, names_bound, shared_memory, undisturbed
from .tapes import popped, role, tapes
from .unread import only_counts

Place = tuple[Block, int]  # a block, and which of its statements


@dataclass
class Tape:
    """Where a tape is started, pushed to and popped from; each of them once, where `once`."""

    name: str
    places: dict[str, Place] = field(default_factory=dict)
    once: bool = True

    @property
    def start(self) -> Assign:
        s = self._at("start")
        assert isinstance(s, Assign)
        return s

    @property
    def push(self) -> ExprStmt:
        s = self._at("push")
        assert isinstance(s, ExprStmt)
        return s

    @property
    def pop(self) -> Assign:
        s = self._at("pop")
        assert isinstance(s, Assign)
        return s

    @property
    def pushed(self) -> Expr:
        """What is pushed."""
        assert isinstance(self.push.value, Call)
        return self.push.value.args[1]

    @property
    def target(self) -> Expr:
        """What is popped into."""
        [target] = self.pop.targets
        return target

    def block(self, what: str) -> Block:
        return self.places[what][0]

    def index(self, what: str) -> int:
        return self.places[what][1]

    def _at(self, what: str) -> Stmt:
        block, at = self.places[what]
        return block[at]


@dataclass
class Edit:
    """Statements that go, and those that become others, by identity."""

    gone: set[int] = field(default_factory=set)
    other: dict[int, Stmt] = field(default_factory=dict)

    def block(self, block: Block) -> Block:
        kept = (self.other.get(id(s), s) for s in block if id(s) not in self.gone)
        return tuple(map_blocks(s, self.block) for s in kept)

    def function(self, fn: Function) -> Function:
        return replace(fn, body=self.block(fn.body)) if self.other else fn


def one_tape_a_loop(fn: Function, pure: Pure = known_pure) -> Function:
    groups: dict[tuple[int, ...], list[Tape]] = {}
    for t in single_tapes(fn, pure):
        groups.setdefault(tuple(id(t.block(what)) for what in _USES), []).append(t)
    taken = {n for s in statements(fn.body) for n in names_bound(s)} | {p.name for p in fn.params}
    edit, changes = Edit(), Changes(pure)
    for group in groups.values():
        together = _together(group, pure, changes)
        if len(together) > 1:
            snapshots = all("_snapshots" in t.name for t in together)
            tape = fresh("snapshots" if snapshots else "tape", taken)
            pushed = [
                _pushed_last(t, _between(t, together[-1], pure), fn, changes, taken, edit)
                for t in together
            ]
            _fuse(together, tape, pushed, edit)
    fn = edit.function(fn)
    edit = Edit()
    for t in single_tapes(fn, pure):
        _run_over(t, edit)
    return edit.function(fn)


_USES = ("start", "push", "pop")


def single_tapes(fn: Function, pure: Pure) -> list[Tape]:
    """The tapes that are started once, pushed to at one place and popped from at one."""
    found = {name: Tape(name) for name in sorted(tapes(fn, pure))}
    _collect(fn.body, found, pure)
    return [t for t in found.values() if t.once and len(t.places) == len(_USES)]


def _collect(block: Block, found: dict[str, Tape], pure: Pure) -> None:
    for i, s in enumerate(block):
        name = role(s, pure)
        if name in found:
            what = "push" if isinstance(s, ExprStmt) else "start"
            if isinstance(s, Assign) and popped(s) == name:
                what = "pop"
            t = found[name]
            t.once = t.once and what not in t.places
            t.places[what] = (block, i)
        for inner in blocks(s):
            _collect(inner, found, pure)


# --- several tapes of one loop ---------------------------------------------------------------------


def _together(group: list[Tape], pure: Pure, changes: Changes) -> list[Tape]:
    """Those of a group that can be one, in the order in which they are pushed to: no turn ends before the last."""
    group = sorted(group, key=lambda t: t.index("push"))
    last = group[-1]
    group = [t for t in group if not any(changes.of(s).leaves for s in _between(t, last, pure))]
    pops = [t.index("pop") for t in group]
    popping = group[0].block("pop")[min(pops) : max(pops)]
    return group if all(isinstance(s, Assign) and popped(s) for s in popping) else []


def _between(t: Tape, last: Tape, pure: Pure) -> list[Stmt]:
    """What runs between pushing to `t` and to the last tape."""
    between = t.block("push")[t.index("push") + 1 : last.index("push")]
    return [s for s in between if role(s, pure) is None]


def _pushed_last(
    t: Tape, between: list[Stmt], fn: Function, changes: Changes, taken: set[str], edit: Edit
) -> Expr:
    """What `t` records, at the last push; put aside until then where it changes in what runs `between`."""
    if isinstance(t.pushed, Name):  # the array itself, whatever is written into it
        same = not any(t.pushed.id in changes.of(s).bound for s in between)
    else:
        same = undisturbed(t.pushed, between, changes, shared_memory(fn))
    if same:
        return t.pushed
    aside = t.target
    if sum(bool(names_bound(s) & reads(aside)) for s in statements(fn.body)) > 1:
        aside = Name(fresh(f"{t.name.removesuffix('_tape')}_0", taken))
    edit.other[id(t.push)] = Assign((aside,), t.pushed, origin=t.push.origin, made=True)
    return aside


def _fuse(group: list[Tape], name: str, pushed: list[Expr], edit: Edit) -> None:
    """One tape called `name` for what is `pushed`: started first, pushed to last, popped from first."""
    tape = Name(name)
    start, *starts = sorted(group, key=lambda t: t.index("start"))
    pop, *pops = sorted(group, key=lambda t: t.index("pop"))
    *pushes, push = group
    edit.gone |= {id(t.start) for t in starts} | {id(t.pop) for t in pops}
    edit.gone |= {id(t.push) for t in pushes} - set(edit.other)
    values, targets = Tuple(tuple(pushed)), Tuple(tuple(t.target for t in group))
    edit.other[id(start.start)] = replace(start.start, targets=(tape,))
    edit.other[id(push.push)] = replace(push.push, value=Call("method.append", (tape, values)))
    popping = Call("method.pop", (tape,))
    edit.other[id(pop.pop)] = replace(pop.pop, targets=(targets,), value=popping)


def fresh(wanted: str, taken: set[str]) -> str:
    name, n = wanted, 2
    while name in taken:
        name, n = f"{wanted}{n}", n + 1
    taken.add(name)
    return name


# --- a loop over a tape ----------------------------------------------------------------------------


def _run_over(t: Tape, edit: Edit) -> None:
    """The loop that pops from the tape runs over it, where it counts turns for nothing else."""
    forward = _loop_of(t.block("push"), t.block("start"))
    backward = _loop_of(t.block("pop"), t.block("start"))
    if forward is None or not isinstance(backward, For) or _may_leave(forward.body):
        return
    if only_counts(backward) and t.index("pop") == 0:
        over = Call("builtins.reversed", (Name(t.name),))
        edit.gone.add(id(t.pop))
        edit.other[id(backward)] = replace(backward, target=t.target, iter=over)


def _may_leave(block: Block) -> bool:
    """Whether a turn may end early."""
    jumps = ("break", "continue")
    return any(
        isinstance(s, Return) or (isinstance(s, Keep) and s.kind in jumps)
        for s in statements(block)
    )


def _loop_of(body: Block, block: Block) -> For | While | None:
    """The loop in `block` whose body that is."""
    return next((s for s in block if isinstance(s, (For, While)) and s.body is body), None)
