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


def _cholesky_bar(y_bar, y):
    """Cotangent of a where y = np.linalg.cholesky(a), which reads the lower triangle of a."""
    half = y.shape[-1] // 2
    if half <= 32:
        weights = np.tri(y.shape[-1], dtype=y.dtype) - 0.5 * np.eye(
            y.shape[-1], dtype=y.dtype
        )
        inverse = np.linalg.inv(y)
        inner = weights * (np.swapaxes(y, -1, -2).conj() @ y_bar)
        both = np.swapaxes(inverse, -1, -2).conj() @ inner @ inverse
        return weights * (both + np.swapaxes(both, -1, -2).conj())
    first, under, last = (
        y[..., :half, :half],
        y[..., half:, :half],
        y[..., half:, half:],
    )
    last_bar = _cholesky_bar(y_bar[..., half:, half:], last)
    both = last_bar + np.swapaxes(last_bar, -1, -2).conj()
    right = np.swapaxes(y_bar[..., half:, :half] - both @ under, -1, -2).conj()
    right = np.linalg.solve(np.swapaxes(first, -1, -2).conj(), right)
    a_bar = np.zeros(y.shape, np.result_type(y_bar, y))
    a_bar[..., :half, :half] = _cholesky_bar(
        y_bar[..., :half, :half] - right @ under, first
    )
    a_bar[..., half:, :half] = np.swapaxes(right, -1, -2).conj()
    a_bar[..., half:, half:] = last_bar
    return a_bar


def _diagonal_bar(y_bar, x, offset):
    """An array like x with y_bar on its diagonal and zeros elsewhere."""
    x_bar = np.zeros(np.shape(x), np.asarray(y_bar).dtype)
    rows = np.arange(np.shape(y_bar)[-1]) + max(-offset, 0)
    x_bar[rows, rows + offset] = np.moveaxis(y_bar, -1, 0)
    return x_bar


def _diag_bar(y_bar, x, k):
    """Cotangent of x where y = np.diag(x, k)."""
    return np.diag(y_bar, k) if np.ndim(x) == 1 else _diagonal_bar(y_bar, x, k)


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


# pullback: vjp of tracking_nll wrt q, r, m0, p0 [e478eb14 9deb449d]
def tracking_nll_vjp(q: float, r: float, m0, p0, ys, dt: float, tracking_nll_bar):
    """Vector-Jacobian product of tracking_nll with respect to q, r, m0 and p0."""
    F = np.eye(4)
    F[0, 2] = F[1, 3] = dt
    Q = np.zeros((4, 4))
    for a in range(2):
        Q[a, a] = q * dt**3 / 3
        quotient = q * dt**2 / 2
        Q[a, a + 2] = quotient
        Q[a + 2, a] = quotient
        Q[a + 2, a + 2] = q * dt
    H = np.eye(2, 4)
    eye = np.eye(2)
    R = r**2 * eye

    m = m0.copy()
    P = np.diag(p0)
    nll = 0.0
    tape = []
    tape2 = []
    for k in range(ys.shape[0]):
        m_0 = np.copy(m)
        m = F @ m
        product3 = F @ P
        product9 = product3 @ F.T
        shape_product9 = np.shape(product9)
        P_0 = np.copy(P)
        P = product9 + Q
        isnan = np.isnan(ys[k, 0])
        tape2.append((m_0, product3, shape_product9, P_0, isnan))
        if isnan:
            continue
        product8 = H @ m
        shape_product8 = np.shape(product8)
        m_02 = np.copy(m)
        e = ys[k] - product8
        product = H @ P
        product7 = product @ H.T
        shape_product7 = np.shape(product7)
        P_02 = P.copy()
        S = product7 + R
        L = np.linalg.cholesky(S)
        z = np.linalg.solve(L, e)
        diag_L = np.diag(L)
        shape_nll = np.shape(nll)
        product6 = z @ z
        shape_product6 = np.shape(product6)
        nll += 0.5 * product6 + np.sum(np.log(diag_L))
        W = np.linalg.solve(L, product)
        product5 = W.T @ z
        shape_product5 = np.shape(product5)
        m += product5
        product4 = W.T @ W
        shape_product4 = np.shape(product4)
        tape.append(
            (
                shape_product8,
                m_02,
                product,
                shape_product7,
                P_02,
                L,
                e,
                diag_L,
                shape_nll,
                shape_product6,
                z,
                shape_product5,
                W,
                shape_product4,
            )
        )
        P -= product4
    # Backward pass
    nll_bar = tracking_nll_bar
    R_bar = np.zeros_like(R)
    Q_bar = np.zeros_like(Q)
    P_bar = np.zeros_like(P, dtype=np.result_type(P, 0.0))
    m_bar = np.zeros_like(m, dtype=np.result_type(m, 0.0))
    for _ in range(ys.shape[0]):
        m_0, product3, shape_product9, P_0, isnan = tape2.pop()
        if not isnan:
            (
                shape_product8,
                m,
                product,
                shape_product7,
                P,
                L,
                e,
                diag_L,
                shape_nll,
                shape_product6,
                z,
                shape_product5,
                W,
                shape_product4,
            ) = tape.pop()
            product_bar = _unbroadcast(-P_bar, shape_product4)
            W_bar = _matmul_a_bar(product_bar, W.T, W).T + _matmul_b_bar(
                product_bar, W.T, W
            )
            product_bar2 = _unbroadcast(m_bar, shape_product5)
            W_bar += _matmul_a_bar(product_bar2, W.T, z).T
            z_bar = _matmul_b_bar(product_bar2, W.T, z)
            L_bar = _solve_a_bar(W_bar, W, L, product)
            P_bar = P_bar + _matmul_b_bar(_solve_b_bar(W_bar, L, product), H, P)
            product_bar3 = _unbroadcast(nll_bar * 0.5, shape_product6)
            z_bar += _matmul_a_bar(product_bar3, z, z) + _matmul_b_bar(
                product_bar3, z, z
            )
            L_bar += _diag_bar(np.sum(nll_bar) / diag_L, L, 0)
            nll_bar = _unbroadcast(nll_bar, shape_nll)
            L_bar += _solve_a_bar(z_bar, z, L, e)
            e_bar = _solve_b_bar(z_bar, L, e)
            S_bar = _cholesky_bar(L_bar, L)
            P_bar += _matmul_b_bar(
                _matmul_a_bar(_unbroadcast(S_bar, shape_product7), product, H.T), H, P
            )
            R_bar += _unbroadcast(S_bar, R.shape)
            m_bar = m_bar + _matmul_b_bar(_unbroadcast(-e_bar, shape_product8), H, m)
        Q_bar += _unbroadcast(P_bar, F.shape)
        P_bar = _matmul_b_bar(
            _matmul_a_bar(_unbroadcast(P_bar, shape_product9), product3, F.T), F, P_0
        )
        m_bar = _matmul_b_bar(m_bar, F, m_0)
    q_bar = 0.0
    for a in reversed(range(2)):
        q_bar += Q_bar[a + 2, a + 2] * dt
        quotient_bar = Q_bar[a + 2, a]
        quotient_bar = quotient_bar + Q_bar[a, a + 2]
        q_bar += quotient_bar / 2 * dt**2
        q_bar += Q_bar[a, a] / 3 * dt**3
    return (
        q_bar,
        2 * np.sum(R_bar * eye) * r,
        m_bar,
        np.positive(_diag_bar(P_bar, p0, 0)),
    )
