def _unbroadcast(x_bar, shape):
    """x_bar summed over the axes along which an operand of this shape was broadcast."""
    if np.shape(x_bar) == shape or np.ndim(x_bar) == 0:
        return 1.0 * x_bar
    x_bar = np.sum(x_bar, axis=tuple(range(np.ndim(x_bar) - len(shape))))
    stretched = tuple(i for i, n in enumerate(shape) if n == 1 and x_bar.shape[i] != 1)
    return np.sum(x_bar, axis=stretched, keepdims=True) if stretched else x_bar


# pullback: vjp of syr2k wrt alpha, beta, C, A, B [79378e06 9e78690f]
def syr2k_vjp(alpha: float, beta: float, C, A, B, syr2k_bar):
    """Vector-Jacobian product of syr2k with respect to alpha, beta, C, A and B."""
    C = C.copy()
    n, m = A.shape
    C_i_tape = []
    for i in range(n):
        C_i = C[i, : i + 1].copy()
        C_i_tape.append(C_i)
        C[i, : i + 1] *= beta
        for k in range(m):
            C[i, : i + 1] += A[: i + 1, k] * alpha * B[i, k]
            C[i, : i + 1] += B[: i + 1, k] * alpha * A[i, k]
    # Backward pass
    C_bar = syr2k_bar.copy()
    alpha_bar = 0.0
    B_bar = np.zeros_like(B, dtype=np.result_type(B, 0.0))
    A_bar = np.zeros_like(A, dtype=np.result_type(A, 0.0))
    beta_bar = 0.0
    for i in reversed(range(n)):
        C_i = C_i_tape.pop()
        for k in reversed(range(m)):
            product_bar = C_bar[i, : i + 1] * A[i, k]
            alpha_bar += np.sum(product_bar * B[: i + 1, k])
            B_bar[: i + 1, k] += _unbroadcast(product_bar * alpha, B[: i + 1, k].shape)
            A_bar[i, k] += np.sum(C_bar[i, : i + 1] * B[: i + 1, k] * alpha)
            product_bar2 = C_bar[i, : i + 1] * B[i, k]
            alpha_bar += np.sum(product_bar2 * A[: i + 1, k])
            A_bar[: i + 1, k] += _unbroadcast(product_bar2 * alpha, A[: i + 1, k].shape)
            B_bar[i, k] += np.sum(C_bar[i, : i + 1] * A[: i + 1, k] * alpha)
        beta_bar += np.sum(C_bar[i, : i + 1] * C_i)
        C_bar[i, : i + 1] *= beta
    return alpha_bar, beta_bar, C_bar, A_bar, B_bar
