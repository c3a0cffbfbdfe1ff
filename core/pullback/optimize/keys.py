"""Structural identity of expressions, at a price that does not grow with their size.

May not know: what expressions mean.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from ..ir import Call, Const, Expr, Name, is_expr


class Keys:
    """A small integer for every structure; 1, 1.0 and True differ."""

    def __init__(self) -> None:
        self._of: dict[int, int] = {}
        self._table: dict[object, int] = {}
        self._alive: list[Expr] = []  # an id is only good while its node lives

    def of(self, e: Expr) -> int:
        known = self._of.get(id(e))
        if known is None:
            known = self._table.setdefault(self._shape(e), len(self._table))
            self._of[id(e)] = known
            self._alive.append(e)
        return known

    def _shape(self, e: Expr) -> object:
        if isinstance(e, Call):
            callee = e.callee if e.fn == "?" and e.callee is not None else None
            head = (e.fn,) if callee is None else (e.fn, self.of(callee))
            return (head, tuple(map(self.of, e.args)), self._part(e.kwargs))
        if isinstance(e, Name):
            return e.id
        if isinstance(e, Const):
            return (Const, type(e.value), repr(e.value))
        names = [f.name for f in fields(e) if f.compare]
        return (type(e), *(self._part(getattr(e, name)) for name in names))

    def _part(self, value: Any) -> object:
        if isinstance(value, tuple):
            return tuple(self._part(v) for v in value)
        return ("#", self.of(value)) if is_expr(value) else value
