"""The rule table, loaded once on first use."""

from __future__ import annotations

from importlib import import_module

from .notation import TABLE, Rule

_FILES = (
    "operators",
    "elementwise",
    "math_module",
    "reductions",
    "linalg",
    "shaping",
    "constants",
    "refused",
)
_loaded = False


def rule_for(fn: str) -> Rule | None:
    """The entry of a function by its resolved name, or None where nobody knows it."""
    return table().get(fn)


def table() -> dict[str, Rule]:
    """All entries by name."""
    global _loaded
    if not _loaded:
        for name in _FILES:
            import_module(f"{__name__}.{name}")
        _loaded = True
    return TABLE
