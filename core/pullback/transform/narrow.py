"""What may be other than floating: bools and short integers, whose arithmetic is not that of numbers.

    True + True     is True in an array          -k, k + m     wrap where they have eight bits

What is differentiated is floating; of what is not, the type has to say so. Whole numbers of Python's count as short
ones here: they wrap no less where they meet one.

May not know: how derivatives are written.
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet

from ..analysis.facts import Facts, Val
from ..analysis.types import floating
from ..ir import Assign, Expr, Function, Name, root, statements
from ..optimize.build import FLOAT_NAME
from ..optimize.evidence import is_floating


def may_be_narrow(v: Val) -> bool:
    """Whether what `v` tells of may be other than floating."""
    return not (v.active or floating(v.type.dtype))


def narrow_names(facts: Facts) -> frozenset[str]:
    """The variables of a function that may hold some at some time."""
    entry = facts.before.get(id(facts.fn.body[0]), {}) if facts.fn.body else {}
    bound = ((n, v) for (_, n), v in facts.bound.items())
    held = (*entry.items(), *bound)
    return frozenset(n for n, v in held if may_be_narrow(v))


def narrow_values(holes: AbstractSet[str], filled: Mapping[str, Expr]) -> frozenset[str]:
    """The variables that hold what stood in `holes`, by what these became."""
    values = (root(filled[h]) for h in holes if h in filled)
    return frozenset(v.id for v in values if isinstance(v, Name))


def with_made(fn: Function, narrow: AbstractSet[str]) -> frozenset[str]:
    """`narrow`, and the temporaries that are made of such."""
    out = set(narrow)
    for s in statements(fn.body):
        name = s.targets[0] if isinstance(s, Assign) and s.made and len(s.targets) == 1 else None
        if isinstance(s, Assign) and isinstance(name, Name) and not FLOAT_NAME.match(name.id):
            out |= set() if is_floating(s.value, out) else {name.id}
    return frozenset(out)
