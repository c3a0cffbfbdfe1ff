# pullback: vjp of k3mm wrt A, B, C, D [4290d6f2 e507b35a]
def k3mm_vjp(A, B, C, D, k3mm_bar):
    """Vector-Jacobian product of k3mm with respect to A, B, C and D."""
    E = np.zeros((A.shape[0], B.shape[1]))
    F = np.zeros((C.shape[0], D.shape[1]))
    for i in range(A.shape[0]):
        for j in range(B.shape[1]):
            for k in range(A.shape[1]):
                E[i, j] += A[i, k] * B[k, j]
    for i in range(C.shape[0]):
        for j in range(D.shape[1]):
            for k in range(C.shape[1]):
                F[i, j] += C[i, k] * D[k, j]
    # Backward pass
    G_bar = k3mm_bar.copy()
    E_bar = np.zeros_like(E)
    F_bar = np.zeros_like(F)
    for i in reversed(range(E.shape[0])):
        for j in reversed(range(F.shape[1])):
            for k in reversed(range(E.shape[1])):
                E_bar[i, k] += G_bar[i, j] * F[k, j]
                F_bar[k, j] += G_bar[i, j] * E[i, k]
    C_bar = np.zeros_like(C, dtype=np.result_type(C, 0.0))
    D_bar = np.zeros_like(D, dtype=np.result_type(D, 0.0))
    for i in reversed(range(C.shape[0])):
        for j in reversed(range(D.shape[1])):
            for k in reversed(range(C.shape[1])):
                C_bar[i, k] += F_bar[i, j] * D[k, j]
                D_bar[k, j] += F_bar[i, j] * C[i, k]
    A_bar = np.zeros_like(A, dtype=np.result_type(A, 0.0))
    B_bar = np.zeros_like(B, dtype=np.result_type(B, 0.0))
    for i in reversed(range(A.shape[0])):
        for j in reversed(range(B.shape[1])):
            for k in reversed(range(A.shape[1])):
                A_bar[i, k] += E_bar[i, j] * B[k, j]
                B_bar[k, j] += E_bar[i, j] * A[i, k]
    return A_bar, B_bar, C_bar, D_bar
