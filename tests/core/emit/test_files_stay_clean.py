"""Derivatives go into a clean file, and it stays clean; what is there already is not added again."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from pullback.derive import derive_in
from pullback.emit.insert import insertion
from pullback.source.edits import apply_edits
from pullback.source.module import parse_module

EXAMPLES = Path(__file__).parents[3] / "examples"

CALLS = """\
def scaled(x, by):
    return x * by


def loss(x: float, y: float) -> float:
    # the first one
    a = scaled(x, y) + 1.0  # one more

    # the second one
    return a * scaled(a, 2.0)
"""

OTHER_NAMES = """\
from numpy import exp
from numpy import sum as total


def loss(w, n):
    s = 0.0
    for i in range(n):
        s = s + total(exp(-w) * w)
    return s
"""

METHOD = """\
import numpy as np


class Model:
    scale: float = 2.0

    def loss(self, w: float, x: float) -> float:
        if w > 0.0:
            return np.sin(w * x)
        return w * x

    def name(self):
        return "model"
"""

SOURCES = [
    (CALLS, "loss"),
    (OTHER_NAMES, "loss"),
    (METHOD, "Model.loss"),
    *(
        (p.read_text("utf-8"), "")
        for p in sorted(EXAMPLES.glob("*.py"))
    ),
]  # fmt: skip


def ruff(*args: str, text: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "ruff", *args, "--isolated", "-"],
        input=text,
        capture_output=True,
        text=True,
    )
    assert args[0] != "format" or done.returncode == 0 or "--diff" in args, done.stderr
    return done.stdout if done.returncode or "--diff" not in args else ""


def put(text: str, function: str, kind: str) -> str:
    module = parse_module(text)
    derived = derive_in(module, function, kind)
    assert derived.source is not None, derived.diagnostics
    return apply_edits(text, insertion(module, derived))


@pytest.mark.parametrize("number", range(len(SOURCES)))
def test_a_clean_file_stays_clean(number: int) -> None:
    text, function = SOURCES[number]
    text = ruff("format", text=text) or text
    if not function:
        function = [line for line in text.splitlines() if line.startswith("def ")][-1][4:]
        function = function.partition("(")[0]
    with_grad = put(text, function, "grad")
    assert put(with_grad, function, "grad") == with_grad
    both = put(with_grad, function, "vjp")
    for result in (with_grad, both):
        assert ruff("format", "--diff", text=result) == ""
        assert "All checks passed" in ruff("check", text=result)
