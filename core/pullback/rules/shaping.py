"""Functions that move elements and compute nothing: each is linear, with the move back as its transpose.

May not know: the IR, analyses, NumPy.
"""

from __future__ import annotations

from .notation import general, linear, only

linear(
    "numpy.reshape",
    "a, shape, order='C'",
    a="np.reshape(y_bar, np.shape(a)) if order == 'C' else np.reshape(y_bar, np.shape(a), order)",
    shape="given_counts shape",
    dtype="a",
    memory="maybe a",
    samples=("normal(2, 3), (3, 2)", "normal(2, 3), -1", "normal(2, 3), (3, 2), order='F'"),
)
linear(
    "method.reshape",
    "a, *shape, order='C'",
    a="np.reshape(y_bar, np.shape(a)) if order == 'C' else np.reshape(y_bar, np.shape(a), order)",
    shape="given_counts shape",
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
    "numpy.lib.stride_tricks.sliding_window_view",
    "x, window_shape, axis=None",
    x="_gather_bar(y_bar, np.lib.stride_tricks.sliding_window_view(_positions(x), window_shape, axis), x)",
    shape="unknown",
    dtype="x",
    memory="maybe x",
    samples=("normal(5), 3", "normal(4, 3), (2, 2)", "normal(4, 3), 2, axis=0"),
)
linear(
    "numpy.flip",
    "m, axis=None",
    m="np.flip(y_bar) if axis is None else np.flip(y_bar, axis)",
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
    a="np.roll(y_bar, -shift) if axis is None and np.ndim(shift) == 0 else np.roll(y_bar, -shift, axis)"
    " if np.ndim(shift) == 0 else np.roll(y_bar, np.negative(shift), axis)",
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
    "numpy.copy method.copy",
    "a, order='K'",
    a="y_bar",
    shape="same a",
    dtype="a",
    samples=("normal(2, 3)",),
)
linear(
    "copy.deepcopy",
    "x, memo=None",
    x="y_bar",
    shape="same x",
    dtype="x",
    samples=("normal(2, 3)",),
)
linear(
    "numpy.asfortranarray numpy.ascontiguousarray",
    "a, dtype=None",
    a="y_bar",
    shape="same a",
    dtype="a",
    samples=("normal(2, 3)", "normal(2, 3), dtype=float"),
)
linear(
    "method.astype",
    "x, dtype, order='K', casting='unsafe', subok=True, copy=True",
    x="y_bar",
    shape="same x",
    dtype="dtype",
    memory="fresh",
    samples=("normal(2, 3), float", "normal(2, 3), float, 'F', copy=False"),
)
linear(
    "numpy.take method.take",
    "a, indices, axis=None, *, mode='raise'",
    a="_take_bar(y_bar, a, indices, axis) if mode == 'raise' else "
    "_gather_bar(y_bar, np.take(_positions(a), indices, axis, mode=mode), a)",
    shape="take a",
    dtype="a",
    samples=(
        "normal(5), np.array([0, 2, 2])",
        "normal(5, 3), np.array([0, 2, 2]), axis=0",
        "normal(5, 3), np.array([[0, 2], [-1, 1]]), axis=1",
        "normal(5, 3), 2, axis=-1",
        "normal(5, 3), np.array([0, 7])",
        "normal(5, 3), np.array([0, 7]), axis=0, mode='wrap'",
    ),
)
linear(
    "numpy.diag",
    "v, k=0",
    v="np.diag(y_bar) if np.ndim(v) == 1 and k == 0 else"
    " np.diag(y_bar, k) if np.ndim(v) == 1 else _diag_bar(y_bar, v, k)",
    shape="diag v",
    dtype="v",
    memory="maybe v",
    samples=("normal(3)", "normal(3), 1", "normal(3, 3)", "normal(3, 4), 1", "normal(4, 3), -1"),
)
linear(
    "numpy.diagonal method.diagonal",
    "a, offset=0, axis1=0, axis2=1",
    a="_diagonal_bar(y_bar, a, offset) if axis1 == 0 and axis2 == 1 else np.moveaxis(_diagonal_bar("
    "y_bar, np.moveaxis(a, (axis1, axis2), (0, 1)), offset), (0, 1), (axis1, axis2))",
    shape="unknown",
    dtype="a",
    memory="view a",
    samples=(
        "normal(3, 3)",
        "normal(3, 4), 1",
        "normal(4, 3), -1",
        "normal(3, 4, 2), 1",
        "normal(2, 4, 3), 0, 1, 2",
    ),
)
linear(
    "numpy.tril",
    "m, k=0",
    m="np.tril(y_bar) if k == 0 else np.tril(y_bar, k)",
    shape="same m",
    dtype="m",
    samples=("normal(3, 3)", "normal(3, 4), 1"),
)
linear(
    "numpy.triu",
    "m, k=0",
    m="np.triu(y_bar) if k == 0 else np.triu(y_bar, k)",
    shape="same m",
    dtype="m",
    samples=("normal(3, 3)", "normal(3, 4), 1"),
)
linear(
    "numpy.atleast_1d numpy.atleast_2d numpy.atleast_3d",
    "a",
    a="np.reshape(y_bar, np.shape(a))",
    shape="unknown",
    dtype="a",
    memory="maybe a",
    samples=("1.5", "normal(3)", "normal(2, 3)"),
)
linear(
    "numpy.rollaxis",
    "a, axis, start=0",
    a="np.moveaxis(y_bar, start - (start > axis), axis) if axis >= 0 and start >= 0 else "
    "_rollaxis_bar(y_bar, axis, start)",
    shape="unknown",
    dtype="a",
    memory="view a",
    samples=(
        "normal(2, 3, 4), 2",
        "normal(2, 3, 4), 0, 3",
        "normal(2, 3, 4), -1, -2",
        "normal(2, 3, 4), 1, 1",
    ),
)
linear(
    "numpy.repeat method.repeat",
    "a, repeats, axis=None",
    a="np.sum(np.reshape(y_bar, (*np.shape(a), repeats)), axis=-1)"
    " if axis is None and np.ndim(repeats) == 0 else "
    "_repeat_bar(y_bar, a, repeats, axis)",
    shape="unknown",
    dtype="a",
    samples=(
        "normal(3), 2",
        "normal(2, 3), 2",
        "normal(2, 3), 2, axis=1",
        "normal(2, 3, 2), 3, axis=-2",
        "normal(2, 3), np.array([1, 3]), axis=0",
        "1.5, 3",
    ),
)
linear(
    "numpy.tile",
    "A, reps",
    A="np.sum(np.reshape(y_bar, (reps, -1)), axis=0) if np.ndim(A) == 1 and np.ndim(reps) == 0 else "
    "_tile_bar(y_bar, A, reps)",
    shape="unknown",
    dtype="A",
    samples=(
        "normal(3), 2",
        "normal(2, 3), 2",
        "normal(2, 3), (2, 1)",
        "normal(3), (2, 2)",
        "normal(2, 3), (3, 1, 2)",
        "1.5, 3",
    ),
)
linear(
    "numpy.resize",
    "a, new_shape",
    a="_gather_bar(y_bar, np.resize(_positions(a), new_shape), a)",
    shape="unknown",
    dtype="a",
    samples=("normal(3), 7", "normal(2, 3), (2, 2)"),
)
linear(
    "numpy.delete",
    "arr, obj, axis=None",
    arr="_gather_bar(y_bar, np.delete(_positions(arr), obj, axis), arr)",
    shape="unknown",
    dtype="arr",
    samples=("normal(5), 2", "normal(2, 3), [0, 2], axis=1", "normal(5), slice(1, 3)"),
)
linear(
    "numpy.compress",
    "condition, a, axis=None",
    a="_gather_bar(y_bar, np.compress(condition, _positions(a), axis), a)",
    shape="unknown",
    dtype="a",
    samples=("[True, False, True], normal(3)", "[False, True], normal(2, 3), axis=0"),
)
linear(
    "method.compress",
    "a, condition, axis=None",
    a="_gather_bar(y_bar, np.compress(condition, _positions(a), axis), a)",
    shape="unknown",
    dtype="a",
    samples=("normal(3), [True, False, True]", "normal(2, 3), [False, True], axis=0"),
)
linear(
    "numpy.extract",
    "condition, arr",
    arr="_gather_bar(y_bar, np.extract(condition, _positions(arr)), arr)",
    shape="vector",
    dtype="arr",
    samples=("normal(2, 3) > 0, normal(2, 3)", "np.array([True, False]), normal(2)"),
)
linear(
    "numpy.take_along_axis",
    "arr, indices, axis",
    arr="_gather_bar(y_bar, np.take_along_axis(_positions(arr), indices, axis), arr)",
    shape="unknown",
    dtype="arr",
    samples=("normal(2, 3), np.array([[0, 0], [2, 1]]), 1", "normal(4), np.array([3, 3]), 0"),
)
linear(
    "numpy.append",
    "arr, values, axis=None",
    arr="np.reshape(y_bar[: np.size(arr)], np.shape(arr)) if axis is None else "
    "np.split(y_bar, [np.shape(arr)[axis]], axis)[0]",
    values="np.reshape(y_bar[np.size(arr) :], np.shape(values)) if axis is None else "
    "np.split(y_bar, [np.shape(arr)[axis]], axis)[1]",
    shape="unknown",
    samples=(
        "normal(3), 1.5",
        "normal(3), normal(2)",
        "normal(2, 3), normal(2, 2)",
        "normal(2, 3), normal(2, 2), axis=1",
        "normal(2, 3), normal(1, 3), axis=0",
    ),
)
linear(
    "numpy.diagflat",
    "v, k=0",
    v="np.reshape(np.diag(y_bar, k), np.shape(v))",
    shape="matrix",
    dtype="v",
    samples=("normal(3)", "normal(2, 2), 1"),
)
linear(
    "numpy.linalg.diagonal",
    "x, /, *, offset=0",
    x="_diagonal_bar(y_bar, x, offset) if np.ndim(x) == 2 else np.moveaxis("
    "_diagonal_bar(y_bar, np.moveaxis(x, (-2, -1), (0, 1)), offset), (0, 1), (-2, -1))",
    shape="unknown",
    dtype="x",
    memory="view x",
    samples=("normal(3, 3)", "normal(3, 4), offset=1", "normal(2, 4, 3), offset=-1"),
)
general(
    "numpy.pad",
    "array, pad_width, mode='constant', *, constant_values=0.0",
    array="_unpad(y_bar, pad_width) if mode == 'constant' else _pad_bar(y_bar, array, pad_width, mode)",
    constant_values="np.sum(y_bar) - np.sum(_unpad(y_bar, pad_width)) if np.ndim(constant_values) == 0 else "
    "_pad_values_bar(y_bar, pad_width, np.shape(constant_values))",
    tangent="np.pad(array_dot, pad_width, constant_values=constant_values_dot) if mode == 'constant' else "
    "_pad_dot(array_dot, pad_width, mode)",
    shape="padded array",
    dtype="array",
    samples=(
        "normal(4), 2",
        "normal(4), (1, 2)",
        "normal(2, 3), ((1, 0), (0, 2))",
        "normal(2, 3), 1, constant_values=1.5",
        "normal(2, 3), ((1, 2), (2, 1)), constant_values=normal(2, 2)",
        "normal(2, 3), 1, constant_values=rng.normal(size=2)",
        "normal(4), 1, 'edge'",
        "normal(4, 3), (1, 2), 'reflect'",
    ),
)
only("numpy.pad", mode=("constant", "edge", "reflect", "symmetric", "wrap"))
linear(
    "method.item",
    "a",
    a="np.reshape(y_bar, np.shape(a))",
    shape="scalar",
    dtype="a",
    samples=("normal(1)", "normal(1, 1)"),
)
linear(
    "numpy.float16 numpy.float32 numpy.float64 numpy.float128 numpy.half numpy.single numpy.double"
    " numpy.longdouble numpy.float_ numpy.longfloat",
    "x",
    x="y_bar",
    shape="same x",
    dtype="float",
    samples=("1.5", "normal()"),
)
linear(
    "numpy.astype",
    "x, dtype, /, *, copy=True",
    x="y_bar",
    shape="same x",
    dtype="dtype",
    samples=("normal(2, 3), np.float64",),
)

# --- order: which element goes where is piecewise constant ---------------------------------------

general(
    "numpy.sort",
    "a, axis=-1",
    a="np.reshape(y_bar[np.argsort(np.argsort(a, None))], np.shape(a)) if axis is None else "
    "np.take_along_axis(y_bar, np.argsort(np.argsort(a, axis), axis), axis)",
    tangent="np.ravel(a_dot)[np.argsort(a, None)] if axis is None else "
    "np.take_along_axis(a_dot, np.argsort(a, axis), axis)",
    shape="along a axis",
    dtype="a",
    samples=("normal(5)", "normal(2, 3)", "normal(2, 3), axis=0", "normal(2, 3), axis=None"),
    kink="where elements are equal",
)
general(
    "numpy.partition",
    "a, kth, axis=-1",
    a="_gather_bar(y_bar, np.take_along_axis(_positions(a), np.argpartition(a, kth, axis), axis), a)",
    tangent="np.take_along_axis(a_dot, np.argpartition(a, kth, axis), axis)",
    shape="along a axis",
    dtype="a",
    samples=("normal(5), 2", "normal(2, 3), 1, axis=0"),
    kink="where elements are equal",
)
