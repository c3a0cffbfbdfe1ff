"""What may be bools or short integers, whose arithmetic is not that of numbers.

    True + True     is True in an array          -k, k + m     wrap where they have eight bits

What is differentiated is floating. Of what is not, the type has to say so.

May not know: how derivatives are written.
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet

from ..analysis.containers import is_container
from ..analysis.facts import Facts, Val
from ..analysis.types import floating
from ..ir import Call, Expr, Name, root


def may_be_narrow(v: Val, e: Expr) -> bool:
    """Whether `e`, which holds `v`, may be one: a whole number that is no element of an array is Python's."""
    t = v.type
    if v.active or floating(t.dtype) or is_container(t):
        return False
    is_element = isinstance(e, Call) and e.fn == "operator.getitem"
    return t.kind != "scalar" or t.dtype != "int" or is_element


def narrow_names(facts: Facts) -> frozenset[str]:
    """The variables of a function that may hold some at some time."""
    entry = facts.before.get(id(facts.fn.body[0]), {}) if facts.fn.body else {}
    bound = ((n, v) for (_, n), v in facts.bound.items())
    held = (*entry.items(), *bound)
    return frozenset(n for n, v in held if may_be_narrow(v, Name(n)))


def narrow_values(holes: AbstractSet[str], filled: Mapping[str, Expr]) -> frozenset[str]:
    """The variables that hold what stood in `holes`, by what these became."""
    values = (root(filled[h]) for h in holes if h in filled)
    return frozenset(v.id for v in values if isinstance(v, Name))
