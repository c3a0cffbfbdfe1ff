def _unbroadcast(x_bar, shape):
    """x_bar summed over the axes along which an operand of this shape was broadcast."""
    if np.shape(x_bar) == shape or np.ndim(x_bar) == 0:
        return 1.0 * x_bar
    x_bar = np.sum(x_bar, axis=tuple(range(np.ndim(x_bar) - len(shape))))
    stretched = tuple(i for i, n in enumerate(shape) if n == 1 and x_bar.shape[i] != 1)
    return np.sum(x_bar, axis=stretched, keepdims=True) if stretched else x_bar


# pullback: vjp of american_put wrt S, K, r, sigma, T [e1349be6 314cf9d8]
def american_put_vjp(S, K, r, sigma, T, n, american_put_bar):
    """Vector-Jacobian product of american_put with respect to S, K, r, sigma and T."""
    dt = T / n
    sqrt_dt = math.sqrt(dt)
    u = math.exp(sigma * sqrt_dt)
    d = 1.0 / u
    exp = math.exp(r * dt)
    p = (exp - d) / (u - d)
    discount = math.exp(-r * dt)

    prices = np.zeros(n + 1)
    difference_tape = []
    for j in range(n + 1):
        difference = K - S * u**j * d ** (n - j)
        difference_tape.append(difference)
        prices[j] = max(difference, 0.0)
    tape = []

    for i in range(n - 1, -1, -1):
        for j in range(i + 1):
            prices_j = prices[j]
            prices2 = prices[j + 1]
            total = p * prices2 + (1.0 - p) * prices_j
            hold = discount * total
            exercise = K - S * u**j * d ** (i - j)
            tape.append((prices_j, prices2, total, hold, exercise))
            prices[j] = max(hold, exercise)
    # Backward pass
    prices_bar = np.zeros_like(prices)
    prices_bar[0] = american_put_bar
    K_bar = 0.0
    S_bar = 0.0
    u_bar = 0.0
    d_bar = 0.0
    discount_bar = 0.0
    p_bar = 0.0
    for i in reversed(range(n - 1, -1, -1)):
        for j in reversed(range(i + 1)):
            prices_j, prices2, total, hold, exercise = tape.pop()
            hold_bar = prices_bar[j] * (
                1.0 if hold > exercise else 0.5 if hold == exercise else 0.0
            )
            exercise_bar = prices_bar[j] * (
                1.0 if exercise > hold else 0.5 if hold == exercise else 0.0
            )
            prices_bar[j] = 0.0
            product_bar = -exercise_bar
            product_bar2 = product_bar * d ** (i - j) if product_bar != 0.0 else 0.0
            power_bar = product_bar2 * S
            power_bar2 = product_bar * S * u**j if product_bar != 0.0 else 0.0
            K_bar += exercise_bar
            S_bar += product_bar2 * u**j if product_bar2 != 0.0 else 0.0
            u_bar += power_bar * j * u ** (j - (j != 0)) if power_bar != 0.0 else 0.0
            d_bar += (
                power_bar2 * (i - j) * d ** (i - j - (i - j != 0))
                if power_bar2 != 0.0
                else 0.0
            )
            total_bar = hold_bar * discount if hold_bar != 0.0 else 0.0
            discount_bar += hold_bar * total if hold_bar != 0.0 else 0.0
            p_bar += (total_bar * prices2 if total_bar != 0.0 else 0.0) - (
                total_bar * prices_j if total_bar != 0.0 else 0.0
            )
            prices_bar[j + 1] += total_bar * p if total_bar != 0.0 else 0.0
            prices_bar[j] += total_bar * (1.0 - p) if total_bar != 0.0 else 0.0
    for j in reversed(range(n + 1)):
        difference = difference_tape.pop()
        difference_bar = prices_bar[j] * (
            1.0 if difference > 0.0 else 0.5 if difference == 0.0 else 0.0
        )
        product_bar3 = -difference_bar
        product_bar4 = product_bar3 * d ** (n - j) if product_bar3 != 0.0 else 0.0
        power_bar3 = product_bar4 * S
        power_bar4 = product_bar3 * S * u**j if product_bar3 != 0.0 else 0.0
        K_bar += difference_bar
        S_bar += product_bar4 * u**j if product_bar4 != 0.0 else 0.0
        u_bar += power_bar3 * j * u ** (j - (j != 0)) if power_bar3 != 0.0 else 0.0
        d_bar += (
            power_bar4 * (n - j) * d ** (n - j - (n - j != 0))
            if power_bar4 != 0.0
            else 0.0
        )
        prices_bar[j] = 0.0
    product_bar5 = discount_bar * discount if discount_bar != 0.0 else 0.0
    r_bar = _unbroadcast(
        -np.where(product_bar5 != 0.0, product_bar5 * dt, 0.0), np.shape(r)
    )
    dt_bar = _unbroadcast(-product_bar5 * r, np.shape(dt))
    difference_bar2 = p_bar / (u - d) if p_bar != 0.0 else 0.0
    product_bar6 = difference_bar2 * exp if difference_bar2 != 0.0 else 0.0
    difference_bar3 = p_bar * p / (d - u) if p_bar != 0.0 else 0.0
    r_bar += _unbroadcast(
        np.where(product_bar6 != 0.0, product_bar6 * dt, 0.0), np.shape(r)
    )
    dt_bar += _unbroadcast(product_bar6 * r, np.shape(dt))
    d_bar += -difference_bar2 - difference_bar3
    u_bar += difference_bar3
    u_bar += -d_bar * d * d if d_bar != 0.0 else 0.0
    product_bar7 = u_bar * u if u_bar != 0.0 else 0.0
    sqrt_dt_bar = np.sum(product_bar7 * sigma)
    sigma_bar = product_bar7 * sqrt_dt
    dt_bar += 0.5 * sqrt_dt_bar / sqrt_dt if sqrt_dt_bar != 0.0 else 0.0
    return S_bar, K_bar, r_bar, sigma_bar, dt_bar / n
