# pullback: vjp of seidel_2d wrt A [34f5a122 68e80b84]
def seidel_2d_vjp(tsteps, A, seidel_2d_bar):
    """Vector-Jacobian product of seidel_2d with respect to A."""
    n = A.shape[0]
    # Backward pass
    A_bar = seidel_2d_bar.copy()
    for _ in range(tsteps):
        for i in reversed(range(1, n - 1)):
            for j in reversed(range(1, n - 1)):
                total_bar = A_bar[i, j] / 9.0
                A_bar[i, j] = 0.0
                A_bar[i - 1, j - 1] += total_bar
                A_bar[i - 1, j] += total_bar
                A_bar[i - 1, j + 1] += total_bar
                A_bar[i, j - 1] += total_bar
                A_bar[i, j] += total_bar
                A_bar[i, j + 1] += total_bar
                A_bar[i + 1, j - 1] += total_bar
                A_bar[i + 1, j] += total_bar
                A_bar[i + 1, j + 1] += total_bar
    return A_bar
