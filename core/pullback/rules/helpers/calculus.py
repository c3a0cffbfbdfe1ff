"""Differences, integrals, interpolation, convolution."""

from __future__ import annotations

from .registry import helper

helper('''
def _diff_bar(y_bar, n, axis):
    """Cotangent of x where y = np.diff(x, n, axis)."""
    widths = [(0, 0)] * np.ndim(y_bar)
    widths[axis] = (1, 1)
    for _ in range(n):
        y_bar = -np.diff(np.pad(y_bar, widths), axis=axis)
    return y_bar
''')

helper('''
def _gradient_bar(y_bar, dx):
    """Cotangent of f where y = np.gradient(f, dx), for a vector f and even spacing."""
    if np.ndim(y_bar) != 1 or np.ndim(dx):
        raise NotImplementedError(
            "np.gradient is differentiated for vectors with even spacing"
        )
    f_bar = np.zeros_like(y_bar)
    f_bar[2:] += 0.5 * y_bar[1:-1]
    f_bar[:-2] -= 0.5 * y_bar[1:-1]
    f_bar[:2] += y_bar[0] * np.array([-1, 1])
    f_bar[-2:] += y_bar[-1] * np.array([-1, 1])
    return f_bar / dx
''')

helper('''
def _trapezoid_bar(y_bar, values, x, dx, axis):
    """Cotangent of the values that the trapezoidal rule adds up."""
    rows = np.moveaxis(values, axis, -1)
    if x is None:
        widths = dx
    else:
        widths = np.diff(x if np.ndim(x) == 1 else np.moveaxis(x, axis, -1))
    panels = 0.5 * np.asarray(y_bar)[..., None] * widths
    panels = np.broadcast_to(panels, rows.shape[:-1] + (rows.shape[-1] - 1,))
    bar = np.zeros(rows.shape, panels.dtype)
    bar[..., 1:] += panels
    bar[..., :-1] += panels
    return np.moveaxis(bar, -1, axis)
''')

helper('''
def _trapezoid_x_bar(y_bar, values, x, axis):
    """Cotangent of the nodes x of the trapezoidal rule."""
    rows = np.moveaxis(values, axis, -1)
    panels = 0.5 * np.asarray(y_bar)[..., None] * (rows[..., 1:] + rows[..., :-1])
    bar = np.zeros_like(rows)
    bar[..., 1:] += panels
    bar[..., :-1] -= panels
    if np.ndim(x) == 1:
        return np.sum(bar.reshape(-1, len(x)), axis=0)
    return np.moveaxis(bar, -1, axis)
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
    bar = np.zeros(len(xp), np.asarray(y_bar).dtype)
    np.add.at(bar, panel, (1.0 - part) * y_bar)
    np.add.at(bar, panel + 1, part * y_bar)
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
