"""The tools that Python people have, on derivatives that the library made: debugger, profiler, tracebacks."""

from __future__ import annotations

import cProfile
import io
import linecache
import pdb
import pstats
import traceback

import numpy as np
import pytest

from pullback import grad


def decay(rate, steps: int):
    # pullback: rate: float
    amount = 1.0
    for _ in range(steps):
        amount = amount * np.exp(-rate)
    return amount


def whole(x):
    # pullback: x: (n,)
    weight = np.ones(3)
    return np.sum(weight * x * x)


def _place_of(name: str, text: str) -> tuple[str, int]:
    """The file that the library made for function `name` last, and the number of the line that says `text`."""
    file = [f for f in linecache.cache if f.startswith("<pullback") and f.endswith(f"{name}>")][-1]
    return file, [line.strip() for line in linecache.getlines(file)].index(text) + 1


def test_the_debugger_stops_on_a_line_of_the_backward_pass() -> None:
    f_grad = grad(decay)
    f_grad(0.1, 3)
    file, note = _place_of("decay_grad", "# Backward pass")
    said = io.StringIO()
    debugger = pdb.Pdb(stdin=io.StringIO("p steps\nc\n"), stdout=said, nosigint=True, readrc=False)
    assert debugger.set_break(file, note + 1) is None
    debugger.runcall(f_grad, 0.1, 3)
    shown = said.getvalue()
    assert "decay_grad(" in shown and "\n(Pdb) 3\n" in shown
    assert f"-> {linecache.getline(file, note + 1).strip()}" in shown


def test_the_profiler_shows_the_function_by_name() -> None:
    f_grad = grad(decay)
    profile = cProfile.Profile()
    profile.runcall(f_grad, 0.1, 3)
    said = io.StringIO()
    pstats.Stats(profile, stream=said).print_stats()
    assert "(decay_grad)" in said.getvalue()


def test_a_traceback_shows_the_line_of_the_backward_pass() -> None:
    f_grad = grad(whole)
    with pytest.raises(ValueError, match="broadcast") as caught:
        f_grad(np.ones(4))
    last = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert last.name == "whole_grad"
    assert last.line is not None and last.line.startswith("return ")
    assert "weight" in last.line
