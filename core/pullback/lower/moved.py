"""The same ir at another place of its file: every span shifted, nothing else changed.

May not know: what the nodes mean.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any, TypeVar

from ..ir import Span

T = TypeVar("T")
_FIELDS: dict[type, tuple[str, ...]] = {}  # empty for what is no node


def moved(node: T, by: int) -> T:
    """A copy of `node` (a function, statement or expression) with fresh nodes and spans shifted by `by`."""
    copy: T = _moved(node, by)
    return copy


def _moved(x: Any, by: int) -> Any:
    kind = type(x)
    if kind is str or x is None or kind is bool:
        return x
    if kind is Span:
        return Span(x.start + by, x.end + by)
    if kind is tuple:
        return tuple([_moved(i, by) for i in x])
    names = _FIELDS.get(kind)
    if names is None:
        names = _FIELDS[kind] = tuple(f.name for f in fields(x)) if is_dataclass(x) else ()
    return kind(*[_moved(getattr(x, n), by) for n in names]) if names else x
