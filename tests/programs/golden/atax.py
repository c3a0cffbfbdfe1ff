# pullback: vjp of atax wrt A, x [53754e4a fd8d3938]
def atax_vjp(A, x, atax_bar):
    """Vector-Jacobian product of atax with respect to A and x."""
    m, n = A.shape
    tmp_tape = []
    for i in range(m):
        tmp = 0.0
        for j in range(n):
            tmp += A[i, j] * x[j]
        tmp_tape.append(tmp)
    # Backward pass
    y_bar = atax_bar.copy()
    A_bar = np.zeros_like(A, dtype=np.result_type(A, 0.0))
    x_bar = np.zeros_like(x, dtype=np.result_type(x, 0.0))
    for i in reversed(range(m)):
        tmp = tmp_tape.pop()
        tmp_bar = 0.0
        for j in reversed(range(n)):
            tmp_bar += y_bar[j] * A[i, j]
            A_bar[i, j] += y_bar[j] * tmp
        for j in reversed(range(n)):
            A_bar[i, j] += tmp_bar * x[j]
            x_bar[j] += tmp_bar * A[i, j]
    return A_bar, x_bar
