"""Analyses end: their steps are counted, and what takes too many is reported for its function alone."""

from __future__ import annotations

import pytest

from pullback import steps
from pullback.check import check
from pullback.steps import OverBudget, counted, spend


def test_a_step_too_many_raises():
    with counted(3) as taken:
        spend(3)
        with pytest.raises(OverBudget, match="more than 3 steps"):
            spend()
    assert taken[0] == 4
    spend(100)  # nobody counts here


def nest_of_loops(depth: int) -> str:
    lines = ["def deep(x):", "    # pullback: differentiable"]
    lines += [f"{'    ' * (k + 1)}for i{k} in range(3):" for k in range(depth)]
    return "\n".join([*lines, f"{'    ' * (depth + 1)}x = x * 2.0", "    return x", ""])


def test_a_nest_that_takes_too_long_is_reported_and_its_neighbour_answered(monkeypatch):
    monkeypatch.setattr(steps, "LIMIT", 2_000)
    text = (
        nest_of_loops(9)
        + "\n\ndef calls(x):\n    # pullback: differentiable\n    return x.wobble()\n"
    )
    found = [(d.code, text[d.span.start : d.span.end]) for d in check(text)]
    assert found == [("PB003", "deep"), ("PB307", "x.wobble()")]
    assert check(nest_of_loops(4)) == ()
