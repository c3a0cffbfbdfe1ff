"""Each function that the engine takes apart, in a call, in both modes.

What else may stand in such calls is tested where the engine does it: tests/core/transform.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pullback.derive import derive
from pullback.rules import STRUCTURAL

from . import harness
from .calls import CALLS, program


def test_there_is_a_call_of_each():
    assert tuple(CALLS) == STRUCTURAL


# Forward mode refuses them.
BACKWARDS_ONLY = {"scipy.integrate.odeint"}


@pytest.mark.parametrize("name", STRUCTURAL)
def test_call_agrees_with_differences(name):
    if not name.startswith("operator.") and harness.function(name) is None:
        pytest.skip("this NumPy does not have it")
    space: dict[str, Any] = {}
    exec(program(name), space)
    rng = np.random.default_rng(1)
    x, a, x_dot = (rng.normal(size=(4, 4)) for _ in range(3))
    y_bar = harness.like(rng, space["f"](x, a))
    h = 1e-5
    slope = (space["f"](x + h * x_dot, a) - space["f"](x - h * x_dot, a)) / (2.0 * h)
    wanted = pytest.approx(harness.pair(y_bar, slope), rel=1e-5)
    exec(derivative(name, "vjp"), space)
    assert harness.pair(space["f_vjp"](x, a, y_bar), x_dot) == wanted
    if name not in BACKWARDS_ONLY:
        exec(derivative(name, "jvp"), space)
        y, y_dot = space["f_jvp"](x, a, x_dot)
        np.testing.assert_allclose(y, space["f"](x, a), rtol=1e-12)
        assert harness.pair(y_bar, y_dot) == wanted


def derivative(name: str, kind: str) -> str:
    made = derive(program(name), "f", kind=kind, wrt="x")
    assert made.source is not None, [d.message for d in made.diagnostics]
    return made.source
