"""Calls of NumPy and SciPy that are other calls written differently, in both modes."""

from __future__ import annotations

import re

import pytest

from tests.core.transform.library import ARGUMENTS, LIBRARY
from tests.fuzz.oracle import judge
from tests.fuzz.programs import HEAD, Program

SCIPY = "".join(
    f"import scipy.{room}\n"
    for room in ("fft", "integrate", "interpolate", "linalg", "signal", "special", "stats")
)


@pytest.mark.parametrize("kind", ["vjp", "jvp"])
@pytest.mark.parametrize("call", LIBRARY)
def test_a_call_is_differentiated(call: str, kind: str) -> None:
    names = tuple(n for n in ARGUMENTS if re.search(rf"(?<![\w.'\"]){n}\b(?!=)", call))
    source = f"{HEAD}{SCIPY}\n\ndef f({', '.join(names)}):\n    return np.sum(np.sin({call}))\n"
    verdict = judge(Program(source, tuple(ARGUMENTS[n] for n in names), names, True), kind)
    assert verdict.kind == "right", f"{verdict.detail}\n{verdict.text}"
