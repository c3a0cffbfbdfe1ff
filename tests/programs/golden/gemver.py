# pullback: vjp of gemver wrt alpha, beta, A, u1, v1, u2, v2, x, y, z [532a908a 102c956a]
def gemver_vjp(alpha: float, beta: float, A, u1, v1, u2, v2, w, x, y, z, gemver_bar):
    """Vector-Jacobian product of gemver with respect to alpha, beta, A, u1, v1, u2, v2, x, y and z."""
    A = A.copy()
    w = w.copy()
    x = x.copy()
    n = A.shape[0]
    for i in range(n):
        for j in range(n):
            A[i, j] = A[i, j] + u1[i] * v1[j] + u2[i] * v2[j]
    for i in range(n):
        for j in range(n):
            x[i] = x[i] + beta * A[j, i] * y[j]
    for i in range(n):
        x[i] = x[i] + z[i]
    for i in range(n):
        w[i] = 0.0
        for j in range(n):
            w[i] = w[i] + alpha * A[i, j] * x[j]
    # Backward pass
    A_bar = gemver_bar[0].copy()
    w_bar = gemver_bar[1].copy()
    x_bar = gemver_bar[2].copy()
    alpha_bar = 0.0
    for i in reversed(range(n)):
        for j in reversed(range(n)):
            product_bar = w_bar[i] * x[j]
            alpha_bar += product_bar * A[i, j]
            A_bar[i, j] += product_bar * alpha
            x_bar[j] += w_bar[i] * alpha * A[i, j]
        w_bar[i] = 0.0
    z_bar = np.zeros_like(z, dtype=np.result_type(z, 0.0))
    for i in reversed(range(n)):
        z_bar[i] += x_bar[i]
    beta_bar = 0.0
    y_bar = np.zeros_like(y, dtype=np.result_type(y, 0.0))
    for i in reversed(range(n)):
        for j in reversed(range(n)):
            product_bar2 = x_bar[i] * y[j]
            beta_bar += product_bar2 * A[j, i]
            A_bar[j, i] += product_bar2 * beta
            y_bar[j] += x_bar[i] * beta * A[j, i]
    u1_bar = np.zeros_like(u1, dtype=np.result_type(u1, 0.0))
    v1_bar = np.zeros_like(v1, dtype=np.result_type(v1, 0.0))
    u2_bar = np.zeros_like(u2, dtype=np.result_type(u2, 0.0))
    v2_bar = np.zeros_like(v2, dtype=np.result_type(v2, 0.0))
    for i in reversed(range(n)):
        for j in reversed(range(n)):
            u1_bar[i] += A_bar[i, j] * v1[j]
            v1_bar[j] += A_bar[i, j] * u1[i]
            u2_bar[i] += A_bar[i, j] * v2[j]
            v2_bar[j] += A_bar[i, j] * u2[i]
    return (
        alpha_bar,
        beta_bar,
        A_bar,
        u1_bar,
        v1_bar,
        u2_bar,
        v2_bar,
        x_bar,
        y_bar,
        z_bar,
    )
