"""Where helper texts are kept, by name.

May not know: the IR, analyses, NumPy.
"""

from __future__ import annotations

HELPERS: dict[str, str] = {}


def helper(source: str) -> None:
    """Enters the source of one private function."""
    text = source.strip() + "\n"
    HELPERS[text[len("def ") : text.index("(")]] = text


def helpers_in(formula: str) -> tuple[str, ...]:
    """The helpers that a text calls, those first that others call."""
    found: list[str] = []
    for name, source in HELPERS.items():
        if f"{name}(" not in formula:
            continue
        body = source[source.index("\n") :].replace(f"{name}(", "(")  # one may call itself
        found += [n for n in (*helpers_in(body), name) if n not in found]
    return tuple(found)
