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


# pullback: vjp of softmax wrt z private=yes args=any,int [130b1b80 02cd8e45]
def _softmax_vjp(z, axis, softmax_bar):
    """Vector-Jacobian product of softmax with respect to z."""
    z_0 = z
    max2 = z.max(axis=axis, keepdims=True)
    z = z - max2
    e = np.exp(z)
    sum2 = e.sum(axis=axis, keepdims=True)
    # Backward pass
    e_bar = _unbroadcast(softmax_bar / sum2, np.shape(e)) + _unbroadcast(
        -softmax_bar * (e / sum2) / sum2, np.shape(sum2)
    )
    z_bar = e_bar * e
    return _unbroadcast(z_bar, np.shape(z_0)) + _unbroadcast(
        -z_bar, np.shape(max2)
    ) * _shares(z_0 == max2, axis, z_0)


# pullback: vjp of self_attention wrt x, Wq, Wk, Wv, Wo private=yes [808dcfa5 2eb5a0e7]
def _self_attention_vjp(x, Wq, Wk, Wv, Wo, n_heads, self_attention_bar):
    """Vector-Jacobian product of self_attention with respect to x, Wq, Wk, Wv and Wo."""
    T, d = x.shape
    dh = d // n_heads
    product3 = x @ Wq
    shape_product3 = np.shape(product3)
    q = product3.reshape(T, n_heads, dh)
    product2 = x @ Wk
    shape_product2 = np.shape(product2)
    k = product2.reshape(T, n_heads, dh)
    product = x @ Wv
    shape_product = np.shape(product)
    v = product.reshape(T, n_heads, dh)
    sqrt_dh = np.sqrt(dh)
    einsum = np.einsum("ihd,jhd->hij", q, k)
    scores = einsum / sqrt_dh
    triu_indices_T_0 = np.triu_indices(T, 1)[0]
    triu_indices_T_1 = np.triu_indices(T, 1)[1]
    scores[:, np.triu_indices(T, 1)[0], np.triu_indices(T, 1)[1]] = -1e9
    softmax_scores = softmax(scores)
    mixed = np.einsum("hij,jhd->ihd", softmax_scores, v)
    reshape = mixed.reshape(T, d)
    # Backward pass
    mixed_bar = np.reshape(_matmul_a_bar(self_attention_bar, reshape, Wo), mixed.shape)
    Wo_bar = _matmul_b_bar(self_attention_bar, reshape, Wo)
    scores_bar = _softmax_vjp(
        scores,
        -1,
        _unbroadcast(np.einsum("ihd,jhd->hij", mixed_bar, v), softmax_scores.shape),
    )
    v_bar = _unbroadcast(np.einsum("ihd,hij->jhd", mixed_bar, softmax_scores), v.shape)
    scores_bar[:, triu_indices_T_0, triu_indices_T_1] = 0.0
    einsum_bar = _unbroadcast(
        np.where(scores_bar != 0.0, scores_bar / sqrt_dh, 0.0), np.shape(einsum)
    )
    q_bar = _unbroadcast(np.einsum("hij,jhd->ihd", einsum_bar, k), q.shape)
    k_bar = _unbroadcast(np.einsum("hij,ihd->jhd", einsum_bar, q), k.shape)
    product_bar = np.reshape(v_bar, shape_product)
    x_bar = _matmul_a_bar(product_bar, x, Wv)
    Wv_bar = _matmul_b_bar(product_bar, x, Wv)
    product_bar2 = np.reshape(k_bar, shape_product2)
    x_bar += _matmul_a_bar(product_bar2, x, Wk)
    Wk_bar = _matmul_b_bar(product_bar2, x, Wk)
    product_bar3 = np.reshape(q_bar, shape_product3)
    x_bar += _matmul_a_bar(product_bar3, x, Wq)
    return x_bar, _matmul_b_bar(product_bar3, x, Wq), Wk_bar, Wv_bar, Wo_bar


# pullback: vjp of lm_loss wrt emb, Wq, Wk, Wv, Wo, U [5961d666 8ba498ee]
def lm_loss_vjp(emb, Wq, Wk, Wv, Wo, U, tokens, n_heads, lm_loss_bar):
    """Vector-Jacobian product of lm_loss with respect to emb, Wq, Wk, Wv, Wo and U."""
    x = emb[tokens[:-1]]
    x_0 = x
    self_attention2 = self_attention(x, Wq, Wk, Wv, Wo, n_heads)
    shape = np.shape(self_attention2)
    x = x + self_attention2
    product = x @ U
    probs = softmax(product)
    arange_tokens = np.arange(len(tokens) - 1)
    probs2 = probs[arange_tokens, tokens[1:]]
    size_probs2 = np.size(probs2)
    # Backward pass
    probs_bar = np.zeros_like(probs)
    np.add.at(
        probs_bar, (arange_tokens, tokens[1:]), -lm_loss_bar / size_probs2 / probs2
    )
    product_bar = _softmax_vjp(product, -1, probs_bar)
    x_bar = _matmul_a_bar(product_bar, x, U)
    U_bar = _matmul_b_bar(product_bar, x, U)
    (
        self_attention_x_bar,
        self_attention_Wq_bar,
        self_attention_Wk_bar,
        self_attention_Wv_bar,
        self_attention_Wo_bar,
    ) = _self_attention_vjp(x_0, Wq, Wk, Wv, Wo, n_heads, _unbroadcast(x_bar, shape))
    x_bar = _unbroadcast(x_bar, np.shape(x_0)) + self_attention_x_bar
    emb_bar = np.zeros_like(emb, dtype=np.result_type(emb, 0.0))
    np.add.at(emb_bar, tokens[:-1], x_bar)
    return (
        emb_bar,
        self_attention_Wq_bar,
        self_attention_Wk_bar,
        self_attention_Wv_bar,
        self_attention_Wo_bar,
        U_bar,
    )
