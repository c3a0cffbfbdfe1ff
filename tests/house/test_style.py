"""What no linter says: every module tells what it is for, and no file grows too long to read."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MODULES = [p for d in ("core", "server") for p in sorted((ROOT / d).rglob("*.py"))]
MOST_LINES = 640


@pytest.mark.parametrize("file", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_module(file):
    text = file.read_text(encoding="utf-8")
    if text.strip():
        assert ast.get_docstring(ast.parse(text)), "a module says what it is for"
    assert text.count("\n") <= MOST_LINES
    for word in ("TODO", "FIXME", "XXX"):
        assert word not in text
