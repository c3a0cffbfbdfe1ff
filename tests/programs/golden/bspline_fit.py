def _unbroadcast(x_bar, shape):
    """x_bar summed over the axes along which an operand of this shape was broadcast."""
    if np.shape(x_bar) == shape or np.ndim(x_bar) == 0:
        return 1.0 * x_bar
    x_bar = np.sum(x_bar, axis=tuple(range(np.ndim(x_bar) - len(shape))))
    stretched = tuple(i for i, n in enumerate(shape) if n == 1 and x_bar.shape[i] != 1)
    return np.sum(x_bar, axis=stretched, keepdims=True) if stretched else x_bar


def _matmul_a_bar(y_bar, a, b):
    """Cotangent of a where y = a @ b."""
    if np.ndim(b) == 1:
        y_bar = y_bar[..., None] if np.ndim(y_bar) else y_bar
        return _unbroadcast(y_bar * b, np.shape(a))
    if np.ndim(a) == 1:
        return _unbroadcast((b @ y_bar[..., None])[..., 0], np.shape(a))
    return _unbroadcast(y_bar @ np.swapaxes(b, -1, -2), np.shape(a))


def _matmul_b_bar(y_bar, a, b):
    """Cotangent of b where y = a @ b."""
    if np.ndim(a) == 1 and np.ndim(b) == 1:
        return y_bar * a
    if np.ndim(a) == 1:
        return _unbroadcast(a[:, None] * y_bar[..., None, :], np.shape(b))
    if np.ndim(b) == 1:
        return _unbroadcast(
            (np.swapaxes(a, -1, -2) @ y_bar[..., None])[..., 0], np.shape(b)
        )
    return _unbroadcast(np.swapaxes(a, -1, -2) @ y_bar, np.shape(b))


# pullback: vjp of curve wrt t, control, knots private=yes [7db246f4 fc6e4cd6]
def _curve_vjp(t, control, knots, degree, curve_bar):
    """Vector-Jacobian product of curve with respect to t, control and knots."""
    tape = []
    for i in range(control.shape[0]):
        basis2 = basis(i, degree, t, knots)
        shape_basis2 = np.shape(basis2)
        tape.append((basis2, shape_basis2))
    # Backward pass
    point_bar = curve_bar
    t_bar = np.zeros_like(t, dtype=np.result_type(t, 0.0))
    knots_bar = np.zeros_like(knots, dtype=np.result_type(knots, 0.0))
    control_bar = np.zeros_like(control, dtype=np.result_type(control, 0.0))
    for i in reversed(range(control.shape[0])):
        basis2, shape_basis2 = tape.pop()
        basis_t_bar, basis_knots_bar = _basis_vjp(
            i, degree, t, knots, _unbroadcast(point_bar * control[i], shape_basis2)
        )
        t_bar += basis_t_bar
        knots_bar += basis_knots_bar
        control_bar[i] += _unbroadcast(point_bar * basis2, np.shape(control[i]))
    return t_bar, control_bar, knots_bar


# pullback: vjp of basis wrt t, knots private=yes args=int,any,any,any [33d296ba 8e38bcc9]
def _basis_vjp(i, p, t, knots, basis_bar):
    """Vector-Jacobian product of basis with respect to t and knots."""
    if p == 0:
        # Backward pass
        return (
            np.zeros_like(t, dtype=np.result_type(t, 0.0)),
            np.zeros_like(knots, dtype=np.result_type(knots, 0.0)),
        )
    value = 0.0
    value3 = knots[i + p] > knots[i]
    if value3:
        knots3 = knots[i + p]
        shape_knots3 = np.shape(knots3)
        basis3 = basis(i, p - 1, t, knots)
        shape_basis3 = np.shape(basis3)
        difference2 = knots3 - knots[i]
        quotient2 = (t - knots[i]) / difference2
        value += quotient2 * basis3
    value2 = knots[i + p + 1] > knots[i + 1]
    if value2:
        shape_value = np.shape(value)
        total = i + p + 1
        knots2 = knots[total]
        shape_knots2 = np.shape(knots2)
        basis2 = basis(i + 1, p - 1, t, knots)
        shape_basis2 = np.shape(basis2)
        difference = knots2 - knots[i + 1]
        quotient = (knots2 - t) / difference
    # Backward pass
    value_bar = basis_bar
    t_bar = np.zeros_like(t, dtype=np.result_type(t, 0.0))
    knots_bar = np.zeros_like(knots, dtype=np.result_type(knots, 0.0))
    if value2:
        quotient_bar = value_bar * basis2
        difference_bar = quotient_bar / difference
        difference_bar2 = -quotient_bar * quotient / difference
        basis_t_bar, basis_knots_bar = _basis_vjp(
            i + 1, p - 1, t, knots, _unbroadcast(value_bar * quotient, shape_basis2)
        )
        t_bar += _unbroadcast(-difference_bar, np.shape(t)) + basis_t_bar
        knots_bar += basis_knots_bar
        np.add.at(
            knots_bar,
            total,
            _unbroadcast(difference_bar, shape_knots2)
            + _unbroadcast(difference_bar2, shape_knots2),
        )
        knots_bar[i + 1] += _unbroadcast(-difference_bar2, np.shape(knots[i + 1]))
        value_bar = _unbroadcast(value_bar, shape_value)
    if value3:
        quotient_bar2 = value_bar * basis3
        difference_bar3 = quotient_bar2 / difference2
        difference_bar4 = -quotient_bar2 * quotient2 / difference2
        basis_t_bar2, basis_knots_bar2 = _basis_vjp(
            i, p - 1, t, knots, _unbroadcast(value_bar * quotient2, shape_basis3)
        )
        t_bar += _unbroadcast(difference_bar3, np.shape(t)) + basis_t_bar2
        knots_bar += basis_knots_bar2
        knots_bar[i] += _unbroadcast(
            -difference_bar3, np.shape(knots[i])
        ) + _unbroadcast(-difference_bar4, np.shape(knots[i]))
        np.add.at(knots_bar, i + p, _unbroadcast(difference_bar4, shape_knots3))
    return t_bar, knots_bar


# pullback: vjp of fit_error wrt control, knots, t [b9097cb2 c27acd09]
def fit_error_vjp(control, knots, t, points, degree, bending, fit_error_bar):
    """Vector-Jacobian product of fit_error with respect to control, knots and t."""
    error = 0.0
    tape = []
    for k in range(len(t)):
        curve2 = curve(t[k], control, knots, degree)
        shape_curve2 = np.shape(curve2)
        r = curve2 - points[k]
        shape_error = np.shape(error)
        product = r @ r
        shape_product = np.shape(product)
        tape.append((shape_curve2, shape_error, shape_product, r))
        error += product
    second = control[2:] - 2.0 * control[1:-1] + control[:-2]
    # Backward pass
    error_bar = _unbroadcast(fit_error_bar, np.shape(error))
    second_bar = 2 * np.sum(fit_error_bar * bending) * second
    control_bar = np.zeros_like(control, dtype=np.result_type(control, 0.0))
    control_bar[2:] = second_bar
    control_bar[1:-1] -= second_bar * 2.0
    control_bar[:-2] += second_bar
    knots_bar = np.zeros_like(knots, dtype=np.result_type(knots, 0.0))
    t_bar = np.zeros_like(t, dtype=np.result_type(t, 0.0))
    for k in reversed(range(len(t))):
        shape_curve2, shape_error, shape_product, r = tape.pop()
        product_bar = _unbroadcast(error_bar, shape_product)
        r_bar = _matmul_a_bar(product_bar, r, r) + _matmul_b_bar(product_bar, r, r)
        error_bar = _unbroadcast(error_bar, shape_error)
        curve_t_bar, curve_control_bar, curve_knots_bar = _curve_vjp(
            t[k], control, knots, degree, _unbroadcast(r_bar, shape_curve2)
        )
        control_bar += curve_control_bar
        knots_bar += curve_knots_bar
        t_bar[k] += curve_t_bar
    return control_bar, knots_bar, t_bar
