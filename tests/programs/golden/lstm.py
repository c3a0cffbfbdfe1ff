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


# pullback: vjp of sigmoid wrt x private=yes [3ded82a8 5401f178]
def _sigmoid_vjp(x, sigmoid_bar):
    """Vector-Jacobian product of sigmoid with respect to x."""
    exp_x = np.exp(-x)
    quotient = 1.0 / (1.0 + exp_x)
    # Backward pass
    return sigmoid_bar * quotient * quotient * exp_x


# pullback: vjp of lstm_loss wrt Wx, Wh, b, Wy, by, h0, c0 [b87a9eb1 76e35caa]
def lstm_loss_vjp(Wx, Wh, b, Wy, by, h0, c0, xs, ys, lstm_loss_bar):
    """Vector-Jacobian product of lstm_loss with respect to Wx, Wh, b, Wy, by, h0 and c0."""
    T, N = xs.shape[:2]
    H = h0.shape[1]
    h, c = h0, c0
    tape = []
    for t in range(T):
        product2 = h @ Wh
        shape_product2 = np.shape(product2)
        product3 = xs[t] @ Wx
        shape_product3 = np.shape(product3)
        h_0 = h
        a = product3 + product2 + b
        a2 = a[:, :H]
        i = sigmoid(a2)
        f = sigmoid(a[:, H : 2 * H])
        o = sigmoid(a[:, 2 * H : 3 * H])
        g = np.tanh(a[:, 3 * H :])
        c_0 = c
        c = f * c + i * g
        tanh_c = np.tanh(c)
        h = o * tanh_c
        product = h @ Wy
        shape_product = np.shape(product)
        difference = product + by - ys[t]
        tape.append(
            (
                shape_product2,
                shape_product3,
                h_0,
                a2,
                a,
                c_0,
                g,
                i,
                f,
                tanh_c,
                o,
                shape_product,
                difference,
                h,
            )
        )
    # Backward pass
    loss_bar = np.sum(lstm_loss_bar / (T * N))
    Wy_bar = np.zeros_like(Wy, dtype=np.result_type(Wy, 0.0))
    by_bar = np.zeros_like(by, dtype=np.result_type(by, 0.0))
    c_bar = np.zeros_like(c, dtype=np.result_type(c, 0.0))
    Wx_bar = np.zeros_like(Wx, dtype=np.result_type(Wx, 0.0))
    h_bar = np.zeros_like(h, dtype=np.result_type(h, 0.0))
    Wh_bar = np.zeros_like(Wh, dtype=np.result_type(Wh, 0.0))
    b_bar = np.zeros_like(b, dtype=np.result_type(b, 0.0))
    for t in reversed(range(T)):
        (
            shape_product2,
            shape_product3,
            h_0,
            a2,
            a,
            c,
            g,
            i,
            f,
            tanh_c,
            o,
            shape_product,
            difference,
            h,
        ) = tape.pop()
        total_bar = 2 * loss_bar * difference
        product_bar = _unbroadcast(total_bar, shape_product)
        h_bar += _matmul_a_bar(product_bar, h, Wy)
        Wy_bar += _matmul_b_bar(product_bar, h, Wy)
        by_bar += _unbroadcast(total_bar, np.shape(by))
        o_bar = _unbroadcast(h_bar * tanh_c, o.shape)
        c_bar += _unbroadcast(h_bar * o * (1.0 - tanh_c * tanh_c), tanh_c.shape)
        f_bar = _unbroadcast(c_bar * c, f.shape)
        i_bar = _unbroadcast(c_bar * g, i.shape)
        g_bar = c_bar * i
        c_bar = _unbroadcast(c_bar * f, np.shape(c))
        a_bar = np.zeros_like(a, dtype=np.result_type(a, 0.0))
        a_bar[:, 3 * H :] = _unbroadcast(g_bar * (1.0 - g * g), g.shape)
        a_bar[:, 2 * H : 3 * H] = _sigmoid_vjp(a[:, 2 * H : 3 * H], o_bar)
        a_bar[:, H : 2 * H] = _sigmoid_vjp(a[:, H : 2 * H], f_bar)
        a_bar[:, :H] = _sigmoid_vjp(a2, i_bar)
        product_bar2 = _unbroadcast(a_bar, shape_product2)
        Wx_bar += _matmul_b_bar(_unbroadcast(a_bar, shape_product3), xs[t], Wx)
        h_bar = _matmul_a_bar(product_bar2, h_0, Wh)
        Wh_bar += _matmul_b_bar(product_bar2, h_0, Wh)
        b_bar += _unbroadcast(a_bar, np.shape(b))
    return Wx_bar, Wh_bar, b_bar, Wy_bar, by_bar, h_bar, c_bar
