def _unbroadcast(x_bar, shape):
    """x_bar summed over the axes along which an operand of this shape was broadcast."""
    if np.shape(x_bar) == shape or np.ndim(x_bar) == 0:
        return 1.0 * x_bar
    x_bar = np.sum(x_bar, axis=tuple(range(np.ndim(x_bar) - len(shape))))
    stretched = tuple(i for i, n in enumerate(shape) if n == 1 and x_bar.shape[i] != 1)
    return np.sum(x_bar, axis=stretched, keepdims=True) if stretched else x_bar


# pullback: vjp of neighbours wrt m private=yes [f210dc78 30771693]
def _neighbours_vjp(m, neighbours_bar):
    """Vector-Jacobian product of neighbours with respect to m."""
    # Backward pass
    return (
        np.roll(neighbours_bar, -1, 0)
        + np.roll(neighbours_bar, 1, 0)
        + np.roll(neighbours_bar, -1, 1)
        + np.roll(neighbours_bar, 1, 1)
    )


# pullback: vjp of free_energy wrt h, J, beta [c8e14ab0 7d07c9fc]
def free_energy_vjp(h, J, beta, steps, damping, free_energy_bar):
    """Vector-Jacobian product of free_energy with respect to h, J and beta."""
    m = 0.1 * np.ones(h.shape)
    tape = []
    for _ in range(steps):
        neighbours_m2 = neighbours(m)
        total = h + J * neighbours_m2
        target = np.tanh(beta * total)
        tape.append((neighbours_m2, total, m.copy(), target))
        m *= 1.0 - damping
        m += damping * target
    neighbours_m = neighbours(m)
    up, down = 0.5 * (1.0 + m), 0.5 * (1.0 - m)
    log_up = np.log(up)
    log_down = np.log(down)
    entropy = -np.sum(up * log_up + down * log_down)
    # Backward pass
    quotient_bar = -free_energy_bar
    energy_bar = free_energy_bar
    entropy_bar = np.sum(quotient_bar / beta)
    beta_bar = _unbroadcast(-quotient_bar * entropy / beta / beta, np.shape(beta))
    total_bar = -entropy_bar
    up_bar = total_bar * (log_up + up / up)
    down_bar = total_bar * (log_down + down / down)
    product_bar = -np.sum(0.5 * energy_bar * J)
    product_bar2 = -np.sum(energy_bar)
    J_bar = _unbroadcast(energy_bar * np.sum(m * neighbours_m) * -0.5, np.shape(J))
    m_bar = 0.5 * (up_bar - down_bar) + (
        product_bar * neighbours_m
        + _neighbours_vjp(m, product_bar * m)
        + product_bar2 * h
    )
    h_bar = product_bar2 * m
    for _ in range(steps):
        neighbours_m2, total, m, target = tape.pop()
        target_bar = m_bar * damping
        product_bar3 = target_bar * (1.0 - target * target)
        total_bar2 = product_bar3 * beta
        beta_bar += _unbroadcast(product_bar3 * total, np.shape(beta))
        h_bar += _unbroadcast(total_bar2, h.shape)
        J_bar += _unbroadcast(total_bar2 * neighbours_m2, np.shape(J))
        m_bar = m_bar * (1.0 - damping) + _neighbours_vjp(
            m, _unbroadcast(total_bar2 * J, h.shape)
        )
    return h_bar, J_bar, beta_bar
