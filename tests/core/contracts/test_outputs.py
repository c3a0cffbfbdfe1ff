"""What the outputs of a function are: what it returns, else the arrays that it writes, or what `out` names."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

from pullback import derive
from pullback.derive import UnknownTarget, derive_in, source_digest_in
from pullback.generated import generated
from pullback.source.edits import apply_edits
from pullback.source.module import parse_module
from tests.core.differences import asked, assert_derivative, returning, space_of

NP = "import numpy as np\n\n\n"
X, Y = np.array([0.4, -1.1, 0.7]), np.array([1.0, 2.0, -0.5])

# name: text, arguments, parameters
FILLING: dict[str, tuple[str, tuple[Any, ...], tuple[str, ...]]] = {
    "overwritten": ("def f(x, out):\n    out[:] = x * x\n", (X, Y), ("x", "out")),
    "changed": ("def f(x, a: float):\n    x *= a\n", (X, 0.3), ("x", "a")),
    "two": (
        "def f(u, v, h):\n    v += h * np.sin(u)\n    u += h * v\n",
        (X, Y, 0.1),
        ("u", "v", "h"),
    ),
    "a bare return": (
        "def f(x, n: int):\n    if n == 0:\n        return\n    x[0] = x[1] * x[2]\n",
        (X, 0),
        ("x",),
    ),
    "a return in a loop": (
        "def f(x, top: float):\n    for i in range(len(x)):\n        if x[i] > top:\n            return\n"
        "        x[i] = x[i] * x[i]\n",
        (X, 0.5),
        ("x",),
    ),
    "a branch that falls off the end": (
        "def f(x, a: float):\n    if a > 0.0:\n        x *= a\n    else:\n        return\n",
        (X, 0.3),
        ("x", "a"),
    ),
}


@pytest.mark.parametrize("name", FILLING)
def test_what_is_written_is_the_output(name: str) -> None:
    text, args, wrt = FILLING[name]
    made = derive(NP + text, "f", "vjp", asked(wrt))
    space = space_of(NP + text, made.source or "")
    f = returning(space["f"], text)
    assert f is not space["f"]
    assert_derivative(f, space["f_vjp"], args, "vjp", wrt)


def test_an_array_that_is_written_through_a_view_is_an_output() -> None:
    text = NP + "def f(A, x):\n    # pullback: A: (m, n), x: (n,)\n    row = A[0]\n    row += x\n"
    made = derive(text, "f", "vjp", ("x", "A")).source or ""
    weights = np.arange(6.0).reshape(2, 3)
    x_bar, A_bar = space_of(text, made)["f_vjp"](np.ones((2, 3)), X, weights)
    np.testing.assert_allclose(x_bar, weights[0])
    np.testing.assert_allclose(A_bar, weights)


@pytest.mark.parametrize("name", FILLING)
def test_cotangents_share_no_memory_with_arguments_or_seeds(name: str) -> None:
    text, args, wrt = FILLING[name]
    space = space_of(NP + text, derive(NP + text, "f", "vjp", asked(wrt)).source or "")
    seed = returning(space["f"], text)(*copy.deepcopy(args))
    got = space["f_vjp"](*args, seed)
    given = [a for a in (*args, *(seed if isinstance(seed, tuple) else (seed,))) if np.ndim(a)]
    for bar in got if len(wrt) > 1 else (got,):
        assert not any(np.shares_memory(bar, a) for a in given)


def test_the_return_value_goes_before_what_is_written() -> None:
    text = NP + "def f(x: np.ndarray):\n    x[0] = 2.0 * x[1]\n    return np.sum(x)\n"
    made = space_of(text, derive(text, "f").source or "")["f_grad"]
    np.testing.assert_allclose(made(X), [0.0, 3.0, 1.0])


def test_out_names_local_variables() -> None:
    text = "def f(x: float):\n    y = x * x\n    z = y * x\n    return z\n"
    gradient = space_of(text, derive(text, "f", out="y").source or "")["f_grad"]
    assert gradient(3.0) == 6.0
    both = space_of(text, derive(text, "f", "vjp", out=("z", "y")).source or "")["f_vjp"]
    assert both(3.0, (1.0, 10.0)) == 27.0 + 60.0


def test_out_names_one_of_the_arrays_that_are_written() -> None:
    text = NP + "def f(x, a, b):\n    a[:] = x * x\n    b[:] = 3.0 * x\n"
    made = space_of(text, derive(text, "f", "vjp", out="b").source or "")["f_vjp"]
    np.testing.assert_allclose(made(X, Y, Y, np.ones(3)), np.full(3, 3.0))


def test_the_header_says_what_the_outputs_are() -> None:
    text = "def f(x: float):\n    y = x * x\n    return y * x\n"
    made = derive(text, "f", out="y")
    assert made.header.startswith("# pullback: grad of f wrt x out=y [")
    whole = parse_module(f"{text}\n\n{made.function}")
    assert not list(generated(whole))
    assert source_digest_in(whole, "f", "grad", out="y") in made.header
    changed = parse_module(f"{text.replace('x * x', 'x + x')}\n\n{made.function}")
    [found] = generated(changed)
    [fix] = found.fixes
    assert "out=y [" in apply_edits(changed.text, fix.edits)
    assert derive_in(whole, "f", "grad", out="y").name == "f_grad"
    assert derive_in(whole, "f", "grad").name == "f_grad_x"


def test_out_of_an_unknown_variable() -> None:
    with pytest.raises(UnknownTarget, match="no variable z"):
        derive("def f(x: float):\n    return x\n", "f", out="z")


def test_a_function_without_any_output_is_refused() -> None:
    made = derive("def f(x: float):\n    y = x * x\n", "f", "vjp")
    assert [d.code for d in made.diagnostics] == ["PB308"]


@pytest.mark.parametrize("kind", ["grad", "value_and_grad"])
def test_a_gradient_wants_one_number_in_what_is_written(kind: str) -> None:
    text = NP + "def f(x, total):\n    total[...] = np.sum(x * x)\n"
    made = space_of(text, derive(text, "f", kind).source or "")[f"f_{kind}"]
    got = made(X, np.array(0.0))
    np.testing.assert_allclose(got[1] if kind == "value_and_grad" else got, 2.0 * X)
    with pytest.raises(ValueError, match="vjp"):
        made(X, np.zeros(2))
