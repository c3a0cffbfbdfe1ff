"""The user's own rules that a module states: functions under `@pullback.adjoint(f)` and `@pullback.tangent(f)`.

May not know: what a rule is used for, types.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import gast

from ..ir import Span
from ..source.assembled import assembled
from ..source.module import Module, Parsed
from .functions import Definition, defined_in, definitions
from .names import Scope, scope_of

MODES = {"pullback.adjoint": "adjoint", "pullback.tangent": "tangent"}


@dataclass(frozen=True)
class Stated:
    """A rule as it stands: `mode` is "adjoint" or "tangent", `of` the function's resolved name, "" where the
    decorator names none; `qualname` is the rule's own function in its module, `at` where the decorator stands.
    """

    mode: str
    of: str
    qualname: str
    at: Span


def own_rules(module: Module) -> tuple[Stated, ...]:
    """The rules of a module, in order; the last definition of a name counts."""
    known: tuple[Stated, ...] | None = module.notes.get("own rules")
    if known is None:
        scope, functions = scope_of(module), definitions(module)
        decorated = assembled(module, "own rules", _decorated, _in_order)
        found = (functions[q] for q in decorated if q in functions)
        known = tuple(rule for d in found for rule in _stated(d, scope))
        module.notes["own rules"] = known
    return known


def _decorated(parsed: Parsed) -> tuple[str, ...]:
    """The functions of a statement that stand under a decorator that is a call."""
    return tuple(
        q
        for q, node, _ in defined_in(parsed)
        if any(isinstance(d, gast.Call) for d in node.decorator_list)
    )


def _in_order(decorated: list[tuple[str, ...]]) -> tuple[str, ...]:
    """By their last definitions."""
    names = [q for statement in decorated for q in statement]
    return tuple(reversed(dict.fromkeys(reversed(names))))


def without_rule(decorators: tuple[str, ...], scope: Scope) -> tuple[str, ...]:
    """A function's decorators but those that make it a rule."""
    written = {d: d.lstrip("@").partition("(")[0].strip().split(".") for d in decorators}
    return tuple(d for d in decorators if _meant(written[d], scope) not in MODES)


def _stated(d: Definition, scope: Scope) -> list[Stated]:
    out: list[Stated] = []
    for node in d.node.decorator_list:
        mode = MODES.get(_resolved(node.func, scope)) if isinstance(node, gast.Call) else None
        if mode is not None:
            of = _resolved(node.args[0], scope) if len(node.args) == 1 else ""
            out.append(Stated(mode, of, d.qualname, _span(node, d)))
    return out


def _resolved(node: Any, scope: Scope) -> str:
    """What a dotted name means; "" for anything else."""
    words: list[str] = []
    while isinstance(node, gast.Attribute):
        words.insert(0, node.attr)
        node = node.value
    return _meant([node.id, *words], scope) if isinstance(node, gast.Name) else ""


def _meant(words: list[str], scope: Scope) -> str:
    return ".".join((scope.resolve(words[0]), *words[1:]))


def _span(node: Any, d: Definition) -> Span:
    parsed, start = d.chunk.parsed, d.chunk.start
    begin = parsed.offset(node.lineno, node.col_offset)
    return Span(start + begin, start + parsed.offset(node.end_lineno, node.end_col_offset))
