"""Where helper texts are kept, by name.

May not know: the IR, analyses, NumPy.
"""

from __future__ import annotations

from collections import ChainMap
from re import compile as pattern

_CALL = pattern(r"\b(_\w+)\(")
HELPERS: dict[str, str] = {}
COMPILED: dict[
    str, str
] = {}  # the forms of some of them that Numba compiles; their names end in "_jit"
TEXTS = ChainMap(HELPERS, COMPILED)


def helper(source: str) -> None:
    """Enters the source of one private function."""
    text = source.strip() + "\n"
    HELPERS[text[len("def ") : text.index("(")]] = text


def compiled_helper(source: str) -> None:
    """Enters the form of a helper that Numba compiles, without its decorator."""
    text = source.strip() + "\n"
    COMPILED[text[len("def ") : text.index("(")]] = f"@numba.njit\n{text}"


def helpers_in(text: str) -> tuple[str, ...]:
    """The helpers that a text calls, those first that others call."""
    return _ordered(_called(text))


def _ordered(names: frozenset[str]) -> tuple[str, ...]:
    found: list[str] = []
    for name, source in TEXTS.items():
        if name not in names:
            continue
        body = source[source.index("\n") :]
        inner = _ordered(_called(body) - {name})  # one may call itself
        found += [n for n in (*inner, name) if n not in found]
    return tuple(found)


def _called(text: str) -> frozenset[str]:
    return frozenset(_CALL.findall(text))
