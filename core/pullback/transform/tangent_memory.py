"""Views that may or may not share memory with an array that is written: forward mode refuses these.

A tangent is the same view of a tangent as its primal is, wherever the text shows what shares memory: a
slice, a transpose, another name. Whether a reshape copies depends on strides, and those of a tangent may
be others.

May not know: how tangents are written.
"""

from __future__ import annotations

from ..analysis.calls import rule_of
from ..analysis.indexing import BASIC, UNKNOWN, index_kind, surely_copies
from ..analysis.signatures import bind
from ..analysis.structure import DISPLAYS, makes_copy
from ..ir import Assign, AugAssign, Call, Expr, IfExp, Name, Stmt, Tuple
from ..rules import Rule
from .regrouping import makes_container
from .tangent_state import Tangents

_BY_KEY = ("tuple", "list", "dict", "other")


def report_unclear_views(t: Tangents) -> None:
    """Adds a problem for each such view to the context."""
    written = t.ctx.facts.touching(_written_actively(t))
    for s in t.ctx.flow.stmts.values():
        target = _store(s)
        if target is not None and _may_hold(t, s, target) and "" in t.ctx.facts.of(target).objs:
            other = "memory that the text does not tell"
            t.ctx.problem("PB201", s, written=_text(target), other=other)
        if not isinstance(s, Assign):
            continue
        objs = t.ctx.facts.of(s.value).objs
        clear = _clear(t, s.value) or _is_made(t, s)
        if objs & written and _written_later(t, s, objs) and not clear:
            name = next((_text(x) for x in s.targets), "")
            t.ctx.problem("PB202", s, written=_text(s.value), other=name)


def _is_made(t: Tangents, s: Assign) -> bool:
    """Whether a function of the workspace made all that `s` binds, so that no variable holds it yet."""
    made = t.ctx.facts.makes.get(id(s.value), frozenset())
    return t.ctx.facts.of(s.value).objs <= made


def _written_later(t: Tangents, s: Stmt, objs: frozenset[str]) -> bool:
    """Whether something may be written into `objs` when `s` has run."""
    shared = t.ctx.facts.touching(objs)
    return any(
        written & shared and t.ctx.flow.may_follow(t.ctx.flow.stmts[d], s)
        for d, written in t.ctx.facts.mutated.items()
        if d in t.ctx.flow.stmts
    )


def _written_actively(t: Tangents) -> frozenset[str]:
    return t.written & t.memory


def _store(s: Stmt) -> Expr | None:
    """The array that `s` writes into."""
    target = s.targets[0] if isinstance(s, Assign) and len(s.targets) == 1 else None
    if isinstance(s, AugAssign):
        target = s.target
        if isinstance(target, Name):
            return target
    while isinstance(target, Call) and target.fn == "operator.getitem":
        target = target.args[0]
        if isinstance(target, Name):
            return target
    return None


def _may_hold(t: Tangents, s: Stmt, target: Expr) -> bool:
    value = s.value if isinstance(s, (Assign, AugAssign)) else None
    return value is not None and (t.ctx.facts.active(value) or t.ctx.facts.active(target))


def _clear(t: Tangents, e: Expr) -> bool:
    """Whether the text shows what memory the value of `e` shares."""
    facts = t.ctx.facts
    if isinstance(e, IfExp):
        return _clear(t, e.body) and _clear(t, e.orelse)
    if isinstance(e, Tuple):
        return all(_clear(t, i) for i in e.items)
    if not isinstance(e, Call) or not facts.of(e).objs:
        return True
    if e.fn == "method.pop":  # the tangent comes from a list that is filled beside this one
        return True
    if e.fn == "operator.getitem":
        if surely_copies(e.args[1], facts.type):
            return True
        kind = index_kind(e.args[1], facts.type)
        known = kind != UNKNOWN or facts.type(e.args[0]).kind in _BY_KEY
        return known and (kind != BASIC or _clear(t, e.args[0]))
    if e.fn in DISPLAYS:
        return makes_copy(e)
    if makes_container(t.ctx, e):
        return all(_clear(t, a) for a in e.args)
    rule = rule_of(e, facts.type)
    if rule is None:
        return not facts.of(e).view
    if rule.memory.startswith("view"):
        return all(_clear(t, a) for a in e.args[:1])
    return not rule.memory.startswith("maybe") or _is_new(t, e, rule)


def _is_new(t: Tangents, e: Call, rule: Rule) -> bool:
    """Whether what `e` may be a form of was made beside it, so that nobody else knows it."""
    owner = (bind(rule.signature, e) or {}).get(rule.memory.split()[1])
    if not isinstance(owner, Call) or owner.fn == "operator.getitem":
        return False
    return not t.ctx.facts.of(owner).view


def _text(e: Expr) -> str:
    while isinstance(e, Call) and e.args:
        e = e.args[0]
    return e.id if isinstance(e, Name) else "this"
