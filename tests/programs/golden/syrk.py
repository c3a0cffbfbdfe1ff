def _unbroadcast(x_bar, shape):
    """x_bar summed over the axes along which an operand of this shape was broadcast."""
    if np.ndim(x_bar) == 0:
        return +x_bar
    x_bar = np.sum(x_bar, axis=tuple(range(np.ndim(x_bar) - len(shape))))
    stretched = tuple(i for i, n in enumerate(shape) if n == 1 and x_bar.shape[i] != 1)
    return np.sum(x_bar, axis=stretched, keepdims=True) if stretched else x_bar


# pullback: vjp of syrk wrt alpha, beta, C, A [c295cf73 ee5b6421]
def syrk_vjp(alpha, beta, C, A, syrk_bar):
    """Vector-Jacobian product of syrk with respect to alpha, beta, C and A."""
    C = C.copy()
    n, m = A.shape
    C_i_j_tape = []
    shape2_tape = []
    shape_tape = []
    shape_alpha_tape = []
    for i in range(n):
        for j in range(i + 1):
            C_i_j = np.copy(C[i, j])
            C_i_j_tape.append(C_i_j)
            shape2 = np.shape(C_i_j)
            shape2_tape.append(shape2)
            shape = np.shape(C_i_j * beta)
            shape_tape.append(shape)
            C[i, j] *= beta
        for k in range(m):
            for j in range(i + 1):
                shape_alpha = np.shape(alpha)
                shape_alpha_tape.append(shape_alpha)
                C[i, j] += alpha * A[i, k] * A[j, k]
    # Backward pass
    C_bar = np.positive(syrk_bar)
    alpha_bar = np.zeros_like(alpha, dtype=np.result_type(alpha, 0.0))
    A_bar = np.zeros_like(A, dtype=np.result_type(A, 0.0))
    beta_bar = np.zeros_like(beta, dtype=np.result_type(beta, 0.0))
    for i in reversed(range(n)):
        for k in reversed(range(m)):
            for j in reversed(range(i + 1)):
                shape_alpha = shape_alpha_tape.pop()
                product_bar = _unbroadcast(C_bar[i, j], shape_alpha)
                product_bar2 = product_bar * A[j, k]
                alpha_bar += product_bar2 * A[i, k]
                A_bar[i, k] += np.sum(product_bar2 * alpha)
                A_bar[j, k] += np.sum(product_bar * alpha * A[i, k])
        for j in reversed(range(i + 1)):
            C_i_j = C_i_j_tape.pop()
            shape2 = shape2_tape.pop()
            shape = shape_tape.pop()
            product_bar3 = _unbroadcast(C_bar[i, j], shape)
            beta_bar += _unbroadcast(product_bar3 * C_i_j, np.shape(beta))
            C_bar[i, j] = _unbroadcast(product_bar3 * beta, shape2)
    return alpha_bar, beta_bar, C_bar, A_bar
