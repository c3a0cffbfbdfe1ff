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


# pullback: vjp of forward wrt layers private=yes args=struct,any,any [b3b1710e 801db49f]
def _forward_vjp(layers, X, masks, forward_bar):
    """Vector-Jacobian product of forward with respect to layers."""
    h = X
    layers_items = layers[:-1]
    tape = []
    for (W, b), mask in zip(layers_items, masks):
        product2 = h @ W
        shape_product2 = np.shape(product2)
        tanh = np.tanh(product2 + b)
        tape.append((shape_product2, tanh, h))
        h = tanh * mask
    W, b = layers[-1]
    # Backward pass
    product_bar = _unbroadcast(forward_bar, np.shape(h @ W))
    h_bar = _matmul_a_bar(product_bar, h, W)
    W_bar = _matmul_b_bar(product_bar, h, W)
    b_bar = _unbroadcast(forward_bar, np.shape(b))
    layers_bar = _zeros_like(layers)
    layers_bar[-1][0] += W_bar
    layers_bar[-1][1] += b_bar
    layers_items_bar = _zeros_like(layers_items)
    for k in reversed(range(min(len(layers_items), len(masks)))):
        W, b = layers_items[k]
        mask = masks[k]
        shape_product2, tanh, h = tape.pop()
        total_bar = h_bar * mask * (1.0 - tanh * tanh)
        product_bar2 = _unbroadcast(total_bar, shape_product2)
        W_bar = _matmul_b_bar(product_bar2, h, W)
        b_bar = _unbroadcast(total_bar, np.shape(b))
        h_bar = _matmul_a_bar(product_bar2, h, W)
        layers_items_bar[k][0] += W_bar
        layers_items_bar[k][1] += b_bar
    layers_bar[:-1] = _plus(layers_bar[:-1], layers_items_bar)
    return layers_bar


# pullback: vjp of objective wrt layers [b35e9839 ea35f328]
def objective_vjp(layers, X, Y, masks, decay, objective_bar):
    """Vector-Jacobian product of objective with respect to layers."""
    forward2 = forward(layers, X, masks)
    residual = forward2 - Y
    # Backward pass
    residual_bar = 2 * np.sum(objective_bar) / np.size(residual) * residual
    penalty_bar = np.sum(objective_bar * decay)
    layers_bar = _forward_vjp(
        layers, X, masks, _unbroadcast(residual_bar, np.shape(forward2))
    )
    for k in reversed(range(len(layers))):
        W, _ = layers[k]
        W_bar = 2 * penalty_bar * W
        layers_bar[k][0] += W_bar
    return _restored(layers_bar, layers)
