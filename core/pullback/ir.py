"""The intermediate representation: what every pass reads and writes.

A function is a structured tree of statements over expressions. Variables stay variables (no SSA):
versions, types, aliases and activity are facts that analyses keep beside the tree, keyed by node
identity. Lowering makes a fresh node for every occurrence, so identity tells occurrences apart;
equality is structural and ignores where a node came from.

May not know: gast, source text, NumPy, rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from operator import is_not
from typing import Any, TypeGuard, Union


@dataclass(frozen=True)
class Span:
    """Half-open character offsets into the text of the module that a node was lowered from."""

    start: int
    end: int


def _origin() -> Any:
    return field(default=None, compare=False, repr=False)


# --- expressions ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Const:
    """A literal: numbers, strings, bytes, True, False, None, Ellipsis."""

    value: Any
    origin: Span | None = _origin()


@dataclass(frozen=True)
class Name:
    """A parameter or local variable of the function."""

    id: str
    origin: Span | None = _origin()


@dataclass(frozen=True)
class Ref:
    """A name from outside the function: `qualname` is absolute, `text` is how the module spells it.

    `np.pi` is Ref("numpy.pi", "np.pi"); the module's own global SCALE is Ref(".SCALE", "SCALE");
    a name imported from workspace module m is Ref("m.SCALE", ...); a builtin is Ref("builtins.len", "len").
    """

    qualname: str
    text: str = field(compare=False)
    origin: Span | None = _origin()


@dataclass(frozen=True)
class Call:
    """The application of a function to arguments: the one node for all that computes.

    `fn` says which: "numpy.exp", "math.log", "builtins.len", a workspace function as ".mix" (same module)
    or "other.mix"; operators as "operator.add" (sub mul truediv floordiv mod pow matmul neg pos invert
    and_ or_ xor lshift rshift not_ getitem); "method.sum" and "attr.T" for x.sum(...) and x.T, with the
    receiver as first argument; "?" for a callee that is itself an expression, kept in `callee`.
    Starred arguments are Star nodes; `**kw` is the keyword "**".
    """

    fn: str
    args: tuple[Expr, ...] = ()
    kwargs: tuple[tuple[str, Expr], ...] = ()
    callee: Expr | None = field(default=None, compare=False)
    origin: Span | None = _origin()


@dataclass(frozen=True)
class Compare:
    """`first ops[0] rest[0] ops[1] rest[1] …`; ops are Python's spellings ("<", "is not", "in", …)."""

    first: Expr
    ops: tuple[str, ...]
    rest: tuple[Expr, ...]
    origin: Span | None = _origin()


@dataclass(frozen=True)
class BoolOp:
    """`and` / `or` over two or more values."""

    op: str
    values: tuple[Expr, ...]
    origin: Span | None = _origin()


@dataclass(frozen=True)
class IfExp:
    test: Expr
    body: Expr
    orelse: Expr
    origin: Span | None = _origin()


@dataclass(frozen=True)
class Tuple:
    """A tuple or list display (`kind` is "tuple" or "list")."""

    items: tuple[Expr, ...]
    kind: str = "tuple"
    origin: Span | None = _origin()


@dataclass(frozen=True)
class Dict:
    keys: tuple[Expr | None, ...]
    values: tuple[Expr, ...]
    origin: Span | None = _origin()


@dataclass(frozen=True)
class Slice:
    """`lower:upper:step` inside a subscript."""

    lower: Expr | None
    upper: Expr | None
    step: Expr | None
    origin: Span | None = _origin()


@dataclass(frozen=True)
class Star:
    value: Expr
    origin: Span | None = _origin()


@dataclass(frozen=True)
class Comprehension:
    """What a comprehension is made of; its own variables are Names as any others.

    `kind` is "list" (a generator too) or "dict", which has a `key`. Each generator has a target, an
    iterable and tests.
    """

    kind: str
    element: Expr
    key: Expr | None
    generators: tuple[tuple[Expr, Expr, tuple[Expr, ...]], ...]


@dataclass(frozen=True)
class Opaque:
    """Anything else (comprehension, lambda, f-string, walrus, await, …), kept as text.

    `reads` are the local variables it may read, `writes` those it may bind. `kind` names the construct
    ("comprehension", "lambda", "f-string", "named-expression", "yield", "await", "set", …).
    A comprehension of lists or dicts has its `parts` too.
    """

    kind: str
    text: str
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    origin: Span | None = _origin()
    parts: Comprehension | None = _origin()


Expr = Union[Const, Name, Ref, Call, Compare, BoolOp, IfExp, Tuple, Dict, Slice, Star, Opaque]


# --- statements ----------------------------------------------------------------------------------
# `origin` is the statement's span (a compound statement's whole span). A user's statement prints as its
# own text while `verbatim` holds; a pass that changes a node makes the copy with verbatim=False. What a
# pass adds carries the origin of the statement it belongs to, verbatim=False and `made=True`.


@dataclass(frozen=True)
class Assign:
    """`targets[0] = targets[1] = … = value`. A target is a Name, a getitem or attr Call, or a Tuple of targets."""

    targets: tuple[Expr, ...]
    value: Expr
    origin: Span | None = _origin()
    verbatim: bool = field(default=False, compare=False)
    made: bool = field(default=False, compare=False)


@dataclass(frozen=True)
class AugAssign:
    """`target op= value`; `op` is an operator's `fn` ("operator.add", …).

    `repeats`: an element that an index array names twice is changed twice, as `np.add.at` does.
    """

    target: Expr
    op: str
    value: Expr
    origin: Span | None = _origin()
    verbatim: bool = field(default=False, compare=False)
    made: bool = field(default=False, compare=False)
    repeats: bool = False


@dataclass(frozen=True)
class ExprStmt:
    value: Expr
    origin: Span | None = _origin()
    verbatim: bool = field(default=False, compare=False)
    made: bool = field(default=False, compare=False)


@dataclass(frozen=True)
class Return:
    value: Expr | None
    origin: Span | None = _origin()
    verbatim: bool = field(default=False, compare=False)
    made: bool = field(default=False, compare=False)


@dataclass(frozen=True)
class If:
    """`elif` is an If alone in `orelse` whose `is_elif` holds.

    `moved` counts the statements at the end of `orelse` (negative: of `body`) that stand behind the If in
    the user's text, in a loop that a `break` or `continue` may leave.
    """

    test: Expr
    body: tuple[Stmt, ...]
    orelse: tuple[Stmt, ...] = ()
    is_elif: bool = field(default=False, compare=False)
    origin: Span | None = _origin()
    verbatim: bool = field(default=False, compare=False)  # of the header alone
    made: bool = field(default=False, compare=False)
    moved: int = field(default=0, compare=False)


@dataclass(frozen=True)
class For:
    target: Expr
    iter: Expr
    body: tuple[Stmt, ...]
    orelse: tuple[Stmt, ...] = ()
    origin: Span | None = _origin()
    verbatim: bool = field(default=False, compare=False)
    made: bool = field(default=False, compare=False)


@dataclass(frozen=True)
class While:
    test: Expr
    body: tuple[Stmt, ...]
    orelse: tuple[Stmt, ...] = ()
    origin: Span | None = _origin()
    verbatim: bool = field(default=False, compare=False)
    made: bool = field(default=False, compare=False)


@dataclass(frozen=True)
class Keep:
    """A statement that computes nothing: pass, break, continue, assert, print(…), raise, del, import.

    "with" begins the body of a context that leaves data alone; it goes on to "end with", or to the block's end.

    `kind` names it; it reads `reads`, binds `writes`, and always prints as its own `text`.
    """

    kind: str
    text: str
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    origin: Span | None = _origin()
    verbatim: bool = field(default=False, compare=False)
    made: bool = field(default=False, compare=False)


@dataclass(frozen=True)
class Barrier:
    """A construct that the language of Pullback leaves out (try, with, nested def, global, nonlocal, match, …).

    Harmless while nothing active reaches it; analysis reports it otherwise. `at` is the span to underline.
    """

    kind: str
    text: str
    reads: tuple[str, ...]
    writes: tuple[str, ...]
    at: Span
    origin: Span | None = _origin()
    verbatim: bool = field(default=False, compare=False)
    made: bool = field(default=False, compare=False)


@dataclass(frozen=True)
class Note:
    """A comment line of our own ("Backward pass")."""

    text: str
    origin: Span | None = _origin()
    verbatim: bool = field(default=False, compare=False)
    made: bool = field(default=True, compare=False)


Stmt = Union[Assign, AugAssign, ExprStmt, Return, If, For, While, Keep, Barrier, Note]
Block = tuple[Stmt, ...]


# --- functions -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Param:
    """`kind` is "positional-only", "plain", "var-positional", "keyword-only" or "var-keyword"."""

    name: str
    kind: str = "plain"
    default: str | None = None  # source text
    annotation: str | None = None  # source text
    default_value: Any = None  # the literal's value where the default is a number, string, bool
    origin: Span | None = _origin()


@dataclass(frozen=True)
class Function:
    """A function as a pass sees it. `qualname` has dots for methods ("Model.loss").

    `pragmas` are the `# pullback:` comments in the function and on the lines just above it, raw:
    (text after "pullback:", span). `flags` holds "async", "generator", "nested", "method", "static", "class".
    """

    name: str
    qualname: str
    params: tuple[Param, ...]
    body: Block
    decorators: tuple[str, ...] = ()
    returns: str | None = None
    docstring: str | None = None
    pragmas: tuple[tuple[str, Span], ...] = ()
    flags: frozenset[str] = frozenset()
    module: str = ""  # dotted name of a workspace module, "" for the file itself
    name_span: Span | None = _origin()
    origin: Span | None = _origin()


# --- walking -------------------------------------------------------------------------------------


# The fields of each kind of expression that hold expressions, in order of evaluation.
_PARTS: dict[type, tuple[str, ...]] = {
    Const: (),
    Name: (),
    Ref: (),
    Call: ("args", "kwargs"),
    Compare: ("first", "rest"),
    BoolOp: ("values",),
    IfExp: ("test", "body", "orelse"),
    Tuple: ("items",),
    Dict: ("keys", "values"),
    Slice: ("lower", "upper", "step"),
    Star: ("value",),
    Opaque: (),
}
_LEAVES = frozenset(kind for kind, parts in _PARTS.items() if not parts)


def children(e: Expr) -> tuple[Expr, ...]:
    """The direct subexpressions of `e`, in order of evaluation."""
    if type(e) in _LEAVES:
        return ()
    if isinstance(e, Call):
        values = (*e.args, *[v for _, v in e.kwargs]) if e.kwargs else e.args
        return (e.callee, *values) if e.fn == "?" and e.callee is not None else values
    if isinstance(e, Compare):
        return (e.first, *e.rest)
    if isinstance(e, BoolOp):
        return e.values
    if isinstance(e, IfExp):
        return (e.test, e.body, e.orelse)
    if isinstance(e, Tuple):
        return e.items
    if isinstance(e, Dict):
        return (*(k for k in e.keys if k is not None), *e.values)
    if isinstance(e, Slice):
        return tuple(p for p in (e.lower, e.upper, e.step) if p is not None)
    if isinstance(e, Star):
        return (e.value,)
    return ()


def walk(e: Expr) -> Iterator[Expr]:
    """`e` and all below it, parents first."""
    todo = [e]
    while todo:
        here = todo.pop()
        yield here
        if type(here) not in _LEAVES:
            todo.extend(reversed(children(here)))


def rebuild(e: Expr, change: Callable[[Expr], Expr]) -> Expr:
    """`e` with each direct child replaced by change(child); `e` itself where nothing changed."""
    parts = _PARTS[type(e)]
    if isinstance(e, Call) and e.fn == "?":
        parts = (*parts, "callee")
    new: dict[str, Any] = {}
    for name in parts:
        old = getattr(e, name)
        got = _changed(old, change)
        if got is not old:
            new[name] = got
    return replace(e, **new) if new else e


def duplicate(e: Expr) -> Expr:
    """A copy of `e` whose nodes are its own, so that facts can tell the two apart."""
    made = rebuild(e, duplicate)
    return made if made is not e else replace(e)


def _changed(old: Any, change: Callable[[Expr], Expr]) -> Any:
    if type(old) is tuple:
        items = tuple([_changed(o, change) for o in old])
        return items if any(map(is_not, items, old)) else old
    return change(old) if is_expr(old) else old


def is_expr(x: Any) -> TypeGuard[Expr]:
    return type(x) in _PARTS


def reads(e: Expr) -> set[str]:
    """The local variables that evaluating `e` may read."""
    out: set[str] = set()
    for n in walk(e):
        if isinstance(n, Name):
            out.add(n.id)
        elif isinstance(n, Opaque):
            out.update(n.reads)
    return out


def root(e: Expr) -> Expr:
    """What a chain of subscripts and attributes begins with."""
    while isinstance(e, Call) and e.fn.startswith(("operator.getitem", "attr.")):
        e = e.args[0]
    return e


def bound(target: Expr) -> set[str]:
    """The variables that assigning to `target` rebinds (not those whose contents it changes)."""
    if isinstance(target, Name):
        return {target.id}
    if isinstance(target, Tuple):
        return {n for t in target.items for n in bound(t)}
    if isinstance(target, Star):
        return bound(target.value)
    return set()


def statements(block: Block) -> Iterator[Stmt]:
    """All statements of `block`, nested ones included, parents first."""
    for s in block:
        yield s
        for b in blocks(s):
            yield from statements(b)


def blocks(s: Stmt) -> tuple[Block, ...]:
    """The blocks directly inside a statement."""
    if isinstance(s, (If, For, While)):
        return (s.body, s.orelse)
    return ()


def stmt_exprs(s: Stmt) -> tuple[Expr, ...]:
    """The expressions of a statement itself (a compound statement's header only)."""
    if isinstance(s, Assign):
        return (s.value, *s.targets)
    if isinstance(s, AugAssign):
        return (s.value, s.target)
    if isinstance(s, ExprStmt):
        return (s.value,)
    if isinstance(s, Return):
        return () if s.value is None else (s.value,)
    if isinstance(s, (If, While)):
        return (s.test,)
    if isinstance(s, For):
        return (s.iter, s.target)
    return ()


def map_statement(s: Stmt, expr: Callable[[Expr], Expr], stmt: Callable[[Stmt], Stmt]) -> Stmt:
    """`s` with `expr` applied to its expressions and targets, and `stmt` to the statements in it."""
    if isinstance(s, Assign):
        return replace(s, targets=tuple(expr(t) for t in s.targets), value=expr(s.value))
    if isinstance(s, AugAssign):
        return replace(s, target=expr(s.target), value=expr(s.value))
    if isinstance(s, ExprStmt):
        return replace(s, value=expr(s.value))
    if isinstance(s, Return):
        return s if s.value is None else replace(s, value=expr(s.value))
    if not isinstance(s, (If, For, While)):
        return s
    body, orelse = tuple(stmt(x) for x in s.body), tuple(stmt(x) for x in s.orelse)
    if isinstance(s, For):
        return replace(s, target=expr(s.target), iter=expr(s.iter), body=body, orelse=orelse)
    return replace(s, test=expr(s.test), body=body, orelse=orelse)
