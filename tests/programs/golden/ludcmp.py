# pullback: vjp of ludcmp wrt A, b [6f69d89b f18647b5]
def ludcmp_vjp(A, b, ludcmp_bar):
    """Vector-Jacobian product of ludcmp with respect to A and b."""
    n = len(b)
    A = A.copy()
    A_k_j_tape = []
    A_i_k_tape = []
    A_j_j_tape = []
    A_k_j2_tape = []
    A_i_k2_tape = []
    quotient2_tape = []
    for i in range(n):
        for j in range(i):
            w = A[i, j]
            for k in range(j):
                A_k_j2 = A[k, j]
                A_k_j2_tape.append(A_k_j2)
                A_i_k2 = A[i, k]
                A_i_k2_tape.append(A_i_k2)
                w -= A_i_k2 * A_k_j2
            A_j_j = A[j, j]
            A_j_j_tape.append(A_j_j)
            quotient2 = w / A_j_j
            quotient2_tape.append(quotient2)
            A[i, j] = quotient2
        for j in range(i, n):
            w = A[i, j]
            for k in range(i):
                A_k_j = A[k, j]
                A_k_j_tape.append(A_k_j)
                A_i_k = A[i, k]
                A_i_k_tape.append(A_i_k)
                w -= A_i_k * A_k_j
            A[i, j] = w
    y = np.empty(n)
    y_j_tape = []
    for i in range(n):
        w = b[i]
        for j in range(i):
            y_j = y[j]
            y_j_tape.append(y_j)
            w -= A[i, j] * y_j
        y[i] = w
    x = np.empty(n)
    x_j_tape = []
    quotient_tape = []
    for i in range(n - 1, -1, -1):
        w = y[i]
        for j in range(i + 1, n):
            x_j = x[j]
            x_j_tape.append(x_j)
            w -= A[i, j] * x_j
        quotient = w / A[i, i]
        quotient_tape.append(quotient)
        x[i] = quotient
    # Backward pass
    x_bar = ludcmp_bar.copy()
    A_bar = np.zeros_like(A, dtype=np.result_type(A, 0.0))
    y_bar = np.zeros_like(y)
    for i in reversed(range(n - 1, -1, -1)):
        quotient = quotient_tape.pop()
        w_bar = x_bar[i] / A[i, i]
        A_bar[i, i] += -x_bar[i] * quotient / A[i, i]
        x_bar[i] = 0.0
        for j in reversed(range(i + 1, n)):
            x_j = x_j_tape.pop()
            product_bar = -w_bar
            A_bar[i, j] += product_bar * x_j
            x_bar[j] += product_bar * A[i, j]
        y_bar[i] += w_bar
    b_bar = np.zeros_like(b, dtype=np.result_type(b, 0.0))
    for i in reversed(range(n)):
        w_bar = np.positive(y_bar[i])
        y_bar[i] = 0.0
        for j in reversed(range(i)):
            y_j = y_j_tape.pop()
            product_bar2 = -w_bar
            A_bar[i, j] += product_bar2 * y_j
            y_bar[j] += product_bar2 * A[i, j]
        b_bar[i] += w_bar
    for i in reversed(range(n)):
        for j in reversed(range(i, n)):
            w_bar = np.positive(A_bar[i, j])
            A_bar[i, j] = 0.0
            for k in reversed(range(i)):
                A_k_j = A_k_j_tape.pop()
                A_i_k = A_i_k_tape.pop()
                product_bar3 = -w_bar
                A_bar[i, k] += product_bar3 * A_k_j
                A_bar[k, j] += product_bar3 * A_i_k
            A_bar[i, j] += w_bar
        for j in reversed(range(i)):
            A_j_j = A_j_j_tape.pop()
            quotient2 = quotient2_tape.pop()
            A_new_bar = A_bar[i, j]
            w_bar = A_new_bar / A_j_j
            A_bar[i, j] = 0.0
            A_bar[j, j] += -A_new_bar * quotient2 / A_j_j
            for k in reversed(range(j)):
                A_k_j2 = A_k_j2_tape.pop()
                A_i_k2 = A_i_k2_tape.pop()
                product_bar4 = -w_bar
                A_bar[i, k] += product_bar4 * A_k_j2
                A_bar[k, j] += product_bar4 * A_i_k2
            A_bar[i, j] += w_bar
    return A_bar.copy(), b_bar
