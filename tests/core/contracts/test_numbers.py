"""Floats, NumPy's numbers, arrays without and with axes, single precision, whole numbers: one derivative.

Where a function computes the same of all of them, so does its derivative.
"""

from __future__ import annotations

from textwrap import dedent
from typing import Any

import numpy as np
import pytest

from pullback import derive
from tests.core.differences import space_of
from tests.core.rules.harness import older_than

TOP = "import math\n\nimport numpy as np\n\n\n"
KINDS: dict[str, Any] = {
    "float": 1.7,
    "np.float64": np.float64(1.7),
    "np.float32": np.float32(1.75),
    "0-d array": np.array(1.7),
    "1-d array": np.array([1.7, 0.6, 2.3]),
    "2-d array": np.array([[1.7, 0.6], [2.3, 1.1]]),
    "float32 array": np.array([1.75, 0.5, 2.25], np.float32),
    "int": 2,
    "integer array": np.array([2, 1, 3]),
    "0-d integer array": np.array(2),
}
# functions of x that compute elementwise of anything, and return something of the shape of x
FUNCTIONS = {
    "arithmetic": "return 3 * x - x / 2.0 + 1.0 / (2.0 + x)",
    "powers": "return x ** 2 + x ** 0.5 + 2.0 ** x + x ** -1.0",
    "an exponent that is bound": "p = 3\n    return x ** p",
    "an integer that becomes a float": "y = 0\n    y = y + x * x\n    return y",
    "an accumulator that starts at zero": "y = 0\n    for k in range(3):\n        y = y + k * x * x\n    return y",
    "floor, modulus and rounding": "return x * (x // 1) + x % 0.4 * x + np.floor(x) * x",
    "a mask": "return (x > 1.0) * x * x + (x < 2.0) * x",
    "absolute value and sign": "return np.abs(x - 2.0) * np.sign(x) + abs(x)",
    "a choice": "return np.where(x > 1.0, x * x, np.sin(x))",
    "a choice that hides an infinite slope": "return np.where(x > 0.9, np.sqrt(abs(x - 0.5)), 0.0) * x",
    "functions": "return np.exp(-x) * np.tanh(x) + np.log(x) * np.hypot(x, 2.0)",
    "a parameter bound again": "x = x * x\n    x = np.sin(x) + x\n    return x",
    "a sum times x": "return np.sum(x * x) * x",
    "a mean of what is made of x": "return x - np.mean(x * x)",
}


def _derived(body: str, header: str = "x") -> tuple[Any, Any, str]:
    text = TOP + dedent(f"def f({header}):\n    {body}\n")
    made = derive(text, "f", "vjp", "x", modules={})
    assert made.source is not None, made.diagnostics
    space = space_of(text, made.source)
    return space["f"], space["f_vjp"], made.source


def _difference(f: Any, x: Any, seed: Any) -> Any:
    wide = np.asarray(x, float)
    out = np.zeros_like(wide)
    for k in np.ndindex(wide.shape):
        ends = []
        for h in (1e-6, -1e-6):
            moved = wide.copy()
            moved[k] += h
            ends.append(np.sum(seed * f(moved)))
        out[k] = (ends[0] - ends[1]) / 2e-6
    return out


def _jumps(f: Any, x: Any) -> bool:
    """Whether f jumps at x, as a floor does at whole numbers."""
    wide = np.asarray(x, float)
    return bool(np.any(np.abs(f(wide + 1e-9) - f(wide - 1e-9)) > 1e-6))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_one_derivative_for_all(name: str, kind: str) -> None:
    f, f_vjp, source = _derived(FUNCTIONS[name])
    x = KINDS[kind]
    if np.asarray(x).dtype.kind == "i" and (name == "powers" or _jumps(f, x)):
        return  # NumPy has no negative powers of whole numbers
    assert not _jumps(f, x)
    single = np.asarray(x).dtype == np.float32
    seed: Any = np.full(np.shape(x), 0.75, np.float32 if single else float)[()]
    got = f_vjp(x, seed)
    assert np.shape(got) == np.shape(x), source
    tolerance = 1e-3 if single else 1e-6
    wanted = _difference(f, x, seed)
    np.testing.assert_allclose(got, wanted, 10 * tolerance, tolerance, err_msg=source)
    assert np.asarray(got).dtype.kind == "f", source
    if single and np.ndim(x):
        assert got.dtype == np.float32, source


ALWAYS = ("1.24.0", "9.0.0")
# calls that give a number, and the NumPy that has them: since a release, until another
NUMBERS = {
    "x @ x": ALWAYS,
    "np.dot(x, x)": ALWAYS,
    "np.trapezoid(x, dx=0.5)": ("2.0.0", "9.0.0"),
    "np.trapezoid(x * x, np.cumsum(x))": ("2.0.0", "9.0.0"),
    "np.linalg.trace(np.outer(x, x))": ("2.0.0", "9.0.0"),
    "np.cross(x[:2], x[1:])": ("1.24.0", "2.5.0"),
    "scipy.integrate.simpson(x * x, dx=0.5)": ALWAYS,
    "scipy.integrate.cumulative_trapezoid(x, np.cumsum(x * x))[-1]": ALWAYS,
}


@pytest.mark.parametrize("number", NUMBERS)
def test_single_precision_stays_where_the_seed_is_a_plain_number(number: str) -> None:
    since, until = NUMBERS[number]
    if older_than(since) or not older_than(until):
        pytest.skip(f"NumPy has it since {since} and until {until}")
    source = f"import scipy\n\n\ndef f(x):\n    return 0.7 * {number}\n"
    derived = derive(TOP + source, "f")
    assert derived.source is not None, derived.diagnostics
    space = space_of(TOP + source + "\n\n" + derived.source)
    x = np.array([1.5, 0.5, 2.25], np.float32)
    got = space["f_grad"](x)
    assert got.dtype == np.float32, derived.source
    wanted = _difference(space["f"], x.astype(float), np.float64(1.0))
    np.testing.assert_allclose(got, wanted, 1e-4, 1e-4)


LITERALS = [
    "1.5 ** x",
    "special.gammainc(0.5, x)",
    "special.gammaincc(0.5, x)",
    "special.gammaincinv(1.5, x)",
    "special.gammainccinv(1.5, x)",
    "special.ellipkinc(0.3, x)",
]


@pytest.mark.parametrize("called", LITERALS)
def test_a_literal_beside_an_array_widens_no_derivative(called: str) -> None:
    """SciPy 1.17 computes some of these in double precision itself."""
    text = f"{TOP}from scipy import special\n\n\ndef f(x):\n    return {called}\n"
    made = derive(text, "f", "vjp", modules={})
    assert made.source is not None, made.diagnostics
    space = space_of(text, made.source)
    x, seed = np.array([0.25, 0.5, 0.75], np.float32), np.array([1.0, 2.0, 0.5], np.float32)
    got = space["f_vjp"](x, seed)
    assert np.result_type(got, space["f"](x)) == space["f"](x).dtype, made.source
    wanted = _difference(space["f"], x.astype(float), seed.astype(float))
    np.testing.assert_allclose(got, wanted, 1e-3, 1e-3, err_msg=made.source)


def test_a_number_gets_a_number_from_whole_numbers() -> None:
    text = TOP + "def f(a: float, x):\n    return np.sum(x * a)\n"
    made = derive(text, "f", "grad", "a", modules={})
    assert made.source is not None
    got = space_of(text, made.source)["f_grad"](2.0, np.array([1, 2, 4]))
    assert isinstance(got, float) and got == 7.0


def test_a_number_that_is_whole_on_one_path_is_no_cotangent() -> None:
    body = "if k == 0:\n        c = 2\n    else:\n        c = a\n    return a * c"
    text = TOP + f"def f(a: float, k: int):\n    {body}\n"
    made = derive(text, "f", "grad", "a", modules={})
    assert made.source is not None, made.diagnostics
    f_grad = space_of(text, made.source)["f_grad"]
    assert [(type(v), v) for v in (f_grad(0.75, 0), f_grad(0.75, 1))] == [
        (float, 2.0),
        (float, 1.5),
    ]
