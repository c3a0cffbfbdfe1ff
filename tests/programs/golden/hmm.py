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


def _shares(hits, axis, x):
    """One for each hit along axis, divided among equals, in the dtype of x."""
    hits = np.asarray(hits).astype(np.asarray(x).dtype)
    return hits / np.sum(hits, axis, keepdims=True)


# pullback: vjp of softmax_rows wrt a private=yes [9eb11015 87f9845a]
def _softmax_rows_vjp(a, softmax_rows_bar):
    """Vector-Jacobian product of softmax_rows with respect to a."""
    max_a = a.max(axis=1)
    max_a2 = max_a[:, None]
    e = np.exp(a - max_a2)
    sum_e = e.sum(axis=1)[:, None]
    # Backward pass
    e_bar = _unbroadcast(softmax_rows_bar / sum_e, e.shape) + np.expand_dims(
        _unbroadcast(-softmax_rows_bar * (e / sum_e) / sum_e, sum_e.shape)[:, 0], 1
    )
    difference_bar = e_bar * e
    return _unbroadcast(difference_bar, np.shape(a)) + np.expand_dims(
        _unbroadcast(-difference_bar, np.shape(max_a2))[:, 0], 1
    ) * _shares(a == np.expand_dims(max_a, 1), 1, a)


# pullback: vjp of hmm_log_likelihood wrt start, trans, emit [8e50fba7 0ef342ab]
def hmm_log_likelihood_vjp(start, trans, emit, observations, hmm_log_likelihood_bar):
    """Vector-Jacobian product of hmm_log_likelihood with respect to start, trans and emit."""
    max_start = start.max()
    pi = np.exp(start - max_start)
    pi_0 = np.copy(pi)
    sum_pi = pi.sum()
    pi /= sum_pi
    A = softmax_rows(trans)
    B = softmax_rows(emit)

    alpha = pi * B[:, observations[0]]
    scale = alpha.sum()
    scale_0 = scale
    alpha /= scale
    alpha_02 = alpha.copy()
    tape = []
    for o in observations[1:]:
        product = alpha @ A
        shape_product = np.shape(product)
        alpha_0 = alpha.copy()
        alpha = product * B[:, o]
        scale = alpha.sum()
        alpha /= scale
        tape.append((product, shape_product, alpha_0, scale, alpha.copy()))
    # Backward pass
    log_likelihood_bar = hmm_log_likelihood_bar
    A_bar = np.zeros_like(A)
    B_bar = np.zeros_like(B)
    alpha_bar = np.zeros_like(alpha)
    for k in reversed(range(len(observations[1:]))):
        o = observations[1:][k]
        product, shape_product, alpha_0, scale, alpha = tape.pop()
        scale_bar = log_likelihood_bar / scale - np.sum(alpha_bar * alpha / scale)
        alpha_bar = alpha_bar / scale + scale_bar
        product_bar = _unbroadcast(alpha_bar * B[:, o], shape_product)
        A_bar += _matmul_b_bar(product_bar, alpha_0, A)
        np.add.at(B_bar, np.s_[:, o], _unbroadcast(alpha_bar * product, B[:, o].shape))
        alpha_bar = _matmul_a_bar(product_bar, alpha_0, A)
    scale_bar = log_likelihood_bar / scale_0 - np.sum(alpha_bar * alpha_02 / scale_0)
    alpha_bar = alpha_bar / scale_0 + scale_bar
    pi_bar = _unbroadcast(alpha_bar * B[:, observations[0]], np.shape(pi))
    np.add.at(
        B_bar,
        np.s_[:, observations[0]],
        _unbroadcast(alpha_bar * pi, B[:, observations[0]].shape),
    )
    pi_bar = pi_bar / sum_pi - np.sum(pi_bar * pi / sum_pi)
    difference_bar = pi_bar * pi_0
    return (
        difference_bar
        - np.sum(difference_bar) * _shares(start == max_start, None, start),
        _softmax_rows_vjp(trans, A_bar),
        _softmax_rows_vjp(emit, B_bar),
    )
