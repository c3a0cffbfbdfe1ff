def _unbroadcast(x_bar, shape):
    """x_bar summed over the axes along which an operand of this shape was broadcast."""
    if np.ndim(x_bar) == 0:
        return +x_bar
    x_bar = np.sum(x_bar, axis=tuple(range(np.ndim(x_bar) - len(shape))))
    stretched = tuple(i for i, n in enumerate(shape) if n == 1 and x_bar.shape[i] != 1)
    return np.sum(x_bar, axis=stretched, keepdims=True) if stretched else x_bar


# pullback: vjp of atax wrt A, x [53754e4a 2f71c1f1]
def atax_vjp(A, x, atax_bar):
    """Vector-Jacobian product of atax with respect to A and x."""
    m, n = A.shape
    shape_tmp_tape = []
    tmp_tape = []
    for i in range(m):
        tmp = 0.0
        for j in range(n):
            shape_tmp = np.shape(tmp)
            shape_tmp_tape.append(shape_tmp)
            tmp += A[i, j] * x[j]
        tmp_tape.append(np.copy(tmp))
    # Backward pass
    y_bar = atax_bar.copy()
    A_bar = np.zeros_like(A, dtype=np.result_type(A, 0.0))
    x_bar = np.zeros_like(x, dtype=np.result_type(x, 0.0))
    for i in reversed(range(m)):
        tmp = tmp_tape.pop()
        tmp_bar = np.zeros_like(tmp)
        for j in reversed(range(n)):
            tmp_bar += y_bar[j] * A[i, j]
            A_bar[i, j] += np.sum(y_bar[j] * tmp)
        for j in reversed(range(n)):
            shape_tmp = shape_tmp_tape.pop()
            A_bar[i, j] += np.sum(tmp_bar * x[j])
            x_bar[j] += _unbroadcast(tmp_bar * A[i, j], np.shape(x[j]))
            tmp_bar = _unbroadcast(tmp_bar, shape_tmp)
    return A_bar, x_bar
