def _unbroadcast(x_bar, shape):
    """x_bar summed over the axes along which an operand of this shape was broadcast."""
    if np.shape(x_bar) == shape or np.ndim(x_bar) == 0:
        return 1.0 * x_bar
    x_bar = np.sum(x_bar, axis=tuple(range(np.ndim(x_bar) - len(shape))))
    stretched = tuple(i for i, n in enumerate(shape) if n == 1 and x_bar.shape[i] != 1)
    return np.sum(x_bar, axis=stretched, keepdims=True) if stretched else x_bar


# pullback: vjp of k2mm wrt alpha, beta, A, B, C, D [69b389c9 781260f7]
def k2mm_vjp(alpha, beta, A, B, C, D, k2mm_bar):
    """Vector-Jacobian product of k2mm with respect to alpha, beta, A, B, C and D."""
    D = D.copy()
    ni, nk = A.shape
    nj, nl = C.shape
    tmp = np.zeros((ni, nj))
    for i in range(ni):
        for j in range(nj):
            for k in range(nk):
                tmp[i, j] += alpha * A[i, k] * B[k, j]
    D_i_j_tape = []
    for i in range(ni):
        for j in range(nl):
            D_i_j = np.copy(D[i, j])
            D_i_j_tape.append(D_i_j)
            D[i, j] *= beta
            for k in range(nj):
                D[i, j] += tmp[i, k] * C[k, j]
    # Backward pass
    D_bar = np.positive(k2mm_bar)
    tmp_bar = np.zeros_like(tmp)
    C_bar = np.zeros_like(C, dtype=np.result_type(C, 0.0))
    beta_bar = np.zeros_like(beta, dtype=np.result_type(beta, 0.0))
    for i in reversed(range(ni)):
        for j in reversed(range(nl)):
            D_i_j = D_i_j_tape.pop()
            for k in reversed(range(nj)):
                product_bar = np.sum(D_bar[i, j])
                tmp_bar[i, k] += product_bar * C[k, j]
                C_bar[k, j] += product_bar * tmp[i, k]
            beta_bar += _unbroadcast(D_bar[i, j] * D_i_j, np.shape(beta))
            D_bar[i, j] = _unbroadcast(D_bar[i, j] * beta, np.shape(D[i, j]))
    alpha_bar = 0.0
    A_bar = np.zeros_like(A, dtype=np.result_type(A, 0.0))
    B_bar = np.zeros_like(B, dtype=np.result_type(B, 0.0))
    for i in reversed(range(ni)):
        for j in reversed(range(nj)):
            for k in reversed(range(nk)):
                product_bar2 = tmp_bar[i, j] * B[k, j]
                alpha_bar += product_bar2 * A[i, k]
                A_bar[i, k] += product_bar2 * alpha
                B_bar[k, j] += tmp_bar[i, j] * alpha * A[i, k]
    return alpha_bar, beta_bar, A_bar, B_bar, C_bar, D_bar
