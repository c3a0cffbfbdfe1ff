from __future__ import annotations

import importlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pullback.ir import Call, Const, Expr, Name
from pullback.optimize import build
from pullback.optimize.simplify import simplify

from .programs import expr, shown

simplify_module = importlib.import_module("pullback.optimize.simplify")

EXPERT = {
    # the design's examples
    "(-1.0 / p.size) * (y * (1 / p)) + (-1.0 / p.size) * ((1.0 - y) * ((1.0 / (1.0 - p)) * (-1.0)))": (
        "((1.0 - y) / (1.0 - p) - y / p) / p.size"
    ),
    "(-(1.0 / p.size)) * (y / p - (1.0 - y) / (1.0 - p))": (
        "((1.0 - y) / (1.0 - p) - y / p) / p.size"
    ),
    "p_bar * -(p * p) * exp_z * -1": "p_bar * p * p * exp_z",
    "h_bar[t + 1] * (1.0 - h[t + 1] * h[t + 1])": "h_bar[t + 1] * (1.0 - h[t + 1] * h[t + 1])",
    "v * 1.0 + 1.0 * v": "2.0 * v",
    # signs
    "--x": "x",
    "a - -b": "a + b",
    "a + -b": "a - b",
    "-a + b": "b - a",
    "0.0 - a": "-a",
    "-(a - b)": "b - a",
    "-(y / p - (1.0 - y) / (1.0 - p)) / n": "((1.0 - y) / (1.0 - p) - y / p) / n",
    "g * (-y / z)": "-g * y / z",
    "-g * (1.0 - x)": "g * (x - 1.0)",
    "-(a + b) * g": "-(a + b) * g",
    "np.sum(-x)": "-np.sum(x)",
    "g - np.sum(-x * y, axis=0)": "g + np.sum(x * y, axis=0)",
    "np.sum(-x, initial=1.0)": "np.sum(-x, initial=1.0)",
    # ones and zeros
    "1.0 * x * 1": "x",
    "x + 0.0": "x",
    "0.0 * x": "0.0",
    "y + 0.0 * x": "y + 0.0 * x",
    "y * x + 0.0 * x": "y * x",
    # literals
    "0.5 * 2.0 * x": "x",
    "2.0 * 3.0": "6.0",
    "3.0 * 0.1 * x": "3.0 * 0.1 * x",
    "g * (2.0 * x)": "2.0 * g * x",
    "2.0 * (g * -0.5)[:, None] * x": "-g[:, None] * x",
    "g * (2.0 * x)[None]": "g * (2.0 * x)[None]",
    "2.0 * (0.5 * g)[1:]": "2.0 * (0.5 * g)[1:]",
    "y_bar * 0.5": "y_bar * 0.5",
    "x * 2.0 / n": "x * 2.0 / n",
    "r * 2.0 * g / (2 * n)": "r * g / n",
    "2 * g": "2 * g",
    # quotients
    "g * (1.0 / x)": "g / x",
    "(1.0 / n) * s": "s / n",
    "a / n * s": "a / n * s",
    "a / b / c": "a / b / c",
    "a / (b * c)": "a / (b * c)",
    "-1.0 / x": "-1.0 / x",
    "1.0 / (1.0 + e)": "1.0 / (1.0 + e)",
    "x / x": "x / x",
    "x - x": "x - x",
    # powers
    "2.0 * x ** 1": "2.0 * x",
    "g * (2 * x ** (2 - 1))": "2 * g * x",
    "3 * x ** (3 - 1)": "3 * x**2",
    "x * x": "x * x",
    "x ** 0": "x**0",
    # common factors
    "g * a + g * b": "g * (a + b)",
    "a * g + b * g": "(a + b) * g",
    "g * a - g * b + g * c": "g * (a - b + c)",
    "g * a + g": "g * a + g",
    "g / x + g / y": "g / x + g / y",
    "a * (x + y)": "a * (x + y)",
    # what is no arithmetic on numbers stays
    "[0.0] * n + [1.0]": "[0.0] * n + [1.0]",
    '"a" + "b" * 2': '"a" + "b" * 2',
    "True + x": "True + x",
    "a @ -b": "a @ -b",
    "np.zeros_like(x * 1.0)": "np.zeros_like(x * 1.0)",
    "h[t * 1 + 0]": "h[t * 1 + 0]",
    "np.sum(g_bar * (1.0 / x) * -1.0)": "-np.sum(g_bar / x)",
    "np.sum(0.0 * x_bar, 0)": "np.sum(0.0 * x_bar, 0)",
}


@pytest.mark.parametrize("before", EXPERT)
def test_expert_writes(before: str) -> None:
    assert shown(simplify(expr(before))) == EXPERT[before]


def test_what_does_not_change_is_the_same_object() -> None:
    for text in ("g * (1.0 - y * y)", "np.exp(-x) / n", "a @ b", "x[1:] - 2.0 * x[:-1]"):
        e = expr(text)
        assert simplify(e) is e


def test_parts_that_do_not_change_keep_their_origin() -> None:
    e = simplify(expr("g * 1.0 * np.exp(-x)"))
    assert isinstance(e, Call) and e.args[1].origin is not None


def test_user_expressions_of_any_type_keep_what_makes_them_float() -> None:
    for text in ("x * 1.0", "n + n", "x + 0.0", "a * b + a * c"):
        e = expr(text)
        assert simplify(e, floating=False) is e


# what `m` and `k`, which may be bools or short integers, make of it
NARROW = {
    "g * m + g * k": "g * m + g * k",
    "g * m - g * x": "g * (m - x)",
    "-(k * g)": "-g * k",
    "1.0 * m + 1.0 * k": "1.0 * m + k",
    "-1.0 * m": "-1.0 * m",
    "g * (m + k)": "g * (m + k)",
    "g * (m * k)": "g * (m * k)",
    "-(k / g)": "-1.0 * k / g",
    "g * (2 * k)": "g * (2 * k)",
    "-(m - k)": "-(m - k)",
}


@pytest.mark.parametrize("before", NARROW)
def test_bools_and_short_integers_never_meet_where_the_user_did_not_have_them_meet(
    before: str,
) -> None:
    assert shown(simplify(expr(before), narrow={"m", "k"})) == NARROW[before]


def test_sums_of_ours_are_floating() -> None:
    for before, after in {
        "m + k": "1.0 * m + k",
        "-(m - k)": "1.0 * k - m",
        "k * m": "1.0 * k * m",
    }.items():
        assert shown(simplify(expr(before), narrow={"m", "k"}, ours=True)) == after


def test_work_grows_with_the_size(monkeypatch: pytest.MonkeyPatch) -> None:
    def nested(depth: int) -> Call:
        e = Call(build.MUL, (Name("g"), Name("x")))
        for i in range(depth):
            e = Call(build.MUL, (Name("g"), Call(build.SUB, (Name(f"a{i}"), e))))
        return e

    def visits(depth: int) -> int:
        count = 0
        real = simplify_module._whole

        def counted(e: Expr, *args: object) -> Expr:
            nonlocal count
            count += 1
            return real(e, *args)

        with monkeypatch.context() as patch:
            patch.setattr(simplify_module, "_whole", counted)
            simplify_module.simplify(nested(depth))
        return count

    assert visits(60) < 8 * visits(15)  # exponential work would never end


# --- properties ----------------------------------------------------------------------------------

_NAMES = {
    "x": np.array([[0.5, -1.25, 2.0], [1.5, 0.75, -0.3]]),
    "y": np.array([1.1, -0.7, 0.4]),
    "g": np.array([[2.0], [-0.6]]),
    "s": 1.7,
}
_leaves = st.one_of(
    st.sampled_from([Name(n) for n in _NAMES]),
    st.sampled_from([Const(v) for v in (0.0, 1.0, -1.0, 2.0, 0.5, 0.1, 3, 1, -2)]),
)


def _grow(inner: st.SearchStrategy) -> st.SearchStrategy:
    binary = st.sampled_from([build.ADD, build.SUB, build.MUL, build.DIV, build.MUL, build.SUB])
    return st.one_of(
        st.builds(lambda op, a, b: Call(op, (a, b)), binary, inner, inner),
        st.builds(lambda a: Call(build.NEG, (a,)), inner),
        st.builds(lambda a: Call("numpy.tanh", (a,)), inner),
        st.builds(lambda a, k: Call(build.POW, (a, Const(k))), inner, st.sampled_from([1, 2, 1.0])),
    )


_expressions = st.recursive(_leaves, _grow, max_leaves=14)


def _value(e: object) -> np.ndarray:
    with np.errstate(all="ignore"):
        try:
            return np.asarray(eval(shown(e), {"np": np, **_NAMES}), dtype=float)  # our own text
        except ZeroDivisionError:
            return np.asarray(np.nan)


@settings(max_examples=300, deadline=None)
@given(_expressions)
def test_the_value_stays(e: object) -> None:
    before, after = _value(e), _value(simplify(e))
    if not np.all(np.isfinite(before)):
        return  # rounding may decide between inf and a number
    if np.all(before == 0.0):  # a literal zero may stand for all its shape
        scale = 1.0
    else:
        assert after.shape == before.shape
        scale = max(1.0, _magnitude(e))
    assert np.all(np.abs(after - before) <= 1e-12 * scale)


def _magnitude(e: object) -> float:
    """How large the parts get, since what cancels loses digits."""
    sizes = [1.0]
    todo = [e]
    while todo:
        part = todo.pop()
        value = np.abs(_value(part))
        sizes.append(float(np.max(value)) if np.all(np.isfinite(value)) else 1e300)
        todo.extend(part.args if isinstance(part, Call) else ())
    return float(np.prod(np.sort(sizes)[-3:]))


@settings(max_examples=300, deadline=None)
@given(_expressions)
def test_twice_is_once(e: object) -> None:
    once = simplify(e)
    assert simplify(once) is once


@settings(max_examples=150, deadline=None)
@given(_leaves, _leaves)
def test_constructors_compute_what_they_say(a: object, b: object) -> None:
    x, y = _value(a), _value(b)
    assert np.allclose(_value(build.add(a, b)), x + y)
    assert np.allclose(_value(build.sub(a, b)), x - y)
    assert np.allclose(_value(build.mul(a, b)), x * y)
    assert np.allclose(_value(build.neg(a)), -x)


def test_constructors_leave_the_trivial_out() -> None:
    x, one, zero = Name("x"), Const(1.0), Const(0.0)
    assert build.mul(one, x) is x and build.mul(x, one) is x
    assert build.add(zero, x) is x and build.sub(x, zero) is x
    assert build.neg(build.neg(x)) is x
    assert shown(build.total([zero, x, build.neg(Name("y"))])) == "x - y"
