# pullback: vjp of trisolv wrt L, b [58584aa6 18d76ce6]
def trisolv_vjp(L, b, trisolv_bar):
    """Vector-Jacobian product of trisolv with respect to L and b."""
    n = len(b)
    x = np.zeros(n)
    for i in range(n):
        x[i] = b[i]
        for j in range(i):
            x[i] -= L[i, j] * x[j]
        x[i] = x[i] / L[i, i]
    # Backward pass
    x_bar = trisolv_bar.copy()
    L_bar = np.zeros_like(L, dtype=np.result_type(L, 0.0))
    b_bar = np.zeros_like(b, dtype=np.result_type(b, 0.0))
    for i in reversed(range(n)):
        L_bar[i, i] -= x_bar[i] * x[i] / L[i, i]
        x_bar[i] = x_bar[i] / L[i, i]
        for j in reversed(range(i)):
            L_bar[i, j] -= x_bar[i] * x[j]
            x_bar[j] -= x_bar[i] * L[i, j]
        b_bar[i] += x_bar[i]
        x_bar[i] = 0.0
    return L_bar, b_bar
