"""The catalogue of diagnostics: one module a code (`pb101.py` holds `ENTRY` for PB101).

Entries are loaded when they are asked for, so that starting up costs nothing.

May not know: who reports a code, or how it is shown.
"""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module

from pullback.diagnostics.entry import Entry


@cache
def entry(code: str) -> Entry:
    """The entry of `code` ("PB101", any case); KeyError where there is none."""
    module = code.lower()
    if module not in _modules():
        raise KeyError(code)
    found = import_module(f"{__name__}.{module}").ENTRY
    assert isinstance(found, Entry)
    return found


def codes() -> tuple[str, ...]:
    """All codes, in order."""
    return tuple(sorted(module.upper() for module in _modules()))


@cache
def _modules() -> frozenset[str]:
    return frozenset(m.name for m in pkgutil.iter_modules(__path__) if m.name.startswith("pb"))
