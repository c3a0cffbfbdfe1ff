"""Several directions at once: a tangent's function with one more axis, the last, in each tangent.

    x_dot = np.cos(x) * u_dot         ->      x_dot = np.cos(x)[:, None] * u_dot
    s_dot = np.sum(x_dot)             ->      s_dot = np.sum(x_dot, axis=0)

Tangents are linear in those of the parameters, and an axis behind all others leaves most statements as they are:
subscripts, stores, loops over rows. What was a number is an array now: it is bound anew where it was added to, and
copied where an element of an array that is written was read.

May not know: text, modules, who asks.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ..analysis.facts import Facts
from ..ir import (
    Assign,
    AugAssign,
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
    Return,
    Stmt,
    Tuple,
    While,
    bound,
    children,
    map_blocks,
    reads,
    root,
    statements,
    stmt_exprs,
)
from ..optimize.build import ADD, DIV, MUL, SUB
from .directions_expressions import Directions, Unclear, along, begun, beside, subscript

_PLAIN = (Assign, AugAssign, ExprStmt)
_PUTTING = ("method.append", "numpy.add.at")
_SIDE_BY_SIDE = ("builtins.zip", "builtins.enumerate", "builtins.reversed")


def with_directions(
    fn: Function,
    facts: Facts,
    seeds: tuple[str, ...],
    called: Callable[[Call, Callable[[Expr], bool]], str | None],
    *,
    paired: bool,
    narrow: frozenset[str],
) -> Function | None:
    """`fn`, which gives tangents for `seeds`, for seeds with an axis of directions; None where that is not clear.

    `called` names the like of a private derivative that it calls. Where it is `paired` it gives its value too.
    """
    count = Call("operator.getitem", (Call("attr.shape", (Name(seeds[0]),)), Const(-1)))
    d = Directions(facts, _carriers(fn, seeds), count, called, paired, narrow)
    try:
        return replace(fn, body=_block(d, fn.body))
    except Unclear:
        return None


def tangents_alone(fn: Function) -> Function:
    """A tangent's function without the value that it gives beside its tangents."""

    def alone(s: Stmt) -> Stmt:
        if isinstance(s, Return) and isinstance(s.value, Tuple):
            return replace(s, value=s.value.items[1], verbatim=False)
        return map_blocks(s, lambda block: tuple(map(alone, block)))

    return replace(fn, body=tuple(map(alone, fn.body)))


def _carriers(fn: Function, seeds: tuple[str, ...]) -> frozenset[str]:
    """The variables that have the axis: those into which something goes that has it."""
    found = frozenset(seeds)
    while True:
        new = found.union(*(_reached(s, found) for s in statements(fn.body)))
        if new == found:
            return found
        found = new


def _reached(s: Stmt, found: frozenset[str]) -> set[str]:
    """The variables that have the axis behind `s`, where those `found` have it."""
    if isinstance(s, Assign):
        return {n for t in s.targets for n in _filled(t, s.value, found)}
    if isinstance(s, AugAssign):
        return _filled(s.target, s.value, found)
    if isinstance(s, For):
        return _filled(s.target, s.iter, found)
    if isinstance(s, ExprStmt) and isinstance(s.value, Call) and s.value.fn in _PUTTING:
        return _filled(s.value.args[0], s.value.args[-1], found)
    return set()


def _filled(target: Expr, value: Expr, found: frozenset[str]) -> set[str]:
    """Those of the variables of a target to which `value` gives something that has the axis."""
    if not reads(value) & found:
        return set()
    pairs: list[tuple[Expr, Expr]] = []
    if isinstance(target, Tuple):
        parts = value.args if isinstance(value, Call) else getattr(value, "items", ())
        if isinstance(value, Call) and value.fn == "builtins.enumerate":
            parts = (Const(None), *parts)
        elif isinstance(value, Call) and value.fn.startswith("<helper>."):
            parts = (Const(None), value)  # a value, and its tangents
        elif isinstance(value, Call) and value.fn != "builtins.zip":
            parts = ()
        pairs = [*zip(target.items, parts)] or [(t, value) for t in target.items]
    if pairs:
        return {n for t, v in pairs for n in _filled(t, v, found)}
    whole = root(target)
    return {whole.id} if isinstance(whole, Name) else bound(target)


def _block(d: Directions, block: Block) -> Block:
    return tuple(_statement(d, s) for s in block)


def _statement(d: Directions, s: Stmt) -> Stmt:
    if isinstance(s, (Note, Keep)) or (isinstance(s, _PLAIN) and not _concerned(d, s)):
        return s
    if isinstance(s, Assign) and len(s.targets) == 1:
        return _assigned(d, s)
    if isinstance(s, AugAssign):
        return _augmented(d, s)
    if isinstance(s, ExprStmt):
        return replace(s, value=_put(d, s.value), verbatim=False)
    if isinstance(s, Return) and s.value is not None:
        return replace(s, value=_given(d, s.value), verbatim=False)
    if isinstance(s, (If, While)) and not d.carries(s.test):
        return replace(s, body=_block(d, s.body), orelse=_block(d, s.orelse))
    if isinstance(s, For):
        body, orelse = _block(d, s.body), _block(d, s.orelse)
        return replace(s, iter=_sequence(d, s), body=body, orelse=orelse, verbatim=False)
    raise Unclear


def _concerned(d: Directions, s: Stmt) -> bool:
    """Whether something that `s` reads or binds has the axis."""
    names = {n for e in stmt_exprs(s) for n in reads(e)}
    if isinstance(s, Assign):
        names |= {n for t in s.targets for n in bound(t)}
    return bool(names & d.carriers)


def _given(d: Directions, e: Expr) -> Expr:
    """What is returned: tangents, or a value and its tangents."""
    if not d.paired:
        return _tangents(d, e)
    if not isinstance(e, Tuple) or d.carries(e.items[0]):
        raise Unclear
    return replace(e, items=(e.items[0], _tangents(d, e.items[1])))


def _tangents(d: Directions, e: Expr) -> Expr:
    if isinstance(e, Tuple):
        return replace(e, items=tuple(_tangents(d, i) for i in e.items))
    return e if e == Const(None) else _held(d, e)


def _sequence(d: Directions, s: For) -> Expr:
    """What a loop runs over: rows, with all directions each."""
    if not d.carries(s.iter):
        if bound(s.target) & d.carriers:
            raise Unclear
        return s.iter
    return _rows(d, s, s.iter)


def _rows(d: Directions, s: For, e: Expr) -> Expr:
    if isinstance(e, Call) and e.fn in _SIDE_BY_SIDE and not e.kwargs:
        args = tuple(_rows(d, s, a) if d.carries(a) else a for a in e.args)
        return replace(e, args=args)
    v = d.facts.of(e)
    if v.type.kind not in ("array", "list") or _may_change(d, e):
        raise Unclear
    return along(d, e)


def _may_change(d: Directions, e: Expr) -> bool:
    """Whether something is written into what `e` gives a part of: here, or by who calls this function."""
    objs = d.facts.origins(d.facts.of(e).objs)
    if d.paired and any(o == "" or o.startswith("param ") for o in objs):
        return True
    shared = d.facts.touching(objs)
    return any(written & shared for written in d.facts.mutated.values())


# --- what is bound and stored ------------------------------------------------------------------------


def _assigned(d: Directions, s: Assign) -> Stmt:
    target, value = _bound(d, s.targets[0], s.value)
    return replace(s, targets=(target,), value=value, verbatim=False)


def _bound(d: Directions, target: Expr, value: Expr) -> tuple[Expr, Expr]:
    """The target and the value of one assignment."""
    if isinstance(target, Name):
        return target, _held(d, value) if target.id in d.carriers else _free(d, value)
    if isinstance(target, Tuple) and isinstance(value, Tuple):
        if len(target.items) != len(value.items):
            raise Unclear
        pairs = [_bound(d, t, v) for t, v in zip(target.items, value.items)]
        targets, new = (tuple(part) for part in zip(*pairs))
        return replace(target, items=targets), replace(value, items=new)
    if isinstance(target, Tuple):
        return _unpacked(d, target, value)
    return _place(d, target), _stored(d, target, value)


def _unpacked(d: Directions, target: Tuple, value: Expr) -> tuple[Expr, Expr]:
    """`value_of, (x_dot, y_dot) = …` of a private derivative, or the rows of a tangent."""
    if not d.carries(value) or any(not isinstance(i, (Name, Tuple)) for i in target.items):
        raise Unclear
    own = isinstance(value, Call) and d.called(value, d.carries) is not None
    if not own and (bound(target) - d.carriers or _may_change(d, value)):
        raise Unclear
    return target, along(d, value)


def _held(d: Directions, value: Expr) -> Expr:
    """What a variable is to hold, or is returned: no view where a number was."""
    if isinstance(value, Tuple):
        return replace(value, items=tuple(_held(d, i) if d.carries(i) else i for i in value.items))
    new = begun(d, value)
    return Call("method.copy", (new,)) if _is_element(d, value) else new


def _is_element(d: Directions, e: Expr) -> bool:
    """Whether `e` is an element, by a choice perhaps, of what may change."""
    if isinstance(e, IfExp):
        return _is_element(d, e.body) or _is_element(d, e.orelse)
    item = isinstance(e, Call) and e.fn == "operator.getitem"
    return item and d.facts.type(e).kind != "array" and _may_change(d, children(e)[0])


def _free(d: Directions, value: Expr) -> Expr:
    """A value without the axis."""
    if d.carries(value):
        raise Unclear
    return value


def _place(d: Directions, target: Expr) -> Expr:
    """Where something is stored: elements of an array."""
    if not isinstance(target, Call) or target.fn != "operator.getitem":
        raise Unclear
    base, index = target.args
    if not d.carries(base):
        return target
    if d.facts.type(base).kind != "array":
        raise Unclear
    return replace(target, args=(along(d, base), subscript(d, index)))


def _stored(d: Directions, target: Expr, value: Expr) -> Expr:
    assert isinstance(target, Call)
    return beside(d, value) if d.carries(target.args[0]) else _free(d, value)


def _augmented(d: Directions, s: AugAssign) -> Stmt:
    grows = s.op in (ADD, SUB)
    if not grows and (s.op not in (MUL, DIV) or d.carries(s.value)):
        raise Unclear
    if not isinstance(s.target, Name):
        if not d.carries(s.target):
            raise Unclear
        return replace(s, target=_place(d, s.target), value=beside(d, s.value), verbatim=False)
    if s.target.id not in d.carriers:
        raise Unclear
    value = beside(d, s.value)
    if d.rank(s.target) > 0:
        return replace(s, value=value, verbatim=False)
    new = Call(s.op, (s.target, value))
    return Assign((s.target,), new, origin=s.origin, made=True)


def _put(d: Directions, e: Expr) -> Expr:
    """A call that puts its last argument into its first: into a list, or added to elements."""
    if not isinstance(e, Call) or e.kwargs:
        raise Unclear
    if e.fn == "method.append" and len(e.args) == 2:
        to, value = e.args
        return replace(e, args=(to, _held(d, value) if d.carries(value) else value))
    if e.fn == "numpy.add.at" and len(e.args) == 3:
        to, index, value = e.args
        return replace(e, args=(along(d, to), subscript(d, index), beside(d, value)))
    raise Unclear
