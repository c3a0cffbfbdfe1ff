"""What a derivative records for its backward pass: the bytes that its lists take in, all turns together.

May not know: how anything is derived.
"""

from __future__ import annotations

import ast
import re
from typing import Any

import numpy as np

from tests.core.differences import space_of

_TAPE = re.compile(r"(^|_)(tape|snapshots)\d*$")


class _Tapes(ast.NodeTransformer):
    """`y_tape = []` as `y_tape = Tape()`."""

    def visit_Assign(self, node: ast.Assign) -> ast.Assign:
        empty = isinstance(node.value, ast.List) and not node.value.elts
        target = node.targets[0]
        if empty and isinstance(target, ast.Name) and _TAPE.search(target.id):
            node.value = ast.parse("Tape()", mode="eval").body
        return node


def recorded_bytes(source: str, generated: str, name: str, args: tuple[Any, ...]) -> int:
    """The bytes of all that is appended to tapes while the derivative `name` runs."""
    total = 0

    class Tape(list[Any]):
        def append(self, value: Any) -> None:
            nonlocal total
            total += _bytes(value)
            super().append(value)

    tree = ast.fix_missing_locations(_Tapes().visit(ast.parse(generated)))
    space = space_of(source)
    space["Tape"] = Tape
    exec(compile(tree, "<tapes>", "exec"), space)
    space[name](*args)
    return total


def _bytes(value: Any) -> int:
    if isinstance(value, (list, tuple)):
        return sum(map(_bytes, value))
    if isinstance(value, dict):
        return sum(map(_bytes, value.values()))
    return int(np.asarray(value).nbytes) if np.asarray(value).dtype != object else 8
