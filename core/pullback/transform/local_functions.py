"""Functions that a function makes for itself: nested `def`s, lambdas, `functools.partial`s, other names.

Python looks up what such a function captures when it is called. Where its statements stand in the place of
the call, they read the variables as they are then.

May not know: facts, how calls are replaced.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from operator import is_

from ..analysis.flow import bindings
from ..ir import (
    Assign,
    Barrier,
    Block,
    Call,
    Const,
    Expr,
    Function,
    Name,
    Opaque,
    Ref,
    Stmt,
    duplicate,
    map_blocks,
    map_statement,
    reads,
    rebuild,
    statements,
    stmt_exprs,
    unless_same,
)
from ..source.header import KINDS
from .naming import Namer, names_of
from .request import SPARSE

PARTIAL = "functools.partial"
NESTED = {
    f"pullback.{kind}": kind for kind in KINDS if kind != SPARSE
}  # what takes the derivative of a function


@dataclass(frozen=True)
class Locals:
    """What the names of one function mean that are bound once, to a function.

    functions  the ir of nested `def`s and lambdas
    others     partial calls and derivatives of functions, and functions that have another name here
    """

    functions: dict[str, Function] = field(default_factory=dict)
    others: dict[str, Expr] = field(default_factory=dict)

    def __contains__(self, name: str) -> bool:
        return name in self.functions or name in self.others

    def names(self) -> set[str]:
        return {*self.functions, *self.others}


Lowered = Callable[[Function, Barrier | Opaque], "Function | None"]


def local_functions(fn: Function, lowered: Lowered, known: Callable[[str], bool]) -> Locals:
    """The functions that `fn` makes; `known` says whether a resolved name is a function's."""
    found = Locals()
    for name, s in bound_once(fn).items():
        value = s.value if isinstance(s, Assign) and s.targets == (Name(name),) else None
        made = s if isinstance(s, Barrier) and s.kind == "def" else value
        if isinstance(made, (Barrier, Opaque)) and made.kind in ("def", "lambda"):
            function = lowered(fn, made)
            if function is not None:
                found.functions[name] = function
        elif value is not None and (_is_made(value) or _is_named(value, known)):
            found.others[name] = value
    return found


def _is_made(e: Expr) -> bool:
    return isinstance(e, Call) and (e.fn == PARTIAL or e.fn in NESTED) and bool(e.args)


def _is_named(e: Expr, known: Callable[[str], bool]) -> bool:
    return isinstance(e, Ref) and known(e.qualname)


def bound_once(fn: Function) -> dict[str, Stmt]:
    """The variables that one statement alone gives a value, in the order of the text."""
    made: dict[str, list[Stmt]] = {p.name: [] for p in fn.params}
    twice = set(made)
    for s in statements(fn.body):
        for n in bindings(s):
            if n not in _made(s):
                continue
            if n in made:
                twice.add(n)
            made.setdefault(n, []).append(s)
    return {n: ss[0] for n, ss in made.items() if n not in twice}


def _made(s: Stmt) -> set[str]:
    """The names that `s` gives a value: of a nested `def` its own, not those that it captures and changes."""
    if isinstance(s, Barrier) and s.kind == "def":
        return set(s.text.partition("(")[0].split()[1:])
    return bindings(s)


def captured(function: Function) -> set[str]:
    """The variables of the function around that a nested one reads."""
    own = {p.name for p in function.params}
    own |= {n for s in statements(function.body) for n in bindings(s)}
    used = {n for s in statements(function.body) for e in stmt_exprs(s) for n in reads(e)}
    return used - own


# --- partial calls and other names -------------------------------------------------------------------


def with_direct_calls(fn: Function, known: Locals, names: set[str]) -> Function:
    """`fn` with partial functions and other names of functions written out where they are called.

    What a partial call was given is kept by a name of its own, as it is looked up when that is made: `names`
    are those that are there.
    """
    if not known.others:
        return fn
    namer = Namer(names_of(fn))
    others = dict(known.others)

    def expr(e: Expr) -> Expr:
        e = rebuild(e, expr)
        if isinstance(e, Call) and e.fn == "?" and isinstance(e.callee, Name):
            return direct(e, others.get(e.callee.id))
        return e

    def stmt(s: Stmt) -> Stmt:
        s = map_blocks(s, calls)
        new = map_statement(s, expr, lambda x: x)
        return s if all(map(is_, stmt_exprs(new), stmt_exprs(s))) else replace(new, verbatim=False)

    def calls(body: Block) -> Block:
        return unless_same([stmt(s) for s in body], body)

    def block(body: Block) -> Block:
        out: list[Stmt] = []
        for s in body:
            s = map_blocks(s, block)
            if isinstance(s, Assign) and len(s.targets) == 1 and isinstance(s.targets[0], Name):
                value = others.get(s.targets[0].id)
                if value is s.value and isinstance(value, Call) and value.fn == PARTIAL:
                    kept, value = _kept(value, s, namer, names)
                    others[s.targets[0].id] = value
                    out += kept
                    s = replace(s, value=value, verbatim=False) if kept else s
            out.append(s)
        return unless_same(out, body)

    body = calls(block(fn.body))
    return fn if body is fn.body else replace(fn, body=body)


def direct(call: Call, meant: Expr | None) -> Call:
    """`call` of what its callee means."""
    if isinstance(meant, Ref):
        return replace(call, fn=meant.qualname, callee=replace(meant))
    if isinstance(meant, Call) and meant.fn == PARTIAL:
        given = dict(call.kwargs)
        kept = tuple((k, duplicate(v)) for k, v in meant.kwargs if k not in given)
        args = (*(duplicate(a) for a in meant.args[1:]), *call.args)
        inner = replace(
            call, fn="?", args=args, kwargs=(*kept, *call.kwargs), callee=duplicate(meant.args[0])
        )
        return direct(inner, inner.callee) if isinstance(inner.callee, (Ref, Call)) else inner
    return call


def _kept(partial: Call, s: Assign, namer: Namer, names: set[str]) -> tuple[list[Stmt], Call]:
    """Names for what a partial call is given, and the call with them."""
    out: list[Stmt] = []
    target = s.targets[0]
    assert isinstance(target, Name)

    def named(e: Expr, what: str) -> Expr:
        if isinstance(e, (Const, Ref)) or (isinstance(e, Name) and e.id in names):
            return e
        name = namer.fresh(f"{target.id}_{what}")
        names.add(name)
        out.append(Assign((Name(name),), e, origin=s.origin))
        return Name(name)

    args = tuple(named(a, str(k)) for k, a in enumerate(partial.args[1:]))
    kwargs = tuple((k, named(v, k)) for k, v in partial.kwargs)
    if not out:
        return out, partial
    return out, replace(partial, args=(partial.args[0], *args), kwargs=kwargs)


# --- what is left ------------------------------------------------------------------------------------


def without_unused(fn: Function, known: Collection[str]) -> Function:
    """`fn` without the functions that it makes and that nothing calls any more."""
    while True:
        used = {n for s in statements(fn.body) for n in _read(s)}
        body = _used_only(fn.body, used, known)
        if body is fn.body:
            return fn
        fn = replace(fn, body=body)


def _read(s: Stmt) -> set[str]:
    out = {n for e in stmt_exprs(s) for n in reads(e)} | set(getattr(s, "reads", ()))
    return out - _made(s) if isinstance(s, (Assign, Barrier)) else out


def _used_only(block: Block, used: set[str], known: Collection[str]) -> Block:
    out: list[Stmt] = []
    for s in block:
        s = map_blocks(s, lambda b: _used_only(b, used, known))
        made = _made(s) if isinstance(s, (Assign, Barrier)) else set()
        if not (made and any(n in known for n in made) and not made & used):
            out.append(s)
    return unless_same(out, block)
