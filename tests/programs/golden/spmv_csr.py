def _unbroadcast(x_bar, shape):
    """x_bar summed over the axes along which an operand of this shape was broadcast."""
    if np.shape(x_bar) == shape or np.ndim(x_bar) == 0:
        return 1.0 * x_bar
    x_bar = np.sum(x_bar, axis=tuple(range(np.ndim(x_bar) - len(shape))))
    stretched = tuple(i for i, n in enumerate(shape) if n == 1 and x_bar.shape[i] != 1)
    return np.sum(x_bar, axis=stretched, keepdims=True) if stretched else x_bar


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


# pullback: vjp of spmv wrt values, x [13f2d428 342e446b]
def spmv_vjp(row_ptr, col, values, x, spmv_bar):
    """Vector-Jacobian product of spmv with respect to values and x."""
    n = row_ptr.size - 1
    # Backward pass
    y_bar = spmv_bar.copy()
    x_bar = np.zeros_like(x, dtype=np.result_type(x, 0.0))
    values_bar = np.zeros_like(values, dtype=np.result_type(values, 0.0))
    for i in reversed(range(n)):
        cols = col[row_ptr[i] : row_ptr[i + 1]]
        vals = values[row_ptr[i] : row_ptr[i + 1]]
        vals_bar = _matmul_a_bar(y_bar[i], vals, x[cols])
        np.add.at(x_bar, cols, _matmul_b_bar(y_bar[i], vals, x[cols]))
        values_bar[row_ptr[i] : row_ptr[i + 1]] += vals_bar
    return values_bar, x_bar
