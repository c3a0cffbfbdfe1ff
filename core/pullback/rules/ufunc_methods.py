"""Methods of NumPy's ufuncs: reduce, accumulate, outer.

Where a plain function does the same, as np.sum does for np.add.reduce, the derivative is that function's;
`reduce` runs along the first axis where nothing else is said.

May not know: the IR, analyses, NumPy.
"""

from __future__ import annotations

from .notation import general, linear
from .reductions import (
    EXTREME_BAR,
    EXTREME_DOT,
    PRODUCT_BAR,
    PRODUCT_DOT,
    RUNNING_PRODUCT_BAR,
    RUNNING_PRODUCT_DOT,
    RUNNING_SUM_BAR,
    TOTAL_BAR,
)

_REDUCED = (
    "normal(4)",
    "normal(2, 3)",
    "normal(2, 3), axis=1",
    "normal(2, 3), axis=-1, keepdims=True",
    "normal(2, 3, 4), axis=(0, 2)",
    "normal(2, 3), axis=None",
)
_RUNNING = ("normal(4)", "normal(2, 3)", "normal(2, 3), axis=1", "normal(2, 3), axis=-1")
_PAIRS = ("normal(3), normal(4)", "normal(2, 3), normal(2)", "1.5, normal(3)", "normal(3), 1.5")
_OVER_A = "np.sum({}, axis=tuple(range(np.ndim(a), np.ndim(y))))"
_OVER_B = "np.sum({}, axis=tuple(range(np.ndim(a))))"

linear(
    "numpy.add.reduce",
    "a, axis=0, dtype=None, *, keepdims=False",
    a=TOTAL_BAR,
    spread=True,
    shape="reduce a",
    samples=_REDUCED,
)
general(
    "numpy.multiply.reduce",
    "a, axis=0, dtype=None, *, keepdims=False",
    dtype="promote",
    a=PRODUCT_BAR,
    tangent=PRODUCT_DOT,
    shape="reduce a",
    samples=_REDUCED,
)
general(
    "numpy.maximum.reduce numpy.minimum.reduce numpy.fmax.reduce numpy.fmin.reduce",
    "a, axis=0, *, keepdims=False",
    a=EXTREME_BAR,
    tangent=EXTREME_DOT,
    shape="reduce a",
    dtype="a",
    samples=_REDUCED,
    kink="where several elements share the extreme",
)
general(
    "numpy.logaddexp.reduce",
    "a, axis=0, *, keepdims=False",
    a="unreduce(y_bar, axis, keepdims) * np.exp(a - unreduce(y, axis, keepdims))",
    tangent="np.sum(a_dot * np.exp(a - unreduce(y, axis, keepdims)), axis, keepdims=keepdims)",
    shape="reduce a",
    samples=(
        "normal(4)",
        "normal(2, 3)",
        "normal(2, 3), axis=1",
        "normal(2, 3), axis=1, keepdims=True",
    ),
)
linear(
    "numpy.add.accumulate",
    "a, axis=0, dtype=None",
    a=RUNNING_SUM_BAR,
    shape="same a",
    samples=_RUNNING,
)
general(
    "numpy.multiply.accumulate",
    "a, axis=0",
    dtype="promote",
    a=RUNNING_PRODUCT_BAR,
    tangent=RUNNING_PRODUCT_DOT,
    shape="same a",
    samples=(*_RUNNING, "np.array([1.5, 0.0, 2.0, 0.0, 3.0])"),
)
general(
    "numpy.maximum.accumulate numpy.minimum.accumulate numpy.fmax.accumulate numpy.fmin.accumulate",
    "a, axis=0",
    dtype="a",
    a="_running_extreme_bar(y_bar, y, a, axis)",
    tangent="_running_extreme_dot(a_dot, y, a, axis)",
    shape="same a",
    samples=_RUNNING,
    kink="where an element equals the extreme so far",
)
linear(
    "numpy.add.outer",
    "a, b",
    a=_OVER_A.format("y_bar"),
    b=_OVER_B.format("y_bar"),
    shape="unknown",
    samples=_PAIRS,
)
linear(
    "numpy.subtract.outer",
    "a, b",
    a=_OVER_A.format("y_bar"),
    b="-" + _OVER_B.format("y_bar"),
    shape="unknown",
    samples=_PAIRS,
)
general(
    "numpy.multiply.outer",
    "a, b",
    dtype="promote",
    a="np.tensordot(y_bar, b, np.ndim(b))",
    b="np.tensordot(a, y_bar, np.ndim(a))",
    tangent="np.multiply.outer(a_dot, b) + np.multiply.outer(a, b_dot)",
    shape="unknown",
    samples=_PAIRS,
)
general(
    "numpy.divide.outer numpy.true_divide.outer",
    "a, b",
    a="np.tensordot(y_bar, 1.0 / b, np.ndim(b))",
    b=f"-{_OVER_B.format('y_bar * y')} / b",
    tangent="np.divide.outer(a_dot, b) - y * b_dot / b",
    shape="unknown",
    samples=(
        "normal(3), positive(4)",
        "normal(2, 3), positive(2)",
        "1.5, positive(3)",
        "normal(3), 1.5",
    ),
)
