def _unbroadcast(x_bar, shape):
    """x_bar summed over the axes along which an operand of this shape was broadcast."""
    if np.shape(x_bar) == shape or np.ndim(x_bar) == 0:
        return 1.0 * x_bar
    x_bar = np.sum(x_bar, axis=tuple(range(np.ndim(x_bar) - len(shape))))
    stretched = tuple(i for i, n in enumerate(shape) if n == 1 and x_bar.shape[i] != 1)
    return np.sum(x_bar, axis=stretched, keepdims=True) if stretched else x_bar


def _solve_b_bar(y_bar, a, b):
    """Cotangent of b where y = np.linalg.solve(a, b)."""
    a_t = np.swapaxes(a, -1, -2)
    if np.ndim(y_bar) < np.ndim(a):
        b_bar = np.linalg.solve(a_t, y_bar[..., None])[..., 0]
    else:
        b_bar = np.linalg.solve(a_t, y_bar)
    return _unbroadcast(b_bar, np.shape(b))


def _solve_a_bar(y_bar, y, a, b):
    """Cotangent of a where y = np.linalg.solve(a, b)."""
    if np.ndim(y) < np.ndim(a):
        y_bar, y = y_bar[..., None], y[..., None]
    b_bar = np.linalg.solve(np.swapaxes(a, -1, -2), y_bar)
    return _unbroadcast(-b_bar @ np.swapaxes(y, -1, -2), np.shape(a))


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


def _diagonal_bar(y_bar, x, offset):
    """An array like x with y_bar on its diagonal and zeros elsewhere."""
    x_bar = np.zeros(np.shape(x), np.asarray(y_bar).dtype)
    rows = np.arange(np.shape(y_bar)[-1]) + max(-offset, 0)
    x_bar[rows, rows + offset] = np.moveaxis(y_bar, -1, 0)
    return x_bar


def _diag_bar(y_bar, x, k):
    """Cotangent of x where y = np.diag(x, k)."""
    return np.diag(y_bar, k) if np.ndim(x) == 1 else _diagonal_bar(y_bar, x, k)


def _matmul_a_bar(y_bar, a, b):
    """Cotangent of a where y = a @ b."""
    if np.ndim(b) == 1:
        y_bar = y_bar[..., None] if np.ndim(y_bar) else y_bar
        return _unbroadcast(y_bar * b, np.shape(a))
    if np.ndim(a) == 1:
        return _unbroadcast((b @ y_bar[..., None])[..., 0], np.shape(a))
    return _unbroadcast(y_bar @ np.swapaxes(b, -1, -2), np.shape(a))


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


# pullback: vjp of rbf wrt lengthscales, sf private=yes [441f5dc4 7bf78426]
def _rbf_vjp(X1, X2, lengthscales, sf, rbf_bar):
    """Vector-Jacobian product of rbf with respect to lengthscales and sf."""
    A = X1 / lengthscales
    B = X2 / lengthscales
    product = 2.0 * A @ B.T
    sum_A = np.sum(A**2, axis=1)[:, None]
    sum_B = np.sum(B**2, axis=1)[None, :]
    sq = sum_A + sum_B - product
    exp_sq = np.exp(-0.5 * sq)
    # Backward pass
    sq_bar = rbf_bar * sf**2 * exp_sq * -0.5
    product_bar = _unbroadcast(-sq_bar, np.shape(product))
    A_bar = (
        2 * np.expand_dims(_unbroadcast(sq_bar, np.shape(sum_A))[:, 0], 1) * A
        + _matmul_a_bar(product_bar, 2.0 * A, B.T) * 2.0
    )
    B_bar = (
        2 * np.expand_dims(_unbroadcast(sq_bar, np.shape(sum_B))[0], 1) * B
        + _matmul_b_bar(product_bar, 2.0 * A, B.T).T
    )
    lengthscales_bar = _unbroadcast(-B_bar * B / lengthscales, np.shape(lengthscales))
    lengthscales_bar += _unbroadcast(-A_bar * A / lengthscales, np.shape(lengthscales))
    return lengthscales_bar, _unbroadcast(2 * rbf_bar * exp_sq * sf, np.shape(sf))


# pullback: vjp of nlml wrt log_ls, log_sf, log_sn, y [30c8248e 98d276df]
def nlml_vjp(log_ls, log_sf, log_sn, X, y, nlml_bar):
    """Vector-Jacobian product of nlml with respect to log_ls, log_sf, log_sn and y."""
    n = X.shape[0]
    exp_log_ls = np.exp(log_ls)
    exp_log_sf = np.exp(log_sf)
    K = rbf(X, X, exp_log_ls, exp_log_sf)
    exp_log_sn = np.exp(2.0 * log_sn)
    K[np.diag_indices(n)] += exp_log_sn + 1e-10
    L = np.linalg.cholesky(K)
    solve = np.linalg.solve(L, y)
    alpha = np.linalg.solve(L.T, solve)
    # Backward pass
    alpha_bar = _matmul_b_bar(nlml_bar, 0.5 * y, alpha)
    L_bar = _diag_bar(np.sum(nlml_bar) / np.diag(L), L, 0)
    solve_bar = _solve_b_bar(alpha_bar, L.T, solve)
    L_bar = L_bar + (
        _solve_a_bar(alpha_bar, alpha, L.T, solve).T
        + _solve_a_bar(solve_bar, solve, L, y)
    )
    y_bar = _matmul_a_bar(nlml_bar, 0.5 * y, alpha) * 0.5 + _solve_b_bar(
        solve_bar, L, y
    )
    K_bar = _cholesky_bar(L_bar, L)
    rbf_lengthscales_bar, rbf_sf_bar = _rbf_vjp(X, X, exp_log_ls, exp_log_sf, K_bar)
    return (
        rbf_lengthscales_bar * exp_log_ls,
        rbf_sf_bar * exp_log_sf,
        _unbroadcast(K_bar[np.diag_indices(n)] * exp_log_sn * 2.0, np.shape(log_sn)),
        y_bar,
    )
