def _unbroadcast(x_bar, shape):
    """x_bar summed over the axes along which an operand of this shape was broadcast."""
    if np.shape(x_bar) == shape or np.ndim(x_bar) == 0:
        return 1.0 * x_bar
    x_bar = np.sum(x_bar, axis=tuple(range(np.ndim(x_bar) - len(shape))))
    stretched = tuple(i for i, n in enumerate(shape) if n == 1 and x_bar.shape[i] != 1)
    return np.sum(x_bar, axis=stretched, keepdims=True) if stretched else x_bar


# pullback: vjp of jacobi_1d wrt A, B [cf50a6f4 0c4e8ce6]
def jacobi_1d_vjp(tsteps, A, B, jacobi_1d_bar):
    """Vector-Jacobian product of jacobi_1d with respect to A and B."""
    A = A.copy()
    B = B.copy()
    for t in range(tsteps):
        B[1:-1] = 0.33333 * (A[:-2] + A[1:-1] + A[2:])
        A[1:-1] = 0.33333 * (B[:-2] + B[1:-1] + B[2:])
    # Backward pass
    A_bar = np.positive(jacobi_1d_bar[0])
    B_bar = np.positive(jacobi_1d_bar[1])
    for _ in range(tsteps):
        total_bar = A_bar[1:-1] * 0.33333
        B_bar[:-2] += _unbroadcast(total_bar, B[:-2].shape)
        B_bar[1:-1] += _unbroadcast(total_bar, B[1:-1].shape)
        B_bar[2:] += _unbroadcast(total_bar, B[2:].shape)
        A_bar[1:-1] = 0.0
        total_bar2 = B_bar[1:-1] * 0.33333
        A_bar[:-2] += _unbroadcast(total_bar2, A[:-2].shape)
        A_bar[1:-1] += _unbroadcast(total_bar2, A[1:-1].shape)
        A_bar[2:] += _unbroadcast(total_bar2, A[2:].shape)
        B_bar[1:-1] = 0.0
    return A_bar, B_bar
