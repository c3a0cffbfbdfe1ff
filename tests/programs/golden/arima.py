def _unbroadcast(x_bar, shape):
    """x_bar summed over the axes along which an operand of this shape was broadcast."""
    if np.ndim(x_bar) == 0:
        return +x_bar
    x_bar = np.sum(x_bar, axis=tuple(range(np.ndim(x_bar) - len(shape))))
    stretched = tuple(i for i, n in enumerate(shape) if n == 1 and x_bar.shape[i] != 1)
    return np.sum(x_bar, axis=stretched, keepdims=True) if stretched else x_bar


def _diff_bar(y_bar, n, axis):
    """Cotangent of x where y = np.diff(x, n, axis)."""
    widths = [(0, 0)] * np.ndim(y_bar)
    widths[axis] = (1, 1)
    for _ in range(n):
        y_bar = -np.diff(np.pad(y_bar, widths), axis=axis)
    return y_bar


# pullback: vjp of css wrt c, phi, theta, series [778421b0 728bbc8a]
def css_vjp(c, phi, theta, series, d, css_bar):
    """Vector-Jacobian product of css with respect to c, phi, theta and series."""
    c = np.positive(c)
    w = np.diff(series, n=d)
    p, q = len(phi), len(theta)
    n = len(w)
    e = np.zeros(n)
    shape_prediction_tape = []
    shape_prediction2_tape = []
    e2_tape = []
    for t in range(p, n):
        prediction = c
        for i in range(p):
            shape_prediction2 = np.shape(prediction)
            shape_prediction2_tape.append(shape_prediction2)
            prediction += phi[i] * w[t - 1 - i]
        for j in range(q):
            if t - 1 - j >= 0:
                e2 = e[t - 1 - j]
                e2_tape.append(e2)
                prediction += theta[j] * e2
        shape_prediction = np.shape(prediction)
        shape_prediction_tape.append(shape_prediction)
        e[t] = w[t] - prediction
    # Backward pass
    e_bar = np.zeros_like(e)
    e_bar[p:] += 2 * css_bar / (n - p) * e[p:]
    w_bar = np.zeros_like(w, dtype=np.result_type(w, 0.0))
    theta_bar = np.zeros_like(theta, dtype=np.result_type(theta, 0.0))
    phi_bar = np.zeros_like(phi, dtype=np.result_type(phi, 0.0))
    c_bar = 0.0
    for t in reversed(range(p, n)):
        shape_prediction = shape_prediction_tape.pop()
        prediction_bar = _unbroadcast(-e_bar[t], shape_prediction)
        w_bar[t] += _unbroadcast(e_bar[t], np.shape(w[t]))
        e_bar[t] = 0.0
        for j in reversed(range(q)):
            if t - 1 - j >= 0:
                e2 = e2_tape.pop()
                product_bar = np.sum(prediction_bar)
                theta_bar[j] += product_bar * e2
                e_bar[t - 1 - j] += product_bar * theta[j]
        for i in reversed(range(p)):
            shape_prediction2 = shape_prediction2_tape.pop()
            phi_bar[i] += np.sum(prediction_bar * w[t - 1 - i])
            w_bar[t - 1 - i] += _unbroadcast(
                prediction_bar * phi[i], np.shape(w[t - 1 - i])
            )
            prediction_bar = _unbroadcast(prediction_bar, shape_prediction2)
        c_bar += prediction_bar
    return c_bar, phi_bar, theta_bar, _diff_bar(w_bar, d, -1)
