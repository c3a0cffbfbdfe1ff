def _unbroadcast(x_bar, shape):
    """x_bar summed over the axes along which an operand of this shape was broadcast."""
    if np.shape(x_bar) == shape or np.ndim(x_bar) == 0:
        return 1.0 * x_bar
    x_bar = np.sum(x_bar, axis=tuple(range(np.ndim(x_bar) - len(shape))))
    stretched = tuple(i for i, n in enumerate(shape) if n == 1 and x_bar.shape[i] != 1)
    return np.sum(x_bar, axis=stretched, keepdims=True) if stretched else x_bar


# pullback: vjp of conv_strided wrt x, w, b [4c9aea27 8cf941b2]
def conv_strided_vjp(x, w, b, stride, pad, conv_strided_bar):
    """Vector-Jacobian product of conv_strided with respect to x, w and b."""
    n, c, height, width = x.shape
    _, _, kh, kw = w.shape
    oh = (height + 2 * pad - kh) // stride + 1
    ow = (width + 2 * pad - kw) // stride + 1
    xp = np.zeros((n, c, height + 2 * pad, width + 2 * pad))
    xp[:, :, pad : pad + height, pad : pad + width] = x
    tape = []
    for p in range(kh):
        for q in range(kw):
            total = p + stride * oh
            total2 = q + stride * ow
            patch = xp[:, :, p:total:stride, q:total2:stride]
            shape_einsum = np.shape(np.einsum("nchw,fc->nfhw", patch, w[:, :, p, q]))
            tape.append((total, total2, shape_einsum, patch))
    # Backward pass
    out_bar = conv_strided_bar
    b_bar = _unbroadcast(out_bar, np.shape(b[:, None, None]))[:, 0, 0]
    w_bar = np.zeros_like(w, dtype=np.result_type(w, 0.0))
    xp_bar = np.zeros_like(xp)
    for p in reversed(range(kh)):
        for q in reversed(range(kw)):
            total, total2, shape_einsum, patch = tape.pop()
            einsum_bar = _unbroadcast(out_bar, shape_einsum)
            patch_bar = _unbroadcast(
                np.einsum("nfhw,fc->nchw", einsum_bar, w[:, :, p, q]), patch.shape
            )
            w_bar[:, :, p, q] += _unbroadcast(
                np.einsum("nfhw,nchw->fc", einsum_bar, patch), w[:, :, p, q].shape
            )
            xp_bar[:, :, p:total:stride, q:total2:stride] += patch_bar
    return (
        _unbroadcast(xp_bar[:, :, pad : pad + height, pad : pad + width], x.shape),
        w_bar,
        b_bar,
    )
