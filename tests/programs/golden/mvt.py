def _unbroadcast(x_bar, shape):
    """x_bar summed over the axes along which an operand of this shape was broadcast."""
    if np.shape(x_bar) == shape or np.ndim(x_bar) == 0:
        return 1.0 * x_bar
    x_bar = np.sum(x_bar, axis=tuple(range(np.ndim(x_bar) - len(shape))))
    stretched = tuple(i for i, n in enumerate(shape) if n == 1 and x_bar.shape[i] != 1)
    return np.sum(x_bar, axis=stretched, keepdims=True) if stretched else x_bar


# pullback: vjp of mvt wrt x1, x2, y1, y2, A [380b4485 780ae4bf]
def mvt_vjp(x1, x2, y1, y2, A, mvt_bar):
    """Vector-Jacobian product of mvt with respect to x1, x2, y1, y2 and A."""
    n = len(x1)
    # Backward pass
    x1_bar = np.positive(mvt_bar[0])
    x2_bar = np.positive(mvt_bar[1])
    A_bar = np.zeros_like(A, dtype=np.result_type(A, 0.0))
    y2_bar = np.zeros_like(y2, dtype=np.result_type(y2, 0.0))
    for i in reversed(range(n)):
        for j in reversed(range(n)):
            A_bar[j, i] += _unbroadcast(x2_bar[i] * y2[j], np.shape(A[j, i]))
            y2_bar[j] += _unbroadcast(x2_bar[i] * A[j, i], np.shape(y2[j]))
    y1_bar = np.zeros_like(y1, dtype=np.result_type(y1, 0.0))
    for i in reversed(range(n)):
        for j in reversed(range(n)):
            A_bar[i, j] += _unbroadcast(x1_bar[i] * y1[j], np.shape(A[i, j]))
            y1_bar[j] += _unbroadcast(x1_bar[i] * A[i, j], np.shape(y1[j]))
    return x1_bar, x2_bar, y1_bar, y2_bar, A_bar
