# pullback: vjp of bicg wrt A, p, r [73e6a62a 1ee084d0]
def bicg_vjp(A, p, r, bicg_bar):
    """Vector-Jacobian product of bicg with respect to A, p and r."""
    n, _ = A.shape
    # Backward pass
    s_bar = bicg_bar[0]
    q_bar = bicg_bar[1].copy()
    p_bar = np.zeros_like(p, dtype=np.result_type(p, 0.0))
    A_bar = np.zeros_like(A, dtype=np.result_type(A, 0.0))
    r_bar = np.zeros_like(r, dtype=np.result_type(r, 0.0))
    for i in reversed(range(n)):
        p_bar += q_bar[i] * A[i]
        A_bar[i] += q_bar[i] * p
        r_bar[i] += np.dot(s_bar, A[i])
        A_bar[i] += s_bar * r[i]
    return A_bar, p_bar, r_bar
