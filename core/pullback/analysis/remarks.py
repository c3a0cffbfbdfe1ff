"""What is to be known of a function that can be differentiated: kinks, logarithms of bases, shapes that
do not fit.

Read off the finished facts, so that only what holds at the fixed point is said.

May not know: how derivatives are made.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..ir import Call, Expr, Span, statements, stmt_exprs, walk
from ..rules import rule_for
from .facts import Facts, Problem
from .shapes import misfit
from .signatures import bind
from .structure import spelling

_POWERS = {"operator.pow", "numpy.power", "numpy.float_power", "numpy.pow", "math.pow"}
_SIGNS = {"operator.pow": "**", "operator.mod": "%", "operator.floordiv": "//"}


def remarks(facts: Facts) -> tuple[Problem, ...]:
    """PB206, PB306 and PB309 of a function, each once for a place."""
    found: dict[tuple[str, Span], Problem] = {}
    for call in _calls(facts):
        for p in (_kink(facts, call), _log_of_base(facts, call), _misfit(facts, call)):
            if p is not None:
                found.setdefault((p.code, p.span), p)
    return tuple(found.values())


def _calls(facts: Facts) -> Iterator[Call]:
    """All calls as the user wrote them, `x op= e` as its operator."""
    for s in statements(facts.fn.body):
        made = facts.augmented.get(id(s))
        for e in (*stmt_exprs(s), *(() if made is None else (made,))):
            for n in walk(e):
                if isinstance(n, Call) and n.origin is not None:
                    yield n


def _kink(facts: Facts, call: Call) -> Problem | None:
    rule = rule_for(call.fn)
    if rule is None or not rule.kink or not any(facts.active(a) for a in call.args):
        return None
    if call.fn in _POWERS and not _below_one(facts, call.args[-1]):
        return None
    if facts.type(call.args[0]).kind == "str":  # "…" % x is a text
        return None
    return _told("PB306", call, name=_SIGNS.get(call.fn) or spelling(call), where=rule.kink)


def _below_one(facts: Facts, exponent: Expr) -> bool:
    """Whether an exponent is known to be one at which a power has a kink at 0."""
    value = facts.type(exponent).const
    return isinstance(value, (int, float)) and value < 1 and value != 0


def _log_of_base(facts: Facts, call: Call) -> Problem | None:
    if call.fn not in _POWERS or len(call.args) != 2 or not facts.active(call.args[1]):
        return None
    base = facts.type(call.args[0]).const
    if isinstance(base, (int, float)) and base > 0:
        return None
    return _told("PB309", call)


def _misfit(facts: Facts, call: Call) -> Problem | None:
    rule = rule_for(call.fn)
    bound = None if rule is None else bind(rule.signature, call)
    if rule is None or bound is None:
        return None
    parts = [facts.type(e) for e in bound.values() if not isinstance(e, tuple)]
    detail = misfit(rule.shape, parts)
    return None if detail is None else _told("PB206", call, detail=detail)


def _told(code: str, call: Call, **values: object) -> Problem:
    assert call.origin is not None
    return Problem(code, call.origin, tuple(values.items()))
