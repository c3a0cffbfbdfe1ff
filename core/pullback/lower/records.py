"""The NamedTuples and dataclasses of a module, as the text shows them: names of fields and their annotations.

May not know: functions, rules, types.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import gast

from ..source.assembled import assembled
from ..source.module import Module, Parsed


@dataclass(frozen=True)
class Field:
    name: str
    annotation: str
    required: bool


Fields = tuple[Field, ...]


def records(module: Module) -> dict[str, Fields]:
    """The fields of each class at top level whose instances only hold their fields."""
    return assembled(module, "records", _in_statement, _last)


def _in_statement(parsed: Parsed) -> tuple[tuple[str, Fields | None], ...]:
    nodes = [n for n in parsed.tree or () if isinstance(n, gast.ClassDef)]
    return tuple((n.name, _fields(n, parsed)) for n in nodes)


def _last(found: list[tuple[tuple[str, Fields | None], ...]]) -> dict[str, Fields]:
    """What the last class of each name is."""
    known = {name: fields for statement in found for name, fields in statement}
    return {name: fields for name, fields in known.items() if fields}


def _fields(node: Any, parsed: Parsed) -> Fields | None:
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
