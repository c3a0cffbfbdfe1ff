"""The helpers that a derivative calls, in the file where they will stand: their names and their texts.

May not know: how a derivative is made, where in the file the helpers go.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import Any

from . import ir
from .emit import Spelling, respelled
from .ir import Function
from .lower import Definition, definitions, lower_function, scope_of
from .rules.helpers import HELPERS, TEXTS, helpers_in
from .source.digest import digest
from .source.module import Module, parse_module


@cache
def helper_function(name: str) -> Function | None:
    """A helper as a function that can be differentiated; None where there is none of that name."""
    if name not in HELPERS:
        return None
    texts = [
        "import math\n",
        "import numpy as np\n",
        "import scipy\n",
        *(t for _, t in helper_texts({name})),
    ]
    found = lower_function(parse_module("\n".join(texts)), name)
    return (
        None
        if found is None
        else replace(found, body=tuple(_calling_helpers(s) for s in found.body))
    )


def _calling_helpers(s: ir.Stmt) -> ir.Stmt:
    """A statement of a helper's that calls others as derivatives do; it stands in no file of the user's.

    It keeps a place all the same: problems without one are of generated code, and stand in nobody's way.
    """
    at = ir.Span(0, 0)

    def expr(e: ir.Expr) -> ir.Expr:
        e = replace(ir.rebuild(e, expr), origin=at)
        if isinstance(e, ir.Call) and e.fn.startswith("."):
            return replace(e, fn=f"<helper>{e.fn}", callee=None)
        return e

    return ir.map_statement(replace(s, origin=at, verbatim=False), expr, _calling_helpers)


def helper_names(helpers: list[str], module: Module) -> dict[str, str]:
    """New names for the helpers whose names mean something else in the file."""
    out: dict[str, str] = {}
    known = definitions(module)
    names = set(scope_of(module).names)
    for helper in helpers:
        name, n = helper, 2
        while name in names and not _is_helper(known.get(name), helper):
            name, n = f"{helper}{n}", n + 1
        if name != helper:
            out[helper] = name
    return out


def _is_helper(found: Definition | None, helper: str) -> bool:
    """Whether a function of the file is this helper, under whatever spelling of NumPy."""
    if found is None:
        return False
    said = parse_module(TEXTS[helper]).chunks[0].tree
    return bool(said) and _docstring(found.node) == _docstring(said[-1])  # type: ignore[index]


def written_helper(module: Module, name: str) -> bool:
    """Whether a function of the file is a helper as Pullback writes it there, word for word."""
    found = definitions(module).get(name)
    helper = name.rstrip("0123456789")
    if found is None or helper not in TEXTS or not _is_helper(found, helper):
        return False
    scope = scope_of(module)
    spell = Spelling(scope.imports, set(scope.names) - set(scope.imports))
    names = {**helper_names(list(helpers_in(f"{helper}(")), module), helper: name}
    made = parse_module(renamed(respelled(TEXTS[helper], spell), names))
    return digest(definitions(made)[name].node) == digest(found.node)


def _docstring(node: Any) -> str | None:
    first = node.body[0] if node.body else None
    value = getattr(getattr(first, "value", None), "value", None)
    return value if isinstance(value, str) else None


def renamed(text: str, names: dict[str, str]) -> str:
    """A helper's text with other names for helpers."""
    for old, new in names.items():
        text = re.sub(rf"\b{old}\b", new, text)
    return text


def indented(text: str, step: str) -> str:
    """A helper's text, each step of whose indentation is another."""
    return re.sub(r"(?m)^( {4})+", lambda found: step * (len(found[0]) // 4), text)


def with_helpers(fn: Function, names: dict[str, str]) -> Function:
    """`fn` calling helpers by other names."""
    return calling(fn, {f"<helper>.{old}": f"<helper>.{new}" for old, new in names.items()})


def calling(fn: Function, names: dict[str, str]) -> Function:
    """`fn` calling other functions in the place of those that are named; itself where none are."""
    if not names:
        return fn
    return replace(fn, body=tuple(_calling_in(s, names) for s in fn.body))


def _calling_in(s: ir.Stmt, names: dict[str, str]) -> ir.Stmt:
    return ir.map_statement(
        s, lambda e: _calling_behind(e, names), lambda inner: _calling_in(inner, names)
    )


def _calling_behind(e: ir.Expr, names: dict[str, str]) -> ir.Expr:
    e = ir.rebuild(e, lambda c: _calling_behind(c, names))
    if isinstance(e, ir.Call) and e.fn in names:
        return replace(e, fn=names[e.fn], callee=None)
    return e


def helper_texts(names: set[str]) -> list[tuple[str, str]]:
    """The helpers of these names and those that they call, called ones first."""
    calls = " ".join(f"{n}(" for n in sorted(names))
    return [(n, TEXTS[n]) for n in helpers_in(calls)]
