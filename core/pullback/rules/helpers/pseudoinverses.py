"""Pseudoinverses and least squares, also where small singular values are taken for 0."""

from __future__ import annotations

from .registry import helper

helper('''
def _pinv_bar(y_bar, y, a):
    """Cotangent of a where y = np.linalg.pinv(a)."""
    y_h, y_bar_h = (np.swapaxes(x, -1, -2).conj() for x in (y, y_bar))
    rows, columns = (np.eye(n, dtype=a.dtype) for n in a.shape[-2:])
    a_bar = (rows - a @ y) @ y_bar_h @ y @ y_h - y_h @ y_bar @ y_h
    return a_bar + y_h @ y @ y_bar_h @ (columns - y @ a)
''')

helper('''
def _pinv_dot(a_dot, y, a):
    """Tangent of y = np.linalg.pinv(a)."""
    y_h, a_dot_h = (np.swapaxes(x, -1, -2).conj() for x in (y, a_dot))
    rows, columns = (np.eye(n, dtype=a.dtype) for n in a.shape[-2:])
    y_dot = y @ y_h @ a_dot_h @ (rows - a @ y) - y @ a_dot @ y
    return y_dot + (columns - y @ a) @ a_dot_h @ y_h @ y
''')

helper('''
def _cut_pinv_bar(y_bar, y, a):
    """Cotangent of a where y = np.linalg.pinv(a, rcond), which takes small singular values for 0."""
    u, s, v_h = np.linalg.svd(a, full_matrices=False)
    u_h, v, change = (np.swapaxes(x, -1, -2).conj() for x in (u, v_h, y_bar))
    kept = np.einsum("...in,...nm,...mi->...i", v_h, y, u).real * s > 0.5
    f = np.where(kept, 1.0 / np.where(kept, s, 1.0), 0.0)
    s_i, s_j, f_i, f_j = s[..., None], s[..., None, :], f[..., None], f[..., None, :]
    one = kept[..., None] != kept[..., None, :]
    apart = np.where(one, s_j * s_j - s_i * s_i, 1.0)
    across = np.where(one, (s_i * f_j - s_j * f_i) / apart, -f_i * f_j)
    inner = u_h @ change @ v
    inner_h = np.swapaxes(inner, -1, -2).conj()
    along = np.where(one, (s_j * f_j - s_i * f_i) / apart, 0.0)
    inner = along * inner + across * inner_h
    beside, behind = change - u @ (u_h @ change), change - (change @ v) @ v_h
    a_bar = u @ inner @ v_h + beside @ (v * (f_j * f_j)) @ v_h
    return a_bar + u @ (f_i * f_i * u_h) @ behind
''')

helper('''
def _cut_pinv_dot(a_dot, y, a):
    """Tangent of y = np.linalg.pinv(a, rcond), which takes small singular values for 0."""
    y_dot_h = _cut_pinv_bar(np.swapaxes(a_dot, -1, -2).conj(), y, a)
    return np.swapaxes(y_dot_h, -1, -2).conj()
''')

helper('''
def _lstsq_a_bar(inverse, y_bar, y, a, b):
    """Cotangent of a where y = np.linalg.lstsq(a, b)[0] and `inverse` is the pseudoinverse of a."""
    x, x_bar, rest = y, y_bar, b - a @ y
    if np.ndim(b) == 1:
        x, x_bar, rest = x[:, None], x_bar[:, None], rest[:, None]
    inverse_h = inverse.conj().T
    b_bar = inverse_h @ x_bar
    a_bar = rest @ (inverse @ b_bar).conj().T - b_bar @ x.conj().T
    return a_bar + (inverse_h @ x) @ (x_bar - a.conj().T @ b_bar).conj().T
''')

helper('''
def _lstsq_all_a_bar(y_bar, y, a, b, cutoff):
    """Cotangent of a where y = np.linalg.lstsq(a, b): solution, residuals, rank, singular values."""
    a_bar = np.zeros(a.shape, np.result_type(a, b, 0.0))
    if y_bar[0] is not None and cutoff is None:
        a_bar += _lstsq_a_bar(np.linalg.pinv(a), y_bar[0], y[0], a, b)
    elif y_bar[0] is not None:
        x_bar = y_bar[0] if np.ndim(b) == 2 else y_bar[0][:, None]
        inverse_bar = x_bar @ np.atleast_2d(np.conj(b).T)
        a_bar += _cut_pinv_bar(inverse_bar, np.linalg.pinv(a, cutoff), a)
    if y_bar[1] is not None and np.size(y[1]):
        scaled = 2.0 * (b - a @ y[0]) * y_bar[1]
        a_bar -= (
            np.outer(scaled, y[0].conj()) if np.ndim(b) == 1 else scaled @ y[0].conj().T
        )
    if y_bar[3] is not None:
        a_bar += _svdvals_bar(y_bar[3], a)
    return a_bar
''')

helper('''
def _lstsq_all_b_bar(y_bar, y, a, b, cutoff):
    """Cotangent of b where y = np.linalg.lstsq(a, b): solution and residuals."""
    b_bar = np.zeros(b.shape, np.result_type(a, b, 0.0))
    if y_bar[0] is not None:
        inverse = np.linalg.pinv(a) if cutoff is None else np.linalg.pinv(a, cutoff)
        b_bar += inverse.conj().T @ y_bar[0]
    if y_bar[1] is not None and np.size(y[1]):
        b_bar += 2.0 * (b - a @ y[0]) * y_bar[1]
    return b_bar
''')

helper('''
def _lstsq_dot(a_dot, b_dot, y, a, b, cutoff):
    """Tangents of y = np.linalg.lstsq(a, b)."""
    x, cut = y[0], () if cutoff is None else (cutoff,)
    inverse = np.linalg.pinv(a, *cut)
    rest, rest_dot = b - a @ x, b_dot - a_dot @ x
    if cutoff is None:
        inverse_h, a_dot_h = inverse.conj().T, a_dot.conj().T
        x_dot = inverse @ rest_dot + inverse @ (inverse_h @ (a_dot_h @ rest))
        along = a_dot_h @ (inverse_h @ x)
        x_dot = x_dot + along - inverse @ (a @ along)
    else:
        x_dot = inverse @ (b_dot + np.zeros_like(b))
        if np.ndim(a_dot):
            x_dot = x_dot + _cut_pinv_dot(a_dot, inverse, a) @ b
    residuals_dot = np.zeros_like(y[1])
    if np.size(y[1]):
        residuals_dot = residuals_dot + 2.0 * np.sum(
            (rest.conj() * rest_dot).real, axis=0
        )
    return x_dot, residuals_dot, 0, _svdvals_dot(a_dot, a)
''')
