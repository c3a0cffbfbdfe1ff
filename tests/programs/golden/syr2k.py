def _unbroadcast(x_bar, shape):
    """x_bar summed over the axes along which an operand of this shape was broadcast."""
    if np.ndim(x_bar) == 0:
        return +x_bar
    x_bar = np.sum(x_bar, axis=tuple(range(np.ndim(x_bar) - len(shape))))
    stretched = tuple(i for i, n in enumerate(shape) if n == 1 and x_bar.shape[i] != 1)
    return np.sum(x_bar, axis=stretched, keepdims=True) if stretched else x_bar


# pullback: vjp of syr2k wrt alpha, beta, C, A, B [79378e06 4b1e941e]
def syr2k_vjp(alpha: float, beta: float, C, A, B, syr2k_bar):
    """Vector-Jacobian product of syr2k with respect to alpha, beta, C, A and B."""
    C = C.copy()
    n, m = A.shape
    C_i_tape = []
    product2_tape = []
    product_tape = []
    shape_product4_tape = []
    shape_product3_tape = []
    for i in range(n):
        C_i = C[i, : i + 1]
        C_i_tape.append(C_i.copy())
        C[i, : i + 1] *= beta
        for k in range(m):
            product2 = A[: i + 1, k] * alpha
            product2_tape.append(product2)
            product4 = product2 * B[i, k]
            shape_product4 = np.shape(product4)
            shape_product4_tape.append(shape_product4)
            C[i, : i + 1] += product4
            product = B[: i + 1, k] * alpha
            product_tape.append(product)
            product3 = product * A[i, k]
            shape_product3 = np.shape(product3)
            shape_product3_tape.append(shape_product3)
            C[i, : i + 1] += product3
    # Backward pass
    C_bar = syr2k_bar.copy()
    alpha_bar = 0.0
    B_bar = np.zeros_like(B, dtype=np.result_type(B, 0.0))
    A_bar = np.zeros_like(A, dtype=np.result_type(A, 0.0))
    beta_bar = 0.0
    for i in reversed(range(n)):
        C_i = C_i_tape.pop()
        for k in reversed(range(m)):
            product2 = product2_tape.pop()
            product = product_tape.pop()
            shape_product4 = shape_product4_tape.pop()
            shape_product3 = shape_product3_tape.pop()
            product_bar = _unbroadcast(C_bar[i, : i + 1], shape_product3)
            product_bar2 = product_bar * A[i, k]
            alpha_bar += np.dot(product_bar2, B[: i + 1, k])
            B_bar[: i + 1, k] += product_bar2 * alpha
            A_bar[i, k] += np.dot(product_bar, product)
            product_bar3 = _unbroadcast(C_bar[i, : i + 1], shape_product4)
            product_bar4 = product_bar3 * B[i, k]
            alpha_bar += np.dot(product_bar4, A[: i + 1, k])
            A_bar[: i + 1, k] += product_bar4 * alpha
            B_bar[i, k] += np.dot(product_bar3, product2)
        beta_bar += np.sum(C_bar[i, : i + 1] * C_i)
        C_bar[i, : i + 1] *= beta
    return alpha_bar, beta_bar, C_bar, A_bar, B_bar
