def _unbroadcast(x_bar, shape):
    """x_bar summed over the axes along which an operand of this shape was broadcast."""
    if np.ndim(x_bar) == 0:
        return +x_bar
    x_bar = np.sum(x_bar, axis=tuple(range(np.ndim(x_bar) - len(shape))))
    stretched = tuple(i for i, n in enumerate(shape) if n == 1 and x_bar.shape[i] != 1)
    return np.sum(x_bar, axis=stretched, keepdims=True) if stretched else x_bar


# pullback: vjp of gesummv wrt alpha, beta, A, B, x [6dd068ec 3963362f]
def gesummv_vjp(alpha: float, beta: float, A, B, x, gesummv_bar):
    """Vector-Jacobian product of gesummv with respect to alpha, beta, A, B and x."""
    n = len(x)
    y = np.zeros(n)
    shape_acc_tape = []
    shape_tmp_tape = []
    tmp_tape = []
    acc_tape = []
    for i in range(n):
        tmp = 0.0
        acc = 0.0
        for j in range(n):
            shape_tmp = np.shape(tmp)
            shape_tmp_tape.append(shape_tmp)
            tmp = A[i, j] * x[j] + tmp
            shape_acc = np.shape(acc)
            shape_acc_tape.append(shape_acc)
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
        alpha_bar += np.sum(y_bar[i] * tmp)
        tmp_bar = _unbroadcast(y_bar[i] * alpha, np.shape(tmp))
        beta_bar += np.sum(y_bar[i] * acc)
        acc_bar = _unbroadcast(y_bar[i] * beta, np.shape(acc))
        for j in reversed(range(n)):
            shape_acc = shape_acc_tape.pop()
            shape_tmp = shape_tmp_tape.pop()
            B_bar[i, j] += _unbroadcast(acc_bar * x[j], np.shape(B[i, j]))
            x_bar[j] += _unbroadcast(acc_bar * B[i, j], np.shape(x[j]))
            acc_bar = _unbroadcast(acc_bar, shape_acc)
            A_bar[i, j] += _unbroadcast(tmp_bar * x[j], np.shape(A[i, j]))
            x_bar[j] += _unbroadcast(tmp_bar * A[i, j], np.shape(x[j]))
            tmp_bar = _unbroadcast(tmp_bar, shape_tmp)
    return alpha_bar, beta_bar, A_bar, B_bar, x_bar
