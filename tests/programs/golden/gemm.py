# pullback: vjp of gemm wrt alpha, beta, C, A, B [155dd528 b364b484]
def gemm_vjp(alpha, beta, C, A, B, gemm_bar):
    """Vector-Jacobian product of gemm with respect to alpha, beta, C, A and B."""
    C = C.copy()
    ni, nj = C.shape
    nk = A.shape[1]
    C_i_j_tape = []
    for i in range(ni):
        for j in range(nj):
            C_i_j = C[i, j]
            C_i_j_tape.append(C_i_j)
            C[i, j] *= beta
        for k in range(nk):
            for j in range(nj):
                C[i, j] += alpha * A[i, k] * B[k, j]
    # Backward pass
    C_bar = gemm_bar.copy()
    alpha_bar = 0.0
    A_bar = np.zeros_like(A, dtype=np.result_type(A, 0.0))
    B_bar = np.zeros_like(B, dtype=np.result_type(B, 0.0))
    beta_bar = 0.0
    for i in reversed(range(ni)):
        for k in reversed(range(nk)):
            for j in reversed(range(nj)):
                product_bar = C_bar[i, j] * B[k, j]
                alpha_bar += product_bar * A[i, k]
                A_bar[i, k] += product_bar * alpha
                B_bar[k, j] += C_bar[i, j] * alpha * A[i, k]
        for j in reversed(range(nj)):
            C_i_j = C_i_j_tape.pop()
            beta_bar += C_bar[i, j] * C_i_j
            C_bar[i, j] *= beta
    return alpha_bar, beta_bar, C_bar, A_bar, B_bar
