def _unbroadcast(x_bar, shape):
    """x_bar summed over the axes along which an operand of this shape was broadcast."""
    if np.ndim(x_bar) == 0:
        return +x_bar
    x_bar = np.sum(x_bar, axis=tuple(range(np.ndim(x_bar) - len(shape))))
    stretched = tuple(i for i, n in enumerate(shape) if n == 1 and x_bar.shape[i] != 1)
    return np.sum(x_bar, axis=stretched, keepdims=True) if stretched else x_bar


# pullback: vjp of american_put wrt S, K, r, sigma, T [e1349be6 8b4ed09b]
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
    power4_tape = []
    power3_tape = []
    product2_tape = []
    difference_tape = []
    for j in range(n + 1):
        power4 = u**j
        power4_tape.append(power4)
        power3 = d ** (n - j)
        power3_tape.append(power3)
        product2 = S * power4
        product2_tape.append(product2)
        difference = K - product2 * power3
        difference_tape.append(difference)
        prices[j] = max(difference, 0.0)
    prices_j_tape = []
    power2_tape = []
    prices2_tape = []
    power_tape = []
    product_tape = []
    total_tape = []
    hold_tape = []
    exercise_tape = []

    for i in range(n - 1, -1, -1):
        for j in range(i + 1):
            prices_j = prices[j]
            prices_j_tape.append(prices_j)
            prices2 = prices[j + 1]
            prices2_tape.append(prices2)
            total = p * prices2 + (1.0 - p) * prices_j
            total_tape.append(total)
            hold = discount * total
            power2 = u**j
            power2_tape.append(power2)
            power = d ** (i - j)
            power_tape.append(power)
            product = S * power2
            product_tape.append(product)
            exercise = K - product * power
            hold_tape.append(hold)
            exercise_tape.append(exercise)
            prices[j] = max(hold, exercise)
    # Backward pass
    prices_bar = np.zeros_like(prices)
    prices_bar[0] += american_put_bar
    K_bar = 0.0
    S_bar = 0.0
    u_bar = np.zeros_like(u)
    d_bar = np.zeros_like(d)
    discount_bar = np.zeros_like(discount)
    p_bar = np.zeros_like(p)
    for i in reversed(range(n - 1, -1, -1)):
        for j in reversed(range(i + 1)):
            prices_j = prices_j_tape.pop()
            power2 = power2_tape.pop()
            prices2 = prices2_tape.pop()
            power = power_tape.pop()
            product = product_tape.pop()
            total = total_tape.pop()
            hold = hold_tape.pop()
            exercise = exercise_tape.pop()
            hold_bar = prices_bar[j] * (
                1.0 if hold > exercise else 0.5 if hold == exercise else 0.0
            )
            exercise_bar = prices_bar[j] * (
                1.0 if exercise > hold else 0.5 if hold == exercise else 0.0
            )
            prices_bar[j] = 0.0
            product_bar = -exercise_bar
            product_bar2 = np.where(product_bar != 0.0, product_bar * power, 0.0)
            K_bar += np.sum(exercise_bar)
            S_bar += np.sum(np.where(product_bar2 != 0.0, product_bar2 * power2, 0.0))
            u_bar += _unbroadcast(
                np.where(
                    product_bar2 * S != 0.0,
                    product_bar2 * S * j * u ** (j - (j != 0)),
                    0.0,
                ),
                np.shape(u),
            )
            where_product_bar_product = np.where(
                product_bar != 0.0, product_bar * product, 0.0
            )
            d_bar += _unbroadcast(
                np.where(
                    where_product_bar_product != 0.0,
                    where_product_bar_product * (i - j) * d ** (i - j - (i - j != 0)),
                    0.0,
                ),
                np.shape(d),
            )
            total_bar = np.where(hold_bar != 0.0, hold_bar * discount, 0.0)
            discount_bar += _unbroadcast(
                np.where(hold_bar != 0.0, hold_bar * total, 0.0), np.shape(discount)
            )
            p_bar += total_bar * (prices2 - prices_j)
            prices_bar[j + 1] += np.sum(np.where(total_bar != 0.0, total_bar * p, 0.0))
            prices_bar[j] += np.sum(
                np.where(total_bar != 0.0, total_bar * (1.0 - p), 0.0)
            )
    for j in reversed(range(n + 1)):
        power4 = power4_tape.pop()
        power3 = power3_tape.pop()
        product2 = product2_tape.pop()
        difference = difference_tape.pop()
        difference_bar = prices_bar[j] * (
            1.0 if difference > 0.0 else 0.5 if difference == 0.0 else 0.0
        )
        product_bar3 = -difference_bar
        product_bar4 = np.where(product_bar3 != 0.0, product_bar3 * power3, 0.0)
        K_bar += np.sum(difference_bar)
        S_bar += np.sum(np.where(product_bar4 != 0.0, product_bar4 * power4, 0.0))
        u_bar += np.where(
            product_bar4 * S != 0.0, product_bar4 * S * j * u ** (j - (j != 0)), 0.0
        )
        where_product_bar3_product2 = np.where(
            product_bar3 != 0.0, product_bar3 * product2, 0.0
        )
        d_bar += np.where(
            where_product_bar3_product2 != 0.0,
            where_product_bar3_product2 * (n - j) * d ** (n - j - (n - j != 0)),
            0.0,
        )
        prices_bar[j] = 0.0
    product_bar5 = np.where(discount_bar != 0.0, discount_bar * discount, 0.0)
    r_bar = _unbroadcast(
        -np.where(product_bar5 != 0.0, product_bar5 * dt, 0.0), np.shape(r)
    )
    dt_bar = _unbroadcast(-product_bar5 * r, np.shape(dt))
    difference_bar2 = np.where(p_bar != 0.0, p_bar / (u - d), 0.0)
    product_bar6 = np.where(difference_bar2 != 0.0, difference_bar2 * exp, 0.0)
    difference_bar3 = np.where(p_bar != 0.0, p_bar * p / (d - u), 0.0)
    r_bar += _unbroadcast(
        np.where(product_bar6 != 0.0, product_bar6 * dt, 0.0), np.shape(r)
    )
    dt_bar += _unbroadcast(product_bar6 * r, np.shape(dt))
    d_bar += _unbroadcast(-difference_bar2, np.shape(d)) + _unbroadcast(
        -difference_bar3, np.shape(d)
    )
    u_bar += _unbroadcast(difference_bar3, np.shape(u))
    u_bar += np.where(d_bar != 0.0, -d_bar * d * d, 0.0)
    product_bar7 = np.where(u_bar != 0.0, u_bar * u, 0.0)
    sigma_bar = _unbroadcast(
        np.where(product_bar7 != 0.0, product_bar7 * sqrt_dt, 0.0), np.shape(sigma)
    )
    dt_bar += _unbroadcast(
        np.where(
            product_bar7 * sigma != 0.0, 0.5 * product_bar7 * sigma / sqrt_dt, 0.0
        ),
        np.shape(dt),
    )
    return S_bar, K_bar, r_bar, sigma_bar, dt_bar / n
