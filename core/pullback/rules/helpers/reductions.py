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
    k = rows.ndim - len(axes)
    flat = rows.reshape(rows.shape[:k] + (np.prod(rows.shape[k:], dtype=int),))
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
def _nan_deviations(x, axis, ddof):
    """What the elements of x are from their mean, 0 for nan, divided by how many there are."""
    known = ~np.isnan(x)
    count = np.sum(known, axis, keepdims=True, dtype=x.dtype) - ddof
    return np.where(known, x - np.nanmean(x, axis, keepdims=True), 0.0) / count
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
    later = np.zeros(y_bar.shape[1:], y_bar.dtype)
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
    """Weights of some axes, shaped to multiply x."""
    if np.shape(weights) == np.shape(x):
        return weights
    axes = axis if isinstance(axis, tuple) else (axis,)
    missing = tuple(range(np.ndim(weights), np.ndim(x)))
    return np.moveaxis(np.expand_dims(weights, missing), range(len(axes)), axes)
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
    axes = axis if isinstance(axis, tuple) else (axis,)
    moved = np.moveaxis(w_bar, axes, range(len(axes)))
    return np.sum(moved, axis=tuple(range(len(axes), np.ndim(x))))
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
def _quantile_weights(x, q, axis, method, skip_nan=False):
    """The weight of each element of x in its quantile q along axis."""
    axes = (
        tuple(range(np.ndim(x)))
        if axis is None
        else axis
        if isinstance(axis, tuple)
        else (axis,)
    )
    last = tuple(range(-len(axes), 0))
    rows = np.moveaxis(x, axes, last)
    k = rows.ndim - len(axes)
    flat = rows.reshape(rows.shape[:k] + (np.prod(rows.shape[k:], dtype=int),))
    order = np.argsort(flat, axis=-1)
    ranks = np.arange(flat.shape[-1])
    if skip_nan:  # nan is sorted behind
        known = np.where(np.isnan(np.sort(flat, axis=-1)), np.nan, ranks)
        place = np.nanquantile(known, q, axis=-1, method=method, keepdims=True)
    else:
        place = np.quantile(ranks, q, method=method)
    low = np.floor(place)
    high = np.minimum(low + 1, ranks[-1:])
    shares = (ranks == low) * (1.0 - place + low) + (ranks == high) * (place - low)
    weights = np.zeros(flat.shape, np.result_type(flat, 0.0))
    np.put_along_axis(weights, order, shares, -1)
    return np.moveaxis(weights.reshape(rows.shape), last, axes)
''')

helper('''
def _running_extreme_bar(y_bar, y, x, axis):
    """Cotangent of x where y is its running maximum or minimum along axis."""
    y_bar, y, x = (np.moveaxis(v, axis, 0) for v in (y_bar, y, x))
    x_bar = np.zeros_like(y_bar)
    later = np.zeros(y_bar.shape[1:], y_bar.dtype)
    for i in reversed(range(len(x))):
        later = later + y_bar[i]
        x_bar[i] = np.where(x[i] == y[i], later, 0.0)
        later = np.where(x[i] == y[i], 0.0, later)
    return np.moveaxis(x_bar, 0, axis)
''')

helper('''
def _running_extreme_dot(x_dot, y, x, axis):
    """Tangent of y, the running maximum or minimum of x along axis."""
    x_dot, y, x = (np.moveaxis(v, axis, 0) for v in (x_dot, y, x))
    y_dot = np.array(x_dot)
    for i in range(1, len(x)):
        y_dot[i] = np.where(x[i] == y[i], x_dot[i], y_dot[i - 1])
    return np.moveaxis(y_dot, 0, axis)
''')

helper('''
def _quantiles_bar(y_bar, x, q, axis, method, keepdims, skip_nan=False):
    """Cotangent of x where y = np.quantile(x, q, axis), for an array of q."""
    x_bar = np.zeros(np.shape(x), np.asarray(y_bar).dtype)
    for k in np.ndindex(np.shape(q)):
        one = y_bar[k] if keepdims or axis is None else np.expand_dims(y_bar[k], axis)
        x_bar += one * _quantile_weights(x, np.asarray(q)[k], axis, method, skip_nan)
    return x_bar
''')

helper('''
def _quantiles_dot(x_dot, x, q, axis, method, keepdims, skip_nan=False):
    """Tangent of np.quantile(x, q, axis), for an array of q."""
    weights = (_quantile_weights(x, one, axis, method, skip_nan) for one in np.ravel(q))
    dots = np.array([np.sum(x_dot * w, axis, keepdims=keepdims) for w in weights])
    return np.reshape(dots, np.shape(q) + dots.shape[1:])
''')

helper('''
def _centred(m, rowvar):
    """The variables of np.cov as rows, about their means."""
    rows = np.atleast_2d(m) if rowvar or np.ndim(m) < 2 else np.transpose(m)
    return rows - np.mean(rows, axis=1, keepdims=True)
''')

helper('''
def _cov_bar(y_bar, m, rowvar, ddof):
    """Cotangent of m where y = np.cov(m, rowvar=rowvar, ddof=ddof)."""
    rows = _centred(m, rowvar)
    y_bar = np.reshape(y_bar, (len(rows), len(rows)))
    m_bar = (y_bar + y_bar.T) @ rows / (rows.shape[1] - ddof)
    return m_bar.reshape(np.shape(m)) if rowvar or np.ndim(m) < 2 else m_bar.T
''')

helper('''
def _cov_dot(m_dot, m, rowvar, ddof):
    """Tangent of np.cov(m, rowvar=rowvar, ddof=ddof)."""
    rows = _centred(m, rowvar)
    half = _centred(m_dot, rowvar) @ rows.T
    return np.squeeze((half + half.T) / (rows.shape[1] - ddof))
''')

helper('''
def _weighted_rows(m, rowvar, ddof, fweights, aweights):
    """The variables of np.cov as rows about their weighted means, the weights, and what the products are over."""
    rows = np.atleast_2d(m) if rowvar or np.ndim(m) < 2 else np.transpose(m)
    often = np.ones(rows.shape[1]) if fweights is None else np.asarray(fweights)
    weights = often if aweights is None else often * np.asarray(aweights)
    total = np.sum(weights)
    lost = 1.0 if aweights is None else np.sum(weights * aweights) / total
    mean = (rows @ weights / total)[:, None]
    return rows - mean, weights, total - ddof * lost
''')

helper('''
def _weighted_cov_bar(y_bar, m, rowvar, ddof, fweights, aweights):
    """Cotangent of m where y is the np.cov of weighted observations."""
    rows, weights, over = _weighted_rows(m, rowvar, ddof, fweights, aweights)
    y_bar = np.reshape(y_bar, (len(rows), len(rows)))
    m_bar = (y_bar + y_bar.T) @ rows * (weights / over)
    return m_bar.reshape(np.shape(m)) if rowvar or np.ndim(m) < 2 else m_bar.T
''')

helper('''
def _weighted_cov_dot(m_dot, m, rowvar, ddof, fweights, aweights):
    """Tangent of the np.cov of weighted observations."""
    rows, weights, over = _weighted_rows(m, rowvar, ddof, fweights, aweights)
    move = np.atleast_2d(m_dot) if rowvar or np.ndim(m) < 2 else np.transpose(m_dot)
    half = (move * weights) @ rows.T
    return np.squeeze((half + half.T) / over)
''')

helper('''
def _corrcoef_bar(y_bar, x, rowvar):
    """Cotangent of x where y = np.corrcoef(x, rowvar=rowvar)."""
    rows = _centred(x, rowvar)
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    unit = rows / norms
    y_bar = np.reshape(y_bar, (len(rows), len(rows)))
    unit_bar = (y_bar + y_bar.T) @ unit
    x_bar = (unit_bar - unit * np.sum(unit * unit_bar, axis=1, keepdims=True)) / norms
    x_bar -= np.mean(x_bar, axis=1, keepdims=True)
    return x_bar.reshape(np.shape(x)) if rowvar or np.ndim(x) < 2 else x_bar.T
''')

helper('''
def _corrcoef_dot(x_dot, x, rowvar):
    """Tangent of np.corrcoef(x, rowvar=rowvar)."""
    rows, move = _centred(x, rowvar), _centred(x_dot, rowvar)
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    unit = rows / norms
    unit_dot = (move - unit * np.sum(unit * move, axis=1, keepdims=True)) / norms
    half = unit_dot @ unit.T
    return np.squeeze(half + half.T)
''')
