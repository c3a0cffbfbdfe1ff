"""Elements moved back to where they came from."""

from __future__ import annotations

from .registry import helper

helper('''
def _untranspose(y_bar, axes):
    """Transposes back what x.transpose(*axes) transposed."""
    if len(axes) == 1 and not isinstance(axes[0], int):
        axes = axes[0]
    if axes is None or len(axes) == 0:
        return y_bar.T
    return np.transpose(y_bar, np.argsort(np.mod(axes, y_bar.ndim)))
''')

helper('''
def _take_bar(y_bar, x, indices, axis):
    """Cotangent of x where y = np.take(x, indices, axis)."""
    x_bar = np.zeros(np.shape(x), np.asarray(y_bar).dtype)
    if axis is None:
        np.add.at(x_bar.reshape(-1), indices, y_bar)
    else:
        where = (slice(None),) * (axis % x_bar.ndim) + (indices,)
        np.add.at(x_bar, where, y_bar)
    return x_bar
''')

helper('''
def _diagonal_bar(y_bar, x, offset):
    """An array like x with y_bar on its diagonal and zeros elsewhere."""
    x_bar = np.zeros(np.shape(x), np.asarray(y_bar).dtype)
    rows = np.arange(np.shape(y_bar)[-1]) + max(-offset, 0)
    x_bar[rows, rows + offset] = np.moveaxis(y_bar, -1, 0)
    return x_bar
''')

helper('''
def _diag_bar(y_bar, x, k):
    """Cotangent of x where y = np.diag(x, k)."""
    return np.diag(y_bar, k) if np.ndim(x) == 1 else _diagonal_bar(y_bar, x, k)
''')

helper('''
def _rollaxis_bar(y_bar, axis, start):
    """Moves back the axis that np.rollaxis(x, axis, start) moved."""
    axis %= y_bar.ndim
    start = start + y_bar.ndim if start < 0 else start
    return np.moveaxis(y_bar, start - (start > axis), axis)
''')

helper('''
def _positions(x):
    """The flat position of each element of x."""
    return np.arange(np.size(x)).reshape(np.shape(x))
''')

helper('''
def _gather_bar(y_bar, places, x):
    """Adds each element of y_bar at the flat position of x that it was copied from."""
    x_bar = np.zeros(np.size(x), np.asarray(y_bar).dtype)
    np.add.at(x_bar, places, y_bar)
    return x_bar.reshape(np.shape(x))
''')

helper('''
def _inside(y_bar, pad_width):
    """Along each axis of y_bar, where it is not padding."""
    if isinstance(pad_width, dict):
        pairs = {k % np.ndim(y_bar): w for k, w in pad_width.items()}
        pad_width = [np.broadcast_to(pairs.get(k, 0), 2) for k in range(np.ndim(y_bar))]
    widths = np.broadcast_to(pad_width, (np.ndim(y_bar), 2))
    return [slice(low, n - high) for (low, high), n in zip(widths, np.shape(y_bar))]
''')

helper('''
def _unpad(y_bar, pad_width):
    """The part of y_bar that is not padding."""
    return y_bar[tuple(_inside(y_bar, pad_width))]
''')

helper('''
def _pad_values_bar(y_bar, pad_width, shape):
    """Cotangent of the constant values of np.pad, of this shape: later axes have the corners."""
    bars, inside = np.zeros((y_bar.ndim, 2), y_bar.dtype), _inside(y_bar, pad_width)
    for axis, where in enumerate(inside):
        rest = (slice(None),) * (axis + 1) + tuple(inside[axis + 1 :])
        rows = np.moveaxis(y_bar[rest], axis, 0)
        bars[axis] = np.sum(rows[: where.start]), np.sum(rows[where.stop :])
    return _unbroadcast(bars, shape)
''')

helper('''
def _pad_bar(y_bar, x, pad_width, mode):
    """Cotangent of x where y = np.pad(x, pad_width, mode)."""
    if mode == "constant":
        return _unpad(y_bar, pad_width)
    if mode not in ("edge", "reflect", "symmetric", "wrap"):
        raise NotImplementedError(f"no derivative is known for padding by {mode!r}")
    return _gather_bar(y_bar, np.pad(_positions(x), pad_width, mode), x)
''')

helper('''
def _pad_dot(x_dot, pad_width, mode):
    """Tangent of np.pad(x, pad_width, mode)."""
    if mode not in ("constant", "edge", "reflect", "symmetric", "wrap"):
        raise NotImplementedError(f"no derivative is known for padding by {mode!r}")
    return np.pad(x_dot, pad_width, mode)
''')

helper('''
def _unstacked(y_bar, axis, shapes):
    """The cotangents of arrays of these shapes that were joined along axis."""
    if axis is None:
        axis = 0
    slabs = np.moveaxis(y_bar, axis, 0)
    width = max(np.prod(slabs.shape[1:], dtype=int), 1)
    parts, stop = [], 0
    for shape in shapes:
        start, stop = stop, stop + np.prod(shape, dtype=int) // width
        part = np.moveaxis(slabs[start:stop], 0, axis)
        parts.append(part.reshape(shape))
    return parts
''')

helper('''
def _repeat_bar(y_bar, x, repeats, axis):
    """Cotangent of x where y = np.repeat(x, repeats, axis)."""
    if np.size(repeats) != 1:
        return _gather_bar(y_bar, np.repeat(_positions(x), repeats, axis), x)
    shape = (np.size(x),) if axis is None else np.shape(x)
    k = 0 if axis is None else axis % len(shape)
    split = shape[: k + 1] + (np.ravel(repeats)[0],) + shape[k + 1 :]
    each = np.reshape(y_bar, split)
    return np.reshape(np.sum(each, axis=k + 1), np.shape(x))
''')

helper('''
def _tile_bar(y_bar, x, reps):
    """Cotangent of x where y = np.tile(x, reps)."""
    reps = tuple(np.atleast_1d(reps))
    rank = max(np.ndim(x), len(reps))
    reps = (1,) * (rank - len(reps)) + reps
    shape = (1,) * (rank - np.ndim(x)) + np.shape(x)
    each = np.reshape(y_bar, [n for pair in zip(reps, shape) for n in pair])
    return np.reshape(np.sum(each, axis=tuple(range(0, 2 * rank, 2))), np.shape(x))
''')
