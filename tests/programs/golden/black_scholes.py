def _unbroadcast(x_bar, shape):
    """x_bar summed over the axes along which an operand of this shape was broadcast."""
    if np.shape(x_bar) == shape or np.ndim(x_bar) == 0:
        return 1.0 * x_bar
    x_bar = np.sum(x_bar, axis=tuple(range(np.ndim(x_bar) - len(shape))))
    stretched = tuple(i for i, n in enumerate(shape) if n == 1 and x_bar.shape[i] != 1)
    return np.sum(x_bar, axis=stretched, keepdims=True) if stretched else x_bar


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


# pullback: vjp of black_scholes wrt S, K, T, sigma, r private=yes [e37e8565 0a83669a]
def _black_scholes_vjp(S, K, T, sigma, r, is_call, black_scholes_bar):
    """Vector-Jacobian product of black_scholes with respect to S, K, T, sigma and r."""
    sqrt_T = np.sqrt(T)
    total = r + 0.5 * sigma**2
    d1 = (np.log(S / K) + total * T) / (sigma * sqrt_T)
    d2 = d1 - sigma * sqrt_T
    exp = np.exp(-r * T)
    discounted = K * exp
    norm_cdf_d1 = norm_cdf(d1)
    norm_cdf_d2 = norm_cdf(d2)
    shape_norm_cdf_d1 = np.shape(norm_cdf_d1)
    shape_norm_cdf_d2 = np.shape(norm_cdf_d2)
    call = S * norm_cdf_d1 - discounted * norm_cdf_d2
    # Backward pass
    total_bar = _unbroadcast(np.where(is_call, 0.0, black_scholes_bar), np.shape(call))
    call_bar = (
        _unbroadcast(np.where(is_call, black_scholes_bar, 0.0), np.shape(call))
        + total_bar
    )
    S_bar = _unbroadcast(-total_bar, np.shape(S))
    discounted_bar = _unbroadcast(total_bar, np.shape(discounted))
    product_bar = -call_bar
    S_bar += _unbroadcast(
        np.where(call_bar != 0.0, call_bar * norm_cdf_d1, 0.0), np.shape(S)
    )
    d1_bar = _norm_cdf_vjp(d1, _unbroadcast(call_bar * S, shape_norm_cdf_d1))
    discounted_bar += _unbroadcast(
        np.where(product_bar != 0.0, product_bar * norm_cdf_d2, 0.0),
        np.shape(discounted),
    )
    d2_bar = _norm_cdf_vjp(
        d2,
        _unbroadcast(
            np.where(product_bar != 0.0, product_bar * discounted, 0.0),
            shape_norm_cdf_d2,
        ),
    )
    exp_bar = discounted_bar * K
    product_bar2 = np.where(exp_bar != 0.0, exp_bar * exp, 0.0)
    K_bar = _unbroadcast(
        np.where(discounted_bar != 0.0, discounted_bar * exp, 0.0), np.shape(K)
    )
    r_bar = _unbroadcast(-product_bar2 * T, np.shape(r))
    T_bar = _unbroadcast(-product_bar2 * r, np.shape(T))
    product_bar3 = -d2_bar
    d1_bar += d2_bar
    sigma_bar = _unbroadcast(product_bar3 * sqrt_T, np.shape(sigma))
    sqrt_T_bar = _unbroadcast(product_bar3 * sigma, np.shape(sqrt_T))
    total_bar2 = d1_bar / (sigma * sqrt_T)
    quotient_bar = total_bar2 / (S / K)
    total_bar3 = total_bar2 * T
    product_bar4 = -d1_bar * d1 / (sigma * sqrt_T)
    S_bar += _unbroadcast(quotient_bar / K, np.shape(S))
    K_bar += _unbroadcast(-quotient_bar * S / K / K, np.shape(K))
    r_bar += _unbroadcast(total_bar3, np.shape(r))
    sigma_bar += _unbroadcast(total_bar3 * sigma, np.shape(sigma)) + _unbroadcast(
        product_bar4 * sqrt_T, np.shape(sigma)
    )
    T_bar += _unbroadcast(total_bar2 * total, np.shape(T))
    sqrt_T_bar += _unbroadcast(product_bar4 * sigma, np.shape(sqrt_T))
    T_bar += 0.5 * sqrt_T_bar / sqrt_T
    return S_bar, K_bar, T_bar, sigma_bar, r_bar


# pullback: vjp of norm_cdf wrt x private=yes [58472881 9aa60ee6]
def _norm_cdf_vjp(x, norm_cdf_bar):
    """Vector-Jacobian product of norm_cdf with respect to x."""
    k = 1.0 / (1.0 + 0.2316419 * np.abs(x))
    poly = 0.0
    poly_tape = []
    for c in (1.330274429, -1.821255978, 1.781477937, -0.356563782, 0.319381530):
        poly_tape.append(poly)
        poly = k * (c + poly)
    sqrt = np.sqrt(2.0 * np.pi)
    exp_x = np.exp(-0.5 * x * x)
    # Backward pass
    tail_bar = np.where(x >= 0.0, 0.0, norm_cdf_bar) - np.where(
        x >= 0.0, norm_cdf_bar, 0.0
    )
    exp_x_bar = np.where(tail_bar != 0.0, tail_bar * poly, 0.0) / sqrt
    product_bar = np.where(exp_x_bar != 0.0, exp_x_bar * exp_x, 0.0)
    x_bar = _unbroadcast(product_bar * x * -0.5, np.shape(x)) + _unbroadcast(
        -0.5 * product_bar * x, np.shape(x)
    )
    poly_bar = _unbroadcast(
        np.where(tail_bar != 0.0, tail_bar * (exp_x / sqrt), 0.0), np.shape(poly)
    )
    k_bar = np.zeros_like(k)
    for c in reversed(
        (1.330274429, -1.821255978, 1.781477937, -0.356563782, 0.319381530)
    ):
        poly = poly_tape.pop()
        k_bar += _unbroadcast(
            np.where(poly_bar != 0.0, poly_bar * (c + poly), 0.0), np.shape(k)
        )
        poly_bar = _unbroadcast(
            np.where(poly_bar != 0.0, poly_bar * k, 0.0), np.shape(poly)
        )
    return x_bar + np.where(k_bar != 0.0, -k_bar * k * k, 0.0) * 0.2316419 * np.sign(x)


# pullback: vjp of portfolio_value wrt S, K, T, sigma, r [059d7211 71bc2b24]
def portfolio_value_vjp(S, K, T, sigma, r, is_call, amounts, portfolio_value_bar):
    """Vector-Jacobian product of portfolio_value with respect to S, K, T, sigma and r."""
    # Backward pass
    (
        black_scholes_S_bar,
        black_scholes_K_bar,
        black_scholes_T_bar,
        black_scholes_sigma_bar,
        black_scholes_r_bar,
    ) = _black_scholes_vjp(
        S,
        K,
        T,
        sigma,
        r,
        is_call,
        _matmul_b_bar(
            portfolio_value_bar, amounts, black_scholes(S, K, T, sigma, r, is_call)
        ),
    )
    return (
        black_scholes_S_bar,
        black_scholes_K_bar,
        black_scholes_T_bar,
        black_scholes_sigma_bar,
        black_scholes_r_bar,
    )
