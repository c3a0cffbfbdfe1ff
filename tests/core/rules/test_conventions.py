"""The lines of docs/conventions.md, held by the formulas of the table, in both modes, and however they are spelled."""

from __future__ import annotations

import math

import numpy as np
import pytest

from pullback.derive import derive
from pullback.rules import table

from . import harness
from .test_through_engine import program

NAN = math.nan


def slope(name, args, parameter, y_bar=None, **kwargs):
    """What the entry gives a parameter."""
    rule = table()[name]
    names = harness.binder(rule.signature)(*args, **kwargs)
    y = harness.function(name)(*args, **kwargs)
    y_bar = np.ones(np.shape(y)) if y_bar is None else y_bar
    with np.errstate(all="ignore"):
        e = eval(rule.reverse[parameter], harness.SPACE, {**names, "y": y, "y_bar": y_bar})
        return np.asarray(y_bar * e if rule.kind == "elementwise" else e, dtype=float)


ZERO = np.zeros(1)
ONE = np.ones(1)
AT_KINKS = [
    ("numpy.abs", (ZERO,), "x", [0.0]),
    ("math.fabs", (0.0,), "x", 0.0),
    ("numpy.maximum", (ONE, ONE), "x1", [0.5]),
    ("numpy.maximum", (ONE, ONE), "x2", [0.5]),
    ("numpy.minimum", (ONE, ONE), "x1", [0.5]),
    ("numpy.fmin", (ONE, ONE), "x2", [0.5]),
    ("builtins.max", (1.0, 1.0), "a", 0.5),
    ("builtins.min", (1.0, 1.0), "b", 0.5),
    ("numpy.max", (np.array([1.0, 3.0, 3.0]),), "a", [0.0, 0.5, 0.5]),
    ("numpy.min", (np.array([[1.0, 1.0, 3.0]]), 1), "a", [[0.5, 0.5, 0.0]]),
    ("numpy.ptp", (np.array([1.0, 3.0, 3.0]),), "a", [-1.0, 0.5, 0.5]),
    ("numpy.linalg.norm", (np.array([2.0, -2.0]), np.inf), "x", [0.5, -0.5]),
    ("numpy.clip", (np.array([0.0, 0.5, 1.0, 2.0]), 0.0, 1.0), "a", [1.0, 1.0, 1.0, 0.0]),
    ("numpy.clip", (ONE, ZERO, ONE), "a_max", [0.0]),
    ("numpy.interp", (1.0, np.array([0.0, 1.0, 2.0]), np.array([0.0, 1.0, 5.0])), "x", 4.0),
    ("numpy.fmod", (4.0, 2.0), "b", -2.0),
    ("operator.pow", (0.0, 2), "a", 0.0),
    ("operator.pow", (0.0, 1), "a", 1.0),
    ("operator.pow", (0.0, 0), "a", 0.0),
    ("operator.pow", (ZERO, 0.5), "a", [math.inf]),
    ("operator.pow", (ZERO, np.array([0.0])), "a", [0.0]),
    ("operator.pow", (ZERO, 2.0), "b", [0.0]),
    ("operator.pow", (-ONE, 2.0), "b", [NAN]),
    ("numpy.sqrt", (ZERO,), "x", [math.inf]),
    ("numpy.linalg.norm", (ZERO,), "x", [NAN]),
    ("numpy.hypot", (ZERO, ZERO), "x1", [NAN]),
    ("numpy.std", (np.ones(2),), "a", [NAN, NAN]),
    ("numpy.prod", (np.array([0.0, 2.0, 3.0]),), "a", [6.0, 0.0, 0.0]),
    ("numpy.cumprod", (np.array([0.0, 2.0]),), "a", [3.0, 0.0]),
    ("numpy.nanmedian", (np.array([1.0, NAN, 3.0, 0.5]),), "a", [1.0, 0.0, 0.0, 0.0]),
    ("numpy.nansum", (np.array([1.0, NAN]),), "a", [1.0, 0.0]),
    ("numpy.nanmean", (np.array([1.0, NAN]),), "a", [1.0, 0.0]),
    ("numpy.nanprod", (np.array([2.0, NAN, 3.0]),), "a", [3.0, 0.0, 2.0]),
    ("numpy.nanmax", (np.array([2.0, NAN]),), "a", [1.0, 0.0]),
    ("numpy.nan_to_num", (np.array([2.0, NAN]),), "x", [1.0, 0.0]),
]


@pytest.mark.parametrize(("name", "args", "parameter", "wanted"), AT_KINKS)
def test_slope_at_a_kink(name, args, parameter, wanted):
    np.testing.assert_allclose(slope(name, args, parameter), wanted)


@pytest.mark.parametrize(("name", "args", "parameter", "wanted"), AT_KINKS)
def test_slope_at_a_kink_in_both_modes(name, args, parameter, wanted):
    sample = harness.Sample(tuple(args), {}, name)
    space = {}
    source, values = program(name, sample, space, False)
    p = f"p{harness.places(table()[name], sample)[parameter]}"
    for kind in ("vjp", "jvp"):
        exec(source + derive(source, "f", kind=kind, wrt=p).source, space)
    with np.errstate(all="ignore"):
        y_bar = np.ones(np.shape(space["f"](*values.values())))
        backwards = space["f_vjp"](*values.values(), y_bar if y_bar.ndim else 1.0)
        units = np.eye(np.size(values[p])).reshape(-1, *np.shape(values[p]))
        directions = [u if u.ndim else float(u) for u in units]
        forwards = [np.sum(space["f_jvp"](*values.values(), d)[1]) for d in directions]
    np.testing.assert_allclose(backwards, wanted)
    np.testing.assert_allclose(np.reshape(forwards, np.shape(wanted)), wanted)


SPELLED = {
    "the largest": "np.max(x) x.max() np.amax(x) np.maximum.reduce(x) max(x[0],x[1],x[2])",
    "the smallest": "np.min(x) x.min() np.amin(x) np.minimum.reduce(x)",
    "the absolute": "np.sum(np.abs(x-2.0)) np.sum(abs(x-2.0)) np.sum(np.absolute(x-2.0))"
    " np.sum(np.fabs(x-2.0))",
    "within bounds": "np.sum(np.clip(x,1.0,2.0)) np.sum(x.clip(1.0,2.0))",
    "a power": "np.sum((x-2.0)**0) np.sum(np.power(x-2.0,0)) np.sum(np.float_power(x-2.0,0))",
    "the product": "np.prod(x-2.0) (x-2.0).prod() np.multiply.reduce(x-2.0)",
    "the spread": "np.std(x*0.0+1.0) (x*0.0+1.0).std()",
}


@pytest.mark.parametrize("convention", SPELLED)
def test_a_convention_is_the_same_however_it_is_spelled(convention):
    slopes = []
    for text in SPELLED[convention].split():
        source = f"import numpy as np\n\ndef f(x):\n    # pullback: x: (3,)\n    return {text}\n"
        space = {}
        exec(source + derive(source, "f", kind="grad", wrt="x").source, space)
        with np.errstate(all="ignore"):
            slopes.append(space["f_grad"](np.array([2.0, 1.0, 2.0])))
    for other in slopes[1:]:
        np.testing.assert_array_equal(other, slopes[0])


@pytest.mark.parametrize("infinite", [math.inf, NAN])
def test_where_gives_nothing_to_the_side_not_taken(infinite):
    condition, y_bar = np.array([True, False]), np.array([1.0, infinite])
    a_bar = slope("numpy.where", (condition, np.ones(2), np.ones(2)), "a", y_bar)
    np.testing.assert_array_equal(a_bar, [1.0, 0.0])


def test_a_float_raises_where_its_slope_is_infinite():
    with pytest.raises(ZeroDivisionError):
        slope("math.sqrt", (0.0,), "x")
    with pytest.raises(ZeroDivisionError):
        slope("operator.pow", (0.0, 0.5), "a")


@pytest.mark.parametrize("name", ["cholesky", "eigvalsh"])
def test_one_triangle_gets_the_gradient(name):
    a = np.array([[2.0, 0.3], [0.3, 1.0]])
    y = harness.function(f"numpy.linalg.{name}")(a)
    a_bar = slope(
        f"numpy.linalg.{name}", (a,), "a", np.arange(1.0, 1.0 + np.size(y)).reshape(np.shape(y))
    )
    assert a_bar[0, 1] == 0.0 and a_bar[1, 0] != 0.0
