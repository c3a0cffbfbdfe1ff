"""The same ir at another place of its file: every span shifted, nothing else changed.

May not know: what the nodes mean.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any, TypeVar

from ..ir import Span

T = TypeVar("T")
_NAMES: dict[type, tuple[str, ...]] = {}


def moved(node: T, by: int) -> T:
    """A copy of `node` (a function, statement or expression) with fresh nodes and spans shifted by `by`."""
    return _moved(node, by)  # type: ignore[no-any-return]


def _moved(x: Any, by: int) -> Any:
    if isinstance(x, Span):
        return Span(x.start + by, x.end + by)
    if isinstance(x, tuple):
        return tuple(_moved(i, by) for i in x)
    if not is_dataclass(x) or isinstance(x, type):
        return x
    kind = type(x)
    names = _NAMES.get(kind)
    if names is None:
        names = _NAMES[kind] = tuple(f.name for f in fields(kind))
    return kind(*[_moved(getattr(x, n), by) for n in names])
