# pullback: vjp of gramschmidt wrt A [6d9bbfc6 e2f0953e]
def gramschmidt_vjp(A, gramschmidt_bar):
    """Vector-Jacobian product of gramschmidt with respect to A."""
    A = A.copy()
    m, n = A.shape
    Q = np.zeros((m, n))
    R = np.zeros((n, n))
    A_j_tape = []
    for k in range(n):
        R[k, k] = np.sqrt(np.sum(A[:, k] ** 2))
        Q[:, k] = A[:, k] / R[k, k]
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
        for j in reversed(range(k + 1, n)):
            A_j = A_j_tape.pop()
            product_bar = -A_bar[:, j]
            R_bar[k, j] += np.dot(product_bar, Q[:, k])
            Q_bar[:, k] += product_bar * R[k, j]
            Q_bar[:, k] += R_bar[k, j] * A_j
            A_bar[:, j] += R_bar[k, j] * Q[:, k]
        A_bar[:, k] += Q_bar[:, k] / R[k, k]
        R_bar[k, k] -= np.sum(Q_bar[:, k] * Q[:, k] / R[k, k])
        A_bar[:, k] += R_bar[k, k] / R[k, k] * A[:, k]
    return A_bar
