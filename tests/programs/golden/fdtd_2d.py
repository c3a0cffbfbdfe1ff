# pullback: vjp of fdtd_2d wrt ex, ey, hz, fict [1c17bc25 89c55493]
def fdtd_2d_vjp(ex, ey, hz, fict, fdtd_2d_bar):
    """Vector-Jacobian product of fdtd_2d with respect to ex, ey, hz and fict."""
    ex = ex.copy()
    ey = ey.copy()
    hz = hz.copy()
    for t in range(len(fict)):
        ey[0, :] = fict[t]
        ey[1:, :] -= 0.5 * (hz[1:, :] - hz[:-1, :])
        ex[:, 1:] -= 0.5 * (hz[:, 1:] - hz[:, :-1])
        hz[:-1, :-1] -= 0.7 * (ex[:-1, 1:] - ex[:-1, :-1] + ey[1:, :-1] - ey[:-1, :-1])
    # Backward pass
    ex_bar = fdtd_2d_bar[0].copy()
    ey_bar = fdtd_2d_bar[1].copy()
    hz_bar = fdtd_2d_bar[2].copy()
    fict_bar = np.zeros_like(fict, dtype=np.result_type(fict, 0.0))
    for t in reversed(range(len(fict))):
        difference_bar = hz_bar[:-1, :-1] * -0.7
        ex_bar[:-1, 1:] += difference_bar
        ex_bar[:-1, :-1] -= difference_bar
        ey_bar[1:, :-1] += difference_bar
        ey_bar[:-1, :-1] -= difference_bar
        difference_bar2 = ex_bar[:, 1:] * -0.5
        hz_bar[:, 1:] += difference_bar2
        hz_bar[:, :-1] -= difference_bar2
        difference_bar3 = ey_bar[1:, :] * -0.5
        hz_bar[1:, :] += difference_bar3
        hz_bar[:-1, :] -= difference_bar3
        fict_bar[t] += np.sum(ey_bar[0, :])
        ey_bar[0, :] = 0.0
    return ex_bar, ey_bar, hz_bar, fict_bar
