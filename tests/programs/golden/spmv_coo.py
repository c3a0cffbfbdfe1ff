def _unbroadcast(x_bar, shape):
    """x_bar summed over the axes along which an operand of this shape was broadcast."""
    if np.shape(x_bar) == shape or np.ndim(x_bar) == 0:
        return 1.0 * x_bar
    x_bar = np.sum(x_bar, axis=tuple(range(np.ndim(x_bar) - len(shape))))
    stretched = tuple(i for i, n in enumerate(shape) if n == 1 and x_bar.shape[i] != 1)
    return np.sum(x_bar, axis=stretched, keepdims=True) if stretched else x_bar


# pullback: vjp of diffuse wrt u, w, rate [4dd35074 6cdbcafe]
def diffuse_vjp(u, src, dst, w, rate, steps, diffuse_bar):
    """Vector-Jacobian product of diffuse with respect to u, w and rate."""
    u = u.copy()
    tape = []
    for _ in range(steps):
        shape = np.shape(u[src])
        shape2 = np.shape(u[dst])
        difference = u[src] - u[dst]
        flow = rate * w * difference
        shape_flow = np.shape(flow)
        tape.append((shape, shape2, difference, shape_flow))
        np.subtract.at(u, src, flow)
        np.add.at(u, dst, flow)
    # Backward pass
    u_bar = np.positive(diffuse_bar)
    rate_bar = np.zeros_like(rate, dtype=np.result_type(rate, 0.0))
    w_bar = np.zeros_like(w, dtype=np.result_type(w, 0.0))
    for _ in range(steps):
        shape, shape2, difference, shape_flow = tape.pop()
        flow_bar = _unbroadcast(u_bar[dst], shape_flow)
        flow_bar += _unbroadcast(-u_bar[src], shape_flow)
        product_bar = flow_bar * difference
        difference_bar = flow_bar * rate * w
        rate_bar += _unbroadcast(product_bar * w, np.shape(rate))
        w_bar += _unbroadcast(product_bar * rate, np.shape(w))
        np.add.at(u_bar, src, _unbroadcast(difference_bar, shape))
        np.add.at(u_bar, dst, _unbroadcast(-difference_bar, shape2))
    return u_bar, w_bar, rate_bar
