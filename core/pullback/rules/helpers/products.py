"""Products of arrays: cotangents for any ranks."""

from __future__ import annotations

from .registry import helper

helper('''
def _matmul_a_bar(y_bar, a, b):
    """Cotangent of a where y = a @ b."""
    if np.ndim(b) == 1:
        y_bar = y_bar[..., None] if np.ndim(y_bar) else y_bar
        return _unbroadcast(y_bar * b, np.shape(a))
    if np.ndim(a) == 1:
        return _unbroadcast((b @ y_bar[..., None])[..., 0], np.shape(a))
    return _unbroadcast(y_bar @ np.swapaxes(b, -1, -2), np.shape(a))
''')

helper('''
def _matmul_b_bar(y_bar, a, b):
    """Cotangent of b where y = a @ b."""
    if np.ndim(a) == 1 and np.ndim(b) == 1:
        return y_bar * a
    if np.ndim(a) == 1:
        return _unbroadcast(a[:, None] * y_bar[..., None, :], np.shape(b))
    if np.ndim(b) == 1:
        return _unbroadcast(
            (np.swapaxes(a, -1, -2) @ y_bar[..., None])[..., 0], np.shape(b)
        )
    return _unbroadcast(np.swapaxes(a, -1, -2) @ y_bar, np.shape(b))
''')

helper('''
def _dot_a_bar(y_bar, a, b):
    """Cotangent of a where y = np.dot(a, b)."""
    if np.ndim(a) == 0 or np.ndim(b) == 0:
        return _unbroadcast(y_bar * b, np.shape(a))
    if np.ndim(b) == 1:
        return (y_bar[..., None] if np.ndim(y_bar) else y_bar) * b
    summed = tuple(range(np.ndim(a) - 1, np.ndim(y_bar)))
    kept = (*range(np.ndim(b) - 2), np.ndim(b) - 1)
    return np.tensordot(y_bar, b, axes=(summed, kept))
''')

helper('''
def _dot_b_bar(y_bar, a, b):
    """Cotangent of b where y = np.dot(a, b)."""
    if np.ndim(a) == 0 or np.ndim(b) == 0:
        return _unbroadcast(y_bar * a, np.shape(b))
    if np.ndim(y_bar) == 0:
        return y_bar * a
    lead = tuple(range(np.ndim(a) - 1))
    b_bar = np.tensordot(a, y_bar, axes=(lead, lead))
    return b_bar if np.ndim(b) == 1 else np.moveaxis(b_bar, 0, -2)
''')

helper('''
def _kron_blocks(y_bar, a, b):
    """y_bar of y = np.kron(a, b), one row for each element of a, one column for each of b."""
    rank = max(np.ndim(a), np.ndim(b))
    shape_a = (1,) * (rank - np.ndim(a)) + np.shape(a)
    shape_b = (1,) * (rank - np.ndim(b)) + np.shape(b)
    blocks = np.reshape(y_bar, [n for pair in zip(shape_a, shape_b) for n in pair])
    order = (*range(0, 2 * rank, 2), *range(1, 2 * rank, 2))
    return np.transpose(blocks, order).reshape(np.size(a), np.size(b))
''')

helper('''
def _contracted(a, b, axes):
    """The axes of a and of b that np.tensordot sums over, and those that it keeps."""
    if np.ndim(axes) == 0:
        axes = (range(np.ndim(a) - axes, np.ndim(a)), range(axes))
    sum_a, sum_b = (
        [int(i) for i in np.atleast_1d(side) % max(np.ndim(x), 1)]
        for side, x in zip(axes, (a, b))
    )
    keep_a = [i for i in range(np.ndim(a)) if i not in sum_a]
    keep_b = [i for i in range(np.ndim(b)) if i not in sum_b]
    return sum_a, sum_b, keep_a, keep_b
''')

helper('''
def _tensordot_a_bar(y_bar, a, b, axes):
    """Cotangent of a where y = np.tensordot(a, b, axes)."""
    sum_a, sum_b, keep_a, keep_b = _contracted(a, b, axes)
    a_bar = np.tensordot(y_bar, b, (list(range(len(keep_a), np.ndim(y_bar))), keep_b))
    order = keep_a + [sum_a[i] for i in np.argsort(sum_b)]
    return np.transpose(a_bar, np.argsort(order))
''')

helper('''
def _tensordot_b_bar(y_bar, a, b, axes):
    """Cotangent of b where y = np.tensordot(a, b, axes)."""
    sum_a, sum_b, keep_a, keep_b = _contracted(a, b, axes)
    b_bar = np.tensordot(a, y_bar, (keep_a, list(range(len(keep_a)))))
    order = [sum_b[i] for i in np.argsort(sum_a)] + keep_b
    return np.transpose(b_bar, np.argsort(order))
''')

helper('''
def _components(v, axis):
    """Vectors with their components in the last axis; the third of two is 0."""
    v = np.moveaxis(v, axis, -1)
    rest = 3 - v.shape[-1]
    return np.concatenate([v, np.zeros_like(v[..., :rest])], axis=-1) if rest else v
''')

helper('''
def _cross_bar(y_bar, a, b, axis):
    """Cotangent of a where y = np.cross(a, b, axis=axis); of two components in both, y is a number."""
    n = np.shape(a)[axis]
    if n == np.shape(b)[axis] == 2:
        third = np.asarray(y_bar, np.result_type(y_bar, a, b))[..., None]
        y_bar = np.concatenate([np.zeros_like(third), np.zeros_like(third), third], -1)
    else:
        y_bar = np.moveaxis(y_bar, axis, -1)
    a_bar = np.cross(_components(b, axis), y_bar)[..., :n]
    a_bar = _unbroadcast(a_bar, np.moveaxis(a, axis, -1).shape)
    return np.moveaxis(a_bar, -1, axis)
''')

helper('''
def _tensorinv_bar(y_bar, y, ind):
    """Cotangent of a where y = np.linalg.tensorinv(a, ind)."""
    rows = np.ndim(y) - ind
    inner = np.tensordot(y, y_bar, (range(rows), range(rows)))
    return -np.tensordot(inner, y, (range(ind, 2 * ind), range(rows, np.ndim(y))))
''')
