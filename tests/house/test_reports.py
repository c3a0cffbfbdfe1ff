"""Every problem that the core reports gives the values that the message of its code asks for."""

import ast
import string
from pathlib import Path

import pytest

from pullback.diagnostics.catalogue import codes, entry

ROOT = Path(__file__).parents[2]


def calls():
    for folder in ("core", "server"):
        for file in sorted((ROOT / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if _code(node):
                    yield pytest.param(node, id=f"{file.relative_to(ROOT)}:{node.lineno}")


def _code(node):
    """The code in `report("PB101", …)`, `x.problem("PB101", …)` or `Problem("PB101", …)`."""
    if not isinstance(node, ast.Call) or not node.args:
        return ""
    name = getattr(node.func, "id", getattr(node.func, "attr", ""))
    first = node.args[0]
    literal = isinstance(first, ast.Constant) and isinstance(first.value, str)
    return first.value if literal and name in ("report", "problem", "Problem") else ""


def _given(call):
    """The names of the values, or None where only running tells."""
    if any(k.arg is None for k in call.keywords):
        return None
    if getattr(call.func, "id", "") != "Problem":
        return {k.arg for k in call.keywords}
    values = call.args[2] if len(call.args) > 2 else ast.Tuple([])
    if not isinstance(values, ast.Tuple):
        return None
    return {pair.elts[0].value for pair in values.elts}


@pytest.mark.parametrize("call", list(calls()))
def test_values_fit_the_message(call):
    code = _code(call)
    assert code in codes()
    given = _given(call)
    wanted = {n for _, n, _, _ in string.Formatter().parse(entry(code).message) if n}
    assert given is None or wanted <= given
