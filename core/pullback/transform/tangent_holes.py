"""The primal values in tangents: here they are still at hand, so that each is what the user wrote.

What may not be evaluated twice (a random draw, a function that nobody knows) gets a temporary that the
user's statement then uses; what merely costs is shared by the optimizer.

May not know: rules, statements.
"""

from __future__ import annotations

from dataclasses import replace

from ..analysis.types import same_shape
from ..ir import Assign, Call, Const, Expr, Name, Ref, Tuple, children, reads, rebuild, walk
from .context import Hole, is_hole, known_answer, question
from .costs import pure
from .naming import describe
from .plan import with_names
from .questions import alike
from .tangent_state import Tangents


def filled(t: Tangents, e: Expr, after: str | None = None) -> Expr:
    """`e` with its holes filled; `after` is the variable that holds the statement's value by then."""
    if is_hole(e):
        return _value(t, t.ctx.holes[e.id], after)
    return rebuild(e, lambda c: filled(t, c, after))


def reads_before(t: Tangents, e: Expr) -> set[str]:
    """The variables that `e` reads, the value of the statement itself left out."""
    out: set[str] = set()
    for n in walk(e):
        if not is_hole(n):
            out |= reads(n) if isinstance(n, Name) else set()
        elif t.ctx.holes[n.id].when == "before":
            out |= reads(_answer(t, t.ctx.holes[n.id]))
    return out


def asks_after(t: Tangents, e: Expr) -> bool:
    """Whether `e` names the value that the statement computes."""
    return any(is_hole(n) and t.ctx.holes[n.id].when == "after" for n in walk(e))


def _value(t: Tangents, h: Hole, after: str | None) -> Expr:
    if h.when == "after":
        return Name(after) if after is not None else _result(t, h)
    return _answer(t, h) if h.query else _settled(t, h.expr)


def _result(t: Tangents, h: Hole) -> Expr:
    """The value of the statement, or the one of its several results that a variable gets."""
    target = t.stmt.targets[0] if isinstance(t.stmt, Assign) else None
    if not isinstance(target, Tuple) or h.expr not in target.items:
        return _settled(t, _whole(t))
    assert isinstance(t.stmt, Assign)
    held = t.held.get(id(t.stmt.value))
    if held is None:
        return h.expr
    return Call("operator.getitem", (Name(held), Const(target.items.index(h.expr))))


def _whole(t: Tangents) -> Expr:
    """The value that the statement at hand computes."""
    s = t.stmt
    assert not isinstance(s, Assign) or len(s.targets) == 1
    return s.value if isinstance(s, Assign) else t.ctx.facts.augmented[id(s)]


def _settled(t: Tangents, e: Expr) -> Expr:
    """`e` as it may be evaluated beside the statement, which evaluates it too."""
    if not t.inline:
        _hold_impure(t, e)
    elif not pure(e):
        t.ctx.problem("PB110", e, construct="call in a conditional expression")
    got = Name(t.held[id(e)]) if id(e) in t.held else with_names(e, t.held)
    return _bare(got)


def _bare(e: Expr) -> Expr:
    return replace(rebuild(e, _bare), origin=None)


def _hold_impure(t: Tangents, e: Expr) -> None:
    if id(e) in t.held or isinstance(e, (Const, Name, Ref)):
        return
    for c in children(e):
        _hold_impure(t, c)
    if isinstance(e, Call) and not pure(replace(e, args=(), kwargs=())):
        hold(t, e)


def hold(t: Tangents, e: Expr) -> None:
    """`e` in a temporary before the statement, which then uses it."""
    name = t.ctx.namer.fresh(describe(e))
    t.emit_early(Name(name), with_names(e, t.held))
    t.held[id(e)] = name


def _answer(t: Tangents, h: Hole) -> Expr:
    """What is asked about a shape, of a variable that has it where there is one."""
    ctx = t.ctx
    if not h.query:
        return h.expr
    known = known_answer(ctx.facts.type(h.expr), h.query)
    if known is not None:
        return known
    witness, sure = _witness(t, h)
    if h.query == "like":
        return witness
    return question(h.query, witness, sure)


def _witness(t: Tangents, h: Hole) -> tuple[Expr, bool]:
    """Something of the shape of the hole, and whether it is surely an array."""
    ctx = t.ctx
    env = ctx.facts.before.get(id(h.stmt), {})
    own = ctx.facts.type(h.expr)
    if not isinstance(h.expr, Name):
        for n in walk(h.expr):
            v = env.get(n.id) if isinstance(n, Name) else None
            if v is None or not isinstance(n, Name) or v.type.kind not in ("array", "number"):
                continue
            if h.query == "like" and not alike(v.type, own):
                continue
            if same_shape(v.type.shape, own.shape):
                return Name(n.id), v.type.kind == "array"
    return _settled(t, h.expr), own.kind == "array"
