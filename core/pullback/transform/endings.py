"""A function's statements in the place of a call: what becomes of its returns, and of tests that the call decides.

May not know: facts, which calls are replaced.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import replace

from ..ir import Block, Call, Compare, Const, Expr, If, Keep, Return, Stmt, else_of, statements
from .renaming import copied


def ended(block: Block, end: Callable[[Expr | None], Block]) -> Block:
    """`block` with `end` of the returned value for each return and at its own end, and nothing behind them."""
    out: list[Stmt] = []
    for i, s in enumerate(block):
        if isinstance(s, Return):
            return (*out, *end(s.value))
        if isinstance(s, Keep) and s.kind == "raise":
            return (*out, s)
        if isinstance(s, If) and (told := _told(s.test)) is not None:
            return (*out, *ended((*(s.body if told else s.orelse), *block[i + 1 :]), end))
        if isinstance(s, If) and any(isinstance(x, Return) for x in statements((s,))):
            rest = block[i + 1 :]
            body = ended((*s.body, *rest), end)
            orelse = ended((*s.orelse, *copied(rest)), end)
            return (*out, _if(s, body, orelse))
        out.append(s)
    return (*out, *end(None))


def _if(s: If, body: Block, orelse: Block) -> If:
    if body or not orelse:
        return replace(s, body=body, orelse=else_of(orelse))
    return replace(s, test=Call("operator.not_", (s.test,)), body=orelse, orelse=(), verbatim=False)


def _told(test: Expr) -> bool | None:
    """What a test of literals gives: those that were passed for parameters."""
    if isinstance(test, Const):
        return bool(test.value)
    if isinstance(test, Call) and test.fn == "operator.not_":
        inner = _told(test.args[0])
        return None if inner is None else not inner
    if not isinstance(test, Compare) or len(test.ops) != 1 or test.ops[0] not in _TESTS:
        return None
    a, b = test.first, test.rest[0]
    if not isinstance(a, Const) or not isinstance(b, Const):
        return None
    if test.ops[0].startswith("is") and None not in (a.value, b.value):
        return None
    if test.ops[0].startswith(("<", ">")) and not _are_numbers(a, b):
        return None
    return bool(_TESTS[test.ops[0]](a.value, b.value))


def _are_numbers(*consts: Const) -> bool:
    return all(type(c.value) in (int, float) for c in consts)


_TESTS = {
    **{"==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le},
    **{">": operator.gt, ">=": operator.ge, "is": operator.is_, "is not": operator.is_not},
}
