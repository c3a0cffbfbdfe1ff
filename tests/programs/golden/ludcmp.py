# pullback: vjp of ludcmp wrt A, b [6f69d89b dabe717f]
def ludcmp_vjp(A, b, ludcmp_bar):
    """Vector-Jacobian product of ludcmp with respect to A and b."""
    n = len(b)
    A = A.copy()
    for i in range(n):
        for j in range(i):
            w = A[i, j]
            for k in range(j):
                w -= A[i, k] * A[k, j]
            A[i, j] = w / A[j, j]
        for j in range(i, n):
            w = A[i, j]
            for k in range(i):
                w -= A[i, k] * A[k, j]
            A[i, j] = w
    y = np.empty(n)
    for i in range(n):
        w = b[i]
        for j in range(i):
            w -= A[i, j] * y[j]
        y[i] = w
    x = np.empty(n)
    for i in range(n - 1, -1, -1):
        w = y[i]
        for j in range(i + 1, n):
            w -= A[i, j] * x[j]
        x[i] = w / A[i, i]
    # Backward pass
    x_bar = ludcmp_bar.copy()
    A_bar = np.zeros_like(A, dtype=np.result_type(A, 0.0))
    y_bar = np.zeros_like(y)
    for i in reversed(range(n - 1, -1, -1)):
        w_bar = x_bar[i] / A[i, i]
        A_bar[i, i] -= x_bar[i] * x[i] / A[i, i]
        for j in reversed(range(i + 1, n)):
            product_bar = -w_bar
            A_bar[i, j] += product_bar * x[j]
            x_bar[j] += product_bar * A[i, j]
        y_bar[i] += w_bar
    b_bar = np.zeros_like(b, dtype=np.result_type(b, 0.0))
    for i in reversed(range(n)):
        w_bar = y_bar[i]
        for j in reversed(range(i)):
            product_bar2 = -w_bar
            A_bar[i, j] += product_bar2 * y[j]
            y_bar[j] += product_bar2 * A[i, j]
        b_bar[i] += w_bar
    for i in reversed(range(n)):
        for j in reversed(range(i, n)):
            w_bar = A_bar[i, j]
            A_bar[i, j] = 0.0
            for k in reversed(range(i)):
                product_bar3 = -w_bar
                A_bar[i, k] += product_bar3 * A[k, j]
                A_bar[k, j] += product_bar3 * A[i, k]
            A_bar[i, j] += w_bar
        for j in reversed(range(i)):
            A_new_bar = A_bar[i, j]
            w_bar = A_new_bar / A[j, j]
            A_bar[i, j] = 0.0
            A_bar[j, j] -= A_new_bar * A[i, j] / A[j, j]
            for k in reversed(range(j)):
                product_bar4 = -w_bar
                A_bar[i, k] += product_bar4 * A[k, j]
                A_bar[k, j] += product_bar4 * A[i, k]
            A_bar[i, j] += w_bar
    return A_bar, b_bar
