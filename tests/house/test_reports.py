"""Every call of `report` gives the values that the message of its code asks for."""

import ast
import string
from pathlib import Path

import pytest

from pullback.diagnostics.catalogue import codes, entry

ROOT = Path(__file__).parents[2]
OWN = {"function", "related", "fix", "severity", "path"}


def calls():
    for folder in ("core", "server"):
        for file in sorted((ROOT / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if _is_report(node):
                    name = file.relative_to(ROOT)
                    yield pytest.param(node, id=f"{name}:{node.lineno}")


def _is_report(node):
    if not isinstance(node, ast.Call) or not node.args:
        return False
    called = node.func
    name = called.id if isinstance(called, ast.Name) else getattr(called, "attr", "")
    first = node.args[0]
    return name == "report" and isinstance(first, ast.Constant) and isinstance(first.value, str)


@pytest.mark.parametrize("call", list(calls()))
def test_values_fit_the_message(call):
    code = call.args[0].value
    assert code in codes()
    if any(k.arg is None for k in call.keywords):
        return  # `**values`: only running tells
    wanted = {n for _, n, _, _ in string.Formatter().parse(entry(code).message) if n}
    given = {k.arg for k in call.keywords} - OWN
    assert given == wanted
