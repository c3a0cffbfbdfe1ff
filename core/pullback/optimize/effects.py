"""What a statement changes and what its removal could lose, read from its text alone.

Names in the same memory group may share memory. Callers with an alias analysis pass their own groups;
`shared_memory` is the cautious reading for those without.

May not know: rules, types, the passes that ask.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ..ir import (
    Assign,
    AugAssign,
    Barrier,
    Block,
    Call,
    Const,
    Expr,
    ExprStmt,
    For,
    Function,
    If,
    IfExp,
    Keep,
    Name,
    Note,
    Opaque,
    Return,
    Stmt,
    Tuple,
    blocks,
    bound,
    once,
    reads,
    statements,
    stmt_exprs,
    targets_of,
    walk,
)
from ..ir.marks import is_mark
from .build import FLOAT_NAME

Pure = Callable[[Call], bool]
Aliases = Callable[[str], set[str]]


def words(text: str) -> list[str]:
    """The words of a list kept as prose."""
    return text.split()


# Functions that write into an argument, and which.
_INTO: dict[str, int] = {
    "numpy.add.at": 0,
    "numpy.subtract.at": 0,
    "numpy.multiply.at": 0,
    "numpy.copyto": 0,
    "numpy.put": 0,
    "numpy.fill_diagonal": 0,
    "method.append": 0,
    "method.fill": 0,
    "method.extend": 0,
}
_CHANGING = frozenset(
    words("""at copyto fill_diagonal place put put_along_axis putmask save savetxt savez
    savez_compressed set_printoptions setbufsize seterr seterrcall shuffle""")
)
_OUTSIDE = ("numpy.random.", "numpy.testing.", "random.", "scipy.io.")
_KNOWN = ("operator.", "attr.", "numpy.", "math.", "scipy.")
_BUILTINS = frozenset(
    f"builtins.{name}"
    for name in words("""abs bool complex dict divmod enumerate float int isinstance len list max min
    pow range reversed round set slice sorted str sum tuple type zip""")
)
_METHODS = frozenset(
    f"method.{name}"
    for name in words("""all any argmax argmin astype clip conj copy cumsum cumprod diagonal dot flatten
    items keys max mean min prod ravel repeat reshape squeeze std sum swapaxes take tolist trace
    transpose values var view item get""")
)
_SUMS = ("operator.add", "operator.mul")  # of lists, too
_FRESH = frozenset(
    words("""numpy.zeros numpy.ones numpy.empty numpy.full numpy.zeros_like numpy.ones_like
    numpy.empty_like numpy.full_like numpy.arange numpy.linspace numpy.eye numpy.exp numpy.log
    numpy.sqrt numpy.sin numpy.cos numpy.tan numpy.tanh numpy.sum numpy.mean numpy.prod numpy.outer
    numpy.dot numpy.copy numpy.where numpy.sign numpy.abs numpy.maximum numpy.minimum
    numpy.einsum numpy.shape numpy.size numpy.ndim method.copy method.sum method.mean method.prod
    method.dot builtins.float builtins.int builtins.bool builtins.len builtins.range attr.shape
    attr.size attr.ndim attr.dtype operator.sub operator.truediv operator.floordiv operator.mod
    operator.pow operator.matmul operator.neg operator.not_""")
)


def known_pure(call: Call) -> bool:
    """Whether a call is known to change nothing; the default for passes that ask for `pure`."""
    if call.fn == "?" or any(k in ("out", "**") for k, _ in call.kwargs):
        return False
    if call.fn.startswith(_OUTSIDE) or call.fn.rpartition(".")[2] in _CHANGING:
        return False
    return (
        call.fn.startswith(_KNOWN) or call.fn in _BUILTINS or call.fn in _METHODS or is_mark(call)
    )


def is_pure(e: Expr, pure: Pure) -> bool:
    """Whether nobody can tell that `e` was not evaluated."""
    for n in walk(e):
        if isinstance(n, Opaque) and (n.kind != "lambda" or n.writes):
            return False
        if isinstance(n, Call) and not pure(n):
            return False
    return True


def gives_only(fn: Function, harmless: Callable[[str], bool]) -> bool:
    """Whether calling `fn` does nothing but give its result: it writes into variables of its own alone."""
    own = _own_arrays(fn)

    def pure(call: Call) -> bool:
        return known_pure(call) or harmless(call.fn)

    for s in statements(fn.body):
        if not isinstance(s, (Assign, AugAssign, If, For, Return)):
            return False
        if not all(is_pure(e, pure) for e in stmt_exprs(s)):
            return False
        stored = names_stored(s, pure)
        if stored is None or not stored <= own:
            return False
    return True


def is_new(e: Expr) -> bool:
    """Whether the value of `e` is made here, so that nothing else holds its memory."""
    if isinstance(e, Const):
        return True
    return isinstance(e, Call) and (e.fn in _FRESH or (e.fn in _SUMS and _numeric(e)))


def root(e: Expr) -> str | None:
    """The variable whose memory `e` is a part of: h of `h[i]`, `h.T[i]`; None where that is unclear."""
    while isinstance(e, Call) and e.args and e.fn in ("operator.getitem", "attr.T", "attr.flat"):
        e = e.args[0]
    return e.id if isinstance(e, Name) else None


def store_of(s: Stmt) -> Expr | None:
    """What a statement writes into, where that is its one effect: `h[i]`, or the list it appends to."""
    if isinstance(s, Assign) and len(s.targets) == 1 and isinstance(s.targets[0], Call):
        return s.targets[0]
    if isinstance(s, AugAssign):
        return s.target
    if isinstance(s, ExprStmt) and isinstance(s.value, Call) and s.value.fn in _INTO:
        at = _INTO[s.value.fn]
        return s.value.args[at] if at < len(s.value.args) else None
    return None


def names_bound(s: Stmt) -> set[str]:
    """The variables that a statement itself (not its blocks) binds anew."""
    if isinstance(s, For):
        return bound(s.target)
    out = {n for t in targets_of(s) for n in bound(t)}
    if isinstance(s, Assign):
        return out
    if isinstance(s, (Keep, Barrier)):
        out |= set(s.writes)
    for e in stmt_exprs(s):
        out |= {name for n in walk(e) if isinstance(n, Opaque) for name in n.writes}
    return out


def names_stored(s: Stmt, pure: Pure) -> set[str] | None:
    """The variables whose contents a statement itself may change; None where that may be any."""
    if isinstance(s, Barrier):
        return None
    out: set[str] = set()
    for target in _written(s):
        base = root(target)
        if base is None:
            return None
        out.add(base)
    value = s.value if isinstance(s, ExprStmt) else None
    for e in stmt_exprs(s):
        for n in walk(e):
            if isinstance(n, Opaque) and n.kind != "lambda":
                return None
            if not isinstance(n, Call) or pure(n) or (n is value and store_of(s) is not None):
                continue
            if n.fn != "method.pop" or root(n.args[0]) is None:
                return None
            out |= reads(n.args[0])
    return out


@dataclass(frozen=True)
class Change:
    """What a statement, its blocks included, binds, what it stores into (None where that may be any), and
    whether what follows may be left out."""

    bound: frozenset[str]
    stored: frozenset[str] | None
    leaves: bool


class Changes:
    """The changes of statements, each looked at once."""

    def __init__(self, pure: Pure) -> None:
        self._pure = pure
        self._known: dict[
            int, tuple[Stmt, Change]
        ] = {}  # the statement, so that its identity stays its own

    def of(self, s: Stmt) -> Change:
        if id(s) not in self._known:
            self._known[id(s)] = s, self._change(s)
        return self._known[id(s)][1]

    def _change(self, s: Stmt) -> Change:
        bound_here: set[str] = set()
        stored: set[str] | None = set()
        leaves = False
        for x in statements((s,)):
            if isinstance(x, Note):
                continue
            here = names_stored(x, self._pure)
            stored = None if stored is None or here is None else stored | here
            bound_here |= names_bound(x)
            leaves = leaves or isinstance(x, Return)
            leaves = leaves or (isinstance(x, Keep) and x.kind in ("break", "continue"))
        return Change(frozenset(bound_here), None if stored is None else frozenset(stored), leaves)


def undisturbed(value: Expr, between: Sequence[Stmt], changes: Changes, aliases: Aliases) -> bool:
    """Whether `value` is the same after the statements `between` as before them, and they are passed."""
    names = reads(value)
    memory = {other for n in names for other in aliases(n)} | names
    for s in between:
        change = changes.of(s)
        if change.leaves or change.stored is None or change.bound & names or change.stored & memory:
            return False
    return True


def _written(s: Stmt) -> Iterator[Expr]:
    if isinstance(s, Assign):
        yield from (t for target in s.targets for t in _places(target))
    elif isinstance(s, For):
        yield from _places(s.target)
    else:
        target = store_of(s)
        if target is not None:
            yield target


def _places(target: Expr) -> Iterator[Expr]:
    """The parts of an assignment's target that write into memory."""
    if isinstance(target, Tuple):
        for t in target.items:
            yield from _places(t)
    elif isinstance(target, Call):
        yield target


def captured(fn: Function) -> frozenset[str]:
    """The variables that code kept as text may read or write at any time (closures, nested functions)."""
    return once(fn, "captured", _captured)


def _captured(fn: Function) -> frozenset[str]:
    out: set[str] = set()
    for s in statements(fn.body):
        if isinstance(s, Barrier):
            out.update(s.reads, s.writes)
        for e in stmt_exprs(s):
            for n in walk(e):
                if isinstance(n, Opaque):
                    out.update(n.reads, n.writes)
    return frozenset(out)


# --- memory --------------------------------------------------------------------------------------


def no_aliases(name: str) -> set[str]:
    """For callers who know that no two variables share memory."""
    return {name}


def shared_memory(fn: Function) -> Aliases:
    """Groups of variables that may share memory, as far as assignments and stores show."""
    return once(fn, "shared memory", _shared_memory)


def _shared_memory(fn: Function) -> Aliases:
    parent: dict[str, str] = {}

    def find(x: str) -> str:
        while parent.setdefault(x, x) != x:
            parent[x] = parent[parent[x]]
            x = parent[x]
        return x

    apart = _own_arrays(fn)
    for group in _groups(fn.body, apart):
        names = sorted(group)
        for other in names[1:]:
            parent[find(other)] = find(names[0])
    members: dict[str, set[str]] = {}
    for name in list(parent):
        members.setdefault(find(name), set()).add(name)
    return lambda name: members.get(find(name), {name})


def _own_arrays(fn: Function) -> set[str]:
    """The variables that are only ever bound to new arrays: what is stored into one is copied."""
    bindings: dict[str, list[Stmt]] = {}
    for s in statements(fn.body):
        for n in names_bound(s):
            bindings.setdefault(n, []).append(s)
    for p in fn.params:
        bindings.pop(p.name, None)
    return {n for n, many in bindings.items() if all(_makes_array(s, n) for s in many)}


def _makes_array(s: Stmt, name: str) -> bool:
    if not isinstance(s, Assign) or s.targets != (Name(name),) or not isinstance(s.value, Call):
        return isinstance(s, AugAssign)
    makers = ("zeros", "ones", "empty", "full")
    return s.value.fn.removeprefix("numpy.").removesuffix("_like") in makers and not s.value.kwargs


def _groups(block: Block, apart: set[str]) -> Iterator[set[str]]:
    for s in block:
        yield from _group(s, apart)
        for b in blocks(s):
            yield from _groups(b, apart)


def _group(s: Stmt, apart: set[str]) -> Iterator[set[str]]:
    if isinstance(s, Assign):
        if all(root(t) in apart and not isinstance(t, Name) for t in s.targets):
            return
        yield _memory(s.value).union(*map(_targets, s.targets))
    elif isinstance(s, For):
        yield _targets(s.target) | _memory(s.iter)
    elif isinstance(s, ExprStmt):
        yield reads(s.value)
    elif isinstance(s, Barrier):
        yield {*s.reads, *s.writes}


def _targets(target: Expr) -> set[str]:
    places = {root(p) for p in _places(target)}
    return bound(target) | {p for p in places if p is not None}


def _memory(e: Expr) -> set[str]:
    """The variables whose memory the value of `e` may share."""
    if isinstance(e, Name):
        return {e.id}
    if isinstance(e, IfExp):
        return _memory(e.body) | _memory(e.orelse)
    if isinstance(e, Call):
        if is_new(e):
            return set()
        if e.fn == "operator.getitem":
            return _memory(e.args[0])
    return reads(e)


def _numeric(e: Call) -> bool:
    """Whether `+` or `*` here is surely arithmetic, and never joins or repeats lists."""
    for n in e.args:
        if isinstance(n, Const) and isinstance(n.value, float):
            return True
        if FLOAT_NAME.match(root(n) or ""):
            return True
        if isinstance(n, Call) and n.fn in _FRESH:
            return True
        if isinstance(n, Call) and n.fn in _SUMS and _numeric(n):
            return True
    return False
