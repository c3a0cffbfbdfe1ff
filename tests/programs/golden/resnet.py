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


# pullback: vjp of softmax_cross_entropy wrt z private=yes [59889693 11726569]
def _softmax_cross_entropy_vjp(z, labels, softmax_cross_entropy_bar):
    """Vector-Jacobian product of softmax_cross_entropy with respect to z."""
    z_0 = z
    max_z = np.max(z, axis=-1, keepdims=True)
    z = z - max_z
    exp_z = np.exp(z)
    sum_z = np.sum(exp_z, axis=-1, keepdims=True)
    logp = z - np.log(sum_z)
    size_logp_labels = np.size(logp[np.arange(len(labels)), labels])
    # Backward pass
    logp_bar = np.zeros_like(logp)
    np.add.at(
        logp_bar,
        (np.arange(len(labels)), labels),
        -softmax_cross_entropy_bar / size_logp_labels,
    )
    log_z_bar = -logp_bar
    exp_z_bar = _unbroadcast(
        np.where(log_z_bar != 0.0, log_z_bar / sum_z, 0.0), np.shape(sum_z)
    )
    z_bar = _unbroadcast(logp_bar, np.shape(z)) + np.where(
        exp_z_bar != 0.0, exp_z_bar * exp_z, 0.0
    )
    return _unbroadcast(z_bar, np.shape(z_0)) + _unbroadcast(
        -z_bar, np.shape(max_z)
    ) * _shares(z_0 == max_z, -1, z_0)


# pullback: vjp of maxpool2d wrt x private=yes [cee07287 03fcc819]
def _maxpool2d_vjp(x, maxpool2d_bar):
    """Vector-Jacobian product of maxpool2d with respect to x."""
    n, height, width, c = x.shape
    out = np.empty((n, height // 2, width // 2, c))
    for i in range(height // 2):
        for j in range(width // 2):
            window = x[:, 2 * i : 2 * i + 2, 2 * j : 2 * j + 2, :]
            out[:, i, j, :] = np.max(window, axis=(1, 2))
    # Backward pass
    out_bar = maxpool2d_bar.copy()
    x_bar = np.zeros_like(x, dtype=np.result_type(x, 0.0))
    for i in reversed(range(height // 2)):
        for j in reversed(range(width // 2)):
            window = x[:, 2 * i : 2 * i + 2, 2 * j : 2 * j + 2, :]
            window_bar = out_bar[:, i, j, :][:, None, None] * _shares(
                window == out[:, i, j, :][:, None, None], (1, 2), window
            )
            x_bar[:, 2 * i : 2 * i + 2, 2 * j : 2 * j + 2, :] += window_bar
    return x_bar


# pullback: vjp of bottleneck wrt x, conv1, conv2, conv3, gamma, beta private=yes [0e388bca dbae1cc4]
def _bottleneck_vjp(x, conv1, conv2, conv3, gamma, beta, bottleneck_bar):
    """Vector-Jacobian product of bottleneck with respect to x, conv1, conv2, conv3, gamma and beta."""
    n, height, width, _ = x.shape
    padded = np.zeros((n, height + 2, width + 2, conv1.shape[3]))
    conv2d2 = conv2d(x, conv1)
    shape_conv2d2 = np.shape(conv2d2)
    padded[:, 1:-1, 1:-1, :] = conv2d2
    y = batchnorm2d(padded, gamma[0], beta[0])
    y_06 = y
    y = relu(y)
    y_05 = y
    y = conv2d(y, conv2)
    y_04 = y
    y = batchnorm2d(y, gamma[1], beta[1])
    y_03 = y
    y = relu(y)
    y_02 = y
    y = conv2d(y, conv3)
    y_0 = y
    y = batchnorm2d(y, gamma[2], beta[2])
    # Backward pass
    total_bar = _relu_vjp(y + x, bottleneck_bar)
    y_bar = _unbroadcast(total_bar, y.shape)
    x_bar = _unbroadcast(total_bar, x.shape)
    batchnorm2d_x_bar, batchnorm2d_gamma_bar, batchnorm2d_beta_bar = _batchnorm2d_vjp(
        y_0, gamma[2], beta[2], 1e-05, y_bar
    )
    gamma_bar = np.zeros_like(gamma, dtype=np.result_type(gamma, 0.0))
    gamma_bar[2] = batchnorm2d_gamma_bar
    beta_bar = np.zeros_like(beta, dtype=np.result_type(beta, 0.0))
    beta_bar[2] = batchnorm2d_beta_bar
    y_bar = batchnorm2d_x_bar
    conv2d_x_bar, conv2d_w_bar = _conv2d_vjp(y_02, conv3, y_bar)
    conv3_bar = conv2d_w_bar
    y_bar = conv2d_x_bar
    y_bar = _relu_vjp(y_03, y_bar)
    batchnorm2d_x_bar2, batchnorm2d_gamma_bar2, batchnorm2d_beta_bar2 = (
        _batchnorm2d_vjp(y_04, gamma[1], beta[1], 1e-05, y_bar)
    )
    gamma_bar[1] = batchnorm2d_gamma_bar2
    beta_bar[1] = batchnorm2d_beta_bar2
    y_bar = batchnorm2d_x_bar2
    conv2d_x_bar2, conv2d_w_bar2 = _conv2d_vjp(y_05, conv2, y_bar)
    conv2_bar = conv2d_w_bar2
    y_bar = conv2d_x_bar2
    y_bar = _relu_vjp(y_06, y_bar)
    batchnorm2d_x_bar3, batchnorm2d_gamma_bar3, batchnorm2d_beta_bar3 = (
        _batchnorm2d_vjp(padded, gamma[0], beta[0], 1e-05, y_bar)
    )
    padded_bar = batchnorm2d_x_bar3
    gamma_bar[0] = batchnorm2d_gamma_bar3
    beta_bar[0] = batchnorm2d_beta_bar3
    conv2d_x_bar3, conv2d_w_bar3 = _conv2d_vjp(
        x, conv1, _unbroadcast(padded_bar[:, 1:-1, 1:-1, :], shape_conv2d2)
    )
    x_bar += conv2d_x_bar3
    conv1_bar = conv2d_w_bar3
    return x_bar, conv1_bar, conv2_bar, conv3_bar, gamma_bar, beta_bar


# pullback: vjp of relu wrt x private=yes [f643c014 09e12a60]
def _relu_vjp(x, relu_bar):
    """Vector-Jacobian product of relu with respect to x."""
    # Backward pass
    return relu_bar * (0.5 + 0.5 * np.sign(x))


# pullback: vjp of batchnorm2d wrt x, gamma, beta private=yes args=any,any,any,float [200ce815 ead10806]
def _batchnorm2d_vjp(x, gamma, beta, eps, batchnorm2d_bar):
    """Vector-Jacobian product of batchnorm2d with respect to x, gamma and beta."""
    mean = np.mean(x, axis=(0, 1, 2), keepdims=True)
    std = np.std(x, axis=(0, 1, 2), keepdims=True)
    sqrt = np.sqrt(std**2 + eps)
    # Backward pass
    product_bar = batchnorm2d_bar / sqrt
    difference_bar = product_bar * gamma
    gamma_bar = _unbroadcast(product_bar * (x - mean), np.shape(gamma))
    x_bar = _unbroadcast(difference_bar, np.shape(x))
    mean_bar = _unbroadcast(-difference_bar, np.shape(mean))
    std_bar = _unbroadcast(
        -batchnorm2d_bar * (gamma * (x - mean) / sqrt) / sqrt / sqrt * std,
        np.shape(std),
    )
    beta_bar = _unbroadcast(batchnorm2d_bar, np.shape(beta))
    x_bar += (
        std_bar
        / std
        / (len(x) * np.shape(x)[1] * np.shape(x)[2])
        * (x - np.mean(x, (0, 1, 2), keepdims=True))
    )
    x_bar += mean_bar / (len(x) * np.shape(x)[1] * np.shape(x)[2])
    return x_bar, gamma_bar, beta_bar


# pullback: vjp of conv2d wrt x, w private=yes [9a3838d9 d7475fd1]
def _conv2d_vjp(x, w, conv2d_bar):
    """Vector-Jacobian product of conv2d with respect to x and w."""
    K = w.shape[0]
    n, height, width, _ = x.shape
    out = np.zeros((n, height - K + 1, width - K + 1, w.shape[3]))
    shape_product_tape = []
    for p in range(K):
        for q in range(K):
            product = x[:, p : p + out.shape[1], q : q + out.shape[2], :] @ w[p, q]
            shape_product = np.shape(product)
            shape_product_tape.append(shape_product)
            out += product
    # Backward pass
    out_bar = conv2d_bar
    x_bar = np.zeros_like(x, dtype=np.result_type(x, 0.0))
    w_bar = np.zeros_like(w, dtype=np.result_type(w, 0.0))
    for p in reversed(range(K)):
        for q in reversed(range(K)):
            shape_product = shape_product_tape.pop()
            product_bar = _unbroadcast(out_bar, shape_product)
            x_bar[:, p : p + out.shape[1], q : q + out.shape[2], :] += _matmul_a_bar(
                product_bar,
                x[:, p : p + out.shape[1], q : q + out.shape[2], :],
                w[p, q],
            )
            w_bar[p, q] += _matmul_b_bar(
                product_bar,
                x[:, p : p + out.shape[1], q : q + out.shape[2], :],
                w[p, q],
            )
    return x_bar, w_bar


# pullback: vjp of resnet_loss wrt x, conv1, conv2, conv3, gamma, beta, W, b [185cfa1e da047f14]
def resnet_loss_vjp(x, conv1, conv2, conv3, gamma, beta, W, b, labels, resnet_loss_bar):
    """Vector-Jacobian product of resnet_loss with respect to x, conv1, conv2, conv3, gamma, beta, W and b."""
    y = bottleneck(x, conv1, conv2, conv3, gamma, beta)
    y_0 = y
    y = maxpool2d(y)
    features = np.mean(y, axis=(1, 2))
    product = features @ W
    # Backward pass
    total_bar = _softmax_cross_entropy_vjp(product + b, labels, resnet_loss_bar)
    product_bar = _unbroadcast(total_bar, np.shape(product))
    features_bar = _matmul_a_bar(product_bar, features, W)
    y_bar = np.broadcast_to(
        features_bar[:, None, None] / (y.shape[1] * y.shape[2]), y.shape
    )
    y_bar = _maxpool2d_vjp(y_0, y_bar)
    (
        bottleneck_x_bar,
        bottleneck_conv1_bar,
        bottleneck_conv2_bar,
        bottleneck_conv3_bar,
        bottleneck_gamma_bar,
        bottleneck_beta_bar,
    ) = _bottleneck_vjp(x, conv1, conv2, conv3, gamma, beta, y_bar)
    return (
        bottleneck_x_bar,
        bottleneck_conv1_bar,
        bottleneck_conv2_bar,
        bottleneck_conv3_bar,
        bottleneck_gamma_bar,
        bottleneck_beta_bar,
        _matmul_b_bar(product_bar, features, W),
        _unbroadcast(total_bar, np.shape(b)),
    )
