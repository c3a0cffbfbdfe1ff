def _unbroadcast(x_bar, shape):
    """x_bar summed over the axes along which an operand of this shape was broadcast."""
    if np.shape(x_bar) == shape or np.ndim(x_bar) == 0:
        return 1.0 * x_bar
    x_bar = np.sum(x_bar, axis=tuple(range(np.ndim(x_bar) - len(shape))))
    stretched = tuple(i for i, n in enumerate(shape) if n == 1 and x_bar.shape[i] != 1)
    return np.sum(x_bar, axis=stretched, keepdims=True) if stretched else x_bar


def _solve_b_bar(y_bar, a, b):
    """Cotangent of b where y = np.linalg.solve(a, b)."""
    a_t = np.swapaxes(a, -1, -2)
    if np.ndim(y_bar) < np.ndim(a):
        b_bar = np.linalg.solve(a_t, y_bar[..., None])[..., 0]
    else:
        b_bar = np.linalg.solve(a_t, y_bar)
    return _unbroadcast(b_bar, np.shape(b))


def _solve_a_bar(y_bar, y, a, b):
    """Cotangent of a where y = np.linalg.solve(a, b)."""
    if np.ndim(y) < np.ndim(a):
        y_bar, y = y_bar[..., None], y[..., None]
    b_bar = np.linalg.solve(np.swapaxes(a, -1, -2), y_bar)
    return _unbroadcast(-b_bar @ np.swapaxes(y, -1, -2), np.shape(a))


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


# pullback: vjp of loo_error wrt X, y, bandwidth, ridge [3ce8c30d 7ea68727]
def loo_error_vjp(X, y, bandwidth, ridge, loo_error_bar):
    """Vector-Jacobian product of loo_error with respect to X, y, bandwidth and ridge."""
    n, d = X.shape
    design = np.column_stack((np.ones(n), X))
    error = 0.0
    tape = []
    for i in range(n):
        dist2 = ((X - X[i]) ** 2).sum(axis=1)
        shape_dist2 = np.shape(dist2)
        product3 = 2.0 * bandwidth**2
        quotient = -dist2 / product3
        w = np.exp(quotient)
        w_0 = w.copy()
        w[i] = 0.0
        eye_d = np.eye(d + 1)
        w2 = w[:, None].copy()
        product2 = w2 * design
        product5 = design.T @ product2
        shape_product5 = np.shape(product5)
        A = product5 + ridge * eye_d
        product = design.T @ (w * y)
        beta = np.linalg.solve(A, product)
        shape_error = np.shape(error)
        product4 = design[i] @ beta
        shape_product4 = np.shape(product4)
        difference = product4 - y[i]
        tape.append(
            (
                shape_dist2,
                product3,
                quotient,
                w_0,
                eye_d,
                w2,
                product2,
                shape_product5,
                product,
                A,
                w.copy(),
                shape_error,
                shape_product4,
                difference,
                beta,
            )
        )
        error += difference**2
    # Backward pass
    error_bar = loo_error_bar / n
    design_bar = np.zeros_like(design)
    y_bar = np.zeros_like(y, dtype=np.result_type(y, 0.0))
    ridge_bar = np.zeros_like(ridge, dtype=np.result_type(ridge, 0.0))
    bandwidth_bar = np.zeros_like(bandwidth, dtype=np.result_type(bandwidth, 0.0))
    X_bar = np.zeros_like(X, dtype=np.result_type(X, 0.0))
    for i in reversed(range(n)):
        (
            shape_dist2,
            product3,
            quotient,
            w_0,
            eye_d,
            w2,
            product2,
            shape_product5,
            product,
            A,
            w,
            shape_error,
            shape_product4,
            difference,
            beta,
        ) = tape.pop()
        difference_bar = 2 * error_bar * difference
        product_bar = _unbroadcast(difference_bar, shape_product4)
        beta_bar = _matmul_b_bar(product_bar, design[i], beta)
        design_bar[i] += _matmul_a_bar(product_bar, design[i], beta)
        y_bar[i] += _unbroadcast(-difference_bar, np.shape(y[i]))
        error_bar = _unbroadcast(error_bar, shape_error)
        product_bar2 = _solve_b_bar(beta_bar, A, product)
        product_bar3 = _matmul_b_bar(product_bar2, design.T, w * y)
        A_bar = _solve_a_bar(beta_bar, beta, A, product)
        design_bar += _matmul_a_bar(product_bar2, design.T, w * y).T
        w_bar = _unbroadcast(product_bar3 * y, w.shape)
        y_bar += _unbroadcast(product_bar3 * w, np.shape(y))
        product_bar4 = _unbroadcast(A_bar, shape_product5)
        product_bar5 = _matmul_b_bar(product_bar4, design.T, product2)
        design_bar += _matmul_a_bar(product_bar4, design.T, product2).T + _unbroadcast(
            product_bar5 * w2, design.shape
        )
        w_bar += _unbroadcast(product_bar5 * design, w2.shape)[:, 0]
        ridge_bar += _unbroadcast(A_bar * eye_d, np.shape(ridge))
        w_bar[i] = 0.0
        quotient_bar = np.where(w_bar != 0.0, w_bar * w_0, 0.0)
        dist2_bar = _unbroadcast(
            -np.where(quotient_bar != 0.0, quotient_bar / product3, 0.0), shape_dist2
        )
        bandwidth_bar += _unbroadcast(
            4.0
            * np.where(quotient_bar != 0.0, -quotient_bar * quotient / product3, 0.0)
            * bandwidth,
            np.shape(bandwidth),
        )
        difference_bar2 = 2 * dist2_bar[:, None] * (X - X[i])
        X_bar += difference_bar2
        X_bar[i] -= np.sum(difference_bar2, axis=0)
    X_bar += design_bar[:, 1:]
    return X_bar, y_bar, bandwidth_bar, ridge_bar
