# pullback: vjp of jacobi_2d wrt A, B [21a19d98 317fe7e1]
def jacobi_2d_vjp(tsteps, A, B, jacobi_2d_bar):
    """Vector-Jacobian product of jacobi_2d with respect to A and B."""
    A = A.copy()
    B = B.copy()
    n, m = A.shape
    for t in range(tsteps):
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                B[i, j] = 0.2 * (
                    A[i, j] + A[i, j - 1] + A[i, j + 1] + A[i + 1, j] + A[i - 1, j]
                )
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                A[i, j] = 0.2 * (
                    B[i, j] + B[i, j - 1] + B[i, j + 1] + B[i + 1, j] + B[i - 1, j]
                )
    # Backward pass
    A_bar = jacobi_2d_bar[0].copy()
    B_bar = jacobi_2d_bar[1].copy()
    for _ in range(tsteps):
        for i in reversed(range(1, n - 1)):
            for j in reversed(range(1, m - 1)):
                total_bar = A_bar[i, j] * 0.2
                B_bar[i, j] += total_bar
                B_bar[i, j - 1] += total_bar
                B_bar[i, j + 1] += total_bar
                B_bar[i + 1, j] += total_bar
                B_bar[i - 1, j] += total_bar
                A_bar[i, j] = 0.0
        for i in reversed(range(1, n - 1)):
            for j in reversed(range(1, m - 1)):
                total_bar2 = B_bar[i, j] * 0.2
                A_bar[i, j] += total_bar2
                A_bar[i, j - 1] += total_bar2
                A_bar[i, j + 1] += total_bar2
                A_bar[i + 1, j] += total_bar2
                A_bar[i - 1, j] += total_bar2
                B_bar[i, j] = 0.0
    return A_bar, B_bar
