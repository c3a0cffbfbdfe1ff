def _unbroadcast(x_bar, shape):
    """x_bar summed over the axes along which an operand of this shape was broadcast."""
    if np.shape(x_bar) == shape or np.ndim(x_bar) == 0:
        return 1.0 * x_bar
    x_bar = np.sum(x_bar, axis=tuple(range(np.ndim(x_bar) - len(shape))))
    stretched = tuple(i for i, n in enumerate(shape) if n == 1 and x_bar.shape[i] != 1)
    return np.sum(x_bar, axis=stretched, keepdims=True) if stretched else x_bar


# pullback: vjp of lotka_volterra wrt x, theta private=yes [1488730f 4404c144]
def _lotka_volterra_vjp(x, t, theta, lotka_volterra_bar):
    """Vector-Jacobian product of lotka_volterra with respect to x and theta."""
    a, b, c, d = theta[0], theta[1], theta[2], theta[3]
    # Backward pass
    product_bar = -lotka_volterra_bar[0]
    product_bar2 = product_bar * x[1]
    product_bar3 = lotka_volterra_bar[1] * x[1]
    a_bar = _unbroadcast(lotka_volterra_bar[0] * x[0], np.shape(a))
    b_bar = _unbroadcast(product_bar2 * x[0], np.shape(b))
    c_bar = _unbroadcast(-lotka_volterra_bar[1] * x[1], np.shape(c))
    d_bar = _unbroadcast(product_bar3 * x[0], np.shape(d))
    x_bar = np.zeros_like(x, dtype=np.result_type(x, 0.0))
    x_bar[0] = (
        _unbroadcast(lotka_volterra_bar[0] * a, np.shape(x[0]))
        + _unbroadcast(product_bar2 * b, np.shape(x[0]))
        + _unbroadcast(product_bar3 * d, np.shape(x[0]))
    )
    x_bar[1] = (
        _unbroadcast(product_bar * b * x[0], np.shape(x[1]))
        + _unbroadcast(-lotka_volterra_bar[1] * c, np.shape(x[1]))
        + _unbroadcast(lotka_volterra_bar[1] * d * x[0], np.shape(x[1]))
    )
    theta_bar = np.zeros_like(theta, dtype=np.result_type(theta, 0.0))
    theta_bar[0] = a_bar
    theta_bar[1] = b_bar
    theta_bar[2] = c_bar
    theta_bar[3] = d_bar
    return x_bar, theta_bar


# pullback: vjp of misfit wrt theta, x0 [e4fb1ac1 7fa35e9f]
def misfit_vjp(theta, x0, observed, h, every, misfit_bar):
    """Vector-Jacobian product of misfit with respect to theta and x0."""
    x = x0
    t = 0.0
    tape2 = []
    tape = []
    for y in observed:
        for _ in range(every):
            k1 = lotka_volterra(x, t, theta)
            shape_k1 = np.shape(k1)
            total3 = t + 0.5 * h
            total4 = x + 0.5 * h * k1
            k2 = lotka_volterra(total4, total3, theta)
            shape_k2 = np.shape(k2)
            total2 = x + 0.5 * h * k2
            k3 = lotka_volterra(total2, total3, theta)
            shape_k3 = np.shape(k3)
            total = x + h * k3
            k4 = lotka_volterra(total, t + h, theta)
            shape_k4 = np.shape(k4)
            tape2.append(
                (
                    x,
                    np.copy(t),
                    shape_k1,
                    total3,
                    total4,
                    shape_k2,
                    total2,
                    shape_k3,
                    total,
                    shape_k4,
                )
            )
            x = x + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
            t += h
        difference = np.log(x) - np.log(y)
        tape.append((difference, x))
    # Backward pass
    loss_bar = misfit_bar
    x_bar = np.zeros_like(x, dtype=np.result_type(x, 0.0))
    theta_bar = np.zeros_like(theta, dtype=np.result_type(theta, 0.0))
    for _ in reversed(observed):
        difference, x = tape.pop()
        x_bar += _unbroadcast(2.0 * loss_bar * difference / x, np.shape(x))
        for _ in range(every):
            (
                x_0,
                t,
                shape_k1,
                total3,
                total4,
                shape_k2,
                total2,
                shape_k3,
                total,
                shape_k4,
            ) = tape2.pop()
            total_bar = x_bar * h / 6.0
            k1_bar = _unbroadcast(total_bar, shape_k1)
            k2_bar = _unbroadcast(total_bar * 2.0, shape_k2)
            k3_bar = _unbroadcast(total_bar * 2.0, shape_k3)
            k4_bar = _unbroadcast(total_bar, shape_k4)
            x_bar = _unbroadcast(x_bar, np.shape(x_0))
            lotka_volterra_x_bar, lotka_volterra_theta_bar = _lotka_volterra_vjp(
                total, t + h, theta, k4_bar
            )
            x_bar += _unbroadcast(lotka_volterra_x_bar, np.shape(x_0))
            k3_bar += _unbroadcast(lotka_volterra_x_bar * h, shape_k3)
            theta_bar += lotka_volterra_theta_bar
            lotka_volterra_x_bar2, lotka_volterra_theta_bar2 = _lotka_volterra_vjp(
                total2, total3, theta, k3_bar
            )
            x_bar += _unbroadcast(lotka_volterra_x_bar2, np.shape(x_0))
            k2_bar += _unbroadcast(0.5 * lotka_volterra_x_bar2 * h, shape_k2)
            theta_bar += lotka_volterra_theta_bar2
            lotka_volterra_x_bar3, lotka_volterra_theta_bar3 = _lotka_volterra_vjp(
                total4, total3, theta, k2_bar
            )
            x_bar += _unbroadcast(lotka_volterra_x_bar3, np.shape(x_0))
            k1_bar += _unbroadcast(0.5 * lotka_volterra_x_bar3 * h, shape_k1)
            theta_bar += lotka_volterra_theta_bar3
            lotka_volterra_x_bar4, lotka_volterra_theta_bar4 = _lotka_volterra_vjp(
                x_0, t, theta, k1_bar
            )
            x_bar += lotka_volterra_x_bar4
            theta_bar += lotka_volterra_theta_bar4
    return theta_bar, x_bar
