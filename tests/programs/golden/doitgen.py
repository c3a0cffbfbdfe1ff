# pullback: vjp of doitgen wrt A, C4 [811e6e30 d8667819]
def doitgen_vjp(A, C4, doitgen_bar):
    """Vector-Jacobian product of doitgen with respect to A and C4."""
    A = A.copy()
    nr, nq, n = A.shape
    total = np.zeros(n)
    A_r_q_s_tape = []
    for r in range(nr):
        for q in range(nq):
            for p in range(n):
                total[p] = 0.0
                for s in range(n):
                    A_r_q_s = A[r, q, s]
                    A_r_q_s_tape.append(A_r_q_s)
                    total[p] += A_r_q_s * C4[s, p]
            for p in range(n):
                A[r, q, p] = total[p]
    # Backward pass
    A_bar = doitgen_bar.copy()
    total_bar = np.zeros_like(total)
    C4_bar = np.zeros_like(C4, dtype=np.result_type(C4, 0.0))
    for r in reversed(range(nr)):
        for q in reversed(range(nq)):
            for p in reversed(range(n)):
                total_bar[p] += A_bar[r, q, p]
                A_bar[r, q, p] = 0.0
            for p in reversed(range(n)):
                for s in reversed(range(n)):
                    A_r_q_s = A_r_q_s_tape.pop()
                    A_bar[r, q, s] += total_bar[p] * C4[s, p]
                    C4_bar[s, p] += total_bar[p] * A_r_q_s
                total_bar[p] = 0.0
    return A_bar, C4_bar
