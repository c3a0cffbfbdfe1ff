def _unbroadcast(x_bar, shape):
    """x_bar summed over the axes along which an operand of this shape was broadcast."""
    if np.shape(x_bar) == shape or np.ndim(x_bar) == 0:
        return 1.0 * x_bar
    x_bar = np.sum(x_bar, axis=tuple(range(np.ndim(x_bar) - len(shape))))
    stretched = tuple(i for i, n in enumerate(shape) if n == 1 and x_bar.shape[i] != 1)
    return np.sum(x_bar, axis=stretched, keepdims=True) if stretched else x_bar


def _matmul_a_bar(y_bar, a, b):
    """Cotangent of a where y = a @ b."""
    if np.ndim(b) == 1:
        y_bar = y_bar[..., None] if np.ndim(y_bar) else y_bar
        return _unbroadcast(y_bar * b, np.shape(a))
    if np.ndim(a) == 1:
        return _unbroadcast((b @ y_bar[..., None])[..., 0], np.shape(a))
    return _unbroadcast(y_bar @ np.swapaxes(b, -1, -2), np.shape(a))


def _matmul_b_bar(y_bar, a, b):
    """Cotangent of b where y = a @ b."""
    if np.ndim(a) == 1 and np.ndim(b) == 1:
        return y_bar * a
    if np.ndim(a) == 1:
        return _unbroadcast(a[:, None] * y_bar[..., None, :], np.shape(b))
    if np.ndim(b) == 1:
        return _unbroadcast(
            (np.swapaxes(a, -1, -2) @ y_bar[..., None])[..., 0], np.shape(b)
        )
    return _unbroadcast(np.swapaxes(a, -1, -2) @ y_bar, np.shape(b))


# pullback: vjp of pagerank wrt weights, v, damping [acb58bc2 b1caf7b4]
def pagerank_vjp(links, weights, v, damping, tol, max_iter, pagerank_bar):
    """Vector-Jacobian product of pagerank with respect to weights, v and damping."""
    n = links.shape[0]
    S = np.empty((n, n))
    quotient_tape = []
    total_0_tape = []
    for j in range(n):
        out = links[:, j] * weights[:, j]
        total = out.sum()
        total_0_tape.append(total)
        if total > 0:
            quotient = out / total
            quotient_tape.append(quotient)
            S[:, j] = quotient
        else:
            S[:, j] = 1.0 / n

    sum_v = v.sum()
    v = v / sum_v
    rank = np.ones(n) / n
    returned = False
    tape = []
    turns = 0
    for _ in range(max_iter):
        turns += 1
        product = S @ rank
        shape_product = np.shape(product)
        tape.append((product, shape_product, rank))
        new = damping * product + (1.0 - damping) * v
        change = np.abs(new - rank).sum()
        rank = new
        if change < tol:
            returned = True
            break
    if returned:
        # Backward pass
        rank_bar = pagerank_bar
        damping_bar = np.zeros_like(damping, dtype=np.result_type(damping, 0.0))
        S_bar = np.zeros_like(S)
        v_bar = np.zeros_like(v)
        for _ in reversed(range(max_iter)[:turns]):
            product, shape_product, rank_0 = tape.pop()
            new_bar = rank_bar
            product_bar = _unbroadcast(new_bar * damping, shape_product)
            damping_bar += _unbroadcast(
                new_bar * product, np.shape(damping)
            ) + _unbroadcast(-new_bar * v, np.shape(damping))
            S_bar += _matmul_a_bar(product_bar, S, rank_0)
            rank_bar = _matmul_b_bar(product_bar, S, rank_0)
            v_bar += _unbroadcast(new_bar * (1.0 - damping), np.shape(v))
        weights_bar = np.zeros_like(weights, dtype=np.result_type(weights, 0.0))
        for j in reversed(range(n)):
            total_0 = total_0_tape.pop()
            out_bar = np.zeros_like(out, dtype=np.result_type(out, 0.0))
            total_bar = 0.0
            if total_0 > 0:
                quotient = quotient_tape.pop()
                out_bar += _unbroadcast(S_bar[:, j] / total_0, quotient.shape)
                total_bar -= np.sum(S_bar[:, j] * quotient / total_0)
                S_bar[:, j] = 0.0
            else:
                S_bar[:, j] = 0.0
            out_bar += total_bar
            weights_bar[:, j] += _unbroadcast(
                out_bar * links[:, j], np.shape(weights[:, j])
            )
        return weights_bar, v_bar / sum_v - np.sum(v_bar * v / sum_v), damping_bar
    raise RuntimeError("no convergence")
