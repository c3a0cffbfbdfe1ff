"""Norms, systems and decompositions."""

from __future__ import annotations

from .registry import helper

helper('''
def _norm_bar(y_bar, y, x, ord, axis, keepdims):
    """Cotangent of x where y = np.linalg.norm(x, ord, axis, keepdims)."""
    if axis is None:
        axis = tuple(range(np.ndim(x)))
    if np.ndim(y) and not keepdims:
        y_bar, y = np.expand_dims(y_bar, axis), np.expand_dims(y, axis)
    if ord is None or ord == "fro":
        return x * (y_bar / y)
    if not isinstance(axis, tuple) or len(axis) == 1:
        return _vector_norm_bar(y_bar, y, x, ord, axis)
    return y_bar * np.moveaxis(
        _matrix_norm_slope(np.moveaxis(x, axis, (-2, -1)), ord), (-2, -1), axis
    )
''')

helper('''
def _vector_norm_bar(y_bar, y, x, ord, axis):
    """Cotangent of x where y is its vector norm along axis, reduced axes kept."""
    if ord == 0:
        return y_bar * np.zeros_like(x)
    length = np.abs(x)
    sign = x / np.where(length == 0, 1.0, length)
    if ord in (np.inf, -np.inf):
        return y_bar * sign * _shares(length == y, axis, length)
    if ord == 1:
        return y_bar * sign
    return y_bar * sign * (length / y) ** (ord - 1)
''')

helper('''
def _matrix_norm_slope(x, ord):
    """The derivative of np.linalg.norm(x, ord) in the last two axes of x."""
    if ord in (1, -1, np.inf, -np.inf):
        summed, chosen = (-2, -1) if abs(ord) == 1 else (-1, -2)
        length = np.abs(x)
        sums = np.sum(length, summed, keepdims=True)
        extreme = (
            np.max(sums, chosen, keepdims=True, initial=0.0)
            if ord > 0
            else np.min(sums, chosen, keepdims=True)
        )
        sign = x / np.where(length == 0, 1.0, length)
        return sign * _shares(sums == extreme, chosen, length)
    u, _, vt = np.linalg.svd(x, full_matrices=False)
    if ord == "nuc":
        return u @ vt
    k = slice(1) if ord == 2 else slice(-1, None)
    return u[..., :, k] @ vt[..., k, :]
''')

helper('''
def _cond_bar(y_bar, y, x):
    """Cotangent of x where y = np.linalg.cond(x), the ratio of its extreme singular values."""
    u, s, vt = np.linalg.svd(x, full_matrices=False)
    scale = np.asarray(y_bar * y)[..., None, None]
    large = u[..., :, :1] @ vt[..., :1, :] / s[..., :1, None]
    small = u[..., :, -1:] @ vt[..., -1:, :] / s[..., -1:, None]
    return scale * (large - small)
''')

helper('''
def _trace_bar(y_bar, a, offset, axis1, axis2):
    """Cotangent of a where y = np.trace(a, offset, axis1, axis2)."""
    eye = np.eye(a.shape[axis1], a.shape[axis2], offset, dtype=a.dtype)
    return np.moveaxis(np.multiply.outer(eye, y_bar), (0, 1), (axis1, axis2))
''')

helper('''
def _solve_b_bar(y_bar, a, b):
    """Cotangent of b where y = np.linalg.solve(a, b)."""
    a_t = np.swapaxes(a, -1, -2)
    if np.ndim(y_bar) < np.ndim(a):
        b_bar = np.linalg.solve(a_t, y_bar[..., None])[..., 0]
    else:
        b_bar = np.linalg.solve(a_t, y_bar)
    return _unbroadcast(b_bar, np.shape(b))
''')

helper('''
def _solve_a_bar(y_bar, y, a, b):
    """Cotangent of a where y = np.linalg.solve(a, b)."""
    if np.ndim(y) < np.ndim(a):
        y_bar, y = y_bar[..., None], y[..., None]
    b_bar = np.linalg.solve(np.swapaxes(a, -1, -2), y_bar)
    return _unbroadcast(-b_bar @ np.swapaxes(y, -1, -2), np.shape(a))
''')

helper('''
def _cholesky_bar(y_bar, y):
    """Cotangent of a where y = np.linalg.cholesky(a), which reads the lower triangle of a."""
    half = y.shape[-1] // 2
    if half <= 32:
        weights = np.tri(y.shape[-1], dtype=y.dtype) - 0.5 * np.eye(
            y.shape[-1], dtype=y.dtype
        )
        inverse = np.linalg.inv(y)
        inner = weights * (np.swapaxes(y, -1, -2).conj() @ y_bar)
        both = np.swapaxes(inverse, -1, -2).conj() @ inner @ inverse
        return weights * (both + np.swapaxes(both, -1, -2).conj())
    first, under, last = (
        y[..., :half, :half],
        y[..., half:, :half],
        y[..., half:, half:],
    )
    last_bar = _cholesky_bar(y_bar[..., half:, half:], last)
    both = last_bar + np.swapaxes(last_bar, -1, -2).conj()
    right = np.swapaxes(y_bar[..., half:, :half] - both @ under, -1, -2).conj()
    right = np.linalg.solve(np.swapaxes(first, -1, -2).conj(), right)
    a_bar = np.zeros(y.shape, np.result_type(y_bar, y))
    a_bar[..., :half, :half] = _cholesky_bar(
        y_bar[..., :half, :half] - right @ under, first
    )
    a_bar[..., half:, :half] = np.swapaxes(right, -1, -2).conj()
    a_bar[..., half:, half:] = last_bar
    return a_bar
''')

helper('''
def _cholesky_dot(a_dot, y):
    """Tangent of y = np.linalg.cholesky(a), which reads the lower triangle of a."""
    half = 1.0 - 0.5 * np.eye(y.shape[-1], dtype=y.dtype)
    a_dot = _both_triangles(a_dot, "L")
    right = np.swapaxes(np.linalg.solve(y, a_dot), -1, -2).conj()
    return y @ (np.tril(np.linalg.solve(y, right)) * half)
''')

helper('''
def _one_triangle(a_bar, uplo):
    """The cotangent of the triangle that is read, where a_bar is that of a symmetric matrix."""
    half = 0.5 * np.eye(a_bar.shape[-1], dtype=a_bar.dtype)
    both = a_bar + np.swapaxes(a_bar, -1, -2).conj()
    return (np.tril(both) if uplo == "L" else np.triu(both)) * (1.0 - half)
''')

helper('''
def _both_triangles(a, uplo):
    """The symmetric matrix of which a holds one triangle."""
    half = 1.0 - 0.5 * np.eye(a.shape[-1], dtype=a.dtype)
    one = (np.tril(a) if uplo == "L" else np.triu(a)) * half
    return one + np.swapaxes(one, -1, -2).conj()
''')

helper('''
def _inverse_gaps(w):
    """1 / (w_j - w_i) off the diagonal, 0 on it."""
    gaps = w[..., None, :] - w[..., :, None]
    eye = np.eye(w.shape[-1], dtype=w.dtype)
    return (1.0 - eye) / (gaps + eye)
''')

helper('''
def _eigh_bar(w_bar, v_bar, w, v, uplo):
    """Cotangent of a where w, v = np.linalg.eigh(a, uplo)."""
    v_h = np.swapaxes(v, -1, -2).conj()
    inner = (
        0.0 if w_bar is None else w_bar[..., None] * np.eye(w.shape[-1], dtype=w.dtype)
    )
    if v_bar is not None:
        if np.iscomplexobj(v):  # LAPACK makes one row of the vectors real
            row = 0 if uplo == "L" else -1
            turn = np.sum(np.conj(v_bar) * v, axis=-2).imag
            v_bar = np.array(v_bar, v.dtype)
            v_bar[..., row, :] += 1j * turn / v[..., row, :]
        inner = inner + _inverse_gaps(w) * (v_h @ v_bar)
    return _one_triangle(v @ inner @ v_h, uplo)
''')

helper('''
def _eigh_dot(a_dot, w, v, uplo):
    """Tangents of w, v = np.linalg.eigh(a, uplo)."""
    inner = np.swapaxes(v, -1, -2).conj() @ _both_triangles(a_dot, uplo) @ v
    v_dot = v @ (_inverse_gaps(w) * inner)
    if np.iscomplexobj(v):  # LAPACK makes one row of the vectors real
        row = slice(1) if uplo == "L" else slice(-1, None)
        v_dot = v_dot - 1j * v * (v_dot[..., row, :] / v[..., row, :]).imag
    return np.diagonal(inner, 0, -2, -1).real, v_dot
''')

helper('''
def _eigvalsh_bar(w_bar, a, uplo):
    """Cotangent of a where w = np.linalg.eigvalsh(a, uplo)."""
    w, v = np.linalg.eigh(a, uplo)
    return _eigh_bar(w_bar, None, w, v, uplo)
''')

helper('''
def _eigvalsh_dot(a_dot, a, uplo):
    """Tangent of w = np.linalg.eigvalsh(a, uplo)."""
    w, v = np.linalg.eigh(a, uplo)
    return _eigh_dot(a_dot, w, v, uplo)[0]
''')

helper('''
def _symmetric_bars(y_bar, y, a, b, lower):
    """Cotangents of a and b where y = scipy.linalg.eigh(a, b, lower=lower), or its values alone."""
    w_bar, v_bar = y_bar if isinstance(y_bar, tuple) else (y_bar, None)
    w, v = y if isinstance(y, tuple) else scipy.linalg.eigh(a, b, lower=lower)
    v_t, eye = np.swapaxes(v, -1, -2), np.eye(w.shape[-1], dtype=w.dtype)
    turn = 0.0 * eye if v_bar is None else v_t @ v_bar
    inner = _inverse_gaps(w) * turn
    if w_bar is not None:
        inner = inner + w_bar[..., None] * eye
    a_bar = _one_triangle(v @ inner @ v_t, "L" if lower else "U")
    if b is None:
        return a_bar, None
    b_bar = -v @ (inner * w[..., None, :] + 0.5 * turn * eye) @ v_t
    return a_bar, _one_triangle(b_bar, "L" if lower else "U")
''')

helper('''
def _symmetric_dot(a_dot, b_dot, y, a, b, lower):
    """Tangents of y = scipy.linalg.eigh(a, b, lower=lower), or of its values alone."""
    w, v = y if isinstance(y, tuple) else scipy.linalg.eigh(a, b, lower=lower)
    v_t, uplo = np.swapaxes(v, -1, -2), "L" if lower else "U"
    inner = v_t @ _both_triangles(a_dot, uplo) @ v
    length = 0.0
    if b is not None:
        turned = v_t @ _both_triangles(b_dot, uplo) @ v
        inner = inner - turned * w[..., None, :]
        length = 0.5 * turned * np.eye(w.shape[-1], dtype=w.dtype)
    w_dot = np.diagonal(inner, 0, -2, -1)
    if not isinstance(y, tuple):
        return w_dot
    return w_dot, v @ (_inverse_gaps(w) * inner - length)
''')

helper('''
def _svd_bar(y_bar, y, a, full_matrices, compute_uv):
    """Cotangent of a where y = np.linalg.svd(a, full_matrices, compute_uv)."""
    if not compute_uv:
        return _svdvals_bar(y_bar, a)
    (u, s, vt), (u_bar, s_bar, vt_bar) = y, y_bar
    m, n = a.shape[-2:]
    if full_matrices and (u_bar is not None and m > n or vt_bar is not None and m < n):
        raise NotImplementedError(
            "the full svd of an oblong matrix has no derivative; use full_matrices=False"
        )
    u, vt = u[..., : s.shape[-1]], vt[..., : s.shape[-1], :]
    u_t, v = np.swapaxes(u, -1, -2), np.swapaxes(vt, -1, -2)
    eye = np.eye(s.shape[-1], dtype=s.dtype)
    gaps = _inverse_gaps(s * s)
    inner = 0.0 if s_bar is None else s_bar[..., None] * eye
    outer = 0.0
    if u_bar is not None:
        turn = gaps * (u_t @ u_bar)
        inner = inner + (turn + np.swapaxes(turn, -1, -2)) * s[..., None, :]
        if m > n:  # of a square u nothing is left over, and a singular value may be 0
            outer = ((u_bar - u @ (u_t @ u_bar)) / s[..., None, :]) @ vt
    if vt_bar is not None:
        v_bar = np.swapaxes(vt_bar, -1, -2)
        turn = gaps * (vt @ v_bar)
        inner = inner + s[..., :, None] * (turn + np.swapaxes(turn, -1, -2))
        if m < n:
            outer = (u / s[..., None, :]) @ np.swapaxes(
                v_bar - v @ (vt @ v_bar), -1, -2
            )
    return u @ inner @ vt + outer
''')

helper('''
def _svd_dot(a_dot, y, a, full_matrices, compute_uv):
    """Tangents of y = np.linalg.svd(a, full_matrices, compute_uv)."""
    if not compute_uv:
        return _svdvals_dot(a_dot, a)
    u, s, vt = y
    u, vt = u[..., : s.shape[-1]], vt[..., : s.shape[-1], :]
    u_t, v = np.swapaxes(u, -1, -2), np.swapaxes(vt, -1, -2)
    inner, gaps = u_t @ a_dot @ v, _inverse_gaps(s * s)
    inner_t = np.swapaxes(inner, -1, -2)
    row, column = s[..., None, :], s[..., :, None]
    u_dot = u @ (gaps * (inner * row + column * inner_t))
    v_dot = v @ (gaps * (column * inner + inner_t * row))
    m, n = a.shape[-2:]
    if m > n:  # of a square u nothing is left over, and a singular value may be 0
        u_dot = u_dot + (a_dot @ v - u @ inner) / row
    if m < n:
        v_dot = v_dot + (np.swapaxes(a_dot, -1, -2) @ u - v @ inner_t) / row
    if full_matrices:  # the further vectors of an oblong matrix have no derivative
        u_dot, v_dot = (
            np.concatenate([x, np.full(x.shape[:-1] + (n - x.shape[-1],), np.nan)], -1)
            for x, n in zip((u_dot, v_dot), (m, n))
        )
    return u_dot, np.diagonal(inner, 0, -2, -1), np.swapaxes(v_dot, -1, -2)
''')

helper('''
def _svdvals_bar(s_bar, a):
    """Cotangent of a where s are its singular values."""
    u, _, vt = np.linalg.svd(a, full_matrices=False)
    return (u * s_bar[..., None, :]) @ vt
''')

helper('''
def _svdvals_dot(a_dot, a):
    """Tangent of the singular values of a."""
    u, _, vt = np.linalg.svd(a, full_matrices=False)
    left = np.swapaxes(u, -1, -2).conj() @ a_dot
    return np.sum((left * vt.conj()).real, axis=-1)
''')

helper('''
def _qr_bar(y_bar, y, mode):
    """Cotangent of a where y = np.linalg.qr(a)."""
    (q, r), (q_bar, r_bar) = y, y_bar
    if mode != "reduced" and r.shape[-2] > r.shape[-1]:
        raise NotImplementedError("np.linalg.qr is differentiated in mode 'reduced'")
    q_bar = np.zeros_like(q) if q_bar is None else q_bar
    r_bar = np.zeros_like(r) if r_bar is None else r_bar
    n = r.shape[-2]
    if r.shape[-1] > n:  # the columns beyond the square part are q @ r[..., n:]
        rest, rest_bar = r[..., n:], r_bar[..., n:]
        q_bar = q_bar + q @ rest @ np.swapaxes(rest_bar, -1, -2)
        square_bar = _qr_bar((q_bar, r_bar[..., :n]), (q, r[..., :n]), mode)
        return np.concatenate((square_bar, q @ rest_bar), axis=-1)
    inner = r @ np.swapaxes(r_bar, -1, -2) - np.swapaxes(q_bar, -1, -2) @ q
    low = np.tril(inner, -1)
    right = q_bar + q @ (np.swapaxes(low, -1, -2) + np.tril(inner))
    return np.swapaxes(np.linalg.solve(r, np.swapaxes(right, -1, -2)), -1, -2)
''')

helper('''
def _qr_dot(a_dot, y, mode):
    """Tangents of y = np.linalg.qr(a)."""
    q, r = y
    if mode != "reduced" and r.shape[-2] > r.shape[-1]:
        raise NotImplementedError("np.linalg.qr is differentiated in mode 'reduced'")
    n = r.shape[-2]
    if r.shape[-1] > n:  # the columns beyond the square part are q @ r[..., n:]
        q_dot, r_dot = _qr_dot(a_dot[..., :n], (q, r[..., :n]), mode)
        rest_dot = np.swapaxes(q, -1, -2) @ (a_dot[..., n:] - q_dot @ r[..., n:])
        return q_dot, np.concatenate((r_dot, rest_dot), axis=-1)
    scaled = np.swapaxes(
        np.linalg.solve(np.swapaxes(r, -1, -2), np.swapaxes(a_dot, -1, -2)), -1, -2
    )
    inner = np.swapaxes(q, -1, -2) @ scaled
    low = np.tril(inner, -1)
    turn = low - np.swapaxes(low, -1, -2)
    return scaled + q @ (turn - inner), (inner - turn) @ r
''')

helper('''
def _matrix_power_bar(y_bar, a, n):
    """Cotangent of a where y = np.linalg.matrix_power(a, n)."""
    if n < 0:
        inverse_t = np.swapaxes(np.linalg.inv(a), -1, -2)
        return -inverse_t @ _matrix_power_bar(y_bar, np.linalg.inv(a), -n) @ inverse_t
    a_t = np.swapaxes(a, -1, -2)
    a_bar = np.zeros_like(y_bar)
    for k in range(n):
        before, after = (
            np.linalg.matrix_power(a_t, k),
            np.linalg.matrix_power(a_t, n - 1 - k),
        )
        a_bar = a_bar + before @ y_bar @ after
    return a_bar
''')

helper('''
def _matrix_power_dot(a_dot, a, n):
    """Tangent of y = np.linalg.matrix_power(a, n)."""
    if n < 0:
        inverse = np.linalg.inv(a)
        return _matrix_power_dot(-inverse @ a_dot @ inverse, inverse, -n)
    y_dot = np.zeros_like(a_dot)
    for k in range(n):
        before, after = (
            np.linalg.matrix_power(a, k),
            np.linalg.matrix_power(a, n - 1 - k),
        )
        y_dot = y_dot + before @ a_dot @ after
    return y_dot
''')

helper('''
def _eig_bar(w_bar, v_bar, w, v):
    """Cotangent of a where w, v = np.linalg.eig(a); each vector has length one, its largest element real."""
    eye = np.eye(w.shape[-1], dtype=w.dtype)
    inner = 0.0 if w_bar is None else w_bar[..., None] * eye
    v_h = np.conj(np.swapaxes(v, -1, -2))
    if v_bar is not None:
        largest = np.argmax(np.abs(v), axis=-2, keepdims=True)
        turn = np.sum(np.conj(v_bar) * v, axis=-2, keepdims=True).imag
        phase = np.zeros_like(v + 0j)
        top = np.take_along_axis(v, largest, -2)
        np.put_along_axis(phase, largest, 1j * turn / top, -2)
        own = v_h @ (v_bar + phase)
        length = np.real(np.diagonal(own, 0, -2, -1))[..., None, :]
        gaps = np.conj(_inverse_gaps(w))
        inner = inner + gaps * (own - (v_h @ v) * length)
    return np.linalg.solve(v_h, inner @ v_h)
''')

helper('''
def _eig_dot(a_dot, w, v):
    """Tangents of w, v = np.linalg.eig(a); each vector has length one, its largest element real."""
    inner = np.linalg.solve(v, a_dot @ v)
    v_dot = v @ (_inverse_gaps(w) * inner)
    largest = np.argmax(np.abs(v), axis=-2, keepdims=True)
    top, top_dot = (np.take_along_axis(x, largest, -2) for x in (v, v_dot))
    length = np.sum(np.conj(v) * v_dot, axis=-2, keepdims=True).real
    phase = (top_dot / top).imag
    return np.diagonal(inner, 0, -2, -1), v_dot - v * (length + 1j * phase)
''')

helper('''
def _eigvals_bar(w_bar, a):
    """Cotangent of a where w = np.linalg.eigvals(a)."""
    w, v = np.linalg.eig(a)
    return _eig_bar(w_bar, None, w, v)
''')

helper('''
def _eigvals_dot(a_dot, a):
    """Tangent of w = np.linalg.eigvals(a)."""
    _, v = np.linalg.eig(a)
    return np.diagonal(np.linalg.solve(v, a_dot @ v), 0, -2, -1)
''')
