"""Functions with no gradient by nature: integer or boolean results, shapes, fresh arrays.

May not know: the IR, analyses, NumPy.
"""

from __future__ import annotations

from .notation import constant, linear

constant(
    "numpy.zeros numpy.ones numpy.empty",
    "shape, dtype=float, order='C'",
    shape="given shape",
    dtype="dtype",
)
constant(
    "numpy.zeros_like numpy.ones_like numpy.empty_like",
    "a, dtype=None, order='K', subok=True, shape=None",
    shape="same a",
    dtype="a",
)
constant("numpy.eye", "N, M=None, k=0, dtype=float", shape="eye", dtype="dtype")
constant("numpy.identity", "n, dtype=float", shape="eye", dtype="dtype")
constant("numpy.arange", shape="arange", dtype="promote")

linear(
    "numpy.full",
    "shape, fill_value, dtype=None",
    fill_value="unbroadcast(y_bar, fill_value)",
    shape="given shape",
    samples=("(2, 3), 1.5", "3, 1.5", "(2, 3), normal(3)"),
)
linear(
    "numpy.full_like",
    "a, fill_value, dtype=None",
    fill_value="unbroadcast(y_bar, fill_value)",
    shape="same a",
    samples=("normal(2, 3), 1.5",),
)

constant(
    "numpy.argmax numpy.argmin method.argmax method.argmin",
    "a, axis=None, *, keepdims=False",
    shape="reduce a",
    dtype="int",
)
constant("numpy.argsort method.argsort", "a, axis=-1, kind=None, order=None", dtype="int")
constant(
    "numpy.greater numpy.greater_equal numpy.less numpy.less_equal numpy.equal numpy.not_equal"
    " numpy.logical_and numpy.logical_or numpy.logical_xor numpy.logical_not numpy.isnan numpy.isinf"
    " numpy.isfinite numpy.isclose numpy.signbit",
    shape="broadcast",
    dtype="bool",
)
constant(
    "numpy.all numpy.any method.all method.any",
    "a, axis=None, *, keepdims=False",
    shape="reduce a",
    dtype="bool",
)
constant("numpy.allclose numpy.array_equal", shape="scalar", dtype="bool")
constant(
    "numpy.shape attr.shape numpy.ndim attr.ndim numpy.size attr.size attr.dtype attr.itemsize attr.nbytes"
)
constant(
    "numpy.nonzero numpy.flatnonzero numpy.argwhere method.nonzero numpy.count_nonzero numpy.searchsorted",
    dtype="int",
)
