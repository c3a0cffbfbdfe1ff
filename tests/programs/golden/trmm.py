# pullback: vjp of trmm wrt alpha, A, B [5cf6e330 d9ee5d11]
def trmm_vjp(alpha: float, A, B, trmm_bar):
    """Vector-Jacobian product of trmm with respect to alpha, A and B."""
    B = B.copy()
    m, n = B.shape
    B_k_j_tape = []
    B_i_j_tape = []
    for i in range(m):
        for j in range(n):
            for k in range(i + 1, m):
                B_k_j = B[k, j]
                B_k_j_tape.append(B_k_j)
                B[i, j] += A[k, i] * B_k_j
            B_i_j = B[i, j]
            B_i_j_tape.append(B_i_j)
            B[i, j] = alpha * B_i_j
    # Backward pass
    B_bar = trmm_bar.copy()
    alpha_bar = 0.0
    A_bar = np.zeros_like(A, dtype=np.result_type(A, 0.0))
    for i in reversed(range(m)):
        for j in reversed(range(n)):
            B_i_j = B_i_j_tape.pop()
            alpha_bar += B_bar[i, j] * B_i_j
            B_bar[i, j] *= alpha
            for k in reversed(range(i + 1, m)):
                B_k_j = B_k_j_tape.pop()
                A_bar[k, i] += B_bar[i, j] * B_k_j
                B_bar[k, j] += B_bar[i, j] * A[k, i]
    return alpha_bar, A_bar, B_bar
