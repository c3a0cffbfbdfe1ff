def _unbroadcast(x_bar, shape):
    """x_bar summed over the axes along which an operand of this shape was broadcast."""
    if np.ndim(x_bar) == 0:
        return +x_bar
    x_bar = np.sum(x_bar, axis=tuple(range(np.ndim(x_bar) - len(shape))))
    stretched = tuple(i for i, n in enumerate(shape) if n == 1 and x_bar.shape[i] != 1)
    return np.sum(x_bar, axis=stretched, keepdims=True) if stretched else x_bar


# pullback: vjp of heat_3d wrt A, B [99bfcbc7 b7f90bb7]
def heat_3d_vjp(tsteps: int, A, B, heat_3d_bar):
    """Vector-Jacobian product of heat_3d with respect to A and B."""
    A = A.copy()
    B = B.copy()
    n = A.shape[0]
    shape_total2_tape = []
    shape_total_tape = []
    for _ in range(tsteps):
        for i in range(1, n - 1):
            for j in range(1, n - 1):
                for k in range(1, n - 1):
                    total2 = (
                        0.125 * (A[i + 1, j, k] - 2.0 * A[i, j, k] + A[i - 1, j, k])
                        + 0.125 * (A[i, j + 1, k] - 2.0 * A[i, j, k] + A[i, j - 1, k])
                        + 0.125 * (A[i, j, k + 1] - 2.0 * A[i, j, k] + A[i, j, k - 1])
                        + A[i, j, k]
                    )
                    shape_total2 = np.shape(total2)
                    shape_total2_tape.append(shape_total2)
                    B[i, j, k] = total2
        for i in range(1, n - 1):
            for j in range(1, n - 1):
                for k in range(1, n - 1):
                    total = (
                        0.125 * (B[i + 1, j, k] - 2.0 * B[i, j, k] + B[i - 1, j, k])
                        + 0.125 * (B[i, j + 1, k] - 2.0 * B[i, j, k] + B[i, j - 1, k])
                        + 0.125 * (B[i, j, k + 1] - 2.0 * B[i, j, k] + B[i, j, k - 1])
                        + B[i, j, k]
                    )
                    shape_total = np.shape(total)
                    shape_total_tape.append(shape_total)
                    A[i, j, k] = total
    # Backward pass
    A_bar = heat_3d_bar[0].copy()
    B_bar = np.positive(heat_3d_bar[1])
    for _ in range(tsteps):
        for i in reversed(range(1, n - 1)):
            for j in reversed(range(1, n - 1)):
                for k in reversed(range(1, n - 1)):
                    shape_total = shape_total_tape.pop()
                    total_bar = _unbroadcast(A_bar[i, j, k], shape_total)
                    total_bar2 = total_bar * 0.125
                    total_bar3 = total_bar * 0.125
                    total_bar4 = total_bar * 0.125
                    B_bar[i + 1, j, k] += total_bar2
                    B_bar[i, j, k] += (
                        total_bar2 * -2.0
                        - total_bar3 * 2.0
                        - total_bar4 * 2.0
                        + total_bar
                    )
                    B_bar[i - 1, j, k] += total_bar2
                    B_bar[i, j + 1, k] += total_bar3
                    B_bar[i, j - 1, k] += total_bar3
                    B_bar[i, j, k + 1] += total_bar4
                    B_bar[i, j, k - 1] += total_bar4
                    A_bar[i, j, k] = 0.0
        for i in reversed(range(1, n - 1)):
            for j in reversed(range(1, n - 1)):
                for k in reversed(range(1, n - 1)):
                    shape_total2 = shape_total2_tape.pop()
                    total_bar5 = _unbroadcast(B_bar[i, j, k], shape_total2)
                    total_bar6 = total_bar5 * 0.125
                    total_bar7 = total_bar5 * 0.125
                    total_bar8 = total_bar5 * 0.125
                    A_bar[i + 1, j, k] += total_bar6
                    A_bar[i, j, k] += (
                        total_bar6 * -2.0
                        - total_bar7 * 2.0
                        - total_bar8 * 2.0
                        + total_bar5
                    )
                    A_bar[i - 1, j, k] += total_bar6
                    A_bar[i, j + 1, k] += total_bar7
                    A_bar[i, j - 1, k] += total_bar7
                    A_bar[i, j, k + 1] += total_bar8
                    A_bar[i, j, k - 1] += total_bar8
                    B_bar[i, j, k] = 0.0
    return A_bar, B_bar
