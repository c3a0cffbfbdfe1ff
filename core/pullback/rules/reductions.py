"""Sums, means, extremes and running sums: functions that add up or run along axes.

May not know: the IR, analyses, NumPy.
"""

from __future__ import annotations

from .notation import general, linear

_AXES = (
    "normal(2, 3)",
    "normal(2, 3), axis=0",
    "normal(2, 3), axis=-1, keepdims=True",
    "normal(2, 3, 4), axis=(0, 2)",
    "normal(2, 3, 4), axis=(-1, 0), keepdims=True",
    "normal(2, 3), keepdims=True",
    "normal(4)",
)

linear(
    "numpy.sum method.sum",
    "a, axis=None, dtype=None, *, keepdims=False",
    a="unreduce(y_bar, axis, keepdims)",
    spread=True,
    shape="reduce a",
    samples=(*_AXES, "1.5"),
)
linear(
    "numpy.mean method.mean",
    "a, axis=None, dtype=None, *, keepdims=False",
    a="unreduce(y_bar, axis, keepdims) / count(a, axis)",
    spread=True,
    shape="reduce a",
    dtype="float",
    samples=(*_AXES, "1.5"),
)
general(
    "numpy.prod method.prod",
    "a, axis=None, dtype=None, *, keepdims=False",
    a="unreduce(y_bar, axis, keepdims) * _product_of_others(a, axis)",
    tangent="np.sum(a_dot * _product_of_others(a, axis), axis, keepdims=keepdims)",
    shape="reduce a",
    samples=(*_AXES, "np.array([[1.5, 0.0, 2.0], [0.0, 3.0, 0.0]]), axis=1"),
)
general(
    "numpy.max numpy.amax method.max numpy.min numpy.amin method.min",
    "a, axis=None, *, keepdims=False",
    a="(a == y) * (y_bar / int(np.count_nonzero(a == y))) if axis is None else "
    "unreduce(y_bar, axis, keepdims) * _shares(a == unreduce(y, axis, keepdims), axis, a)",
    tangent="np.sum(a_dot * _shares(a == unreduce(y, axis, keepdims), axis, a), axis,"
    " keepdims=keepdims)",
    shape="reduce a",
    dtype="a",
    samples=(*_AXES, "1.5"),
    kink="where several elements share the extreme",
)
general(
    "numpy.var method.var",
    "a, axis=None, dtype=None, *, ddof=0, keepdims=False",
    a="unreduce(y_bar, axis, keepdims) * (2.0 / (count(a, axis) - ddof))"
    " * (a - np.mean(a, axis, keepdims=True))",
    tangent="2.0 / (count(a, axis) - ddof)"
    " * np.sum((a - np.mean(a, axis, keepdims=True)) * a_dot, axis, keepdims=keepdims)",
    shape="reduce a",
    samples=(*_AXES, "normal(2, 3), axis=1, ddof=1", "normal(5), ddof=1"),
)
general(
    "numpy.std method.std",
    "a, axis=None, dtype=None, *, ddof=0, keepdims=False",
    a="unreduce(y_bar / y, axis, keepdims) * (1.0 / (count(a, axis) - ddof))"
    " * (a - np.mean(a, axis, keepdims=True))",
    tangent="1.0 / (count(a, axis) - ddof)"
    " * np.sum((a - np.mean(a, axis, keepdims=True)) * a_dot, axis, keepdims=keepdims) / y",
    shape="reduce a",
    samples=(*_AXES, "normal(2, 3), axis=1, ddof=1", "normal(5), ddof=1"),
    kink="where all elements are equal",
)
linear(
    "numpy.cumsum method.cumsum",
    "a, axis=None, dtype=None",
    a="np.cumsum(y_bar[::-1])[::-1] if np.ndim(a) == 1 else "
    "np.cumsum(y_bar[::-1])[::-1].reshape(np.shape(a)) if axis is None else "
    "np.flip(np.cumsum(np.flip(y_bar, axis), axis), axis)",
    shape="unknown",
    samples=("normal(4)", "normal(2, 3)", "normal(2, 3), axis=0", "normal(2, 3), axis=-1"),
)
