# pullback: vjp of gramschmidt wrt A [6d9bbfc6 24fa9891]
def gramschmidt_vjp(A, gramschmidt_bar):
    """Vector-Jacobian product of gramschmidt with respect to A."""
    A = A.copy()
    m, n = A.shape
    Q = np.zeros((m, n))
    R = np.zeros((n, n))
    A_j_tape = []
    R_k_k_tape = []
    A_k_tape = []
    sqrt_tape = []
    for k in range(n):
        A_k = A[:, k].copy()
        A_k_tape.append(A_k)
        sqrt = np.sqrt(np.sum(A_k**2))
        sqrt_tape.append(sqrt)
        R[k, k] = sqrt
        R_k_k = R[k, k]
        R_k_k_tape.append(R_k_k)
        Q[:, k] = A[:, k] / R_k_k
        for j in range(k + 1, n):
            A_j = A[:, j].copy()
            A_j_tape.append(A_j)
            R[k, j] = Q[:, k] @ A[:, j]
            A[:, j] -= R[k, j] * Q[:, k]
    # Backward pass
    Q_bar = gramschmidt_bar[0].copy()
    R_bar = gramschmidt_bar[1].copy()
    A_bar = np.zeros_like(A, dtype=np.result_type(A, 0.0))
    for k in reversed(range(n)):
        R_k_k = R_k_k_tape.pop()
        A_k = A_k_tape.pop()
        sqrt = sqrt_tape.pop()
        for j in reversed(range(k + 1, n)):
            A_j = A_j_tape.pop()
            product_bar = -A_bar[:, j]
            R_bar[k, j] += np.dot(product_bar, Q[:, k])
            Q_bar[:, k] += product_bar * R[k, j]
            Q_bar[:, k] += R_bar[k, j] * A_j
            A_bar[:, j] += R_bar[k, j] * Q[:, k]
            R_bar[k, j] = 0.0
        A_bar[:, k] += Q_bar[:, k] / R_k_k
        R_bar[k, k] += np.sum(-Q_bar[:, k] * Q[:, k] / R_k_k)
        A_bar[:, k] += R_bar[k, k] / sqrt * A_k
        R_bar[k, k] = 0.0
    return A_bar.copy()
