def _unbroadcast(x_bar, shape):
    """x_bar summed over the axes along which an operand of this shape was broadcast."""
    if np.shape(x_bar) == shape or np.ndim(x_bar) == 0:
        return 1.0 * x_bar
    x_bar = np.sum(x_bar, axis=tuple(range(np.ndim(x_bar) - len(shape))))
    stretched = tuple(i for i, n in enumerate(shape) if n == 1 and x_bar.shape[i] != 1)
    return np.sum(x_bar, axis=stretched, keepdims=True) if stretched else x_bar


def _shares(hits, axis, x):
    """One for each hit along axis, divided among equals, in the dtype of x."""
    hits = np.asarray(hits).astype(np.asarray(x).dtype)
    return hits / np.sum(hits, axis, keepdims=True)


# pullback: vjp of marginals wrt unary, pairwise private=yes [83d1d7ca 118efec3]
def _marginals_vjp(unary, pairwise, marginals_bar):
    """Vector-Jacobian product of marginals with respect to unary and pairwise."""
    n, k = unary.shape
    forward = np.zeros((n, k))
    backward = np.zeros((n, k))
    forward[0] = unary[0]
    shape_logsumexp3_tape = []
    for t in range(1, n):
        logsumexp3 = logsumexp(forward[t - 1][:, None] + pairwise, 0)
        shape_logsumexp3 = np.shape(logsumexp3)
        shape_logsumexp3_tape.append(shape_logsumexp3)
        forward[t] = unary[t] + logsumexp3
    tape = []
    for t in range(n - 2, -1, -1):
        total = pairwise + (unary[t + 1] + backward[t + 1])[None, :]
        logsumexp2 = logsumexp(total, 1)
        shape_logsumexp2 = np.shape(logsumexp2)
        tape.append((total, shape_logsumexp2))
        backward[t] = logsumexp2
    log_z = logsumexp(forward[-1], 0)
    # Backward pass
    forward_bar = _unbroadcast(marginals_bar, forward.shape)
    backward_bar = _unbroadcast(marginals_bar, forward.shape)
    log_z_bar = _unbroadcast(-marginals_bar, log_z.shape)
    forward_bar[-1] += _logsumexp_vjp(forward[-1], 0, log_z_bar)
    pairwise_bar = np.zeros_like(pairwise, dtype=np.result_type(pairwise, 0.0))
    unary_bar = np.zeros_like(unary, dtype=np.result_type(unary, 0.0))
    for t in reversed(range(n - 2, -1, -1)):
        total, shape_logsumexp2 = tape.pop()
        total_bar = _logsumexp_vjp(
            total, 1, _unbroadcast(backward_bar[t], shape_logsumexp2)
        )
        total_bar2 = _unbroadcast(
            total_bar, (unary[t + 1] + backward[t + 1])[None, :].shape
        )[0]
        pairwise_bar += _unbroadcast(total_bar, np.shape(pairwise))
        unary_bar[t + 1] += total_bar2
        backward_bar[t + 1] += total_bar2
    for t in reversed(range(1, n)):
        shape_logsumexp3 = shape_logsumexp3_tape.pop()
        total_bar3 = _logsumexp_vjp(
            forward[t - 1][:, None] + pairwise,
            0,
            _unbroadcast(forward_bar[t], shape_logsumexp3),
        )
        pairwise_bar += _unbroadcast(total_bar3, np.shape(pairwise))
        unary_bar[t] += _unbroadcast(forward_bar[t], unary[t].shape)
        forward_bar[t - 1] += _unbroadcast(total_bar3, forward[t - 1][:, None].shape)[
            :, 0
        ]
    unary_bar[0] += forward_bar[0]
    return unary_bar, pairwise_bar


# pullback: vjp of logsumexp wrt a private=yes args=any,int [be96b33c be1d0b00]
def _logsumexp_vjp(a, axis, logsumexp_bar):
    """Vector-Jacobian product of logsumexp with respect to a."""
    top = np.max(a, axis=axis, keepdims=True)
    exp = np.exp(a - top)
    sum2 = np.sum(exp, axis=axis)
    # Backward pass
    difference_bar = (
        np.expand_dims(_unbroadcast(logsumexp_bar / sum2, np.shape(sum2)), axis) * exp
    )
    top_bar = np.reshape(
        _unbroadcast(logsumexp_bar, np.shape(np.squeeze(top, axis=axis))), np.shape(top)
    ) + _unbroadcast(-difference_bar, np.shape(top))
    a_bar = _unbroadcast(difference_bar, np.shape(a))
    return a_bar + top_bar * _shares(a == top, axis, a)


# pullback: vjp of chain_loss wrt unary, pairwise [1ada12eb 28379b3b]
def chain_loss_vjp(unary, pairwise, labels, chain_loss_bar):
    """Vector-Jacobian product of chain_loss with respect to unary and pairwise."""
    logp = marginals(unary, pairwise)
    size_logp_labels = np.size(logp[np.arange(len(labels)), labels])
    # Backward pass
    logp_bar = np.zeros_like(logp)
    np.add.at(
        logp_bar, (np.arange(len(labels)), labels), -chain_loss_bar / size_logp_labels
    )
    marginals_unary_bar, marginals_pairwise_bar = _marginals_vjp(
        unary, pairwise, logp_bar
    )
    return marginals_unary_bar, marginals_pairwise_bar
