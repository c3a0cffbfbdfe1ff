"""Views that may or may not share memory with an array that is written: forward mode refuses these.

A tangent is the same view of a tangent as its primal is, wherever the text shows what shares memory: a
slice, a transpose, another name. Whether a reshape copies depends on strides, and those of a tangent may
be others.

May not know: how tangents are written.
"""

from __future__ import annotations

from ..analysis.calls import rule_of
from ..analysis.containers import is_container
from ..analysis.indexing import BASIC, UNKNOWN, index_kind
from ..analysis.signatures import bind
from ..analysis.structure import DISPLAYS, STACKING
from ..ir import Assign, AugAssign, Call, Expr, IfExp, Name, Stmt, Tuple, stmt_exprs, walk
from ..optimize.build import ADD, MUL
from ..rules import Rule, rule_for
from .containers import is_step
from .context import Context
from .regrouping import chooses, makes_container, makes_record
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
        if objs & written and not _clear(t, s.value):
            name = next((_text(x) for x in s.targets), "")
            t.ctx.problem("PB202", s, written=_text(s.value), other=name)


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
    if e.fn == "operator.getitem":
        kind = index_kind(e.args[1], facts.type)
        known = kind != UNKNOWN or facts.type(e.args[0]).kind in _BY_KEY
        return known and (kind != BASIC or _clear(t, e.args[0]))
    if e.fn in DISPLAYS:
        return e.fn == "numpy.array" and not e.kwargs
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


def report_containers(ctx: Context) -> None:
    """Reports the containers that only the reverse mode knows: parameters, dicts, records, lists as arrays."""
    params = {p.name for p in ctx.fn.params}
    entry = ctx.facts.before.get(id(ctx.fn.body[0]), {}) if ctx.fn.body else {}
    for n, v in entry.items():
        if n in params and v.active and is_container(v.type) and v.type.kind != "tuple":
            ctx.problem("PB110", ctx.fn.body[0], construct=f"{n}, a container, in forward mode")
    for d, env in ctx.facts.before.items():
        for n, v in env.items():
            if v.active and v.type.kind in ("dict", "record", "struct") and n not in params:
                what = f"{n}, a container, in forward mode"
                ctx.problem("PB110", ctx.flow.stmts[d], construct=what)
    for s in ctx.flow.stmts.values():
        for e in (n for top in stmt_exprs(s) for n in walk(top)):
            inserts = (
                isinstance(e, Call) and e.fn == "method.insert" and ctx.facts.active(e.args[0])
            )
            if inserts or (isinstance(e, Call) and ctx.facts.active(e) and _regroups(ctx, e)):
                ctx.problem("PB110", e, construct="a container in forward mode")


def _regroups(ctx: Context, e: Call) -> bool:
    field = e.fn.startswith("attr.") and is_step(ctx, e)
    joins = e.fn in (ADD, MUL) and is_container(ctx.facts.type(e))
    plain = joins or e.fn in ("builtins.sum", *DISPLAYS, *STACKING) or rule_for(e.fn) is None
    varying = (a for a in e.args if not isinstance(a, Tuple) and ctx.facts.active(a))
    listed = any(is_container(ctx.facts.type(a)) for a in varying)  # a shape is a tuple, too
    if not plain and listed and e.fn != "operator.getitem":
        return True
    return field or makes_record(ctx, e) or makes_container(ctx, e) or chooses(ctx, e)
