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


# pullback: vjp of softplus wrt x private=yes [b2c5dafb 8559fa3d]
def _softplus_vjp(x, softplus_bar):
    """Vector-Jacobian product of softplus with respect to x."""
    # Backward pass
    return softplus_bar / (1.0 + np.exp(np.minimum(0.0 - x, 709.0)))


# pullback: vjp of negative_elbo wrt p [5308cce9 7f569d8f]
def negative_elbo_vjp(p: Params, x, eps, negative_elbo_bar):
    """Vector-Jacobian product of negative_elbo with respect to p."""
    h = np.tanh(x @ p.enc)
    mu = h @ p.mu
    logvar = h @ p.logvar
    exp_logvar2 = np.exp(0.5 * logvar)
    z = mu + exp_logvar2 * eps
    tanh = np.tanh(z @ p.dec)
    logits = tanh @ p.out
    shape_product2 = np.shape(x * softplus(-logits))
    shape_product = np.shape((1.0 - x) * softplus(logits))
    exp_logvar = np.exp(logvar)
    difference = 1.0 + logvar - mu**2
    # Backward pass
    total_bar = negative_elbo_bar / len(x)
    reconstruction_bar = total_bar
    divergence_bar = total_bar
    difference_bar = divergence_bar * -0.5
    logvar_bar = _unbroadcast(
        np.full_like(difference, difference_bar), np.shape(logvar)
    ) + _unbroadcast(
        np.full_like(difference - exp_logvar, -difference_bar) * exp_logvar,
        np.shape(logvar),
    )
    mu_bar = _unbroadcast(
        2 * np.full_like(difference, -difference_bar) * mu, np.shape(mu)
    )
    logits_bar = _softplus_vjp(
        logits,
        _unbroadcast(
            np.broadcast_to(reconstruction_bar * (1.0 - x), shape_product),
            np.shape(logits),
        ),
    ) - _softplus_vjp(
        -logits,
        _unbroadcast(
            np.broadcast_to(reconstruction_bar * x, shape_product2), np.shape(logits)
        ),
    )
    product_bar = _matmul_a_bar(logits_bar, tanh, p.out) * (1.0 - tanh * tanh)
    z_bar = _matmul_a_bar(product_bar, z, p.dec)
    p_bar = _zeros_like(p)
    p_bar["dec"] += _matmul_b_bar(product_bar, z, p.dec)
    p_bar["out"] += _matmul_b_bar(logits_bar, tanh, p.out)
    mu_bar += _unbroadcast(z_bar, np.shape(mu))
    logvar_bar += _unbroadcast(z_bar * eps * exp_logvar2 * 0.5, np.shape(logvar))
    h_bar = _matmul_a_bar(logvar_bar, h, p.logvar)
    p_bar["logvar"] += _matmul_b_bar(logvar_bar, h, p.logvar)
    h_bar += _matmul_a_bar(mu_bar, h, p.mu)
    p_bar["mu"] += _matmul_b_bar(mu_bar, h, p.mu)
    p_bar["enc"] += _matmul_b_bar(h_bar * (1.0 - h * h), x, p.enc)
    return _restored(p_bar, p)
