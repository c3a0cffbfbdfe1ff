def _unbroadcast(x_bar, shape):
    """x_bar summed over the axes along which an operand of this shape was broadcast."""
    if np.shape(x_bar) == shape or np.ndim(x_bar) == 0:
        return 1.0 * x_bar
    x_bar = np.sum(x_bar, axis=tuple(range(np.ndim(x_bar) - len(shape))))
    stretched = tuple(i for i, n in enumerate(shape) if n == 1 and x_bar.shape[i] != 1)
    return np.sum(x_bar, axis=stretched, keepdims=True) if stretched else x_bar


def _diff_bar(y_bar, n, axis, length):
    """Cotangent of x, length long along axis, where y = np.diff(x, n, axis)."""
    widths = [(0, 0)] * np.ndim(y_bar)
    widths[axis] = (1, 1)
    for _ in range(n):
        y_bar = -np.diff(np.pad(y_bar, widths), axis=axis)
    return np.moveaxis(np.moveaxis(y_bar, axis, 0)[:length], 0, axis)


# pullback: vjp of objective wrt k, source, u0 [c24322b3 aa1415db]
def objective_vjp(k, source, u0, data, sensors, dt, dx, alpha, objective_bar):
    """Vector-Jacobian product of objective with respect to k, source and u0."""
    n_steps = data.shape[0]
    u = u0.copy()
    flux = np.empty(len(u) - 1)
    tape = []
    for step in range(n_steps):
        difference2 = u[1:] - u[:-1]
        quotient = 2.0 * k[1:] * k[:-1] / (k[1:] + k[:-1])
        flux[:] = quotient * difference2 / dx
        u[1:-1] += dt * ((flux[1:] - flux[:-1]) / dx + source[1:-1])
        u[0] = u[-1] = 0.0
        shape = np.shape(u[sensors])
        difference = u[sensors] - data[step]
        tape.append((difference2, quotient, shape, difference))
    # Backward pass
    misfit_bar = np.sum(objective_bar)
    k_bar = _diff_bar(
        2 * np.sum(0.5 * objective_bar * alpha) * np.diff(k), 1, -1, np.shape(k)[-1]
    )
    u_bar = np.zeros_like(u, dtype=np.result_type(u, 0.0))
    flux_bar = np.zeros_like(flux)
    source_bar = np.zeros_like(source, dtype=np.result_type(source, 0.0))
    for _ in range(n_steps):
        difference2, quotient, shape, difference = tape.pop()
        np.add.at(u_bar, sensors, _unbroadcast(misfit_bar * difference, shape))
        u_bar[-1] = 0.0
        u_bar[0] = 0.0
        total_bar = u_bar[1:-1] * dt
        difference_bar = total_bar / dx
        flux_bar[1:] += _unbroadcast(difference_bar, flux[1:].shape)
        flux_bar[:-1] += _unbroadcast(-difference_bar, flux[:-1].shape)
        source_bar[1:-1] += _unbroadcast(total_bar, np.shape(source[1:-1]))
        product_bar = flux_bar[:] / dx
        quotient_bar = product_bar * difference2
        product_bar2 = quotient_bar / (k[1:] + k[:-1])
        total_bar2 = -quotient_bar * quotient / (k[1:] + k[:-1])
        difference_bar2 = product_bar * quotient
        k_bar[1:] += _unbroadcast(
            product_bar2 * k[:-1] * 2.0, np.shape(k[1:])
        ) + _unbroadcast(total_bar2, np.shape(k[1:]))
        k_bar[:-1] += _unbroadcast(
            2.0 * product_bar2 * k[1:], np.shape(k[:-1])
        ) + _unbroadcast(total_bar2, np.shape(k[:-1]))
        u_bar[1:] += _unbroadcast(difference_bar2, u[1:].shape)
        u_bar[:-1] += _unbroadcast(-difference_bar2, u[:-1].shape)
        flux_bar[:] = 0.0
    return k_bar, source_bar, u_bar
