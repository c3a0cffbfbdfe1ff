"""Derivatives of nested functions and lambdas of running code: what they capture, and when it is looked up."""

import inspect
import math

import pytest

from pullback import DerivationError, grad, hvp, jvp


def cubic(a):
    def curve(x, scale=2.0):
        return scale * a * x**3

    return curve


def test_what_is_captured_is_a_constant():
    slope = grad(cubic(5.0))
    assert slope(3.0) == pytest.approx(2.0 * 5.0 * 27.0)
    assert slope(3.0, scale=1.0) == pytest.approx(135.0)
    assert list(inspect.signature(slope).parameters) == ["x", "scale"]


def test_each_closure_has_values_of_its_own():
    assert [grad(cubic(a))(1.0) for a in (1.0, 2.0)] == [6.0, 12.0]


def test_what_is_captured_is_looked_up_at_the_call():
    a = 1.0

    def f(x):
        return a * x * x

    slope = grad(f)
    a = 10.0
    assert slope(3.0) == 60.0


def test_lambdas_on_one_line_are_told_apart():
    a = 3.0
    pair = (grad(lambda x: a * x), grad(lambda x: a * x * x))
    assert [d(2.0) for d in pair] == [3.0, 12.0]


def test_a_function_that_it_captures_comes_along():
    a = 2.0

    def inner(x):
        return math.sin(a * x)

    def outer(x):
        return inner(x) * x

    assert grad(outer)(0.7) == pytest.approx(math.sin(1.4) + 1.4 * math.cos(1.4))


def test_derivatives_of_derivatives_keep_what_was_captured():
    a = 2.0
    second = grad(grad(lambda x: a * x**4))
    curved = hvp(lambda x: a * x**4)
    mixed = jvp(grad(lambda x, b: a * b * x**4), "b")
    assert second(3.0) == pytest.approx(24.0 * 9.0)
    assert curved(3.0, 1.0) == pytest.approx(24.0 * 9.0)
    assert mixed(3.0, 1.0, 1.0)[1] == pytest.approx(8.0 * 27.0)


def test_a_nested_function_that_captures_nothing():
    def square(x):
        return x * x

    assert grad(square)(3.0) == 6.0
    assert "captured" not in grad(square).source


def test_what_the_text_does_not_tell_is_refused():
    made = [lambda x: x * x, lambda x: x]
    named = eval("lambda x: x * x")
    assert grad(made[0])(3.0) == 6.0
    with pytest.raises(DerivationError):
        grad(named)
    with pytest.raises(DerivationError, match="PB108"):
        [grad(lambda x: x * x) for _ in range(2)]


def test_a_function_under_a_condition_is_refused():
    if math.pi > 3.0:

        def f(x):
            return x * x

    else:

        def f(x):
            return x

    with pytest.raises(DerivationError, match="PB108"):
        grad(f)
