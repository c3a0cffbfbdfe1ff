"""Ruff is the judge of layout: it must leave what we print as it is, and find nothing in it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from pullback import ir
from pullback.emit import emit_block, emit_expression, emit_function
from tests.core.emit.random_ir import Maker
from tests.core.emit.reading import read

RUFF = (sys.executable, "-m", "ruff")
# without this, a comma of ours after a last item would excuse a break that ruff would not make
NO_MAGIC = ("--config", "format.skip-magic-trailing-comma=true")


def ruff(*args: str, text: str) -> str:
    done = subprocess.run(
        [*RUFF, *args, "--isolated", "-"], input=text, capture_output=True, text=True, check=False
    )
    return done.stdout + done.stderr if done.returncode else ""


@pytest.mark.parametrize("seed", range(6))
def test_random_statements(seed: int) -> None:
    make = Maker(seed)
    body = tuple(make.statement(2) for _ in range(120))
    fn = ir.Function("f", "f", (ir.Param("x"),), body, docstring="A function.")
    text = emit_function(fn, "").text
    assert ruff("format", "--diff", text=text) == ""
    assert ruff("format", "--diff", *NO_MAGIC, text=text) == ""


@pytest.mark.parametrize("seed", range(300))
def test_text_says_what_the_ir_says(seed: int) -> None:
    expression = Maker(1000 + seed).expr(5)
    assert read(emit_expression(expression)) == expression


@pytest.mark.parametrize("seed", range(200))
def test_broken_lines_say_the_same(seed: int) -> None:
    expression = Maker(2000 + seed).expr(6)
    text = emit_block((ir.Assign((ir.Name("y"),), expression),), "").text
    assert read("(" + text.removeprefix("y = ") + ")") == expression


def test_very_long_sums() -> None:
    total: ir.Expr = ir.Name("x")
    for i in range(800):
        total = ir.Call(
            "operator.add", (total, ir.Call("operator.mul", (ir.Name("y"), ir.Const(i))))
        )
    text = emit_function(ir.Function("f", "f", (ir.Param("x"),), (ir.Return(total),)), "").text
    assert ruff("format", "--diff", text=text) == ""
    assert text.count("\n") == 804
