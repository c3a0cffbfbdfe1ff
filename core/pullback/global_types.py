"""What a module's text tells of its globals: numbers, lists and dicts of literals, what may be complex.

May not know: functions, analysis.
"""

from __future__ import annotations

import re
from functools import reduce
from typing import Any

from .analysis.types import Type, fresh, join, loosened, of_constant, shows_complex
from .source.assembled import assembled
from .source.module import Module, Parsed
from .source.outline import outline

_NUMBERS = (int, float, complex)
_CHANGES_KEYS = re.compile(
    r"\b(\w+)\s*(?:\[[^\]]*\]\s*=(?!=)|\.\s*(?:update|pop|popitem|setdefault|clear)\b|\|=)"
    r"|\bdel\s+(\w+)"
)


def global_types(module: Module) -> dict[str, Type]:
    """The globals of a module that one statement alone binds, as far as it tells what they are."""
    return assembled(module, "global types", _bound, _bound_once)


def _bound(parsed: Parsed) -> tuple[tuple[str, Type | None], ...]:
    """The names that one statement binds, with their types where it tells them; dicts that it changes."""
    assigned = [s for s in parsed.tree or () if type(s).__name__ == "Assign"]
    known = _literal(assigned[0].value) if assigned else None
    either = known is None and shows_complex(parsed.text)

    def type_of(name: str) -> Type | None:
        return Type("any", fresh(f"global {name}"), "either") if either else known

    changed = sorted({a or b for a, b in _CHANGES_KEYS.findall(parsed.text)})
    named = [(name, type_of(name)) for name in sorted(outline(parsed).binds)]
    return (*named, *((name, None) for name in changed))


def _bound_once(found: list[tuple[tuple[str, Type | None], ...]]) -> dict[str, Type]:
    known: dict[str, Type | None] = {}
    for name, t in (bound for statement in found for bound in statement):
        known[name] = None if name in known else t
    return {name: t for name, t in known.items() if t is not None}


def _literal(node: Any) -> Type | None:
    """The type of a number; of a list of numbers of whatever length, since it may have grown; of a dict of these."""
    kind = type(node).__name__
    if kind == "List" and node.elts:
        parts = [_literal(e) for e in node.elts]
        known = [p for p in parts if p is not None]
        each = reduce(lambda a, b: join(a, b, ""), known) if len(known) == len(parts) else None
        return None if each is None else Type("list", each=loosened(each))
    if kind == "Dict":
        keys = tuple(getattr(k, "value", None) for k in node.keys)
        items = tuple(loosened(_literal(v) or Type("any")) for v in node.values)
        words = all(isinstance(k, str) for k in keys) and len(set(keys)) == len(keys)
        return Type("dict", items=items, keys=keys) if words else None
    if kind == "UnaryOp":  # -1.0
        number = _literal(node.operand)
        return None if number is None or number.kind != "scalar" else loosened(number)
    value = getattr(node, "value", None)
    return of_constant(value) if type(value) in _NUMBERS else None
