"""Digests of functions that formatters, comments and Python versions do not change.

What counts is the gast tree without positions, docstrings, type comments and the spelling of literals.

May not know: positions, what a function means.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import Any

import gast

LENGTH = 8
# fields that say nothing about what runs, or that not every Python version has
_LEFT_OUT = frozenset({"type_comment", "kind", "ctx", "type_ignores"})
_DOCUMENTED = (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef, gast.Module)


def digest(node: Any) -> str:
    """Eight hexadecimal digits that tell one function's tree from another's."""
    return digest_of(_words(node))


def digest_of(parts: Iterable[str]) -> str:
    """The digest of several parts (digests, comments, names) in their order."""
    data = [part.encode("utf-8", "surrogatepass") for part in parts]
    whole = hashlib.sha256(b"".join([b"%d:%s" % (len(d), d) for d in data]))
    return whole.hexdigest()[:LENGTH]


def _words(root: Any) -> Iterator[str]:
    """The tree as a flat stream; a stack instead of recursion, for trees of any depth."""
    stack: list[Any] = [root]
    while stack:
        item = stack.pop()
        if isinstance(item, _Mark):  # most are
            yield item.text
        elif isinstance(item, gast.Constant):
            yield f"={_constant(item.value)}"
        elif isinstance(item, gast.JoinedStr):
            yield "("
            yield "JoinedStr"
            stack.append(_CLOSE)
            stack.extend(reversed(_joined(item.values)))
        elif isinstance(item, gast.AST):
            yield "("
            yield type(item).__name__
            stack.append(_CLOSE)
            for name, value in reversed(_fields(item)):
                stack += (value, _Field(name))
        elif isinstance(item, list):
            yield "["
            stack.append(_END)
            stack.extend(reversed(item))
        else:
            yield f"={_constant(item)}"


class _Mark:
    def __init__(self, text: str) -> None:
        self.text = text


class _Field(_Mark):
    pass


_CLOSE, _END = _Mark(")"), _Mark("]")


def _fields(node: Any) -> list[tuple[str, Any]]:
    """The fields that count. Empty ones are left out: newer Pythons add fields that are empty by default."""
    out: list[tuple[str, Any]] = []
    for name in node._fields:
        value = getattr(node, name, None)
        if name in _LEFT_OUT or value is None or value == []:
            continue
        if name == "targets" and isinstance(node, gast.Delete):
            value = _flat(value)  # formatters take the parentheses off `del (a, b)`
        if name == "body" and isinstance(node, _DOCUMENTED):
            value = _without_docstring(value)
        out.append((name, value))
    return out


def _without_docstring(body: list[Any]) -> list[Any]:
    first = body[0] if body else None
    if isinstance(first, gast.Expr) and isinstance(first.value, gast.Constant):
        if isinstance(first.value.value, str):
            return body[1:]
    return body


def _flat(targets: list[Any]) -> list[Any]:
    return [e for t in targets for e in (t.elts if isinstance(t, gast.Tuple) else [t])]


def _joined(values: list[Any]) -> list[Any]:
    """The parts of an f-string with neighbouring texts joined: how they are cut differs between Pythons."""
    out: list[Any] = []
    for value in values:
        text = value.value if isinstance(value, gast.Constant) else None
        if isinstance(text, str) and out and isinstance(out[-1], str):
            out[-1] += text
        else:
            out.append(text if isinstance(text, str) else value)
    return [v for v in out if v != ""]


def _constant(value: Any) -> str:
    if type(value) is int:
        return f"int {value:x}"  # Python refuses to write very long integers in decimal
    return f"{type(value).__name__} {value!r}"
