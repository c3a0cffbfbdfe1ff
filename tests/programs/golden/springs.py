def _unbroadcast(x_bar, shape):
    """x_bar summed over the axes along which an operand of this shape was broadcast."""
    if np.shape(x_bar) == shape or np.ndim(x_bar) == 0:
        return 1.0 * x_bar
    x_bar = np.sum(x_bar, axis=tuple(range(np.ndim(x_bar) - len(shape))))
    stretched = tuple(i for i, n in enumerate(shape) if n == 1 and x_bar.shape[i] != 1)
    return np.sum(x_bar, axis=stretched, keepdims=True) if stretched else x_bar


# pullback: vjp of forces wrt x, k, rest, gravity private=yes [8444337d 85ea81a9]
def _forces_vjp(x, edges, k, rest, gravity, forces_bar):
    """Vector-Jacobian product of forces with respect to x, k, rest and gravity."""
    i, j = edges[:, 0], edges[:, 1]
    d = x[j] - x[i]
    length = np.linalg.norm(d, axis=1)
    quotient = k * (length - rest) / length
    quotient2 = quotient[:, None]
    pull = quotient2 * d
    # Backward pass
    f_bar = forces_bar.copy()
    pull_bar = _unbroadcast(-f_bar[j], pull.shape)
    pull_bar += _unbroadcast(f_bar[i], pull.shape)
    quotient_bar = _unbroadcast(pull_bar * d, quotient2.shape)[:, 0]
    product_bar = quotient_bar / length
    difference_bar = product_bar * k
    k_bar = _unbroadcast(product_bar * (length - rest), np.shape(k))
    length_bar = _unbroadcast(difference_bar, np.shape(length)) + _unbroadcast(
        -quotient_bar * quotient / length, np.shape(length)
    )
    rest_bar = _unbroadcast(-difference_bar, np.shape(rest))
    d_bar = _unbroadcast(pull_bar * quotient2, np.shape(d))
    d_bar += d * np.expand_dims(length_bar / length, 1)
    x_bar = np.zeros_like(x, dtype=np.result_type(x, 0.0))
    np.add.at(x_bar, j, _unbroadcast(d_bar, np.shape(x[j])))
    np.add.at(x_bar, i, _unbroadcast(-d_bar, np.shape(x[i])))
    gravity_bar = _unbroadcast(-f_bar[:, 1], np.shape(gravity))
    return x_bar, k_bar, rest_bar, gravity_bar


# pullback: vjp of settle wrt x, k, rest, gravity [4ea02681 9e2e0b6b]
def settle_vjp(x, edges, k, rest, gravity, fixed, dt, steps, settle_bar):
    """Vector-Jacobian product of settle with respect to x, k, rest and gravity."""
    old = x.copy()
    x = x.copy()
    tape = []
    for _ in range(steps):
        f = forces(x, edges, k, rest, gravity)
        f[fixed] = 0.0
        shape_f = np.shape(f)
        shape_old = np.shape(old)
        tape.append((x, shape_f, shape_old))
        x, old = x + 0.99 * (x - old) + dt**2 * f, x
    # Backward pass
    x_bar = settle_bar
    old_bar = np.zeros_like(old, dtype=np.result_type(old, 0.0))
    k_bar = np.zeros_like(k, dtype=np.result_type(k, 0.0))
    rest_bar = np.zeros_like(rest, dtype=np.result_type(rest, 0.0))
    gravity_bar = np.zeros_like(gravity, dtype=np.result_type(gravity, 0.0))
    for _ in range(steps):
        x, shape_f, shape_old = tape.pop()
        x_new_bar = x_bar
        difference_bar = x_new_bar * 0.99
        f_bar = _unbroadcast(x_new_bar * dt**2, shape_f)
        x_bar = (
            _unbroadcast(x_new_bar, np.shape(x))
            + _unbroadcast(difference_bar, np.shape(x))
            + old_bar
        )
        old_bar = _unbroadcast(-difference_bar, shape_old)
        f_bar[fixed] = 0.0
        forces_x_bar, forces_k_bar, forces_rest_bar, forces_gravity_bar = _forces_vjp(
            x, edges, k, rest, gravity, f_bar
        )
        x_bar += forces_x_bar
        k_bar += forces_k_bar
        rest_bar += forces_rest_bar
        gravity_bar += forces_gravity_bar
    return x_bar + old_bar, k_bar, rest_bar, gravity_bar
