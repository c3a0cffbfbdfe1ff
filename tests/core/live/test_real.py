"""Derivatives of live functions, from text to number."""

import functools
import linecache

import numpy as np
import pytest

import pullback
from pullback import DerivationError, grad, value_and_grad, verify, vjp

SCALE = 2.0


def poly(x: float):
    return SCALE * x**4


def scaled(a, b):
    return a * np.exp(b)


def total(x: np.ndarray, y: float = 2.0):
    # pullback: x: (n,)
    return np.sum(scaled(x, y * x))


def weighted(x, y):
    return np.sum(x * y)


def squares(x: np.ndarray):
    return x * x


def clears(x: np.ndarray, y: np.ndarray):
    # pullback: x: (n,), y: (n,)
    x[0] = 0.0
    return np.sum(x * y)


def reads_text(x: float):
    return eval("x")


@functools.lru_cache
def cached(x: float):
    return x * x


class Model:
    factor = 3.0

    def loss(self, w: float):
        return self.factor * w * w

    @staticmethod
    def plain(w: float):
        return w * w

    @classmethod
    def made(cls, w: float):
        return w**3


def test_first_second_and_third_derivative():
    first = grad(poly)
    second = grad(first)
    third = grad(second)
    assert first(1.5) == pytest.approx(8.0 * 1.5**3)
    assert second(1.5) == pytest.approx(24.0 * 1.5**2)
    assert third(1.5) == pytest.approx(48.0 * 1.5)


def test_globals_are_read_at_the_call(monkeypatch):
    first = grad(poly)
    monkeypatch.setitem(globals(), "SCALE", 10.0)
    assert first(1.0) == pytest.approx(40.0)


def test_functions_that_are_called():
    verify(total, (np.array([0.3, -0.2, 1.1]), 0.5), "*").raise_if_wrong()


def test_order_of_wrt_is_kept():
    x, y = np.ones(2), np.array([2.0, 3.0])
    y_bar, x_bar = grad(weighted, ("y", 0))(x, y)
    assert x_bar.tolist() == [2.0, 3.0] and y_bar.tolist() == [1.0, 1.0]


def test_broadcasting():
    verify(weighted, (np.ones((2, 3)), np.ones(3)), "*").raise_if_wrong()


def test_defaults():
    value, x_bar = value_and_grad(total)(np.zeros(2))
    assert (value, x_bar.tolist()) == (0.0, [1.0, 1.0])


def test_vjp_takes_the_cotangent_last():
    assert vjp(squares)(np.array([1.0, 2.0]), np.array([10.0, 1.0])).tolist() == [20.0, 4.0]


def test_methods():
    assert grad(Model().loss)(2.0) == 12.0
    assert grad(Model.loss)(Model(), 2.0) == 12.0
    assert grad(Model.plain)(2.0) == 4.0
    assert grad(Model.made)(2.0) == 12.0


def test_written_arguments_stay_as_they_were():
    x = np.array([1.0, 2.0])
    assert grad(clears)(x, np.array([3.0, 4.0])).tolist() == [0.0, 4.0]
    assert x.tolist() == [1.0, 2.0]


def test_overlapping_arguments_are_refused_where_one_is_written():
    a = np.ones(4)
    with pytest.raises(ValueError, match="x and y share memory, and clears writes to its arg"):
        grad(clears)(a[:3], a[1:])
    assert grad(clears)(a[:2], a[2:]).shape == (2,)
    assert grad(clears).source.startswith("# pullback: grad of clears wrt x")


def test_arguments_may_overlap_where_none_is_written():
    a = np.ones(4)
    assert grad(weighted)(a, a).tolist() == [1.0] * 4


def test_a_cached_function():
    assert grad(cached)(3.0) == 6.0


def test_refusal():
    with pytest.raises(DerivationError, match=r"test_real\.py:\d+:12: PB111 eval"):
        grad(reads_text)


def test_unknown_parameter():
    with pytest.raises(LookupError, match="weighted has no parameter z; it has x, y"):
        grad(weighted, "z")


def test_not_a_scalar_at_the_call():
    def message():
        with pytest.raises(ValueError) as caught:
            grad(weighted_rows)(np.ones((2, 2)), np.ones(2))
        return str(caught.value)

    assert "vjp" in message()


def weighted_rows(x, y):
    return x * y


def test_a_function_of_a_notebook_cell():
    space = {"__name__": "__main__"}
    cells = ["import numpy as np\nRATE = 0.5\n", "def f(x: float):\n    return np.exp(RATE * x)\n"]
    for number, text in enumerate(cells):
        name = f"<real cell {number}>"
        linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
        exec(compile(text, name, "exec"), space)
    assert grad(space["f"])(0.0) == 0.5


def test_the_text_is_the_same_as_derive_gives():
    text = "".join(linecache.getlines(__file__))
    assert grad(poly).source == pullback.derive(text, "poly").source
