"""The NamedTuples and dataclasses of a module, as the text shows them: names of fields and their annotations.

May not know: functions, rules, types.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import gast

from ..source.module import Module, Parsed


@dataclass(frozen=True)
class Field:
    name: str
    annotation: str
    required: bool


def records(module: Module) -> dict[str, tuple[Field, ...]]:
    """The fields of each class at top level whose instances only hold their fields."""
    known: dict[str, tuple[Field, ...]] | None = module.notes.get("records")
    if known is None:
        known = {}
        for chunk in module.chunks:
            for node in chunk.tree or ():
                if isinstance(node, gast.ClassDef):
                    known.pop(node.name, None)
                    fields = _fields(node, chunk.parsed)
                    if fields:
                        known[node.name] = fields
        module.notes["records"] = known
    return known


def _fields(node: Any, parsed: Parsed) -> tuple[Field, ...] | None:
    bases = [word(b) for b in node.bases]
    marked = [d for d in node.decorator_list if word(d) == "dataclass"]
    if bases != ["NamedTuple"] and not (marked and not bases and len(node.decorator_list) == 1):
        return None
    own = ("__init__", "__new__", "__post_init__", "__getattribute__", "__getitem__", "__iter__")
    if any(getattr(s, "name", "") in own for s in node.body):
        return None
    out: list[Field] = []
    for s in node.body:
        if not isinstance(s, gast.AnnAssign) or not isinstance(s.target, gast.Name):
            continue
        begin = parsed.offset(s.annotation.lineno, s.annotation.col_offset)
        end = parsed.offset(s.annotation.end_lineno, s.annotation.end_col_offset)
        text = parsed.text[begin:end]
        if "ClassVar" in text:
            continue
        if "InitVar" in text or word(s.value) == "field":
            return None
        out.append(Field(s.target.id, text, s.value is None))
    return tuple(out)


def word(node: Any) -> str:
    """The last name of what is written: `dataclass` of `@dataclasses.dataclass(frozen=True)`."""
    if isinstance(node, (gast.Call, gast.Subscript)):
        node = node.func if isinstance(node, gast.Call) else node.value
    return str(getattr(node, "attr", getattr(node, "id", "")))
