def _unbroadcast(x_bar, shape):
    """x_bar summed over the axes along which an operand of this shape was broadcast."""
    if np.ndim(x_bar) == 0:
        return +x_bar
    x_bar = np.sum(x_bar, axis=tuple(range(np.ndim(x_bar) - len(shape))))
    stretched = tuple(i for i, n in enumerate(shape) if n == 1 and x_bar.shape[i] != 1)
    return np.sum(x_bar, axis=stretched, keepdims=True) if stretched else x_bar


# pullback: vjp of durbin wrt r [3f58a966 56825881]
def durbin_vjp(r, durbin_bar):
    """Vector-Jacobian product of durbin with respect to r."""
    n = len(r)
    y = np.zeros(n)
    y[0] = -r[0]
    beta = 1.0
    alpha = -r[0]
    shape_total_tape = []
    shape_total2_tape = []
    y_i_tape = []
    difference_tape = []
    y2_tape = []
    alpha_tape = []
    beta_tape = []
    beta_0_tape = []
    alpha_0_tape = []
    for k in range(1, n):
        difference = 1.0 - alpha * alpha
        difference_tape.append(difference)
        beta_0_tape.append(beta)
        alpha_0_tape.append(alpha)
        beta = difference * beta
        total = 0.0
        for i in range(k):
            shape_total2 = np.shape(total)
            shape_total2_tape.append(shape_total2)
            y_i = y[i]
            y_i_tape.append(y_i)
            total += r[k - i - 1] * y_i
        shape_total = np.shape(total)
        shape_total_tape.append(shape_total)
        beta_tape.append(beta)
        alpha = -(r[k] + total) / beta
        alpha_tape.append(alpha)
        z = np.zeros(k)
        for i in range(k):
            y2 = y[k - i - 1]
            y2_tape.append(y2)
            z[i] = y[i] + alpha * y2
        for i in range(k):
            y[i] = z[i]
        y[k] = alpha
    alpha_02 = alpha
    # Backward pass
    y_bar = durbin_bar.copy()
    r_bar = np.zeros_like(r, dtype=np.result_type(r, 0.0))
    alpha_bar = np.zeros_like(alpha_02, dtype=np.result_type(alpha_02, 0.0))
    beta_bar = np.zeros_like(beta)
    for k in reversed(range(1, n)):
        shape_total = shape_total_tape.pop()
        difference = difference_tape.pop()
        alpha = alpha_tape.pop()
        beta = beta_tape.pop()
        beta_0 = beta_0_tape.pop()
        alpha_0 = alpha_0_tape.pop()
        alpha_bar += y_bar[k]
        y_bar[k] = 0.0
        z_bar = np.zeros_like(z)
        for i in reversed(range(k)):
            z_bar[i] += y_bar[i]
            y_bar[i] = 0.0
        for i in reversed(range(k)):
            y2 = y2_tape.pop()
            alpha_bar += z_bar[i] * y2
            y_bar[i] += np.sum(z_bar[i])
            y_bar[k - i - 1] += np.sum(z_bar[i] * alpha)
            z_bar[i] = 0.0
        total_bar = -alpha_bar / beta
        total_bar2 = _unbroadcast(total_bar, shape_total)
        beta_bar += _unbroadcast(-alpha_bar * alpha / beta, np.shape(beta))
        r_bar[k] += _unbroadcast(total_bar, np.shape(r[k]))
        for i in reversed(range(k)):
            shape_total2 = shape_total2_tape.pop()
            y_i = y_i_tape.pop()
            r_bar[k - i - 1] += _unbroadcast(total_bar2 * y_i, np.shape(r[k - i - 1]))
            y_bar[i] += np.sum(total_bar2 * r[k - i - 1])
            total_bar2 = _unbroadcast(total_bar2, shape_total2)
        alpha_bar = 2.0 * _unbroadcast(-beta_bar * beta_0 * alpha_0, np.shape(alpha_0))
        beta_bar = _unbroadcast(beta_bar * difference, np.shape(beta_0))
    r_bar[0] -= alpha_bar
    r_bar[0] -= y_bar[0]
    return r_bar
