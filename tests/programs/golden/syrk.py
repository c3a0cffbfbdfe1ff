def _unbroadcast(x_bar, shape):
    """x_bar summed over the axes along which an operand of this shape was broadcast."""
    if np.shape(x_bar) == shape or np.ndim(x_bar) == 0:
        return 1.0 * x_bar
    x_bar = np.sum(x_bar, axis=tuple(range(np.ndim(x_bar) - len(shape))))
    stretched = tuple(i for i, n in enumerate(shape) if n == 1 and x_bar.shape[i] != 1)
    return np.sum(x_bar, axis=stretched, keepdims=True) if stretched else x_bar


# pullback: vjp of syrk wrt alpha, beta, C, A [c295cf73 788d3747]
def syrk_vjp(alpha, beta, C, A, syrk_bar):
    """Vector-Jacobian product of syrk with respect to alpha, beta, C and A."""
    C = C.copy()
    n, m = A.shape
    C_i_j_tape = []
    for i in range(n):
        for j in range(i + 1):
            C_i_j = np.copy(C[i, j])
            C_i_j_tape.append(C_i_j)
            C[i, j] *= beta
        for k in range(m):
            for j in range(i + 1):
                C[i, j] += alpha * A[i, k] * A[j, k]
    # Backward pass
    C_bar = np.positive(syrk_bar)
    alpha_bar = np.zeros_like(alpha, dtype=np.result_type(alpha, 0.0))
    A_bar = np.zeros_like(A, dtype=np.result_type(A, 0.0))
    beta_bar = np.zeros_like(beta, dtype=np.result_type(beta, 0.0))
    for i in reversed(range(n)):
        for k in reversed(range(m)):
            for j in reversed(range(i + 1)):
                product_bar = C_bar[i, j] * A[j, k]
                alpha_bar += _unbroadcast(product_bar * A[i, k], np.shape(alpha))
                A_bar[i, k] += np.sum(product_bar * alpha)
                A_bar[j, k] += np.sum(C_bar[i, j] * alpha * A[i, k])
        for j in reversed(range(i + 1)):
            C_i_j = C_i_j_tape.pop()
            beta_bar += _unbroadcast(C_bar[i, j] * C_i_j, np.shape(beta))
            C_bar[i, j] = _unbroadcast(C_bar[i, j] * beta, np.shape(C[i, j]))
    return alpha_bar, beta_bar, C_bar, A_bar
