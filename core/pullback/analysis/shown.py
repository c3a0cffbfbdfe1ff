"""Facts as text, for people who look into a derivation.

May not know: how facts are found or used.
"""

from __future__ import annotations

from .facts import Facts, Val
from .types import Atoms, Type


def shown_facts(facts: Facts) -> str:
    """One line for each parameter, and for each variable that a statement binds, in the order of the text."""
    entry = facts.before.get(id(facts.fn.body[0]), {}) if facts.fn.body else {}
    lines = [f"{p.name}: {shown_val(entry.get(p.name, Val()))}" for p in facts.fn.params]
    lines += [f"{name} = {shown_val(val)}" for (_, name), val in facts.bound.items()]
    return "".join(f"#   {line}\n" for line in lines)


def shown_val(val: Val) -> str:
    """`float array (n, d), active` and the like."""
    words = [shown_type(val.type)]
    if val.active:
        words.append("active")
    if val.view:
        words.append("a view" if val.exact else "may be a view")
    if not val.sure:
        words.append("maybe unbound")
    return ", ".join(words)


def shown_type(t: Type) -> str:
    dtype = "" if t.dtype == "any" else f"{t.dtype} "
    if t.kind == "scalar":
        return f"{dtype}scalar"
    if t.kind not in ("array", "number"):
        return t.kind
    if isinstance(t.shape, Atoms):
        return f"{dtype}{t.kind} of shape {' * '.join(sorted(t.shape.names)) or 'unknown'}"
    return f"{dtype}{t.kind} ({', '.join(map(str, t.shape))})"
