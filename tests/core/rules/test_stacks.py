"""SciPy's linear algebra over stacks of matrices, which it takes since 1.16.

There are as many matrices as they have rows: nothing else would notice a formula that transposes all axes.
"""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import scipy

from . import harness
from .arguments import Drawn
from .test_generated import hold

CALLS = {
    "scipy.linalg.inv": "stack(3)",
    "scipy.linalg.det": "stack(3)",
    "scipy.linalg.solve": "stack(3), normal(3, 3, 2)|stack(3), normal(3)|spd(3), normal(3, 3, 2)",
    "scipy.linalg.solve_triangular": "stack(3), normal(3, 3, 2), lower=True|stack(3), normal(3)"
    "|spd(3), normal(3, 3, 2), 'T'",
    "scipy.linalg.cholesky": "stack(3)|stack(3), lower=True",
    "scipy.linalg.expm": "normal(3, 3, 3)",
    "scipy.linalg.sqrtm": "stack(3)",
    "scipy.linalg.solve_sylvester": "stack(3), spd(3), normal(3, 3, 3)",
    "scipy.linalg.solve_continuous_lyapunov": "stack(3), normal(3, 3, 3)",
    "scipy.linalg.eigvalsh": "stack(3)",
    "scipy.linalg.svdvals": "normal(3, 3, 3)",
    "scipy.linalg.pinv": "normal(3, 3, 3)",
}
CASES = [(name, text) for name, texts in CALLS.items() for text in texts.split("|")]


@pytest.mark.skipif(
    np.lib.NumpyVersion(scipy.__version__) < "1.16.0", reason="SciPy took one matrix at a time"
)
@pytest.mark.parametrize(("name", "text"), CASES)
def test_a_stack_of_matrices(name: str, text: str) -> None:
    space = harness.sampler(1)
    space["stack"] = lambda n: np.stack([space["spd"](3) for _ in range(n)])
    args, kwargs = eval(f"call({text})", space)
    sample = harness.Sample(args, kwargs, text)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert hold(name, Drawn(sample, sample, "double"), False)
