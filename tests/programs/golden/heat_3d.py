def _unbroadcast(x_bar, shape):
    """x_bar summed over the axes along which an operand of this shape was broadcast."""
    if np.shape(x_bar) == shape or np.ndim(x_bar) == 0:
        return 1.0 * x_bar
    x_bar = np.sum(x_bar, axis=tuple(range(np.ndim(x_bar) - len(shape))))
    stretched = tuple(i for i, n in enumerate(shape) if n == 1 and x_bar.shape[i] != 1)
    return np.sum(x_bar, axis=stretched, keepdims=True) if stretched else x_bar


# pullback: vjp of heat_3d wrt A, B [99bfcbc7 3582e4e8]
def heat_3d_vjp(tsteps: int, A, B, heat_3d_bar):
    """Vector-Jacobian product of heat_3d with respect to A and B."""
    A = A.copy()
    B = B.copy()
    n = A.shape[0]
    for _ in range(tsteps):
        for i in range(1, n - 1):
            for j in range(1, n - 1):
                for k in range(1, n - 1):
                    B[i, j, k] = (
                        0.125 * (A[i + 1, j, k] - 2.0 * A[i, j, k] + A[i - 1, j, k])
                        + 0.125 * (A[i, j + 1, k] - 2.0 * A[i, j, k] + A[i, j - 1, k])
                        + 0.125 * (A[i, j, k + 1] - 2.0 * A[i, j, k] + A[i, j, k - 1])
                        + A[i, j, k]
                    )
        for i in range(1, n - 1):
            for j in range(1, n - 1):
                for k in range(1, n - 1):
                    A[i, j, k] = (
                        0.125 * (B[i + 1, j, k] - 2.0 * B[i, j, k] + B[i - 1, j, k])
                        + 0.125 * (B[i, j + 1, k] - 2.0 * B[i, j, k] + B[i, j - 1, k])
                        + 0.125 * (B[i, j, k + 1] - 2.0 * B[i, j, k] + B[i, j, k - 1])
                        + B[i, j, k]
                    )
    # Backward pass
    A_bar = heat_3d_bar[0].copy()
    B_bar = np.positive(heat_3d_bar[1])
    for _ in range(tsteps):
        for i in reversed(range(1, n - 1)):
            for j in reversed(range(1, n - 1)):
                for k in reversed(range(1, n - 1)):
                    total_bar = A_bar[i, j, k] * 0.125
                    total_bar2 = A_bar[i, j, k] * 0.125
                    total_bar3 = A_bar[i, j, k] * 0.125
                    B_bar[i + 1, j, k] += _unbroadcast(
                        total_bar, np.shape(B[i + 1, j, k])
                    )
                    B_bar[i, j, k] += (
                        _unbroadcast(total_bar * -2.0, np.shape(B[i, j, k]))
                        + _unbroadcast(total_bar2 * -2.0, np.shape(B[i, j, k]))
                        + _unbroadcast(total_bar3 * -2.0, np.shape(B[i, j, k]))
                        + _unbroadcast(A_bar[i, j, k], np.shape(B[i, j, k]))
                    )
                    B_bar[i - 1, j, k] += _unbroadcast(
                        total_bar, np.shape(B[i - 1, j, k])
                    )
                    B_bar[i, j + 1, k] += _unbroadcast(
                        total_bar2, np.shape(B[i, j + 1, k])
                    )
                    B_bar[i, j - 1, k] += _unbroadcast(
                        total_bar2, np.shape(B[i, j - 1, k])
                    )
                    B_bar[i, j, k + 1] += _unbroadcast(
                        total_bar3, np.shape(B[i, j, k + 1])
                    )
                    B_bar[i, j, k - 1] += _unbroadcast(
                        total_bar3, np.shape(B[i, j, k - 1])
                    )
                    A_bar[i, j, k] = 0.0
        for i in reversed(range(1, n - 1)):
            for j in reversed(range(1, n - 1)):
                for k in reversed(range(1, n - 1)):
                    total_bar4 = B_bar[i, j, k] * 0.125
                    total_bar5 = B_bar[i, j, k] * 0.125
                    total_bar6 = B_bar[i, j, k] * 0.125
                    A_bar[i + 1, j, k] += _unbroadcast(
                        total_bar4, np.shape(A[i + 1, j, k])
                    )
                    A_bar[i, j, k] += (
                        _unbroadcast(total_bar4 * -2.0, np.shape(A[i, j, k]))
                        + _unbroadcast(total_bar5 * -2.0, np.shape(A[i, j, k]))
                        + _unbroadcast(total_bar6 * -2.0, np.shape(A[i, j, k]))
                        + _unbroadcast(B_bar[i, j, k], np.shape(A[i, j, k]))
                    )
                    A_bar[i - 1, j, k] += _unbroadcast(
                        total_bar4, np.shape(A[i - 1, j, k])
                    )
                    A_bar[i, j + 1, k] += _unbroadcast(
                        total_bar5, np.shape(A[i, j + 1, k])
                    )
                    A_bar[i, j - 1, k] += _unbroadcast(
                        total_bar5, np.shape(A[i, j - 1, k])
                    )
                    A_bar[i, j, k + 1] += _unbroadcast(
                        total_bar6, np.shape(A[i, j, k + 1])
                    )
                    A_bar[i, j, k - 1] += _unbroadcast(
                        total_bar6, np.shape(A[i, j, k - 1])
                    )
                    B_bar[i, j, k] = 0.0
    return A_bar, B_bar
