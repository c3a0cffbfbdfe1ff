# pullback: vjp of durbin wrt r [3f58a966 d08cee33]
def durbin_vjp(r, durbin_bar):
    """Vector-Jacobian product of durbin with respect to r."""
    n = len(r)
    y = np.zeros(n)
    y[0] = -r[0]
    beta = 1.0
    alpha = -r[0]
    y_i_tape = []
    y2_tape = []
    tape = []
    for k in range(1, n):
        beta_0 = beta
        alpha_0 = alpha
        beta = (1.0 - alpha * alpha) * beta
        total = 0.0
        for i in range(k):
            y_i = y[i]
            y_i_tape.append(y_i)
            total += r[k - i - 1] * y_i
        alpha = -(r[k] + total) / beta
        tape.append((beta_0, alpha_0, beta, alpha))
        z = np.zeros(k)
        for i in range(k):
            y2 = y[k - i - 1]
            y2_tape.append(y2)
            z[i] = y[i] + alpha * y2
        for i in range(k):
            y[i] = z[i]
        y[k] = alpha
    # Backward pass
    y_bar = durbin_bar.copy()
    r_bar = np.zeros_like(r, dtype=np.result_type(r, 0.0))
    alpha_bar = 0.0
    beta_bar = 0.0
    for k in reversed(range(1, n)):
        beta_0, alpha_0, beta, alpha = tape.pop()
        alpha_bar += y_bar[k]
        y_bar[k] = 0.0
        z_bar = np.zeros(k)
        for i in reversed(range(k)):
            z_bar[i] += y_bar[i]
            y_bar[i] = 0.0
        for i in reversed(range(k)):
            y2 = y2_tape.pop()
            alpha_bar += z_bar[i] * y2
            y_bar[i] += z_bar[i]
            y_bar[k - i - 1] += z_bar[i] * alpha
            z_bar[i] = 0.0
        total_bar = -alpha_bar / beta
        beta_bar -= alpha_bar * alpha / beta
        r_bar[k] += total_bar
        for i in reversed(range(k)):
            y_i = y_i_tape.pop()
            r_bar[k - i - 1] += total_bar * y_i
            y_bar[i] += total_bar * r[k - i - 1]
        alpha_bar = -2.0 * beta_bar * beta_0 * alpha_0
        beta_bar = beta_bar * (1.0 - alpha_0 * alpha_0)
    r_bar[0] -= alpha_bar
    r_bar[0] -= y_bar[0]
    return r_bar
