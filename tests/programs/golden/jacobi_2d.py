# pullback: vjp of jacobi_2d wrt A, B [21a19d98 79414a9e]
def jacobi_2d_vjp(tsteps, A, B, jacobi_2d_bar):
    """Vector-Jacobian product of jacobi_2d with respect to A and B."""
    n, m = A.shape
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
