# pullback: vjp of cholesky wrt A [b9c8c534 e459be22]
def cholesky_vjp(A, cholesky_bar):
    """Vector-Jacobian product of cholesky with respect to A."""
    A = A.copy()
    n = A.shape[0]
    for i in range(n):
        for j in range(i):
            for k in range(j):
                A[i, j] -= A[i, k] * A[j, k]
            A[i, j] /= A[j, j]
        for k in range(i):
            A[i, i] -= A[i, k] * A[i, k]
        A[i, i] = np.sqrt(A[i, i])
    # Backward pass
    A_bar = cholesky_bar.copy()
    for i in reversed(range(n)):
        A_bar[i, i] = 0.5 * A_bar[i, i] / A[i, i]
        for k in reversed(range(i)):
            A_bar[i, k] -= 2.0 * A_bar[i, i] * A[i, k]
        for j in reversed(range(i)):
            A_new_bar = A_bar[i, j]
            A_bar[i, j] = 0.0
            A_bar[i, j] += A_new_bar / A[j, j]
            A_bar[j, j] -= A_new_bar * A[i, j] / A[j, j]
            for k in reversed(range(j)):
                product_bar2 = -A_bar[i, j]
                A_bar[i, k] += product_bar2 * A[j, k]
                A_bar[j, k] += product_bar2 * A[i, k]
    return A_bar
