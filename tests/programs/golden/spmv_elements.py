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


# pullback: vjp of matvec wrt values, x private=yes [fb851532 81f1d9fa]
def _matvec_vjp(row_ptr, col, values, x, matvec_bar):
    """Vector-Jacobian product of matvec with respect to values and x."""
    n = len(row_ptr) - 1
    # Backward pass
    y_bar = matvec_bar.copy()
    values_bar = np.zeros_like(values, dtype=np.result_type(values, 0.0))
    x_bar = np.zeros_like(x, dtype=np.result_type(x, 0.0))
    for i in reversed(range(n)):
        for k in reversed(range(row_ptr[i], row_ptr[i + 1])):
            values_bar[k] += np.sum(y_bar[i] * x[col[k]])
            np.add.at(x_bar, col[k], y_bar[i] * values[k])
    return values_bar, x_bar


# pullback: vjp of rayleigh wrt values, x [0bf09086 4d639a0b]
def rayleigh_vjp(row_ptr, col, values, x, steps, rayleigh_bar):
    """Vector-Jacobian product of rayleigh with respect to values and x."""
    tape = []
    for _ in range(steps):
        x_02 = np.copy(x)
        x = matvec(row_ptr, col, values, x)
        sqrt_x = np.sqrt(np.sum(x**2))
        x_0 = x.copy()
        x /= sqrt_x
        tape.append((x_02, sqrt_x, x_0, x.copy()))
    matvec2 = matvec(row_ptr, col, values, x)
    # Backward pass
    matvec_values_bar, matvec_x_bar = _matvec_vjp(
        row_ptr, col, values, x, _matmul_b_bar(rayleigh_bar, x, matvec2)
    )
    x_bar = _matmul_a_bar(rayleigh_bar, x, matvec2) + matvec_x_bar
    values_bar = matvec_values_bar
    for _ in range(steps):
        x_02, sqrt_x, x_0, x = tape.pop()
        matvec_values_bar2, matvec_x_bar2 = _matvec_vjp(
            row_ptr,
            col,
            values,
            x_02,
            (x_bar - np.sum(x_bar * x / sqrt_x) * x_0) / sqrt_x,
        )
        values_bar += matvec_values_bar2
        x_bar = matvec_x_bar2
    return values_bar, x_bar
