"""Reductions: products, extremes, averages, quantiles."""

from __future__ import annotations

from .registry import helper

helper('''
def _product_of_others(x, axis):
    """For each element the product of all others along axis (zeros are no trouble)."""
    axes = (
        tuple(range(np.ndim(x)))
        if axis is None
        else axis
        if isinstance(axis, tuple)
        else (axis,)
    )
    last = tuple(range(-len(axes), 0))
    rows = np.moveaxis(x, axes, last)
    flat = rows.reshape(rows.shape[: rows.ndim - len(axes)] + (-1,))
    before = np.ones_like(flat)
    after = np.ones_like(flat)
    before[..., 1:] = np.cumprod(flat[..., :-1], axis=-1)
    after[..., :-1] = np.cumprod(flat[..., :0:-1], axis=-1)[..., ::-1]
    return np.moveaxis((before * after).reshape(rows.shape), last, axes)
''')

helper('''
def _shares(hits, axis, x):
    """One for each hit along axis, divided among equals, in the dtype of x."""
    hits = np.asarray(hits).astype(np.asarray(x).dtype)
    return hits / np.sum(hits, axis, keepdims=True)
''')

helper('''
def _inner_b_bar(y_bar, a, b):
    """Cotangent of b where y = np.inner(a, b)."""
    if np.ndim(a) == 0 or np.ndim(b) == 0:
        return _unbroadcast(y_bar * a, np.shape(b))
    lead = tuple(range(np.ndim(a) - 1))
    return np.tensordot(y_bar, a, axes=(lead, lead))
''')


helper('''
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

helper('''
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

helper('''
def _along(weights, x, axis):
    """Weights of one axis, shaped to multiply x."""
    if np.shape(weights) == np.shape(x):
        return weights
    shape = [1] * np.ndim(x)
    shape[axis] = -1
    return np.reshape(weights, shape)
''')

helper('''
def _average_weights(x, axis, weights):
    """The weights of np.average, shaped to multiply x and adding up to one."""
    weights = _along(weights, x, axis)
    return weights / np.sum(weights, axis, keepdims=True)
''')

helper('''
def _average_weights_bar(y_bar, y, x, axis, weights):
    """Cotangent of the weights of y = np.average(x, axis, weights); y keeps the reduced axes."""
    w_bar = y_bar * (x - y) / np.sum(_along(weights, x, axis), axis, keepdims=True)
    if np.shape(weights) == np.shape(x):
        return w_bar
    return np.sum(np.moveaxis(w_bar, axis, 0), axis=tuple(range(1, np.ndim(x))))
''')

helper('''
def _average_weights_dot(w_dot, y, x, axis, weights, keepdims):
    """Tangent of y = np.average(x, axis, weights) along its weights."""
    mean = y if keepdims or axis is None else np.expand_dims(y, axis)
    shift = _along(w_dot, x, axis) * (x - mean)
    return np.sum(shift, axis, keepdims=keepdims) / np.sum(
        _along(weights, x, axis), axis, keepdims=keepdims
    )
''')

helper('''
def _quantile_weights(x, q, axis):
    """The weight of each element of x in its quantile q along axis."""
    if np.ndim(q):
        raise NotImplementedError(
            "no derivative is known for several quantiles at once"
        )
    axes = (
        tuple(range(np.ndim(x)))
        if axis is None
        else axis
        if isinstance(axis, tuple)
        else (axis,)
    )
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
