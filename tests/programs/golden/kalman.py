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


# pullback: vjp of log_likelihood wrt A, C, Q, R, m0, P0, ys [c2eaec33 bd13191e]
def log_likelihood_vjp(A, C, Q, R, m0, P0, ys, log_likelihood_bar):
    """Vector-Jacobian product of log_likelihood with respect to A, C, Q, R, m0, P0 and ys."""
    m, P = m0, P0
    ll = 0.0
    tape = []
    for y in ys:
        # Predict
        m_0 = m
        m = A @ m
        product4 = A @ P
        product10 = product4 @ A.T
        shape_product10 = np.shape(product10)
        P_0 = P
        P = product10 + Q

        # Score
        product9 = C @ m
        shape_product9 = np.shape(product9)
        m_02 = m
        e = y - product9
        product2 = C @ P
        product8 = product2 @ C.T
        shape_product8 = np.shape(product8)
        S = product8 + R
        _, logdet = np.linalg.slogdet(S)
        shape_logdet = np.shape(logdet)
        shape_ll = np.shape(ll)
        solve2 = np.linalg.solve(S, e)
        product7 = e @ solve2
        shape_product7 = np.shape(product7)
        ll -= 0.5 * (logdet + product7 + len(y) * np.log(2 * np.pi))

        # Update
        solve = np.linalg.solve(S, product2)
        K = solve.T
        product6 = K @ e
        shape_product6 = np.shape(product6)
        m = m + product6
        product = K @ C
        product5 = product @ P
        shape_product5 = np.shape(product5)
        tape.append(
            (
                m_0,
                product4,
                shape_product10,
                P_0,
                shape_product9,
                m_02,
                product2,
                shape_product8,
                P,
                S,
                shape_logdet,
                shape_ll,
                solve2,
                shape_product7,
                e,
                solve,
                shape_product6,
                K,
                product,
                shape_product5,
            )
        )
        P = P - product5
    # Backward pass
    ll_bar = log_likelihood_bar
    C_bar = np.zeros_like(C, dtype=np.result_type(C, 0.0))
    R_bar = np.zeros_like(R, dtype=np.result_type(R, 0.0))
    A_bar = np.zeros_like(A, dtype=np.result_type(A, 0.0))
    Q_bar = np.zeros_like(Q, dtype=np.result_type(Q, 0.0))
    P_bar = np.zeros_like(P, dtype=np.result_type(P, 0.0))
    m_bar = np.zeros_like(m, dtype=np.result_type(m, 0.0))
    ys_bar = np.zeros_like(ys, dtype=np.result_type(ys, 0.0))
    for k in reversed(range(len(ys))):
        y = ys[k]
        (
            m_0,
            product4,
            shape_product10,
            P_0,
            shape_product9,
            m,
            product2,
            shape_product8,
            P,
            S,
            shape_logdet,
            shape_ll,
            solve2,
            shape_product7,
            e,
            solve,
            shape_product6,
            K,
            product,
            shape_product5,
        ) = tape.pop()
        product_bar = _unbroadcast(-P_bar, shape_product5)
        product_bar2 = _matmul_a_bar(product_bar, product, P)
        K_bar = _matmul_a_bar(product_bar2, K, C)
        C_bar += _matmul_b_bar(product_bar2, K, C)
        P_bar = _unbroadcast(P_bar, P.shape) + _matmul_b_bar(product_bar, product, P)
        product_bar3 = _unbroadcast(m_bar, shape_product6)
        K_bar += _matmul_a_bar(product_bar3, K, e)
        e_bar = _matmul_b_bar(product_bar3, K, e)
        m_bar = _unbroadcast(m_bar, m.shape)
        product_bar4 = _solve_b_bar(K_bar.T, S, product2)
        S_bar = _solve_a_bar(K_bar.T, solve, S, product2)
        C_bar += _matmul_a_bar(product_bar4, C, P)
        P_bar += _matmul_b_bar(product_bar4, C, P)
        total_bar = ll_bar * -0.5
        product_bar5 = _unbroadcast(total_bar, shape_product7)
        solve_bar = _matmul_b_bar(product_bar5, e, solve2)
        logdet_bar = _unbroadcast(total_bar, shape_logdet)
        e_bar += _matmul_a_bar(product_bar5, e, solve2) + _solve_b_bar(solve_bar, S, e)
        S_bar += _solve_a_bar(solve_bar, solve2, S, e)
        ll_bar = _unbroadcast(ll_bar, shape_ll)
        S_bar += (
            logdet_bar * np.linalg.inv(S).T
            if np.ndim(S) == 2
            else np.asarray(logdet_bar)[..., None, None]
            * np.swapaxes(np.linalg.inv(S), -1, -2)
        )
        product_bar6 = _unbroadcast(S_bar, shape_product8)
        product_bar7 = _matmul_a_bar(product_bar6, product2, C.T)
        C_bar += (
            _matmul_a_bar(product_bar7, C, P)
            + _matmul_b_bar(product_bar6, product2, C.T).T
        )
        P_bar += _matmul_b_bar(product_bar7, C, P)
        R_bar += _unbroadcast(S_bar, np.shape(R))
        product_bar8 = _unbroadcast(-e_bar, shape_product9)
        y_bar = _unbroadcast(e_bar, np.shape(y))
        C_bar += _matmul_a_bar(product_bar8, C, m)
        m_bar += _matmul_b_bar(product_bar8, C, m)
        product_bar9 = _unbroadcast(P_bar, shape_product10)
        product_bar10 = _matmul_a_bar(product_bar9, product4, A.T)
        A_bar += (
            _matmul_a_bar(product_bar10, A, P_0)
            + _matmul_b_bar(product_bar9, product4, A.T).T
        )
        Q_bar += _unbroadcast(P_bar, np.shape(Q))
        P_bar = _matmul_b_bar(product_bar10, A, P_0)
        A_bar += _matmul_a_bar(m_bar, A, m_0)
        m_bar = _matmul_b_bar(m_bar, A, m_0)
        ys_bar[k] += y_bar
    return A_bar, C_bar, Q_bar, R_bar, m_bar, P_bar, ys_bar
