def _unbroadcast(x_bar, shape):
    """x_bar summed over the axes along which an operand of this shape was broadcast."""
    if np.shape(x_bar) == shape or np.ndim(x_bar) == 0:
        return 1.0 * x_bar
    x_bar = np.sum(x_bar, axis=tuple(range(np.ndim(x_bar) - len(shape))))
    stretched = tuple(i for i, n in enumerate(shape) if n == 1 and x_bar.shape[i] != 1)
    return np.sum(x_bar, axis=stretched, keepdims=True) if stretched else x_bar


# pullback: vjp of conv2d wrt input, weights private=yes [d1a5bbcf d4eff3b5]
def _conv2d_vjp(input, weights, conv2d_bar):
    """Vector-Jacobian product of conv2d with respect to input and weights."""
    K = weights.shape[0]
    H_out = input.shape[1] - K + 1
    W_out = input.shape[2] - K + 1
    shape_sum2_tape = []

    for i in range(H_out):
        for j in range(W_out):
            window = input[:, i : i + K, j : j + K, :, np.newaxis]
            shape_sum2 = np.shape(np.sum(window * weights[np.newaxis], axis=(1, 2, 3)))
            shape_sum2_tape.append(shape_sum2)
    # Backward pass
    output_bar = conv2d_bar.copy()
    weights_bar = np.zeros_like(weights, dtype=np.result_type(weights, 0.0))
    input_bar = np.zeros_like(input, dtype=np.result_type(input, 0.0))
    for i in reversed(range(H_out)):
        for j in reversed(range(W_out)):
            shape_sum2 = shape_sum2_tape.pop()
            window = input[:, i : i + K, j : j + K, :, np.newaxis]
            product_bar = np.expand_dims(
                _unbroadcast(output_bar[:, i, j, :], shape_sum2), (1, 2, 3)
            )
            window_bar = _unbroadcast(
                np.broadcast_to(
                    product_bar * weights[np.newaxis],
                    (window * weights[np.newaxis]).shape,
                ),
                window.shape,
            )
            weights_bar[np.newaxis] += _unbroadcast(
                np.broadcast_to(
                    product_bar * window, (window * weights[np.newaxis]).shape
                ),
                np.shape(weights[np.newaxis]),
            )
            input_bar[:, i : i + K, j : j + K, :, np.newaxis] += window_bar
    return input_bar, weights_bar


# pullback: vjp of conv2d_bias wrt input, weights, bias [48bc6629 0606455d]
def conv2d_bias_vjp(input, weights, bias, conv2d_bias_bar):
    """Vector-Jacobian product of conv2d_bias with respect to input, weights and bias."""
    # Backward pass
    conv2d_input_bar, conv2d_weights_bar = _conv2d_vjp(
        input, weights, _unbroadcast(conv2d_bias_bar, np.shape(conv2d(input, weights)))
    )
    return (
        conv2d_input_bar,
        conv2d_weights_bar,
        _unbroadcast(conv2d_bias_bar, np.shape(bias)),
    )
