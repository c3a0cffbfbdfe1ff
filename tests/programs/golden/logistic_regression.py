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


# pullback: vjp of predict wrt params private=yes args=dict,any [005009d2 4675e5fa]
def _predict_vjp(params, X, predict_bar):
    """Vector-Jacobian product of predict with respect to params."""
    product = X @ params["w"]
    shape_product = np.shape(product)
    logits = product + params["b"]
    logits_0 = np.copy(logits)
    max_logits = logits.max(axis=1, keepdims=True)
    shape_max_logits = np.shape(max_logits)
    logits -= max_logits
    exp_logits = np.exp(logits)
    sum_logits = exp_logits.sum(axis=1, keepdims=True)
    # Backward pass
    logits_bar = (
        _unbroadcast(predict_bar, np.shape(logits))
        + _unbroadcast(-predict_bar / sum_logits, np.shape(sum_logits)) * exp_logits
    )
    logits_bar = _unbroadcast(logits_bar, np.shape(logits_0)) + _unbroadcast(
        -logits_bar, shape_max_logits
    ) * _shares(logits_0 == max_logits, 1, logits_0)
    params_bar = _zeros_like(params)
    params_bar["w"] += _matmul_b_bar(
        _unbroadcast(logits_bar, shape_product), X, params["w"]
    )
    params_bar["b"] += _unbroadcast(logits_bar, np.shape(params["b"]))
    return params_bar


# pullback: vjp of loss wrt params [cc1b3792 4d5e4364]
def loss_vjp(params, X, labels, lam, loss_bar):
    """Vector-Jacobian product of loss with respect to params."""
    logp = predict(params, X)
    n = X.shape[0]
    size_logp_labels = np.size(logp[np.arange(n), labels])
    # Backward pass
    nll_bar = np.sum(loss_bar)
    params_bar = _zeros_like(params)
    params_bar["w"] += 2 * np.sum(loss_bar * lam) * params["w"]
    logp_bar = np.zeros_like(logp)
    np.add.at(logp_bar, (np.arange(n), labels), -nll_bar / size_logp_labels)
    return _restored(_plus(params_bar, _predict_vjp(params, X, logp_bar)), params)
