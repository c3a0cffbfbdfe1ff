# pullback: vjp of gesummv wrt alpha, beta, A, B, x [6dd068ec 2c136426]
def gesummv_vjp(alpha: float, beta: float, A, B, x, gesummv_bar):
    """Vector-Jacobian product of gesummv with respect to alpha, beta, A, B and x."""
    n = len(x)
    tape = []
    for i in range(n):
        tmp = 0.0
        acc = 0.0
        for j in range(n):
            tmp = A[i, j] * x[j] + tmp
            acc = B[i, j] * x[j] + acc
        tape.append((tmp, acc))
    # Backward pass
    y_bar = gesummv_bar.copy()
    alpha_bar = 0.0
    beta_bar = 0.0
    B_bar = np.zeros_like(B, dtype=np.result_type(B, 0.0))
    x_bar = np.zeros_like(x, dtype=np.result_type(x, 0.0))
    A_bar = np.zeros_like(A, dtype=np.result_type(A, 0.0))
    for i in reversed(range(n)):
        tmp, acc = tape.pop()
        alpha_bar += y_bar[i] * tmp
        tmp_bar = y_bar[i] * alpha
        beta_bar += y_bar[i] * acc
        acc_bar = y_bar[i] * beta
        for j in reversed(range(n)):
            B_bar[i, j] += acc_bar * x[j]
            x_bar[j] += acc_bar * B[i, j]
            A_bar[i, j] += tmp_bar * x[j]
            x_bar[j] += tmp_bar * A[i, j]
    return alpha_bar, beta_bar, A_bar, B_bar, x_bar
