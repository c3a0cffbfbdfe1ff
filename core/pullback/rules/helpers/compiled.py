"""Helpers in the form that Numba compiles: which way they go is decided by types, when they are compiled.

What has no axes may be a float there, so that `isinstance` asks for that first; a branch that does not hold for the
types at hand is never compiled.

May not know: the IR, analyses, NumPy.
"""

from __future__ import annotations

from .registry import compiled_helper

compiled_helper('''
def _unbroadcast_jit(x_bar, shape):
    """x_bar summed over the axes along which an operand of this shape was broadcast."""
    if isinstance(x_bar, (int, float, complex)):
        return 1.0 * x_bar
    if len(shape) == 0:
        return np.sum(x_bar)
    if x_bar.ndim == len(shape) and x_bar.shape == shape:
        return 1.0 * x_bar
    total = np.zeros(shape, x_bar.dtype)
    flat = total.reshape(-1)
    more = x_bar.ndim - len(shape)
    for index, value in np.ndenumerate(x_bar):
        at = 0
        for axis, n in enumerate(shape):
            at = at * n + index[more + axis] % n
        flat[at] += value
    return total
''')

compiled_helper('''
def _zeros_like_jit(x):
    """Floating zeros in the shape of x."""
    if isinstance(x, (int, float)):
        return 0.0
    return np.zeros_like(1.0 * x)
''')

compiled_helper('''
def _add_at_jit(x, index, value):
    """Adds value to the elements of x that index names, each as often as it is named."""
    if isinstance(index, int):
        x[index] += value
    else:
        values = np.broadcast_to(value, x[index].shape)
        for k, i in enumerate(index):
            x[i] += values[k]
''')

compiled_helper('''
def _matmul_a_bar_jit(y_bar, a, b):
    """Cotangent of a where y = a @ b."""
    if a.ndim == 1 and b.ndim == 1:
        return y_bar * b
    if a.ndim == 1:
        return b @ y_bar
    if b.ndim == 1:
        return np.outer(y_bar, b)
    return y_bar @ b.T
''')

compiled_helper('''
def _matmul_b_bar_jit(y_bar, a, b):
    """Cotangent of b where y = a @ b."""
    if a.ndim == 1 and b.ndim == 1:
        return y_bar * a
    if a.ndim == 1:
        return np.outer(a, y_bar)
    return a.T @ y_bar
''')

compiled_helper('''
def _solve_b_bar_jit(y_bar, a, b):
    """Cotangent of b where y = np.linalg.solve(a, b)."""
    return np.linalg.solve(a.T, y_bar)
''')

compiled_helper('''
def _solve_a_bar_jit(y_bar, y, a, b):
    """Cotangent of a where y = np.linalg.solve(a, b)."""
    b_bar = np.linalg.solve(a.T, y_bar)
    if b.ndim == 1:
        return -np.outer(b_bar, y)
    return -b_bar @ y.T
''')

compiled_helper('''
def _shares_jit(hits, axis, x):
    """One for each hit along axis, divided among equals, in the dtype of x."""
    if isinstance(x, (int, float)):
        return 1.0 * hits
    hits = 1.0 * hits
    if axis is None:
        return hits / np.sum(hits)
    return hits / np.expand_dims(np.sum(hits, axis=axis), axis)
''')

compiled_helper('''
def _copy_jit(x):
    """A copy of x, where it is an array."""
    if isinstance(x, (int, float, complex)):
        return x
    return x.copy()
''')

compiled_helper('''
def _unreduced_jit(y_bar, axis, keepdims):
    """y_bar with the axis that a reduction took away put back with length 1."""
    if axis is None:
        return y_bar
    return np.expand_dims(y_bar, axis)
''')

compiled_helper('''
def _cholesky_bar_jit(y_bar, y):
    """Cotangent of a where y = np.linalg.cholesky(a), which reads the lower triangle of a."""
    inner = np.tril(y.T @ y_bar)
    inner = inner + np.tril(inner, -1).T
    left = np.linalg.solve(y.T, inner).T
    a_bar = np.tril(np.linalg.solve(y.T, left))
    return a_bar * (1.0 - 0.5 * np.eye(len(y)))
''')

compiled_helper('''
def _diff_bar_jit(y_bar, n, axis, length):
    """Cotangent of x, length long along its last axis, where y = np.diff(x, n)."""
    x_bar = 1.0 * y_bar
    for _ in range(n):
        wide = np.zeros(x_bar.shape[:-1] + (x_bar.shape[-1] + 1,), x_bar.dtype)
        wide[..., 1:] += x_bar
        wide[..., :-1] -= x_bar
        x_bar = wide
    return x_bar[..., :length]
''')

compiled_helper('''
def _diag_bar_jit(y_bar, x, k):
    """Cotangent of x where y = np.diag(x, k)."""
    if x.ndim == 1:
        return np.diag(y_bar, k).copy()
    x_bar = np.zeros(x.shape, y_bar.dtype)
    for i, value in enumerate(y_bar):
        x_bar[i - min(k, 0), i + max(k, 0)] = value
    return x_bar
''')

compiled_helper('''
def _diagonal_bar_jit(y_bar, x, offset):
    """An array like x with y_bar on its diagonal and zeros elsewhere."""
    x_bar = np.zeros(x.shape, y_bar.dtype)
    for i, value in enumerate(y_bar):
        x_bar[i - min(offset, 0), i + max(offset, 0)] = value
    return x_bar
''')

for _which, _word in (("max", "maximum"), ("min", "minimum")):
    compiled_helper(f'''
def _{_which}_along_jit(x, axis):
    """The {_word} of x along an axis."""
    rows = np.moveaxis(x, axis, 0)
    if len(rows) == 0:
        raise ValueError("an axis without elements has no {_word}")
    out = np.{_word}(rows[0], rows[-1])
    for k in range(1, len(rows) - 1):
        out = np.{_word}(out, rows[k])
    return out
''')

compiled_helper('''
def _mean_along_jit(x, axis):
    """The mean of x along an axis."""
    return np.sum(x, axis) / x.shape[axis]
''')

compiled_helper('''
def _norm_along_jit(x, axis):
    """The Euclidean norm of x along an axis."""
    return np.sqrt(np.sum(np.abs(x) ** 2, axis))
''')

compiled_helper('''
def _roll_along_jit(x, shift, axis):
    """x with its elements moved on along an axis, the last ones to its beginning."""
    out = np.empty_like(x)
    to, rows = np.moveaxis(out, axis, 0), np.moveaxis(x, axis, 0)
    for k in range(len(rows)):
        to[(k + shift) % len(rows)] = rows[k]
    return out
''')
