def _unbroadcast(x_bar, shape):
    """x_bar summed over the axes along which an operand of this shape was broadcast."""
    if np.shape(x_bar) == shape or np.ndim(x_bar) == 0:
        return 1.0 * x_bar
    x_bar = np.sum(x_bar, axis=tuple(range(np.ndim(x_bar) - len(shape))))
    stretched = tuple(i for i, n in enumerate(shape) if n == 1 and x_bar.shape[i] != 1)
    return np.sum(x_bar, axis=stretched, keepdims=True) if stretched else x_bar


def _fields(x):
    """The named parts of a dict, a NamedTuple or an object as a dict; None for anything else."""
    if isinstance(x, dict):
        return x
    names = getattr(x, "_fields", None) or getattr(x, "__dataclass_fields__", None)
    if names is None and not isinstance(x, np.ndarray) and not callable(x):
        names = getattr(x, "__dict__", None)
    return None if names is None else {name: getattr(x, name) for name in names}


def _zeros_like(x):
    """Zeros for the parts of x, to be added to: in dicts where they have names, in lists elsewhere."""
    fields = _fields(x)
    if fields is not None:
        return {name: _zeros_like(part) for name, part in fields.items()}
    if isinstance(x, (list, tuple)):
        return [_zeros_like(part) for part in x]
    if not isinstance(x, np.ndarray):
        return 0.0
    return np.zeros_like(x, dtype=np.result_type(x, 0.0))


def _plus(x_bar, y_bar):
    """The sum of two cotangents, part by part; y_bar may have fewer names."""
    if isinstance(x_bar, dict):
        changed = {name: _plus(x_bar[name], part) for name, part in y_bar.items()}
        return {**x_bar, **changed}
    if isinstance(x_bar, (list, tuple)):
        return [_plus(*parts) for parts in zip(x_bar, y_bar)]
    return x_bar + y_bar


def _restored(x_bar, x):
    """x_bar in containers like those of x; None for parts of x that are not floating."""
    if isinstance(x, (list, tuple)) and not hasattr(x, "_fields"):
        return type(x)(_restored(*parts) for parts in zip(x_bar, x))
    fields = _fields(x)
    if fields is None:
        return x_bar if np.asarray(x).dtype.kind in "fc" else None
    parts = {name: _restored(x_bar[name], part) for name, part in fields.items()}
    if isinstance(x, dict):
        return parts
    if hasattr(x, "_fields") or hasattr(x, "__dataclass_fields__"):
        return type(x)(**parts)
    made = object.__new__(type(x))
    made.__dict__.update(parts)
    return made


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


# pullback: vjp of step wrt params, h, c private=yes args=dict,any,any,any [86448de1 659c99ce]
def _step_vjp(params, x, h, c, step_bar):
    """Vector-Jacobian product of step with respect to params, h and c."""
    len_h = len(h)
    z = np.concatenate((h, x))
    product4 = params["Wf"] @ z
    shape_product4 = np.shape(product4)
    total3 = product4 + params["bf"]
    f = sigmoid(total3)
    product3 = params["Wi"] @ z
    shape_product3 = np.shape(product3)
    total2 = product3 + params["bi"]
    i = sigmoid(total2)
    product2 = params["Wo"] @ z
    shape_product2 = np.shape(product2)
    total = product2 + params["bo"]
    o = sigmoid(total)
    product = params["Wg"] @ z
    g = np.tanh(product + params["bg"])
    c_0 = c
    c = f * c + i * g
    tanh_c = np.tanh(c)
    # Backward pass
    h_bar = step_bar[0]
    c_bar = step_bar[1]
    o_bar = _unbroadcast(h_bar * tanh_c, np.shape(o))
    c_bar = c_bar + _unbroadcast(h_bar * o * (1.0 - tanh_c * tanh_c), np.shape(c))
    f_bar = _unbroadcast(c_bar * c_0, np.shape(f))
    i_bar = _unbroadcast(c_bar * g, np.shape(i))
    g_bar = c_bar * i
    c_bar = _unbroadcast(c_bar * f, np.shape(c_0))
    total_bar = g_bar * (1.0 - g * g)
    product_bar = _unbroadcast(total_bar, np.shape(product))
    z_bar = _matmul_b_bar(product_bar, params["Wg"], z)
    params_bar = _zeros_like(params)
    params_bar["Wg"] += _matmul_a_bar(product_bar, params["Wg"], z)
    params_bar["bg"] += _unbroadcast(total_bar, np.shape(params["bg"]))
    total_bar2 = _sigmoid_vjp(total, o_bar)
    product_bar2 = _unbroadcast(total_bar2, shape_product2)
    z_bar += _matmul_b_bar(product_bar2, params["Wo"], z)
    params_bar["Wo"] += _matmul_a_bar(product_bar2, params["Wo"], z)
    params_bar["bo"] += _unbroadcast(total_bar2, np.shape(params["bo"]))
    total_bar3 = _sigmoid_vjp(total2, i_bar)
    product_bar3 = _unbroadcast(total_bar3, shape_product3)
    z_bar += _matmul_b_bar(product_bar3, params["Wi"], z)
    params_bar["Wi"] += _matmul_a_bar(product_bar3, params["Wi"], z)
    params_bar["bi"] += _unbroadcast(total_bar3, np.shape(params["bi"]))
    total_bar4 = _sigmoid_vjp(total3, f_bar)
    product_bar4 = _unbroadcast(total_bar4, shape_product4)
    z_bar += _matmul_b_bar(product_bar4, params["Wf"], z)
    params_bar["Wf"] += _matmul_a_bar(product_bar4, params["Wf"], z)
    params_bar["bf"] += _unbroadcast(total_bar4, np.shape(params["bf"]))
    h_bar = z_bar[:len_h]
    return params_bar, np.positive(h_bar), c_bar


# pullback: vjp of sigmoid wrt x private=yes [6c9119b2 284498bc]
def _sigmoid_vjp(x, sigmoid_bar):
    """Vector-Jacobian product of sigmoid with respect to x."""
    tanh_x = np.tanh(x / 2.0)
    # Backward pass
    return 0.25 * sigmoid_bar * (1.0 - tanh_x * tanh_x)


# pullback: vjp of nll wrt params [8d09ac58 03dc9894]
def nll_vjp(params, text, n_symbols, n_hidden, nll_bar):
    """Vector-Jacobian product of nll with respect to params."""
    h = np.zeros(n_hidden)
    c = np.zeros(n_hidden)
    total = 0.0
    tape = []
    for t in range(len(text) - 1):
        x = np.zeros(n_symbols)
        x[text[t]] = 1.0
        h_0 = h
        c_0 = c
        h, c = step(params, x, h, c)
        product = params["Wy"] @ h
        shape_product = np.shape(product)
        logits = product + params["by"]
        max_logits = np.max(logits)
        logits_0 = logits
        logits = logits - max_logits
        exp_logits = np.exp(logits)
        shape_total = np.shape(total)
        sum_logits = np.sum(exp_logits)
        shape = np.shape(logits[text[t + 1]])
        tape.append(
            (
                x.copy(),
                h_0,
                c_0,
                shape_product,
                h,
                max_logits,
                logits_0,
                exp_logits,
                shape_total,
                sum_logits,
                shape,
            )
        )
        total -= logits[text[t + 1]] - np.log(sum_logits)
    # Backward pass
    total_bar = nll_bar / (len(text) - 1)
    params_bar = _zeros_like(params)
    h_bar = np.zeros_like(h)
    c_bar = np.zeros_like(c)
    for t in reversed(range(len(text) - 1)):
        (
            x,
            h_0,
            c,
            shape_product,
            h,
            max_logits,
            logits,
            exp_logits,
            shape_total,
            sum_logits,
            shape,
        ) = tape.pop()
        difference_bar = -total_bar
        logits_bar = -np.sum(difference_bar) / sum_logits * exp_logits
        np.add.at(logits_bar, text[t + 1], _unbroadcast(difference_bar, shape))
        total_bar = _unbroadcast(total_bar, shape_total)
        logits_bar = logits_bar - np.sum(logits_bar) * _shares(
            logits == max_logits, None, logits
        )
        product_bar = _unbroadcast(logits_bar, shape_product)
        h_bar += _matmul_b_bar(product_bar, params["Wy"], h)
        params_bar["Wy"] += _matmul_a_bar(product_bar, params["Wy"], h)
        params_bar["by"] += _unbroadcast(logits_bar, np.shape(params["by"]))
        step_params_bar, step_h_bar, step_c_bar = _step_vjp(
            params, x, h_0, c, (h_bar, c_bar)
        )
        params_bar = _plus(params_bar, step_params_bar)
        h_bar = step_h_bar
        c_bar = step_c_bar
    return _restored(params_bar, params)
