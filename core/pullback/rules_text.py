"""What the rule table says of a function, as text for people: `pullback rules`.

May not know: the IR, how rules are applied, the terminal.
"""

from __future__ import annotations

from pullback.rules import STRUCTURAL, rule_for, rule_on_complex, table
from pullback.rules.notation import COMPLEX, Rule


def known_names() -> list[str]:
    """All names of the table, in order."""
    return sorted((*table(), *STRUCTURAL))


def matches(name: str) -> list[str]:
    """The table's names that `name` can mean: itself, or any function whose last part it is."""
    full = f"numpy.{name[3:]}" if name.startswith("np.") else name
    if full in known_names() or rule_for(full) is not None:
        return [full]
    return [n for n in known_names() if n.endswith(f".{name}")]


def describe(fn: str) -> str:
    """A few lines: the signature, then the derivative of each parameter, or why there is none."""
    if fn in STRUCTURAL:
        return f"{fn}\n  taken apart by the engine: its derivative follows from how the call is written"
    rule = rule_for(fn)
    assert rule is not None
    lines = [*_lines(rule), *_of_complex(fn)]
    return "\n".join([f"{fn}({rule.signature})", *(f"  {line}" for line in lines)])


def _of_complex(fn: str) -> list[str]:
    """What is different where an argument is complex."""
    rule = rule_on_complex(fn)
    if rule is None or fn not in COMPLEX:
        return []
    return [
        "of complex numbers:",
        *(f"  {line}" for line in _lines(rule)[rule.kind == "general" :]),
    ]


def _lines(rule: Rule) -> list[str]:
    if rule.kind == "unsupported":
        return [f"no derivative: {rule.reason}"]
    if rule.kind == "constant":
        return ["constant: its result carries no derivative"]
    word = "d y / d {0} = {1}" if rule.kind == "elementwise" else "{0}_bar = {1}"
    lines = [rule.kind, *(word.format(p, formula) for p, formula in rule.reverse.items())]
    if rule.tangent:
        lines.append(f"y_dot = {rule.tangent}")
    if rule.refused:
        why = f": {rule.because}" if rule.because else ""
        lines.append(f"no derivative in {', '.join(rule.refused)}{why}")
    if rule.kink:
        lines.append(f"no derivative {rule.kink}; a subgradient is given there")
    if rule.source:
        lines.append(f"from {rule.source}")
    return lines
