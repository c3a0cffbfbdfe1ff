"""What a derivative takes and gives at run time: outputs, seeds, dtypes, shapes, memory."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

from pullback import derive
from tests.core.differences import asked, assert_derivative, same, space_of

NP = "import numpy as np\n\n\n"

# name -> (text, arguments, parameters asked for); scalar functions
SCALARS: dict[str, tuple[str, tuple[Any, ...], tuple[str, ...]]] = {
    "told": (
        "def f(x, y):\n    # pullback: x: (n,), y: (n,)\n    return np.sum(x * y * y)\n",
        (np.array([1.0, 2.0]), np.array([0.5, -1.0])),
        ("x", "y"),
    ),
    "untold": (
        "def f(x, y):\n    return np.sum(x * y * y)\n",
        (np.array([[1.0, 2.0]]), np.array([0.5, -1.0])),
        ("x", "y"),
    ),
    "identity": ("def f(x, y):\n    return x\n", (2.0, 3.0), ("x", "y")),
    "sum": ("def f(x):\n    return np.sum(x)\n", (np.array([1.0, 2.0]),), ("x",)),
    "transpose": (
        "def f(x, c):\n    # pullback: x: (n, m), c: (m, n)\n    return np.sum(x.T * c)\n",
        (np.ones((2, 3)), np.arange(6.0).reshape(3, 2)),
        ("x", "c"),
    ),
    "same argument twice": (
        "def f(x, y):\n    # pullback: x: (n,), y: (n,)\n    return np.sum(x + y)\n",
        (np.array([1.0, 2.0]), np.array([0.5, -1.0])),
        ("x", "y"),
    ),
    "written copy": (
        "def f(x):\n    # pullback: x: (n,)\n    y = x.copy()\n    y[0] = 2.0 * y[1]\n    return np.sum(y * y)\n",
        (np.array([1.0, 2.0]),),
        ("x",),
    ),
    "written parameter": (
        "def f(x):\n    # pullback: x: (n,)\n    x[0] = 2.0 * x[1]\n    return np.sum(x * x)\n",
        (np.array([1.0, 2.0]),),
        ("x",),
    ),
    "written view of a parameter": (
        "def f(x):\n    # pullback: x: (n, m)\n    row = x[0]\n    row *= 2.0\n    return np.sum(x * x)\n",
        (np.array([[1.0, 2.0], [3.0, 4.0]]),),
        ("x",),
    ),
    "no use of x": (
        "def f(x, y):\n    # pullback: x: (n, m), y: (n,)\n    return np.sum(y)\n",
        (np.ones((2, 3)), np.array([1.0, 2.0])),
        ("x", "y"),
    ),
    "no use of either": (
        "def f(x, y: float):\n    # pullback: x: (n,)\n    return 1.0\n",
        (np.ones(3), 2.0),
        ("x", "y"),
    ),
    "loop": (
        "def f(x: np.ndarray, n: int):\n    # pullback: x: (k,)\n    y = x\n    for _ in range(n):\n"
        "        y = y * x\n    return np.sum(y)\n",
        (np.array([1.5, 0.5]), 3),
        ("x",),
    ),
    "loop without turns": (
        "def f(x: np.ndarray, n: int):\n    # pullback: x: (k,)\n    y = x\n    for _ in range(n):\n"
        "        y = y * x\n    return np.sum(y)\n",
        (np.array([1.5, 0.5]), 0),
        ("x",),
    ),
    "one element": (
        "def f(x):\n    # pullback: x: (n,)\n    return x[1] * x[-1]\n",
        (np.array([1.0, 2.0, 3.0]),),
        ("x",),
    ),
}
KINDS = ("grad", "value_and_grad", "vjp")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", SCALARS)
def test_right_and_arguments_unchanged(name: str, kind: str) -> None:
    text, args, wrt = SCALARS[name]
    made = derive(NP + text, "f", kind, asked(wrt))
    space = space_of(NP + text, made.source or "")
    assert_derivative(space["f"], space[f"f_{kind}"], args, kind, wrt)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", SCALARS)
def test_results_are_writable_and_share_no_memory(name: str, kind: str) -> None:
    text, args, wrt = SCALARS[name]
    made = derive(NP + text, "f", kind, asked(wrt))
    given = copy.deepcopy(args)
    got = space_of(NP + text, made.source or "")[f"f_{kind}"](*given, *(1.0,) * (kind == "vjp"))
    bars = got[1] if kind == "value_and_grad" else got
    bars = bars if len(wrt) > 1 else (bars,)
    separate([b for b in bars if isinstance(b, np.ndarray)], given)


def separate(bars: list[np.ndarray], given: tuple[Any, ...]) -> None:
    arrays = [g for g in given if isinstance(g, np.ndarray)]
    for k, bar in enumerate(bars):
        assert bar.flags.writeable
        for other in arrays + bars[:k]:
            assert not np.shares_memory(bar, other)


# functions of several or of array outputs: text, arguments, parameters, number of outputs
VECTORS: dict[str, tuple[str, tuple[Any, ...], tuple[str, ...]]] = {
    "array": ("def f(x):\n    return x * x\n", (np.array([1.0, 2.0]),), ("x",)),
    "itself": ("def f(x):\n    return x\n", (np.array([1.0, 2.0]),), ("x",)),
    "view": (
        "def f(x):\n    # pullback: x: (n, m)\n    return x.T\n",
        (np.ones((2, 3)),),
        ("x",),
    ),
    "reshape": (
        "def f(x):\n    # pullback: x: (n, m)\n    return x.reshape(-1)\n",
        (np.ones((2, 3)),),
        ("x",),
    ),
    "broadcast": (
        "def f(x, y):\n    return x + y\n",
        (np.ones((2, 3)), np.ones(3)),
        ("x", "y"),
    ),
    "two outputs": (
        "def f(x, a: float):\n    # pullback: x: (n,)\n    return a * x, np.sum(x)\n",
        (np.array([1.0, 2.0]), 0.5),
        ("x", "a"),
    ),
    "an array that has no axes": (
        "def f(x: float, a: float):\n    v = np.array(x)\n    v *= a\n    v += x\n    return v\n",
        (2.0, 0.5),
        ("x", "a"),
    ),
    "one of two outputs": (
        "def f(x, a: float):\n    # pullback: x: (n,)\n    return x, a\n",
        (np.array([1.0, 2.0]), 0.5),
        ("x",),
    ),
}


@pytest.mark.parametrize("name", VECTORS)
def test_vjp_of_arrays_and_tuples(name: str) -> None:
    text, args, wrt = VECTORS[name]
    made = derive(NP + text, "f", "vjp", asked(wrt))
    space = space_of(NP + text, made.source or "")
    assert_derivative(space["f"], space["f_vjp"], args, "vjp", wrt)


@pytest.mark.parametrize("name", VECTORS)
def test_vjp_shares_no_memory_with_arguments_or_seeds(name: str) -> None:
    text, args, wrt = VECTORS[name]
    made = derive(NP + text, "f", "vjp", asked(wrt))
    space = space_of(NP + text, made.source or "")
    seed = space["f"](*copy.deepcopy(args))
    seeds = seed if isinstance(seed, tuple) else (seed,)
    kept = copy.deepcopy(seed)
    bars = space["f_vjp"](*args, seed)
    bars = bars if len(wrt) > 1 else (bars,)
    separate([b for b in bars if isinstance(b, np.ndarray)], (*args, *seeds))
    same(seed, kept)


NOT_SCALAR = [
    "def f(x):\n    return x * x\n",
    "def f(x):\n    return x\n",
    "def f(x, y=2.0):\n    return np.sum(x) * y * x\n",
    "def g(x):\n    return x * x\n\n\ndef f(x):\n    return g(x)\n",
]


@pytest.mark.parametrize("text", NOT_SCALAR)
@pytest.mark.parametrize("kind", ["grad", "value_and_grad"])
def test_a_gradient_of_many_numbers_raises_and_names_vjp(text: str, kind: str) -> None:
    made = derive(NP + text, "f", kind)
    gradient = space_of(NP + text, made.source or "")[f"f_{kind}"]
    with pytest.raises(ValueError, match="vjp"):
        gradient(np.ones(3))
    gradient(2.0)


def test_where_the_text_shows_it_the_refusal_names_vjp() -> None:
    made = derive(NP + "def f(x):\n    # pullback: x: (n,)\n    return x * x\n", "f")
    assert made.source is None
    assert [d.code for d in made.diagnostics] == ["PB308"]
    assert "vjp" in made.diagnostics[0].message


DTYPES = [
    "def f(x, y):\n    return np.sum(x * y)\n",
    "def f(x, y):\n    # pullback: x: (n,), y: (n,)\n    return np.sum(x * y)\n",
    "def f(x, y):\n    # pullback: x: (n,), y: (n,)\n    return np.sum(np.sin(x) * np.exp(y) / 2.0)\n",
    "def f(x, y):\n    # pullback: x: (n,), y: (n,)\n    return x[0] * y[0] + x[1]\n",
    "def f(x, y):\n    # pullback: x: (n,), y: (n,)\n    return np.mean((x - y) ** 2)\n",
    "def f(x, y):\n    # pullback: x: (n,), y: (n,)\n    total = 0.0\n    for i in range(len(x)):\n"
    "        total += x[i] * y[i]\n    return total\n",
    "def f(x, y):\n    # pullback: x: (n,), y: (n,)\n    z = np.zeros_like(x)\n    z[1:] = x[1:] * y[1:]\n"
    "    return np.sum(z)\n",
    "def f(x, y):\n    # pullback: x: (n,), y: (n,)\n    return np.dot(x, y) + np.max(x)\n",
    "def f(x, y):\n    # pullback: x: (n,), y: (n,)\n    return np.sum(y)\n",
]


@pytest.mark.parametrize("text", DTYPES)
@pytest.mark.parametrize("kind", ["grad", "value_and_grad"])
def test_single_precision_stays_single(text: str, kind: str) -> None:
    made = derive(NP + text, "f", kind, ("x", "y"))
    args = np.array([0.5, 2.0], np.float32), np.array([1.0, 3.0], np.float32)
    got = space_of(NP + text, made.source or "")[f"f_{kind}"](*args)
    for bar in got[1] if kind == "value_and_grad" else got:
        assert bar.dtype == np.float32


# an array made like an integer one cuts off what is stored in it; NumPy subtracts no booleans
INTEGERS = [(t, d) for t in DTYPES for d in (int, np.int8, bool) if "zeros_like" not in t]
INTEGERS = [(t, d) for t, d in INTEGERS if d is not bool or "x - y" not in t]


@pytest.mark.parametrize(("text", "dtype"), INTEGERS)
def test_adjoints_of_integers_are_floating(text: str, dtype: type) -> None:
    made = derive(NP + text, "f", "grad", ("x", "y"))
    space = space_of(NP + text, made.source or "")
    args = np.array([1, 3]).astype(dtype), np.array([1, 0]).astype(dtype)
    for bar in space["f_grad"](*args):
        assert np.issubdtype(bar.dtype, np.floating)
    floats = tuple(a.astype(float) for a in args)
    for bar, want in zip(space["f_grad"](*args), space["f_grad"](*floats)):
        np.testing.assert_allclose(bar, want, rtol=1e-2)


IN_PLACE = [
    "    y = x * 2.0\n    y[0] = 0.5 * y[1]\n    return np.sum(y * x)\n",
    "    y = x * 2.0\n    for i in range(1, 3):\n        y[i] += 0.3 * y[i - 1]\n    return np.sum(x * y)\n",
    "    y = x / 4.0\n    row = y[1:]\n    row *= 0.5\n    return np.sum(x * y)\n",
    "    total = 0.0\n    for i in range(3):\n        total += 0.25 * x[i] * x[i]\n    return total + np.sum(x)\n",
]


@pytest.mark.parametrize("body", IN_PLACE)
@pytest.mark.parametrize("shapes", ["    # pullback: x: (n,)\n", ""])
def test_integers_cut_nothing_off_adjoints_written_in_place(body: str, shapes: str) -> None:
    text = f"{NP}def f(x):\n{shapes}{body}"
    made = space_of(text, derive(text, "f").source or "")["f_grad"]
    np.testing.assert_allclose(made(np.array([1, 3, 5])), made(np.array([1.0, 3.0, 5.0])))


@pytest.mark.parametrize("shape", [(), (3,), (1, 3), (2, 1), (2, 0)])
def test_shapes_of_untold_arguments(shape: tuple[int, ...]) -> None:
    text = NP + "def f(x, y):\n    return np.sum(x * y + y)\n"
    made = space_of(text, derive(text, "f", "grad", ("x", "y")).source or "")["f_grad"]
    x_bar, y_bar = made(np.ones(shape), np.ones((2, 3) if shape != (2, 0) else (2, 1)))
    assert np.shape(x_bar) == shape
    assert np.shape(y_bar) == ((2, 3) if shape != (2, 0) else (2, 1))


def test_numbers_give_numbers() -> None:
    text = "def f(x: float, y: float):\n    return x * y\n"
    got = space_of(text, derive(text, "f", "grad", "*").source or "")["f_grad"](2.0, 3.0)
    assert got == (3.0, 2.0)
    assert all(isinstance(g, float) for g in got)


def test_integer_outputs_have_no_cotangent() -> None:
    text = "def f(x: float):\n    return x * x, 3, 'a', None\n"
    made = space_of(text, derive(text, "f", "vjp").source or "")["f_vjp"]
    assert made(3.0, (1.0, None, None, None)) == 6.0
