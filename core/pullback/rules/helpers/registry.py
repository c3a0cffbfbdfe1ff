"""Where helper texts are kept, by name.

May not know: the IR, analyses, NumPy.
"""

from __future__ import annotations

from re import compile as pattern

_CALL = pattern(r"\b(_\w+)\(")
HELPERS: dict[str, str] = {}


def helper(source: str) -> None:
    """Enters the source of one private function."""
    text = source.strip() + "\n"
    HELPERS[text[len("def ") : text.index("(")]] = text


def helpers_in(text: str) -> tuple[str, ...]:
    """The helpers that a text calls, those first that others call."""
    return _ordered(_called(text))


def _ordered(names: frozenset[str]) -> tuple[str, ...]:
    found: list[str] = []
    for name, source in HELPERS.items():
        if name not in names:
            continue
        body = source[source.index("\n") :]
        inner = _ordered(_called(body) - {name})  # one may call itself
        found += [n for n in (*inner, name) if n not in found]
    return tuple(found)


def _called(text: str) -> frozenset[str]:
    return frozenset(_CALL.findall(text))
