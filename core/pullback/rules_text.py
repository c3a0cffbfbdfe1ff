"""What the rule table says of a function, as text for people: `pullback rules`.

May not know: the IR, how rules are applied, the terminal.
"""

from __future__ import annotations

from pullback.rules import STRUCTURAL, table
from pullback.rules.notation import Rule


def known_names() -> list[str]:
    """All names of the table, in order."""
    return sorted((*table(), *STRUCTURAL))


def matches(name: str) -> list[str]:
    """The table's names that `name` can mean: itself, or any function whose last part it is."""
    full = f"numpy.{name[3:]}" if name.startswith("np.") else name
    if full in known_names():
        return [full]
    return [n for n in known_names() if n.endswith(f".{name}")]


def describe(fn: str) -> str:
    """A few lines: the signature, then the derivative of each parameter, or why there is none."""
    if fn in STRUCTURAL:
        return f"{fn}\n  taken apart by the engine: its derivative follows from how the call is written"
    rule = table()[fn]
    head = f"{fn}({rule.signature})"
    return "\n".join([head, *(f"  {line}" for line in _lines(rule))])


def _lines(rule: Rule) -> list[str]:
    if rule.kind == "unsupported":
        return [f"no derivative: {rule.reason}"]
    if rule.kind == "constant":
        return ["constant: its result carries no derivative"]
    word = "d y / d {0} = {1}" if rule.kind == "elementwise" else "{0}_bar = {1}"
    lines = [rule.kind, *(word.format(p, formula) for p, formula in rule.reverse.items())]
    if rule.tangent:
        lines.append(f"y_dot = {rule.tangent}")
    if rule.kink:
        lines.append(f"no derivative {rule.kink}; a subgradient is given there")
    if rule.source:
        lines.append(f"from {rule.source}")
    return lines
