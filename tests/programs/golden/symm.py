# pullback: vjp of symm wrt alpha, beta, C, A, B [7ffbb14d db839c81]
def symm_vjp(alpha: float, beta: float, C, A, B, symm_bar):
    """Vector-Jacobian product of symm with respect to alpha, beta, C, A and B."""
    C = C.copy()
    m, n = C.shape
    tape = []
    for i in range(m):
        for j in range(n):
            temp = 0.0
            for k in range(i):
                C[k, j] += alpha * B[i, j] * A[i, k]
                temp += B[k, j] * A[i, k]
            C_i_j = C[i, j]
            tape.append((C_i_j, temp))
            C[i, j] = beta * C_i_j + alpha * B[i, j] * A[i, i] + alpha * temp
    # Backward pass
    C_bar = symm_bar.copy()
    beta_bar = 0.0
    alpha_bar = 0.0
    B_bar = np.zeros_like(B, dtype=np.result_type(B, 0.0))
    A_bar = np.zeros_like(A, dtype=np.result_type(A, 0.0))
    for i in reversed(range(m)):
        for j in reversed(range(n)):
            C_i_j, temp = tape.pop()
            product_bar = C_bar[i, j] * A[i, i]
            beta_bar += C_bar[i, j] * C_i_j
            alpha_bar += product_bar * B[i, j] + C_bar[i, j] * temp
            temp_bar = C_bar[i, j] * alpha
            B_bar[i, j] += product_bar * alpha
            A_bar[i, i] += C_bar[i, j] * alpha * B[i, j]
            C_bar[i, j] *= beta
            for k in reversed(range(i)):
                B_bar[k, j] += temp_bar * A[i, k]
                A_bar[i, k] += temp_bar * B[k, j]
                product_bar2 = C_bar[k, j] * A[i, k]
                alpha_bar += product_bar2 * B[i, j]
                B_bar[i, j] += product_bar2 * alpha
                A_bar[i, k] += C_bar[k, j] * alpha * B[i, j]
    return alpha_bar, beta_bar, C_bar, A_bar, B_bar
