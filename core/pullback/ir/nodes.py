"""The nodes: expressions, statements, functions. Those that there are most of have slots.

May not know: gast, source text, NumPy, rules.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Union


@dataclass(frozen=True, slots=True)
class Span:
    """Half-open character offsets into the text of the module that a node was lowered from."""

    start: int
    end: int


def _origin() -> Any:
    return field(default=None, compare=False, repr=False)


# --- expressions ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Const:
    """A literal: numbers, strings, bytes, True, False, None, Ellipsis."""

    value: Any
    origin: Span | None = _origin()


@dataclass(frozen=True, slots=True)
class Name:
    """A parameter or local variable of the function."""

    id: str
    origin: Span | None = _origin()


@dataclass(frozen=True, slots=True)
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
    Starred arguments are Star nodes; `**kw` is the keyword "**". A method of a known class is the class's
    function (".Model.loss") of the receiver: `written_behind` says how it is spelled.
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
    """`turns` says what the backward pass has of its turns: "" all that it needs, as recorded; "auto" or a
    number, as the user's comment says, the state at some of them; "remade" what they give when they are run again;
    "implicit", "found" nothing (ir/marks.py).
    """

    target: Expr
    iter: Expr
    body: tuple[Stmt, ...]
    orelse: tuple[Stmt, ...] = ()
    origin: Span | None = _origin()
    verbatim: bool = field(default=False, compare=False)
    made: bool = field(default=False, compare=False)
    turns: str = field(default="", compare=False)


@dataclass(frozen=True)
class While:
    test: Expr
    body: tuple[Stmt, ...]
    orelse: tuple[Stmt, ...] = ()
    origin: Span | None = _origin()
    verbatim: bool = field(default=False, compare=False)
    made: bool = field(default=False, compare=False)
    turns: str = field(default="", compare=False)


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


@dataclass(frozen=True)
class Insert:
    """Code for the backward pass, at the mirror of this place: nothing happens here.

    There `bar` names the adjoint of variable `name`. `reads` are the other variables of the function that
    `body` reads; what it binds is its own. No walk over the function's statements enters `body`.
    """

    name: Expr
    bar: str
    body: Block
    reads: tuple[Expr, ...] = ()
    origin: Span | None = _origin()
    verbatim: bool = field(default=False, compare=False)
    made: bool = field(default=False, compare=False)


@dataclass(frozen=True)
class Define:
    """A function of ours inside the function: what a compiler's loop or branch runs. `params` are names, the last
    one perhaps with a star.

    `held` are variables that it sees as they are where it is made, though a loop around binds them anew.
    """

    name: str
    params: tuple[Expr, ...]
    body: Block
    held: tuple[str, ...] = ()
    origin: Span | None = _origin()
    verbatim: bool = field(default=False, compare=False)
    made: bool = field(default=True, compare=False)


Stmt = Union[
    Assign, AugAssign, ExprStmt, Return, If, For, While, Keep, Barrier, Note, Insert, Define
]
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
    (text after "pullback:", span); those that do not fit where they stand are `misplaced`: (word, why, span).
    `flags` holds "async", "generator", "nested", "method", "static", "class".
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
    misplaced: tuple[tuple[str, str, Span], ...] = ()
    name_span: Span | None = _origin()
    origin: Span | None = _origin()
