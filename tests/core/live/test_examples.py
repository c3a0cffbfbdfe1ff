"""The modules in examples/: every derivative agrees with finite differences."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

import pullback

FOLDER = Path(__file__).parents[3] / "examples"
rng = np.random.default_rng(3)
t = np.linspace(0.0, 2.0, 9)

CASES = {
    ("logistic", "logistic_loss"): (
        (rng.normal(size=3), rng.normal(size=(5, 3)), np.array([0.0, 1.0, 1.0, 0.0, 1.0])),
        "w",
    ),
    ("settle", "settle"): ((1.3, 9), "x"),
    ("rnn", "rnn_loss"): ((0.3 * rng.normal(size=(3, 3)), rng.normal(size=(4, 3))), "W"),
    ("curve_fit", "misfit"): (
        (1.5, 0.4, 3.0, t, np.cos(3.1 * t)),
        ("amplitude", "rate", "frequency"),
    ),
    ("heat", "heat_misfit"): ((rng.normal(size=7), rng.normal(size=7), 5), "u"),
}


def function(module, name):
    spec = importlib.util.spec_from_file_location(f"example_{module}", FOLDER / f"{module}.py")
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return getattr(loaded, name)


@pytest.mark.parametrize("kind", ["grad", "value_and_grad", "vjp"])
@pytest.mark.parametrize("case", CASES, ids=lambda c: c[1])
def test_example(case, kind):
    args, wrt = CASES[case]
    pullback.verify(function(*case), args, wrt, kind).raise_if_wrong()


def test_every_example_is_here():
    assert {p.stem for p in FOLDER.glob("*.py")} == {module for module, _ in CASES}
