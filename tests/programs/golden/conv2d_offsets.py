def _unbroadcast(x_bar, shape):
    """x_bar summed over the axes along which an operand of this shape was broadcast."""
    if np.ndim(x_bar) == 0:
        return +x_bar
    x_bar = np.sum(x_bar, axis=tuple(range(np.ndim(x_bar) - len(shape))))
    stretched = tuple(i for i, n in enumerate(shape) if n == 1 and x_bar.shape[i] != 1)
    return np.sum(x_bar, axis=stretched, keepdims=True) if stretched else x_bar


# pullback: vjp of conv_strided wrt x, w, b [4c9aea27 c4021647]
def conv_strided_vjp(x, w, b, stride, pad, conv_strided_bar):
    """Vector-Jacobian product of conv_strided with respect to x, w and b."""
    n, c, height, width = x.shape
    _, _, kh, kw = w.shape
    oh = (height + 2 * pad - kh) // stride + 1
    ow = (width + 2 * pad - kw) // stride + 1
    xp = np.zeros((n, c, height + 2 * pad, width + 2 * pad))
    xp[:, :, pad : pad + height, pad : pad + width] = x
    total_tape = []
    total2_tape = []
    shape_einsum_tape = []
    patch_tape = []
    for p in range(kh):
        for q in range(kw):
            total = p + stride * oh
            total_tape.append(total)
            total2 = q + stride * ow
            total2_tape.append(total2)
            patch = xp[:, :, p:total:stride, q:total2:stride]
            shape_einsum = np.shape(np.einsum("nchw,fc->nfhw", patch, w[:, :, p, q]))
            shape_einsum_tape.append(shape_einsum)
            patch_tape.append(patch)
    # Backward pass
    out_bar = conv_strided_bar
    b_bar = np.zeros_like(b, dtype=np.result_type(b, 0.0))
    b_bar[:, None, None] += _unbroadcast(out_bar, np.shape(b[:, None, None]))
    w_bar = np.zeros_like(w, dtype=np.result_type(w, 0.0))
    xp_bar = np.zeros_like(xp)
    for p in reversed(range(kh)):
        for q in reversed(range(kw)):
            total = total_tape.pop()
            total2 = total2_tape.pop()
            shape_einsum = shape_einsum_tape.pop()
            patch = patch_tape.pop()
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
