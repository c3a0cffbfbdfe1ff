"""What is known while a function is traced: whole numbers that shape arrays or count turns, lengths, `None`, words.

A value is static where it is made of nothing but such values, and is bound nowhere where a traced value decides.
A parameter is static where it has to be: it counts turns or gives a shape, a slice's end or an axis; or where its
annotation or default says that it is no array. A loop stays Python's, turn by turn, where something in it
has to be static that changes with the turn; else it is staged.

May not know: the backend, how anything is staged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from ..analysis.counted import counted
from ..analysis.declared import declared, is_constant
from ..analysis.facts import Facts
from ..analysis.flow import bindings, live_at_head, liveness, may_break
from ..ir import (
    Assign,
    AugAssign,
    Block,
    Call,
    Compare,
    Comprehension,
    Const,
    Dict,
    Expr,
    For,
    Function,
    If,
    Keep,
    Name,
    Opaque,
    Ref,
    Return,
    Slice,
    Stmt,
    Tuple,
    While,
    bound,
    children,
    reads,
    statements,
    stmt_exprs,
    walk,
)
from ..optimize.effects import known_pure

RANGE = "builtins.range"
# what is asked of the form of an array, which is known whatever it holds
_FORM = ("attr.shape", "attr.ndim", "attr.size", "attr.dtype", "builtins.len")
_FORM_OF = ("numpy.shape", "numpy.ndim", "numpy.size", "builtins.isinstance", "builtins.type")
# functions whose arguments are lengths, by the first that is one
_LENGTHS = {
    "numpy.zeros": 0,
    "numpy.ones": 0,
    "numpy.empty": 0,
    "numpy.full": 0,
    "numpy.eye": 0,
    "numpy.identity": 0,
    "numpy.arange": 0,
    "numpy.reshape": 1,
    "numpy.broadcast_to": 1,
    "numpy.repeat": 1,
    "numpy.tile": 1,
    "numpy.roll": 2,
    "numpy.expand_dims": 1,
    "numpy.swapaxes": 1,
    "numpy.moveaxis": 1,
    "numpy.transpose": 1,
    "method.reshape": 1,
    "method.repeat": 1,
    "method.transpose": 1,
    "method.swapaxes": 1,
}
# functions that give as many elements as they find
_SELECTING = (
    *("numpy.nonzero", "numpy.flatnonzero", "numpy.argwhere", "numpy.extract", "numpy.compress"),
    *("numpy.unique", "numpy.union1d", "numpy.intersect1d", "numpy.setdiff1d", "numpy.setxor1d"),
    *("numpy.trim_zeros", "method.nonzero", "method.compress"),
)
_BITS = tuple(f"operator.{name}" for name in ("and_", "or_", "xor", "invert", "lshift", "rshift"))
LOOPS_OVER = ("builtins.enumerate", "builtins.zip", "builtins.reversed")
_FIRST_ONLY = ("numpy.full", "numpy.zeros", "numpy.ones", "numpy.empty")
_WORDS = ("axis", "axes", "shape", "keepdims", "ddof", "num", "k", "offset", "minlength")
_MAKES = ("numpy.", "method.", "scipy.")


Given = Callable[[Call], tuple[Expr, ...]]  # the arguments of a call that have to be static


@dataclass
class Static:
    """What is static in one function: `names` are its variables, `unrolled` the loops that stay Python's, by identity,
    each with the variable for whose sake."""

    fn: Function
    facts: Facts
    given: Given
    live: dict[int, set[str]]
    names: set[str] = field(default_factory=set)
    params: tuple[str, ...] = ()
    unrolled: dict[int, str] = field(default_factory=dict)

    def holds(self, e: Expr) -> bool:
        """Whether `e` is static."""
        if isinstance(e, (Const, Ref)):
            return True
        if isinstance(e, Name):
            return e.id in self.names
        if isinstance(e, Opaque):
            return set(e.reads) <= self.names if e.parts is None else self._made(e.parts)
        if isinstance(e, Compare) and set(e.ops) <= {"is", "is not"}:
            return True
        if isinstance(e, Call):
            if e.fn in _FORM or e.fn in _FORM_OF:
                return not any(self.selects(c) for c in walk(e))
            if e.fn.startswith((".", "?", "<helper>.", *_MAKES)):
                scalar = self.facts.type(e).kind == "scalar" and not e.fn.startswith("?")
                return scalar and all(map(self.holds, children(e)))
            if not known_pure(e) and not e.fn.startswith("itertools."):
                return False
        return all(map(self.holds, children(e)))

    def selects(self, e: Expr) -> bool:
        """Whether the values of arrays decide how many elements `e` has."""
        if not isinstance(e, Call):
            return False
        if e.fn == "operator.getitem":
            index = self.facts.type(e.args[1])
            return index.dtype == "bool" and index.kind != "scalar"
        if e.fn == "numpy.where":
            return len(e.args) == 1
        return e.fn in _SELECTING

    def breaks(self, block: Block) -> bool:
        """Whether only static tests decide that the loop around `block` is left."""
        return all(
            self.holds(s.test) and self.breaks(s.body) and self.breaks(s.orelse)
            for s in block
            if isinstance(s, If) and may_break((s,))
        )

    def _made(self, parts: Comprehension) -> bool:
        """Whether a comprehension is: its own variables are where what it runs over is."""
        outside = set(self.names)
        own = {n for target, _, _ in parts.generators for n in bound(target)}
        self.names |= own
        inner = (parts.element, *([parts.key] if parts.key is not None else []))
        tests = (e for _, it, conditions in parts.generators for e in (it, *conditions))
        found = all(map(self.holds, (*inner, *tests)))
        self.names = outside
        return found


def static(fn: Function, facts: Facts, given: Given) -> Static:
    """What is static in `fn`, with the loops that have to be unrolled for it."""
    found = Static(fn, facts, given, liveness(fn.body))
    needed = _needed(fn, given)
    said = declared(fn)
    counts = counted(fn)
    found.params = tuple(
        p.name
        for p in fn.params
        if not p.kind.startswith("var-")
        and (
            is_constant(said[p.name])
            if p.name in said
            else p.name in counts or p.name in needed or _is_setting(p.default, p.default_value)
        )
    )
    params = {p.name for p in fn.params}
    local = {n for s in statements(fn.body) for n in bindings(s)}
    found.names = (set(found.params) | local) - (params - set(found.params))
    while _spread(found, needed):
        pass
    return found


def _is_setting(default: str | None, value: object) -> bool:
    """Whether a default says that a parameter is no array: a flag, a whole number, a word."""
    return default is not None and isinstance(value, (bool, int, str))


def _spread(found: Static, needed: set[str]) -> bool:
    """Takes names away that are not static after all; whether there were any."""
    before = set(found.names)
    found.unrolled = {}
    _block(found, found.fn.body, needed, frozenset())
    return found.names != before


def _block(found: Static, block: Block, needed: set[str], leaving: frozenset[str]) -> None:
    """`leaving` are the variables that carry a value out of the branches and turns around that are staged."""
    for s in block:
        if isinstance(s, If):
            inner = leaving if found.holds(s.test) else leaving | found.live[id(s)]
            _block(found, s.body, needed, inner)
            _block(found, s.orelse, needed, inner)
        elif isinstance(s, For):
            _loop(found, s, needed, leaving)
        elif isinstance(s, While):
            known = found.holds(s.test) and found.breaks(s.body)
            inner = leaving if known else leaving | _passed_on(found, s)
            _block(found, s.body, needed, inner)
        elif isinstance(s, (Assign, AugAssign)):
            names = bindings(s)
            if names & leaving or not found.holds(s.value):
                found.names -= names


def _passed_on(found: Static, s: For | While) -> frozenset[str]:
    """What the turns of a loop pass on, to each other and to what is behind."""
    after = found.live[id(s)]
    return frozenset(live_at_head(s, after) | after)


def _loop(found: Static, s: For, needed: set[str], leaving: frozenset[str]) -> None:
    why = _unrolled_for(found, s, needed)
    if why is not None:
        found.unrolled[id(s)] = why
        if bound(s.target) & leaving or not found.holds(s.iter):
            found.names -= bound(s.target)
        inner = leaving if found.breaks(s.body) else leaving | _passed_on(found, s)
        _block(found, s.body, needed, inner)
        return
    found.names -= bound(s.target)
    _block(found, s.body, needed, leaving | _passed_on(found, s))


def _unrolled_for(found: Static, s: For, needed: set[str]) -> str | None:
    """The variable for whose sake a loop stays Python's; None where it is staged."""
    wanted = sorted(_varying(found, s) & needed)
    if wanted:
        return wanted[0]
    grown = sorted(_containers(found.facts, s))
    if grown:
        return grown[0]
    return None if _countable(found, s.iter) else _described(s.iter)


def _varying(found: Static, s: For) -> set[str]:
    """The variables that may hold something else in each turn."""
    carried = _passed_on(found, s)
    out = bound(s.target)
    while True:
        more = {
            n
            for x in statements(s.body)
            if isinstance(x, (Assign, AugAssign))
            for n in bindings(x)
            if n in carried or isinstance(x, AugAssign) or _inputs(x.value) & out
        }
        if more <= out:
            return out
        out = out | more


def _countable(found: Static, it: Expr) -> bool:
    """Whether a loop over `it` can be staged: it counts, or it runs over the positions of arrays."""
    if not isinstance(it, Call):
        return found.facts.type(it).kind == "array"
    if it.fn == RANGE:
        return True
    if it.fn in LOOPS_OVER:
        return all(_countable(found, a) for a in it.args)
    return found.facts.type(it).kind == "array"


def _described(it: Expr) -> str:
    return next(iter(sorted(reads(it))), "it")


def _containers(facts: Facts, s: For) -> Iterator[str]:
    """Lists and dicts that a loop changes, or takes parts out of by its turn."""
    changing = bound(s.target)
    for x in statements(s.body):
        for e in (n for top in stmt_exprs(x) for n in walk(top) if isinstance(n, Call)):
            base = e.args[0] if e.args else None
            if not isinstance(base, Name):
                continue
            if e.fn in ("method.append", "method.pop", "method.extend", "method.insert"):
                yield base.id
            if e.fn == "operator.getitem" and reads(e.args[1]) & changing:
                if facts.type(base).kind in ("list", "tuple", "dict", "struct"):
                    yield base.id


# --- what has to be static --------------------------------------------------------------------------


def _needed(fn: Function, given: Given) -> set[str]:
    """The variables whose values have to be static: shapes, axes, ends of slices, and what those are made of."""
    needed: set[str] = set()
    params = {p.name for p in fn.params}
    for s in statements(fn.body):
        for top in stmt_exprs(s):
            for e in walk(top):
                for part in (*_parts(e), *(given(e) if isinstance(e, Call) else ())):
                    needed |= _inputs(part)
                if isinstance(e, Call) and e.fn == RANGE:
                    needed |= {n for part in e.args for n in _inputs(part)} & params
    for test in _ending_recursion(fn, fn.body, ()):
        needed |= _inputs(test)
    return _behind(fn, needed, _sources) - (params & _subscripted(fn))


def places(fn: Function, given: Given) -> set[str]:
    """The variables whose values select elements, or are taken bit by bit: whole numbers, that stay such.

    `given` are the arguments of a call that its function uses so.
    """
    tops = (top for s in statements(fn.body) for top in stmt_exprs(s))
    calls = (e for top in tops for e in walk(top) if isinstance(e, Call))
    parts = (p for e in calls for p in (*_selecting(e), *given(e)))
    return _behind(fn, {n for p in parts for n in _inputs(p)}, _sources_of_places)


def _selecting(e: Call) -> tuple[Expr, ...]:
    return e.args[1:] if _is_element(e) else e.args if e.fn in _BITS else ()


def _behind(
    fn: Function, names: set[str], sources: Callable[[Stmt, set[str]], Iterable[str]]
) -> set[str]:
    """The names, and all that a function makes them of."""
    while True:
        more = names | {n for s in statements(fn.body) for n in sources(s, names)}
        if more == names:
            return names
        names = more


def _subscripted(fn: Function) -> set[str]:
    """The variables that elements are taken of: what holds arrays of numbers is no setting."""
    tops = (e for s in statements(fn.body) for e in stmt_exprs(s))
    bases = (e.args[0] for top in tops for e in walk(top) if _is_element(e) and isinstance(e, Call))
    return {b.id for b in bases if isinstance(b, Name)}


def _ending_recursion(fn: Function, block: Block, rest: Block) -> Iterator[Expr]:
    """The tests by which a function calls itself or does not: tracing it would not end."""
    for i, s in enumerate(block):
        if isinstance(s, If):
            behind = (*block[i + 1 :], *rest)
            ways = [_calls(fn, arm if ends(arm) else (*arm, *behind)) for arm in (s.body, s.orelse)]
            if ways[0] != ways[1] and not any(_is_element(e) for e in walk(s.test)):
                yield s.test
            yield from _ending_recursion(fn, s.body, behind)
            yield from _ending_recursion(fn, s.orelse, behind)


def _is_element(e: Expr) -> bool:
    return isinstance(e, Call) and e.fn == "operator.getitem"


def ends(block: Block) -> bool:
    """Whether nothing runs behind `block`."""
    last = block[-1] if block else None
    if isinstance(last, If):
        return ends(last.body) and ends(last.orelse)
    return isinstance(last, Return) or (isinstance(last, Keep) and last.kind == "raise")


def _calls(fn: Function, block: Block) -> bool:
    name = f"{fn.module}.{fn.qualname}"
    tops = (e for s in statements(block) for e in stmt_exprs(s))
    return any(isinstance(e, Call) and e.fn == name for top in tops for e in walk(top))


def _parts(e: Expr) -> Iterator[Expr]:
    """The parts of `e` that have to be static."""
    if isinstance(e, Slice):
        yield from (p for p in (e.lower, e.upper, e.step) if p is not None)
    if not isinstance(e, Call):
        return
    first = _LENGTHS.get(e.fn)
    if first is not None:
        yield from e.args[first : first + 1 if e.fn in _FIRST_ONLY else None]
    if e.fn.startswith(_MAKES):
        yield from (v for word, v in e.kwargs if word in _WORDS)
    if e.fn == "numpy.linspace":
        yield from e.args[2:3]
    if e.fn in ("numpy.sum", "numpy.mean", "numpy.max", "numpy.min", "numpy.prod", "numpy.cumsum"):
        yield from e.args[1:2]


def _inputs(e: Expr) -> set[str]:
    """The names whose values `e` has, not only their form."""
    if isinstance(e, Name):
        return {e.id}
    if isinstance(e, Call) and (e.fn in _FORM or e.fn in _FORM_OF):
        return set()
    if isinstance(e, Call) and e.fn == "operator.getitem":
        return {n for a in e.args for n in _inputs(a)}
    if isinstance(e, Opaque) and e.parts is not None:
        parts = e.parts
        own = {n for target, _, _ in parts.generators for n in bound(target)}
        tests = (t for _, it, conditions in parts.generators for t in (it, *conditions))
        return {n for c in (parts.element, *tests) for n in _inputs(c)} - own
    if isinstance(e, (Dict, Opaque)):
        return set()
    return {n for c in children(e) for n in _inputs(c)}


def _sources_of_places(s: Stmt, names: set[str]) -> Iterable[str]:
    """The same for places, which a loop may go through."""
    if isinstance(s, For) and bound(s.target) & names:
        return _inputs(s.iter)
    return _sources(s, names) if isinstance(s, (Assign, AugAssign)) else ()


def _sources(s: Stmt, needed: set[str]) -> Iterable[str]:
    """What a statement makes needed names of."""
    if isinstance(s, Assign) and any(bound(t) & needed for t in s.targets):
        if isinstance(s.value, Tuple) and isinstance(s.targets[0], Tuple):
            pairs = zip(s.targets[0].items, s.value.items)
            return {n for t, v in pairs if bound(t) & needed for n in _inputs(v)}
        return _inputs(s.value)
    if isinstance(s, AugAssign) and bound(s.target) & needed:
        return _inputs(s.value)
    if isinstance(s, For) and bound(s.target) & needed and isinstance(s.iter, Call):
        return _inputs(s.iter) if s.iter.fn == RANGE else ()
    if isinstance(s, If):
        inner = {n for x in statements((*s.body, *s.orelse)) for n in bindings(x)}
        return _inputs(s.test) if inner & needed else ()
    return ()
