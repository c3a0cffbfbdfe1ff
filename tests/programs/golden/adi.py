# pullback: vjp of adi wrt u [2c770d42 20d807bc]
def adi_vjp(tsteps: int, u, adi_bar):
    """Vector-Jacobian product of adi with respect to u."""
    u = u.copy()
    n = u.shape[0]
    v = np.zeros((n, n))
    p = np.zeros((n, n))
    q = np.zeros((n, n))
    dx = 1.0 / n
    dt = 1.0 / tsteps
    mul1 = 2.0 * dt / dx**2
    mul2 = dt / dx**2
    a = -mul1 / 2.0
    b = 1.0 + mul1
    c = a
    d = -mul2 / 2.0
    e = 1.0 + mul2
    f = d
    p_i_j2_tape = []
    p_i_j_tape = []
    total2_tape = []
    total_tape = []
    for _ in range(tsteps):
        for i in range(1, n - 1):
            v[0, i] = 1.0
            p[i, 0] = 0.0
            q[i, 0] = v[0, i]
            for j in range(1, n - 1):
                p[i, j] = -c / (a * p[i, j - 1] + b)
                total2 = a * p[i, j - 1] + b
                total2_tape.append(total2)
                q[i, j] = (
                    -d * u[j, i - 1]
                    + (1.0 + 2.0 * d) * u[j, i]
                    - f * u[j, i + 1]
                    - a * q[i, j - 1]
                ) / total2
            v[n - 1, i] = 1.0
            for j in range(n - 2, 0, -1):
                p_i_j2 = p[i, j]
                p_i_j2_tape.append(p_i_j2)
                v[j, i] = p_i_j2 * v[j + 1, i] + q[i, j]
        for i in range(1, n - 1):
            u[i, 0] = 1.0
            p[i, 0] = 0.0
            q[i, 0] = u[i, 0]
            for j in range(1, n - 1):
                p[i, j] = -f / (d * p[i, j - 1] + e)
                total = d * p[i, j - 1] + e
                total_tape.append(total)
                q[i, j] = (
                    -a * v[i - 1, j]
                    + (1.0 + 2.0 * a) * v[i, j]
                    - c * v[i + 1, j]
                    - d * q[i, j - 1]
                ) / total
            u[i, n - 1] = 1.0
            for j in range(n - 2, 0, -1):
                p_i_j = p[i, j]
                p_i_j_tape.append(p_i_j)
                u[i, j] = p_i_j * u[i, j + 1] + q[i, j]
    # Backward pass
    u_bar = adi_bar.copy()
    q_bar = np.zeros_like(q)
    v_bar = np.zeros_like(v)
    for _ in range(tsteps):
        for i in reversed(range(1, n - 1)):
            for j in reversed(range(n - 2, 0, -1)):
                p_i_j = p_i_j_tape.pop()
                u_new_bar = u_bar[i, j]
                q_bar[i, j] += u_new_bar
                u_bar[i, j] = 0.0
                u_bar[i, j + 1] += u_new_bar * p_i_j
            u_bar[i, n - 1] = 0.0
            for j in reversed(range(1, n - 1)):
                total = total_tape.pop()
                difference_bar = q_bar[i, j] / total
                v_bar[i - 1, j] -= difference_bar * a
                v_bar[i, j] += difference_bar * (1.0 + 2.0 * a)
                v_bar[i + 1, j] -= difference_bar * c
                q_bar[i, j] = 0.0
                q_bar[i, j - 1] -= difference_bar * d
            u_bar[i, 0] += q_bar[i, 0]
            q_bar[i, 0] = 0.0
            u_bar[i, 0] = 0.0
        for i in reversed(range(1, n - 1)):
            for j in reversed(range(n - 2, 0, -1)):
                p_i_j2 = p_i_j2_tape.pop()
                v_new_bar = v_bar[j, i]
                q_bar[i, j] += v_new_bar
                v_bar[j, i] = 0.0
                v_bar[j + 1, i] += v_new_bar * p_i_j2
            v_bar[n - 1, i] = 0.0
            for j in reversed(range(1, n - 1)):
                total2 = total2_tape.pop()
                difference_bar2 = q_bar[i, j] / total2
                u_bar[j, i - 1] -= difference_bar2 * d
                u_bar[j, i] += difference_bar2 * (1.0 + 2.0 * d)
                u_bar[j, i + 1] -= difference_bar2 * f
                q_bar[i, j] = 0.0
                q_bar[i, j - 1] -= difference_bar2 * a
            v_bar[0, i] += q_bar[i, 0]
            q_bar[i, 0] = 0.0
            v_bar[0, i] = 0.0
    return u_bar
