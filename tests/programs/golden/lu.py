# pullback: vjp of lu wrt A [cbe0ce33 ffcca7b8]
def lu_vjp(A, lu_bar):
    """Vector-Jacobian product of lu with respect to A."""
    A = A.copy()
    n = len(A)
    for i in range(n):
        for j in range(i):
            for k in range(j):
                A[i, j] -= A[i, k] * A[k, j]
            A[i, j] /= A[j, j]
        for j in range(i, n):
            for k in range(i):
                A[i, j] -= A[i, k] * A[k, j]
    # Backward pass
    A_bar = np.positive(lu_bar)
    for i in reversed(range(n)):
        for j in reversed(range(i, n)):
            for k in reversed(range(i)):
                product_bar = -A_bar[i, j]
                A_bar[i, k] += product_bar * A[k, j]
                A_bar[k, j] += product_bar * A[i, k]
        for j in reversed(range(i)):
            A_new_bar = np.copy(A_bar[i, j])
            A_bar[i, j] = 0.0
            A_bar[i, j] += A_new_bar / A[j, j]
            A_bar[j, j] -= A_new_bar * A[i, j] / A[j, j]
            for k in reversed(range(j)):
                product_bar2 = -A_bar[i, j]
                A_bar[i, k] += product_bar2 * A[k, j]
                A_bar[k, j] += product_bar2 * A[i, k]
    return A_bar
