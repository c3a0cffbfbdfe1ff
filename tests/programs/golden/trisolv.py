# pullback: vjp of trisolv wrt L, b [58584aa6 0c9a8e6b]
def trisolv_vjp(L, b, trisolv_bar):
    """Vector-Jacobian product of trisolv with respect to L and b."""
    n = len(b)
    x = np.zeros(n)
    x_j_tape = []
    quotient_tape = []
    for i in range(n):
        x[i] = b[i]
        for j in range(i):
            x_j = x[j]
            x_j_tape.append(x_j)
            x[i] -= L[i, j] * x_j
        quotient = x[i] / L[i, i]
        quotient_tape.append(quotient)
        x[i] = quotient
    # Backward pass
    x_bar = trisolv_bar.copy()
    L_bar = np.zeros_like(L, dtype=np.result_type(L, 0.0))
    b_bar = np.zeros_like(b, dtype=np.result_type(b, 0.0))
    for i in reversed(range(n)):
        quotient = quotient_tape.pop()
        L_bar[i, i] += -x_bar[i] * quotient / L[i, i]
        x_bar[i] = np.sum(x_bar[i] / L[i, i])
        for j in reversed(range(i)):
            x_j = x_j_tape.pop()
            product_bar = -x_bar[i]
            L_bar[i, j] += product_bar * x_j
            x_bar[j] += np.sum(product_bar * L[i, j])
        b_bar[i] += x_bar[i]
        x_bar[i] = 0.0
    return L_bar, b_bar
