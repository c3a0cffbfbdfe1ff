"""Functions that move elements and compute nothing: each is linear, with the move back as its transpose.

May not know: the IR, analyses, NumPy.
"""

from __future__ import annotations

from .notation import linear

linear(
    "numpy.reshape",
    "a, shape, order='C'",
    a="np.reshape(y_bar, np.shape(a)) if order == 'C' else np.reshape(y_bar, np.shape(a), order)",
    shape="given shape",
    dtype="a",
    memory="maybe a",
    samples=("normal(2, 3), (3, 2)", "normal(2, 3), -1", "normal(2, 3), (3, 2), order='F'"),
)
linear(
    "method.reshape",
    "a, *shape, order='C'",
    a="np.reshape(y_bar, np.shape(a)) if order == 'C' else np.reshape(y_bar, np.shape(a), order)",
    shape="given shape",
    dtype="a",
    memory="maybe a",
    samples=("normal(2, 3), 3, 2", "normal(2, 3), (3, 2)", "normal(2, 3), 6, order='F'"),
)
linear(
    "numpy.ravel method.ravel",
    "a, order='C'",
    a="np.reshape(y_bar, np.shape(a)) if order == 'C' else np.reshape(y_bar, np.shape(a), order)",
    shape="vector",
    dtype="a",
    memory="maybe a",
    samples=("normal(2, 3)", "normal(4)", "normal(2, 3), order='F'"),
)
linear(
    "method.flatten",
    "a, order='C'",
    a="np.reshape(y_bar, np.shape(a)) if order == 'C' else np.reshape(y_bar, np.shape(a), order)",
    shape="vector",
    dtype="a",
    samples=("normal(2, 3)", "normal(4)", "normal(2, 3), order='F'"),
)
linear(
    "attr.T",
    "x",
    x="y_bar.T",
    shape="transpose x",
    dtype="x",
    memory="view x",
    samples=("normal(2, 3)", "normal(4)", "normal(2, 3, 4)"),
)
linear(
    "attr.mT numpy.matrix_transpose numpy.linalg.matrix_transpose",
    "x",
    x="np.swapaxes(y_bar, -1, -2)",
    shape="unknown",
    dtype="x",
    memory="view x",
    samples=("normal(2, 3)", "normal(2, 3, 4)"),
)
linear(
    "numpy.transpose numpy.permute_dims",
    "a, axes=None",
    a="y_bar.T if axes is None else np.transpose(y_bar, np.argsort(np.mod(axes, np.ndim(a))))",
    shape="transpose a",
    dtype="a",
    memory="view a",
    samples=(
        "normal(2, 3)",
        "normal(2, 3, 4), (1, 2, 0)",
        "normal(2, 3, 4), (-1, 0, 1)",
        "normal(4)",
    ),
)
linear(
    "method.transpose",
    "a, *axes",
    a="y_bar.T if np.ndim(a) <= 2 and len(axes) == 0 else _untranspose(y_bar, axes)",
    shape="transpose a",
    dtype="a",
    memory="view a",
    samples=(
        "normal(2, 3)",
        "normal(2, 3, 4), 1, 2, 0",
        "normal(2, 3, 4), (2, 0, 1)",
        "normal(2, 3, 4), None",
    ),
)
linear(
    "numpy.swapaxes method.swapaxes",
    "a, axis1, axis2",
    a="np.swapaxes(y_bar, axis1, axis2)",
    shape="swap a",
    dtype="a",
    memory="view a",
    samples=("normal(2, 3, 4), 0, 2", "normal(2, 3), 0, 1"),
)
linear(
    "numpy.moveaxis",
    "a, source, destination",
    a="np.moveaxis(y_bar, destination, source)",
    shape="unknown",
    dtype="a",
    memory="view a",
    samples=("normal(2, 3, 4), 0, 2", "normal(2, 3, 4), (0, 1), (-1, -2)"),
)
linear(
    "numpy.expand_dims",
    "a, axis",
    a="np.reshape(y_bar, np.shape(a))",
    shape="expand a",
    dtype="a",
    memory="view a",
    samples=("normal(2, 3), 1", "normal(2, 3), (0, -1)"),
)
linear(
    "numpy.squeeze method.squeeze",
    "a, axis=None",
    a="np.reshape(y_bar, np.shape(a))",
    shape="unknown",
    dtype="a",
    memory="view a",
    samples=("normal(2, 1, 3)", "normal(1, 2, 1), axis=0"),
)
linear(
    "numpy.broadcast_to",
    "array, shape",
    array="unbroadcast(y_bar, array)",
    shape="given shape",
    dtype="array",
    memory="view array",
    samples=("normal(3), (2, 3)", "normal(2, 1), (2, 3)", "1.5, (2, 3)"),
)
linear(
    "numpy.flip",
    "m, axis=None",
    m="np.flip(y_bar, axis)",
    shape="same m",
    dtype="m",
    memory="view m",
    samples=("normal(2, 3)", "normal(2, 3), 1", "normal(2, 3, 2), (0, 2)"),
)
linear(
    "numpy.fliplr",
    "m",
    m="np.fliplr(y_bar)",
    shape="same m",
    dtype="m",
    memory="view m",
    samples=("normal(2, 3)",),
)
linear(
    "numpy.flipud",
    "m",
    m="np.flipud(y_bar)",
    shape="same m",
    dtype="m",
    memory="view m",
    samples=("normal(2, 3)",),
)
linear(
    "numpy.roll",
    "a, shift, axis=None",
    a="np.roll(y_bar, -shift, axis) if np.ndim(shift) == 0 else np.roll(y_bar, np.negative(shift), axis)",
    shape="same a",
    dtype="a",
    samples=(
        "normal(5), 2",
        "normal(2, 3), 1, axis=0",
        "normal(2, 3), (1, 2), axis=(0, 1)",
        "normal(2, 3), 1",
    ),
)
linear(
    "numpy.rot90",
    "m, k=1, axes=(0, 1)",
    m="np.rot90(y_bar, -k, axes)",
    shape="unknown",
    dtype="m",
    memory="view m",
    samples=("normal(2, 3)", "normal(2, 3), 2", "normal(2, 3, 2), 3, axes=(1, 2)"),
)
linear(
    "numpy.copy method.copy numpy.ascontiguousarray numpy.asfortranarray",
    "a, order='K'",
    a="y_bar",
    shape="same a",
    dtype="a",
    samples=("normal(2, 3)",),
)
linear(
    "method.astype",
    "x, dtype, *, copy=True",
    x="y_bar",
    shape="same x",
    dtype="dtype",
    memory="fresh",
    samples=("normal(2, 3), float",),
)
linear(
    "numpy.take method.take",
    "a, indices, axis=None",
    a="_take_bar(y_bar, a, indices, axis)",
    shape="take a",
    dtype="a",
    samples=(
        "normal(5), np.array([0, 2, 2])",
        "normal(5, 3), np.array([0, 2, 2]), axis=0",
        "normal(5, 3), np.array([[0, 2], [-1, 1]]), axis=1",
        "normal(5, 3), 2, axis=-1",
        "normal(5, 3), np.array([0, 7])",
    ),
)
linear(
    "numpy.diag",
    "v, k=0",
    v="np.diag(y_bar, k) if np.ndim(v) == 1 else _diag_bar(y_bar, v, k)",
    shape="diag v",
    dtype="v",
    memory="maybe v",
    samples=("normal(3)", "normal(3), 1", "normal(3, 3)", "normal(3, 4), 1", "normal(4, 3), -1"),
)
linear(
    "numpy.diagonal method.diagonal",
    "a, offset=0",
    a="_diagonal_bar(y_bar, a, offset)",
    shape="unknown",
    dtype="a",
    memory="view a",
    samples=("normal(3, 3)", "normal(3, 4), 1", "normal(4, 3), -1", "normal(3, 4, 2), 1"),
)
linear(
    "numpy.tril",
    "m, k=0",
    m="np.tril(y_bar, k)",
    shape="same m",
    dtype="m",
    samples=("normal(3, 3)", "normal(3, 4), 1"),
)
linear(
    "numpy.triu",
    "m, k=0",
    m="np.triu(y_bar, k)",
    shape="same m",
    dtype="m",
    samples=("normal(3, 3)", "normal(3, 4), 1"),
)
