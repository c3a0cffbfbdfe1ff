"""Private functions that formulas call where an expression will not do.

Each is plain NumPy source, put into the user's module beside the derivatives that call it; names are
spelled here without the numbers that a clash would add. A helper that is the last branch of a
conditional formula is right for every case of it.

May not know: the IR, analyses, NumPy.
"""

from __future__ import annotations

HELPERS: dict[str, str] = {}


def _helper(source: str) -> None:
    text = source.strip() + "\n"
    HELPERS[text[len("def ") : text.index("(")]] = text


def helpers_in(formula: str) -> tuple[str, ...]:
    """The helpers that a text calls, those first that others call."""
    found: list[str] = []
    for name, source in HELPERS.items():
        if f"{name}(" not in formula:
            continue
        body = source[source.index("\n") :].replace(f"{name}(", "(")  # one may call itself
        found += [n for n in (*helpers_in(body), name) if n not in found]
    return tuple(found)


# --- products ------------------------------------------------------------------------------------

_helper('''
def _sum_to(x_bar, x):
    """x_bar summed over the axes along which x was broadcast."""
    extra = tuple(range(np.ndim(x_bar) - np.ndim(x)))
    x_bar = np.sum(x_bar, axis=extra)
    stretched = tuple(i for i, n in enumerate(np.shape(x)) if n == 1 and x_bar.shape[i] != 1)
    return np.sum(x_bar, axis=stretched, keepdims=True)
''')

_helper('''
def _matmul_a_bar(y_bar, a, b):
    """Cotangent of a where y = a @ b."""
    if np.ndim(b) == 1:
        return _sum_to(np.asarray(y_bar)[..., None] * b, a)
    if np.ndim(a) == 1:
        return _sum_to((b @ y_bar[..., None])[..., 0], a)
    return _sum_to(y_bar @ np.swapaxes(b, -1, -2), a)
''')

_helper('''
def _matmul_b_bar(y_bar, a, b):
    """Cotangent of b where y = a @ b."""
    if np.ndim(a) == 1 and np.ndim(b) == 1:
        return y_bar * a
    if np.ndim(a) == 1:
        return _sum_to(a[:, None] * y_bar[..., None, :], b)
    if np.ndim(b) == 1:
        return _sum_to((np.swapaxes(a, -1, -2) @ y_bar[..., None])[..., 0], b)
    return _sum_to(np.swapaxes(a, -1, -2) @ y_bar, b)
''')

_helper('''
def _dot_a_bar(y_bar, a, b):
    """Cotangent of a where y = np.dot(a, b)."""
    if np.ndim(a) == 0 or np.ndim(b) == 0:
        return _sum_to(y_bar * b, a)
    if np.ndim(b) == 1:
        return np.asarray(y_bar)[..., None] * b
    summed = tuple(range(np.ndim(a) - 1, np.ndim(y_bar)))
    kept = (*range(np.ndim(b) - 2), np.ndim(b) - 1)
    return np.tensordot(y_bar, b, axes=(summed, kept))
''')

_helper('''
def _dot_b_bar(y_bar, a, b):
    """Cotangent of b where y = np.dot(a, b)."""
    if np.ndim(a) == 0 or np.ndim(b) == 0:
        return _sum_to(y_bar * a, b)
    lead = tuple(range(np.ndim(a) - 1))
    b_bar = np.tensordot(a, y_bar, axes=(lead, lead))
    return b_bar if np.ndim(b) == 1 else np.moveaxis(b_bar, 0, -2)
''')

_helper('''
def _product_of_others(x, axis):
    """For each element the product of all others along axis (zeros are no trouble)."""
    axes = tuple(range(np.ndim(x))) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    last = tuple(range(-len(axes), 0))
    rows = np.moveaxis(x, axes, last)
    flat = rows.reshape(rows.shape[: rows.ndim - len(axes)] + (-1,))
    before = np.ones_like(flat)
    after = np.ones_like(flat)
    before[..., 1:] = np.cumprod(flat[..., :-1], axis=-1)
    after[..., :-1] = np.cumprod(flat[..., :0:-1], axis=-1)[..., ::-1]
    return np.moveaxis((before * after).reshape(rows.shape), last, axes)
''')

_helper('''
def _shares(hits, axis, x):
    """One for each hit along axis, divided among equals, in the dtype of x."""
    hits = np.asarray(hits).astype(np.asarray(x).dtype)
    return hits / np.sum(hits, axis, keepdims=True)
''')

_helper('''
def _inner_b_bar(y_bar, a, b):
    """Cotangent of b where y = np.inner(a, b)."""
    if np.ndim(a) == 0 or np.ndim(b) == 0:
        return _sum_to(y_bar * a, b)
    lead = tuple(range(np.ndim(a) - 1))
    return np.tensordot(y_bar, a, axes=(lead, lead))
''')

# --- reductions ----------------------------------------------------------------------------------

_helper('''
def _cumprod_bar(y_bar, y, x, axis):
    """Cotangent of x where y = np.cumprod(x, axis)."""
    if axis is None:
        return _cumprod_bar(y_bar, y, np.ravel(x), 0).reshape(np.shape(x))
    if np.all(x):
        return np.flip(np.cumsum(np.flip(y_bar * y, axis), axis), axis) / x
    y_bar, y, x = (np.moveaxis(v, axis, 0) for v in (y_bar, y, x))
    x_bar = np.zeros_like(y_bar)
    later = np.zeros_like(y_bar[0])
    for i in reversed(range(len(x))):
        later = later + y_bar[i]
        x_bar[i] = later * y[i - 1] if i else later
        later = later * x[i]
    return np.moveaxis(x_bar, 0, axis)
''')

_helper('''
def _cumprod_dot(x_dot, y, x, axis):
    """Tangent of y = np.cumprod(x, axis)."""
    if axis is None:
        return _cumprod_dot(np.ravel(x_dot), y, np.ravel(x), 0)
    x_dot, y, x = (np.moveaxis(v, axis, 0) for v in (x_dot, y, x))
    y_dot = np.zeros_like(x_dot)
    y_dot[:1] = x_dot[:1]
    for i in range(1, len(x)):
        y_dot[i] = y_dot[i - 1] * x[i] + y[i - 1] * x_dot[i]
    return np.moveaxis(y_dot, 0, axis)
''')

_helper('''
def _along(weights, x, axis):
    """Weights of one axis, shaped to multiply x."""
    if np.shape(weights) == np.shape(x):
        return weights
    shape = [1] * np.ndim(x)
    shape[axis] = -1
    return np.reshape(weights, shape)
''')

_helper('''
def _average_weights(x, axis, weights):
    """The weights of np.average, shaped to multiply x and adding up to one."""
    weights = _along(weights, x, axis)
    return weights / np.sum(weights, axis, keepdims=True)
''')

_helper('''
def _average_weights_bar(y_bar, y, x, axis, weights):
    """Cotangent of the weights of y = np.average(x, axis, weights); y keeps the reduced axes."""
    w_bar = y_bar * (x - y) / np.sum(_along(weights, x, axis), axis, keepdims=True)
    if np.shape(weights) == np.shape(x):
        return w_bar
    return np.sum(np.moveaxis(w_bar, axis, 0), axis=tuple(range(1, np.ndim(x))))
''')

_helper('''
def _average_weights_dot(w_dot, y, x, axis, weights, keepdims):
    """Tangent of y = np.average(x, axis, weights) along its weights."""
    mean = y if keepdims or axis is None else np.expand_dims(y, axis)
    shift = _along(w_dot, x, axis) * (x - mean)
    return np.sum(shift, axis, keepdims=keepdims) / np.sum(_along(weights, x, axis), axis, keepdims=keepdims)
''')

_helper('''
def _quantile_weights(x, q, axis):
    """The weight of each element of x in its quantile q along axis."""
    if np.ndim(q):
        raise NotImplementedError("no derivative is known for several quantiles at once")
    axes = tuple(range(np.ndim(x))) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    last = tuple(range(-len(axes), 0))
    rows = np.moveaxis(x, axes, last)
    flat = rows.reshape(rows.shape[: rows.ndim - len(axes)] + (-1,))
    order = np.argsort(flat, axis=-1)
    low = int(q * (flat.shape[-1] - 1))
    high = min(low + 1, flat.shape[-1] - 1)
    part = q * (flat.shape[-1] - 1) - low
    weights = np.zeros_like(flat)
    np.put_along_axis(weights, order[..., low : low + 1], 1.0 - part, -1)
    if part:
        np.put_along_axis(weights, order[..., high : high + 1], part, -1)
    return np.moveaxis(weights.reshape(rows.shape), last, axes)
''')

# --- linear algebra ------------------------------------------------------------------------------

_helper('''
def _norm_bar(y_bar, y, x, ord, axis, keepdims):
    """Cotangent of x where y = np.linalg.norm(x, ord, axis, keepdims)."""
    if axis is not None and not keepdims:
        y_bar, y = np.expand_dims(y_bar, axis), np.expand_dims(y, axis)
    flat = np.ndim(x) == 1 or np.ndim(axis) == 0 and axis is not None
    if ord is None or ord == "fro" or flat and ord == 2:
        return x * (y_bar / y)
    if not flat:
        raise NotImplementedError(f"no derivative is known for the matrix norm of order {ord!r}")
    if ord in (np.inf, -np.inf):
        hits = (np.abs(x) == y).astype(x.dtype)
        return y_bar * np.sign(x) * hits / np.sum(hits, axis, keepdims=True)
    return y_bar * np.sign(x) * (np.abs(x) / y) ** (ord - 1)
''')

_helper('''
def _solve_b_bar(y_bar, a, b):
    """Cotangent of b where y = np.linalg.solve(a, b)."""
    a_t = np.swapaxes(a, -1, -2)
    return _sum_to(np.linalg.solve(a_t, y_bar), b)
''')

_helper('''
def _solve_a_bar(y_bar, y, a, b):
    """Cotangent of a where y = np.linalg.solve(a, b)."""
    a_t = np.swapaxes(a, -1, -2)
    b_bar = np.linalg.solve(a_t, y_bar)
    if np.ndim(b) == 1:
        return _sum_to(-b_bar[..., :, None] * y[..., None, :], a)
    return _sum_to(-b_bar @ np.swapaxes(y, -1, -2), a)
''')

# --- moving elements -----------------------------------------------------------------------------

_helper('''
def _untranspose(y_bar, axes):
    """Transposes back what x.transpose(*axes) transposed."""
    if len(axes) == 1 and not isinstance(axes[0], int):
        axes = axes[0]
    if axes is None or len(axes) == 0:
        return y_bar.T
    return np.transpose(y_bar, np.argsort(np.mod(axes, y_bar.ndim)))
''')

_helper('''
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

_helper('''
def _diagonal_bar(y_bar, x, offset):
    """An array like x with y_bar on its diagonal and zeros elsewhere."""
    x_bar = np.zeros(np.shape(x), np.asarray(y_bar).dtype)
    rows = np.arange(np.shape(y_bar)[-1]) + max(-offset, 0)
    x_bar[rows, rows + offset] = np.moveaxis(y_bar, -1, 0)
    return x_bar
''')

_helper('''
def _diag_bar(y_bar, x, k):
    """Cotangent of x where y = np.diag(x, k)."""
    return np.diag(y_bar, k) if np.ndim(x) == 1 else _diagonal_bar(y_bar, x, k)
''')

_helper('''
def _rollaxis_bar(y_bar, axis, start):
    """Moves back the axis that np.rollaxis(x, axis, start) moved."""
    axis %= y_bar.ndim
    start = start + y_bar.ndim if start < 0 else start
    return np.moveaxis(y_bar, start - (start > axis), axis)
''')

_helper('''
def _positions(x):
    """The flat position of each element of x."""
    return np.arange(np.size(x)).reshape(np.shape(x))
''')

_helper('''
def _gather_bar(y_bar, places, x):
    """Adds each element of y_bar at the flat position of x that it was copied from."""
    x_bar = np.zeros(np.size(x), np.asarray(y_bar).dtype)
    np.add.at(x_bar, places, y_bar)
    return x_bar.reshape(np.shape(x))
''')

_helper('''
def _unpad(y_bar, pad_width):
    """The part of y_bar that is not padding."""
    widths = np.broadcast_to(pad_width, (np.ndim(y_bar), 2))
    return y_bar[tuple(slice(low, n - high) for (low, high), n in zip(widths, np.shape(y_bar)))]
''')

_helper('''
def _pad_bar(y_bar, x, pad_width, mode):
    """Cotangent of x where y = np.pad(x, pad_width, mode)."""
    if mode == "constant":
        return _unpad(y_bar, pad_width)
    if mode not in ("edge", "reflect", "symmetric", "wrap"):
        raise NotImplementedError(f"no derivative is known for padding by {mode!r}")
    return _gather_bar(y_bar, np.pad(_positions(x), pad_width, mode), x)
''')
