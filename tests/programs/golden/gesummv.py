# pullback: vjp of gesummv wrt alpha, beta, A, B, x [6dd068ec 30f0d63d]
def gesummv_vjp(alpha: float, beta: float, A, B, x, gesummv_bar):
    """Vector-Jacobian product of gesummv with respect to alpha, beta, A, B and x."""
    n = len(x)
    y = np.zeros(n)
    tmp_tape = []
    acc_tape = []
    for i in range(n):
        tmp = 0.0
        acc = 0.0
        for j in range(n):
            tmp = A[i, j] * x[j] + tmp
            acc = B[i, j] * x[j] + acc
        tmp_tape.append(tmp)
        acc_tape.append(acc)
        y[i] = alpha * tmp + beta * acc
    # Backward pass
    y_bar = gesummv_bar.copy()
    alpha_bar = 0.0
    beta_bar = 0.0
    B_bar = np.zeros_like(B, dtype=np.result_type(B, 0.0))
    x_bar = np.zeros_like(x, dtype=np.result_type(x, 0.0))
    A_bar = np.zeros_like(A, dtype=np.result_type(A, 0.0))
    for i in reversed(range(n)):
        tmp = tmp_tape.pop()
        acc = acc_tape.pop()
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
