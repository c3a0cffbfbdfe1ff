def _unbroadcast(x_bar, shape):
    """x_bar summed over the axes along which an operand of this shape was broadcast."""
    if np.shape(x_bar) == shape or np.ndim(x_bar) == 0:
        return 1.0 * x_bar
    x_bar = np.sum(x_bar, axis=tuple(range(np.ndim(x_bar) - len(shape))))
    stretched = tuple(i for i, n in enumerate(shape) if n == 1 and x_bar.shape[i] != 1)
    return np.sum(x_bar, axis=stretched, keepdims=True) if stretched else x_bar


# pullback: vjp of squared_distances wrt x, y private=yes [8e70076a 338723a8]
def _squared_distances_vjp(x, y, squared_distances_bar):
    """Vector-Jacobian product of squared_distances with respect to x and y."""
    n, m = len(x), len(y)
    # Backward pass
    D_bar = squared_distances_bar.copy()
    x_bar = np.zeros_like(x, dtype=np.result_type(x, 0.0))
    y_bar = np.zeros_like(y, dtype=np.result_type(y, 0.0))
    for i in reversed(range(n)):
        for j in reversed(range(m)):
            difference_bar = 2 * D_bar[i, j] * (x[i] - y[j])
            x_bar[i] += _unbroadcast(difference_bar, np.shape(x[i]))
            y_bar[j] += _unbroadcast(-difference_bar, np.shape(y[j]))
    return x_bar, y_bar


# pullback: vjp of soft_dtw wrt x, y [ee8aa31e ceaec7e9]
def soft_dtw_vjp(x, y, gamma, soft_dtw_bar):
    """Vector-Jacobian product of soft_dtw with respect to x and y."""
    D = squared_distances(x, y)
    n, m = D.shape
    R = np.full((n + 1, m + 1), np.inf)
    R[0, 0] = 0.0
    tape = []
    for j in range(1, m + 1):
        for i in range(1, n + 1):
            r0 = -R[i - 1, j - 1] / gamma
            r1 = -R[i - 1, j] / gamma
            r2 = -R[i, j - 1] / gamma
            max2 = max(r0, r1)
            rmax = max(max2, r2)
            exp = np.exp(r0 - rmax)
            exp2 = np.exp(r1 - rmax)
            exp3 = np.exp(r2 - rmax)
            rsum = exp + exp2 + exp3
            tape.append((max2, exp, exp2, exp3, rsum))
            R[i, j] = D[i - 1, j - 1] - gamma * (np.log(rsum) + rmax)
    # Backward pass
    R_bar = np.zeros_like(R)
    R_bar[n, m] = soft_dtw_bar
    D_bar = np.zeros_like(D)
    for j in reversed(range(1, m + 1)):
        for i in reversed(range(1, n + 1)):
            max2, exp, exp2, exp3, rsum = tape.pop()
            r0 = -R[i - 1, j - 1] / gamma
            r1 = -R[i - 1, j] / gamma
            r2 = -R[i, j - 1] / gamma
            total_bar = -R_bar[i, j] * gamma
            rsum_bar = total_bar / rsum
            rmax_bar = total_bar
            D_bar[i - 1, j - 1] += R_bar[i, j]
            difference_bar = rsum_bar * exp
            difference_bar2 = rsum_bar * exp2
            difference_bar3 = rsum_bar * exp3
            r0_bar = difference_bar
            rmax_bar = rmax_bar + (-difference_bar - difference_bar2 - difference_bar3)
            r1_bar = difference_bar2
            r2_bar = difference_bar3
            max_bar = rmax_bar * (1.0 if max2 > r2 else 0.5 if max2 == r2 else 0.0)
            r0_bar = r0_bar + (
                max_bar * (1.0 if r0 > r1 else 0.5 if r0 == r1 else 0.0)
                if max_bar != 0.0
                else 0.0
            )
            r1_bar = r1_bar + (
                max_bar * (1.0 if r1 > r0 else 0.5 if r0 == r1 else 0.0)
                if max_bar != 0.0
                else 0.0
            )
            r2_bar = r2_bar + rmax_bar * (
                1.0 if r2 > max2 else 0.5 if max2 == r2 else 0.0
            )
            R_bar[i, j - 1] -= r2_bar / gamma if r2_bar != 0.0 else 0.0
            R_bar[i - 1, j] -= r1_bar / gamma if r1_bar != 0.0 else 0.0
            R_bar[i - 1, j - 1] -= r0_bar / gamma if r0_bar != 0.0 else 0.0
    squared_distances_x_bar, squared_distances_y_bar = _squared_distances_vjp(
        x, y, D_bar
    )
    return squared_distances_x_bar, squared_distances_y_bar
