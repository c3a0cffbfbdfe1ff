"""SciPy's linear algebra, signals and densities."""

from __future__ import annotations

from .registry import helper

helper('''
def _triangle(a, trans, lower, unit_diagonal):
    """The part of a that solve_triangular reads, transposed where it reads it so."""
    k = 1 if unit_diagonal else 0
    part = np.tril(a, -k) if lower else np.triu(a, k)
    return np.swapaxes(part, -1, -2) if trans in (1, "T") else part
''')

helper('''
def _triangular_a_bar(b_bar, y, trans, lower, unit_diagonal):
    """Cotangent of a where y = solve_triangular(a, b) and b_bar is the cotangent of b."""
    outer = -np.atleast_2d(b_bar.T).T @ np.atleast_2d(y.T)
    return _triangle(outer.T if trans in (1, "T") else outer, 0, lower, unit_diagonal)
''')

helper('''
def _triangular_stack_b_bar(y_bar, a, b, trans, lower, unit_diagonal):
    """Cotangent of b where y = solve_triangular(a, b), of matrices or of stacks of them."""
    other = 0 if trans in (1, "T") else 1
    if np.ndim(b) == 1:
        y_bar = y_bar[..., None]
    b_bar = scipy.linalg.solve_triangular(a, y_bar, other, lower, unit_diagonal)
    return _unbroadcast(b_bar[..., 0] if np.ndim(b) == 1 else b_bar, np.shape(b))
''')

helper('''
def _triangular_stack_a_bar(y_bar, y, a, b, trans, lower, unit_diagonal):
    """Cotangent of a where y = solve_triangular(a, b), of matrices or of stacks of them."""
    other = 0 if trans in (1, "T") else 1
    if np.ndim(b) == 1:
        y_bar, y = y_bar[..., None], y[..., None]
    b_bar = scipy.linalg.solve_triangular(a, y_bar, other, lower, unit_diagonal)
    outer = -b_bar @ np.swapaxes(y, -1, -2)
    outer = outer if other else np.swapaxes(outer, -1, -2)
    return _unbroadcast(_triangle(outer, 0, lower, unit_diagonal), np.shape(a))
''')

helper('''
def _expm_along(a, a_dot):
    """The derivative of scipy.linalg.expm(a) along a_dot, of matrices or of stacks of them."""
    if np.ndim(a) == 2:
        return scipy.linalg.expm_frechet(a, a_dot, compute_expm=False)
    n = a.shape[-1]
    both = scipy.linalg.expm(np.block([[a, a_dot], [np.zeros_like(a), a]]))
    return both[..., :n, n:]
''')

helper('''
def _signal_bar(y_bar, in1, in2, mode, other):
    """Cotangent of one factor of y = scipy.signal.convolve(in1, in2, mode); `other` is the other one."""
    sizes = list(zip(np.shape(in1), np.shape(in2)))
    full = np.zeros([n + m - 1 for n, m in sizes], y_bar.dtype)
    if mode == "full":
        first = [0] * len(sizes)
    else:
        first = [(m - 1) // 2 if mode == "same" else min(n, m) - 1 for n, m in sizes]
    full[tuple(slice(i, i + n) for i, n in zip(first, y_bar.shape))] = y_bar
    return scipy.signal.correlate(full, other, "valid")
''')

helper('''
def _signal_bar_along(y_bar, in1, in2, mode, other, axes):
    """Cotangent of one factor of y = scipy.signal.fftconvolve(in1, in2, mode, axes), before it is unbroadcast."""
    along = [axis % y_bar.ndim for axis in np.atleast_1d(axes)]
    shape, where = [], []
    for axis, (n, m, size) in enumerate(zip(np.shape(in1), np.shape(in2), y_bar.shape)):
        shape.append(n + m - 1 if axis in along else max(n, m))
        first = min(n, m) - 1 if mode == "valid" and axis in along else 0
        first = (shape[-1] - size) // 2 if mode == "same" else first
        where.append(slice(first, first + size))
    full = np.zeros(shape, y_bar.dtype)
    full[tuple(where)] = y_bar
    return scipy.signal.fftconvolve(full, np.flip(other, along), "valid", along)
''')

helper('''
def _taps_bar(y_bar, taps, x, axis):
    """Cotangent of the taps of y = scipy.signal.lfilter(taps, [1.0], x, axis)."""
    x, y_bar = np.moveaxis(x, axis, -1), np.moveaxis(y_bar, axis, -1)
    taps_bar = np.zeros(np.size(taps), y_bar.dtype)
    for k in range(min(taps_bar.size, x.shape[-1])):
        taps_bar[k] = np.sum(y_bar[..., k:] * x[..., : x.shape[-1] - k])
    return taps_bar.reshape(np.shape(taps))
''')

helper('''
def _normal_cov_bar(y_bar, d, cov):
    """Cotangent of cov where y is the log density of a normal vector at distance d from its mean."""
    z = np.linalg.solve(cov, np.atleast_2d(d).T)
    both = (z * y_bar) @ z.T - np.sum(y_bar) * np.linalg.inv(cov)
    return _one_triangle(0.5 * both, "L")
''')

helper('''
def _normal_rows(x, mean, cov):
    """The distances of points from the mean, one a row, and the covariance as a matrix."""
    n = len(cov) if np.ndim(cov) == 2 else 1
    n = np.size(mean) if mean is not None else n
    rows = np.reshape(x, (-1, n))
    if np.ndim(cov) < 2:
        cov = np.eye(n) * cov
    return rows if mean is None else rows - mean, cov
''')

helper('''
def _normal_bars(y_bar, x, mean, cov):
    """Cotangents of points, mean and covariance, where y is the log density of a normal vector."""
    rows, full = _normal_rows(x, mean, cov)
    x_bar = -np.linalg.solve(full, rows.T).T * np.ravel(y_bar)[:, None]
    mean_bar = -np.sum(x_bar, axis=0)
    if mean is not None:
        mean_bar = np.reshape(mean_bar, np.shape(mean))
    cov_bar = _normal_cov_bar(np.ravel(y_bar), rows, full)
    if np.ndim(cov) < 2:
        cov_bar = np.diag(cov_bar) if np.ndim(cov) else np.trace(cov_bar)
    return np.reshape(x_bar, np.shape(x)), mean_bar, cov_bar
''')

helper('''
def _normal_dot(d_dot, x, mean, cov, shape):
    """Tangent of the log density of a normal vector as its distance from the mean changes."""
    rows, full = _normal_rows(x, mean, cov)
    d_dot = np.reshape(d_dot, (-1, len(full)))
    dot = -np.sum(np.linalg.solve(full, rows.T).T * d_dot, axis=-1)
    return np.reshape(dot, shape)
''')

helper('''
def _normal_cov_dot(cov_dot, x, mean, cov, shape):
    """Tangent of the log density of a normal vector as its covariance changes."""
    rows, full = _normal_rows(x, mean, cov)
    if np.ndim(cov) < 2:
        cov_dot = np.eye(len(full)) * cov_dot
    cov_dot = np.tril(cov_dot) + np.tril(cov_dot, -1).T
    z = np.linalg.solve(full, rows.T).T
    dot = 0.5 * np.sum(z @ cov_dot * z, axis=-1)
    dot = dot - 0.5 * np.trace(np.linalg.solve(full, cov_dot))
    return np.reshape(dot, shape)
''')

helper('''
def _lyapunov_bar(q_bar, y):
    """Cotangent of a where a @ y + y @ a.T = q, and q_bar is the cotangent of q."""
    return -(q_bar @ np.swapaxes(y, -1, -2) + np.swapaxes(q_bar, -1, -2) @ y)
''')

helper('''
def _diagonal_sums(x, offsets):
    """The sums of the diagonals of x, or of each matrix of a stack, at these offsets."""
    sums = np.empty(x.shape[:-2] + (len(offsets),), x.dtype)
    for i, k in enumerate(offsets):
        sums[..., i] = np.trace(x, k, -2, -1)
    return sums
''')

helper('''
def _toeplitz_bar(y_bar, c, r):
    """Cotangent of the column c where y = scipy.linalg.toeplitz(c, r)."""
    n = np.shape(c)[-1]
    c_bar = _diagonal_sums(y_bar, range(0, -n, -1))
    if r is None and n > 1:
        c_bar[..., 1:] += _diagonal_sums(y_bar, range(1, n))
    return _unbroadcast(c_bar, np.shape(c))
''')

helper('''
def _toeplitz_r_bar(y_bar, r):
    """Cotangent of the row r where y = scipy.linalg.toeplitz(c, r), which does not read r[0]."""
    n = np.shape(r)[-1]
    r_bar = _diagonal_sums(y_bar, range(n)) * (np.arange(n) > 0)
    return _unbroadcast(r_bar, np.shape(r))
''')

helper('''
def _simpson_bar(y_bar, values, x, dx, axis):
    """Cotangent of the values that scipy.integrate.simpson adds up; a last odd panel is Cartwright's."""
    n = np.shape(values)[axis]
    if x is None:
        h = np.full(n - 1, dx, np.result_type(y_bar, dx, values))
    else:
        h = np.diff(x if np.ndim(x) == 1 else np.moveaxis(x, axis, -1))
    weights = np.zeros(h.shape[:-1] + (n,), h.dtype)
    if n == 2:
        weights += 0.5 * h
    k = n - 1 - (n - 1) % 2
    low, high = h[..., 0:k:2], h[..., 1:k:2]
    both = low + high
    weights[..., 0:k:2] += both / 6.0 * (2.0 - high / low)
    weights[..., 1:k:2] += both**3 / (6.0 * low * high)
    weights[..., 2 : k + 1 : 2] += both / 6.0 * (2.0 - low / high)
    if n % 2 == 0 and n > 2:
        low, high = h[..., -2], h[..., -1]
        weights[..., -1] += high * (2.0 * high + 3.0 * low) / (6.0 * (low + high))
        weights[..., -2] += high * (high + 3.0 * low) / (6.0 * low)
        weights[..., -3] -= high**3 / (6.0 * low * (low + high))
    bar = (y_bar[..., None] if np.ndim(y_bar) else y_bar) * weights
    return np.moveaxis(bar, -1, axis)
''')

helper('''
def _simpson_slopes(values, x, axis):
    """The derivative of scipy.integrate.simpson in the distances of its nodes x, along the last axis."""
    v = np.moveaxis(values, axis, -1)
    h = np.diff(x if np.ndim(x) == 1 else np.moveaxis(x, axis, -1))
    slopes = np.zeros(v.shape[:-1] + (v.shape[-1] - 1,), np.result_type(v, h))
    if v.shape[-1] == 2:
        return slopes + 0.5 * np.sum(v, axis=-1, keepdims=True)
    k = slopes.shape[-1] - slopes.shape[-1] % 2
    first, middle, last = v[..., 0:k:2], v[..., 1:k:2], v[..., 2 : k + 1 : 2]
    up, down = h[..., 1:k:2] / h[..., 0:k:2], h[..., 0:k:2] / h[..., 1:k:2]
    mean = first * (2.0 - up) + middle * (up + 2.0 + down) + last * (2.0 - down)
    turn = (first - middle) * up + (middle - last) * down
    slopes[..., 0:k:2] = (mean + (1.0 + up) * turn) / 6.0
    slopes[..., 1:k:2] = (mean - (1.0 + down) * turn) / 6.0
    if k < slopes.shape[-1]:
        low, high = h[..., -2], h[..., -1]
        both, third, second, first = low + high, v[..., -3], v[..., -2], v[..., -1]
        first, third = first / (6.0 * both**2), third / (6.0 * both**2) * high**2 / low
        slopes[..., -1] += first * (2.0 * high * (high + 2.0 * low) + 3.0 * low**2)
        slopes[..., -1] += second * (high / (3.0 * low) + 0.5)
        slopes[..., -1] -= third * (3.0 * low + 2.0 * high)
        slopes[..., -2] += first * high**2 - second * high**2 / (6.0 * low**2)
        slopes[..., -2] += third * high * (2.0 + high / low)
    return slopes
''')

helper('''
def _simpson_nodes_bar(y_bar, values, x, axis):
    """Cotangent of the nodes x where y = scipy.integrate.simpson(values, x=x, axis=axis)."""
    slopes = _simpson_slopes(values, x, axis)
    return _distances_bar(
        y_bar[..., None] * slopes if np.ndim(y_bar) else y_bar * slopes, x, axis
    )
''')

helper('''
def _simpson_nodes_dot(x_dot, values, x, axis):
    """Tangent of scipy.integrate.simpson(values, x=x, axis=axis) along its nodes x."""
    moves = np.diff(x_dot if np.ndim(x) == 1 else np.moveaxis(x_dot, axis, -1))
    return np.sum(_simpson_slopes(values, x, axis) * moves, axis=-1)
''')

helper('''
def _odeint_bar(y_bar, y, func, func_vjp, t, args, moving, **options):
    """Cotangents of y0, and of args[k] for k in moving, where y = odeint(func, y0, t, args)."""
    n = y.shape[1]
    sizes = [np.size(args[k]) for k in moving]

    def backwards(state, time):
        bars = func_vjp(state[:n], time, *args, state[n : 2 * n])
        bars = bars if isinstance(bars, tuple) else (bars,)
        forwards = np.ravel(func(state[:n], time, *args))
        return np.concatenate([forwards, *(-np.ravel(bar) for bar in bars)])

    state = np.zeros(2 * n + sum(sizes))
    state[n : 2 * n] = y_bar[-1]
    for i in range(len(t) - 1, 0, -1):
        state[:n] = y[i]
        span = [t[i], t[i - 1]]
        state = scipy.integrate.odeint(backwards, state, span, **options)[-1]
        state[n : 2 * n] += y_bar[i - 1]
    parts = np.split(state[2 * n :], np.cumsum(sizes))
    rest = [np.reshape(p, np.shape(args[k]))[()] for p, k in zip(parts, moving)]
    return [state[n : 2 * n], *rest]
''')

helper('''
def _solve_banded_bar(b_bar, y, l_and_u, ab):
    """Cotangent of ab where y = scipy.linalg.solve_banded(l_and_u, ab, b); b_bar is that of b."""
    ab_bar = np.zeros(np.shape(ab), b_bar.dtype)
    n = len(y)
    left, right = -b_bar.reshape(n, -1), y.reshape(n, -1)
    for row, k in enumerate(range(l_and_u[1], -l_and_u[0] - 1, -1)):
        low, high = max(k, 0), min(n, n + k)
        terms = left[low - k : high - k] * right[low:high]
        ab_bar[row, low:high] = np.sum(terms, axis=-1)
    return ab_bar
''')

helper('''
def _bands_transposed(l_and_u, ab):
    """The bands of the transpose of a banded matrix."""
    lower, upper = l_and_u
    return np.array([np.roll(ab[upper - k], -k) for k in range(-lower, upper + 1)])
''')

helper('''
def _banded_product(l_and_u, ab, y):
    """The product of the banded matrix ab with y."""
    out = np.zeros(np.shape(y), np.result_type(ab, y))
    n = len(y)
    columns = y.reshape(n, -1)
    for row, k in enumerate(range(l_and_u[1], -l_and_u[0] - 1, -1)):
        low, high = max(k, 0), min(n, n + k)
        terms = ab[row, low:high, None] * columns[low:high]
        out[low - k : high - k] += terms.reshape(out[low:high].shape)
    return out
''')
