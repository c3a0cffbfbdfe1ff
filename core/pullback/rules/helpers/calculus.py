"""Differences, integrals, interpolation, convolution."""

from __future__ import annotations

from .registry import helper

helper('''
def _diff_bar(y_bar, n, axis, length):
    """Cotangent of x, length long along axis, where y = np.diff(x, n, axis)."""
    widths = [(0, 0)] * np.ndim(y_bar)
    widths[axis] = (1, 1)
    for _ in range(n):
        y_bar = -np.diff(np.pad(y_bar, widths), axis=axis)
    return np.moveaxis(np.moveaxis(y_bar, axis, 0)[:length], 0, axis)
''')

helper('''
def _diff_part(y_bar, n, axis, parts, k):
    """Cotangent of parts[k] where y = np.diff(x, n, axis) of those parts that are not None, joined."""
    lengths = [
        0 if p is None else np.shape(p)[axis] if np.ndim(p) else 1 for p in parts
    ]
    whole = np.moveaxis(_diff_bar(y_bar, n, axis, sum(lengths)), axis, 0)
    start = sum(lengths[:k])
    bar = np.moveaxis(whole[start : start + lengths[k]], 0, axis)
    return _unbroadcast(bar, np.shape(parts[k]))
''')

helper('''
def _panels(dx, y):
    """The lengths of the panels between nodes along the first axis of y, shaped to multiply them."""
    h = np.diff(dx) if np.ndim(dx) else np.full(len(y) - 1, dx, np.result_type(y, dx))
    return h.reshape((-1,) + (1,) * (y.ndim - 1))
''')

helper('''
def _slopes_bar(y_bar, h, edge_order):
    """Cotangent of the slopes of the panels, which np.gradient averages along the first axis."""
    bar = np.zeros_like(y_bar[1:])
    bar[:-1] += y_bar[1:-1] * (h[1:] / (h[:-1] + h[1:]))
    bar[1:] += y_bar[1:-1] * (h[:-1] / (h[:-1] + h[1:]))
    for end, inner in ((0, 1), (-1, -2)):
        bar[end] += y_bar[end]
        if edge_order == 2:
            more = y_bar[end] * (h[end] / (h[end] + h[inner]))
            bar[end] += more
            bar[inner] -= more
    return bar
''')

helper('''
def _gradient_bar(y_bar, dx, axis, edge_order):
    """Cotangent of f where y = np.gradient(f, dx, axis=axis, edge_order=edge_order)."""
    if axis is None and np.ndim(y_bar) != 1:
        raise NotImplementedError(
            "name the axis of np.gradient, or the rank of its array"
        )
    axis = 0 if axis is None else axis
    y_bar = np.moveaxis(y_bar, axis, 0)
    h = _panels(dx, y_bar)
    bar = _slopes_bar(y_bar, h, edge_order) / h
    f_bar = np.zeros_like(y_bar)
    f_bar[1:] += bar
    f_bar[:-1] -= bar
    return np.moveaxis(f_bar, 0, axis)
''')

helper('''
def _gradient_x_bar(y_bar, f, dx, axis, edge_order):
    """Cotangent of the nodes dx (or their distance) in np.gradient(f, dx, axis=axis, edge_order=edge_order)."""
    axis = 0 if axis is None else axis
    y_bar, f = np.moveaxis(y_bar, axis, 0), np.moveaxis(f, axis, 0)
    h = _panels(dx, f)
    slopes = np.diff(f, axis=0) / h
    h_bar = -_slopes_bar(y_bar, h, edge_order) * slopes / h
    turn = y_bar[1:-1] * np.diff(slopes, axis=0) / (h[:-1] + h[1:]) ** 2
    h_bar[:-1] += turn * h[1:]
    h_bar[1:] -= turn * h[:-1]
    for end, inner in ((0, 1), (-1, -2)) if edge_order == 2 else ():
        turn = (slopes[end] - slopes[inner]) / (h[end] + h[inner]) ** 2
        h_bar[end] += y_bar[end] * turn * h[inner]
        h_bar[inner] -= y_bar[end] * turn * h[end]
    h_bar = np.sum(h_bar, axis=tuple(range(1, h_bar.ndim)))
    return -np.diff(np.pad(h_bar, 1)) if np.ndim(dx) else np.sum(h_bar)
''')

helper('''
def _gradient_x_dot(dx_dot, f, dx, axis, edge_order):
    """Tangent of np.gradient(f, dx, axis=axis, edge_order=edge_order) along its nodes, or their distance."""
    axis = 0 if axis is None else axis
    f = np.moveaxis(f, axis, 0)
    h, h_dot = _panels(dx, f), _panels(dx_dot, f)
    slopes = np.diff(f, axis=0) / h
    dot = -slopes * h_dot / h
    y_dot = np.zeros(f.shape, dot.dtype)
    both = h[:-1] + h[1:]
    turn = (h_dot[:-1] * h[1:] - h[:-1] * h_dot[1:]) / both**2
    y_dot[1:-1] = (h[1:] * dot[:-1] + h[:-1] * dot[1:]) / both
    y_dot[1:-1] += turn * np.diff(slopes, axis=0)
    for end, inner in ((0, 1), (-1, -2)):
        y_dot[end] = dot[end]
        if edge_order == 2:
            both = h[end] + h[inner]
            turn = (h_dot[end] * h[inner] - h[end] * h_dot[inner]) / both**2
            y_dot[end] += h[end] / both * (dot[end] - dot[inner])
            y_dot[end] += turn * (slopes[end] - slopes[inner])
    return np.moveaxis(y_dot, 0, axis)
''')

helper('''
def _samples_bar(panel_bar, values, x, dx, axis):
    """Cotangent of the values that trapezoids lie between, of whose areas panel_bar is it."""
    rows = np.moveaxis(values, axis, -1)
    if x is None:
        widths = dx
    else:
        widths = np.diff(x if np.ndim(x) == 1 else np.moveaxis(x, axis, -1))
    halves = 0.5 * panel_bar * widths
    bar = np.zeros(rows.shape, np.result_type(halves, rows))
    bar[..., 1:] += halves
    bar[..., :-1] += halves
    return np.moveaxis(bar, -1, axis)
''')

helper('''
def _distances_bar(h_bar, x, axis):
    """Cotangent of nodes x from that of their distances, which is along the last axis."""
    n = np.shape(x)[axis if np.ndim(x) > 1 else 0]
    bar = np.zeros(h_bar.shape[:-1] + (n,), h_bar.dtype)
    bar[..., 1:] += h_bar
    bar[..., :-1] -= h_bar
    if np.ndim(x) == 1:
        return np.sum(bar, axis=tuple(range(bar.ndim - 1)))
    return np.moveaxis(bar, -1, axis)
''')

helper('''
def _nodes_bar(panel_bar, values, x, axis):
    """Cotangent of the nodes x that trapezoids lie between, of whose areas panel_bar is it."""
    rows = np.moveaxis(values, axis, -1)
    return _distances_bar(0.5 * panel_bar * (rows[..., 1:] + rows[..., :-1]), x, axis)
''')

helper('''
def _trapezoid_bar(y_bar):
    """Cotangent of the areas that the trapezoidal rule adds up, along a last axis."""
    return y_bar[..., None] if np.ndim(y_bar) else y_bar
''')

helper('''
def _running_trapezoid_bar(y_bar, axis, initial):
    """Cotangent of the areas that scipy.integrate.cumulative_trapezoid adds up, along the last axis."""
    rows = np.moveaxis(y_bar, axis, -1)
    if initial is not None:
        rows = rows[..., 1:]
    return np.cumsum(rows[..., ::-1], axis=-1)[..., ::-1]
''')

helper('''
def _interp_slope(x, xp, fp):
    """The slope of np.interp at x, 0 outside the nodes."""
    panel = np.clip(np.searchsorted(xp, x, side="right") - 1, 0, len(xp) - 2)
    slope = (np.diff(fp) / np.diff(xp))[panel]
    return np.where((x < xp[0]) | (x > xp[-1]), 0.0, slope)
''')

helper('''
def _interp_bar(y_bar, x, xp):
    """Cotangent of the values at the nodes xp that np.interp was read from at x."""
    panel = np.clip(np.searchsorted(xp, x, side="right") - 1, 0, len(xp) - 2)
    part = np.clip((x - xp[panel]) / (xp[panel + 1] - xp[panel]), 0.0, 1.0)
    bar = np.zeros(len(xp), np.result_type(y_bar, 0.0))
    np.add.at(bar, panel, (1.0 - part) * y_bar)
    np.add.at(bar, panel + 1, part * y_bar)
    return bar
''')

helper('''
def _periodic_nodes(xp, period):
    """The nodes as np.interp orders them within a period, one more at each end, and which they are."""
    period = abs(period)
    order = np.argsort(np.mod(xp, period))
    order = np.concatenate((order[-1:], order, order[:1]))
    nodes = np.mod(xp, period)[order]
    nodes[0] -= period
    nodes[-1] += period
    return nodes, order
''')

helper('''
def _periodic_slope(x, xp, fp, period):
    """The slope of np.interp at x with this period, or none."""
    if period is None:
        return _interp_slope(x, xp, fp)
    nodes, order = _periodic_nodes(xp, period)
    return _interp_slope(np.mod(x, abs(period)), nodes, np.asarray(fp)[order])
''')

helper('''
def _periodic_bar(y_bar, x, xp, period):
    """Cotangent of the values at the nodes xp that np.interp was read from at x."""
    if period is None:
        return _interp_bar(y_bar, x, xp)
    nodes, order = _periodic_nodes(xp, period)
    inner = _interp_bar(y_bar, np.mod(x, abs(period)), nodes)
    bar = np.zeros(len(xp), inner.dtype)
    np.add.at(bar, order, inner)
    return bar
''')

helper('''
def _convolve_bar(y_bar, a, v, mode):
    """Cotangent of a where y = np.convolve(a, v, mode)."""
    full = np.zeros(len(a) + len(v) - 1, y_bar.dtype)
    first = {
        "full": 0,
        "same": (min(len(a), len(v)) - 1) // 2,
        "valid": min(len(a), len(v)) - 1,
    }[mode]
    full[first : first + len(y_bar)] = y_bar
    return np.correlate(full, v, "valid")
''')

helper('''
def _correlate_bar(y_bar, a, v, mode):
    """Cotangent of a where y = np.correlate(a, v, mode)."""
    if len(a) < len(v):  # then NumPy swaps them, and turns the result round
        return _convolve_bar(y_bar[::-1], a[::-1], v, mode)[::-1]
    return _convolve_bar(y_bar, a, v[::-1], mode)
''')

helper('''
def _correlate_v_bar(y_bar, a, v, mode):
    """Cotangent of v where y = np.correlate(a, v, mode)."""
    if len(a) < len(v):
        return _convolve_bar(y_bar[::-1], v, a[::-1], mode)
    return _convolve_bar(y_bar, v[::-1], a, mode)[::-1]
''')

helper('''
def _poly_parts(y, x):
    """What y = np.poly(x) leaves where each of its roots is taken out: of a matrix, its adjugate."""
    unit = np.ones(len(x), y.dtype)
    part = unit = np.diag(unit) if np.ndim(x) == 2 else unit
    for k in range(len(x)):
        if k > 0:
            part = (x @ part if np.ndim(x) == 2 else x * part) + y[k] * unit
        yield k + 1, part
''')

helper('''
def _poly_bar(y_bar, y, x):
    """Cotangent of the roots, or of the matrix, of y = np.poly(x)."""
    x_bar = np.zeros(np.shape(x), np.asarray(y_bar).dtype)
    for k, part in _poly_parts(y, x):
        x_bar -= y_bar[k] * part.T
    return x_bar
''')

helper('''
def _poly_dot(x_dot, y, x):
    """Tangent of y = np.poly(x)."""
    y_dot = np.zeros_like(y)
    for k, part in _poly_parts(y, x):
        y_dot[k] = -np.sum(part.T * x_dot)
    return y_dot
''')

helper('''
def _roots_bar(y_bar, y, p):
    """Cotangent of the coefficients of a polynomial with the simple roots y = np.roots(p)."""
    slopes = np.polyval(np.polyder(p), y)
    return -np.vander(y, len(p)).conj().T @ (y_bar / slopes.conj())
''')
