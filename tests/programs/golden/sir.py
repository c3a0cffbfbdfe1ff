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


# pullback: vjp of epidemic_nll wrt beta, gamma, rho, scale, contacts [cec225e6 1db9ae10]
def epidemic_nll_vjp(
    beta,
    gamma,
    rho,
    scale,
    contacts,
    population,
    seed,
    reports,
    closed,
    epidemic_nll_bar,
):
    """Vector-Jacobian product of epidemic_nll with respect to beta, gamma, rho, scale and contacts."""
    days, _ = reports.shape
    sus = population - seed
    inf = seed.copy()
    start, end = closed
    tape = []
    for day in range(days):
        c = contacts
        if start <= day < end:
            c = scale * contacts
        product = c @ (inf / population)
        shape_product = np.shape(product)
        inf_0 = inf
        force = beta * product
        exp_force = np.exp(-force)
        difference = 1.0 - exp_force
        sus_0 = sus
        infected = sus * difference
        recovered = gamma * inf
        sus = sus - infected
        shape_recovered = np.shape(recovered)
        inf = inf + infected - recovered
        expected = rho * infected
        difference2 = expected - reports[day] * np.log(expected)
        tape.append(
            (
                product,
                shape_product,
                inf_0,
                c,
                exp_force,
                difference,
                sus_0,
                shape_recovered,
                infected,
                difference2,
                expected,
            )
        )
    # Backward pass
    nll_bar = epidemic_nll_bar
    rho_bar = np.zeros_like(rho, dtype=np.result_type(rho, 0.0))
    sus_bar = np.zeros_like(sus, dtype=np.result_type(sus, 0.0))
    beta_bar = np.zeros_like(beta, dtype=np.result_type(beta, 0.0))
    inf_bar = np.zeros_like(inf, dtype=np.result_type(inf, 0.0))
    scale_bar = np.zeros_like(scale, dtype=np.result_type(scale, 0.0))
    contacts_bar = np.zeros_like(contacts, dtype=np.result_type(contacts, 0.0))
    gamma_bar = np.zeros_like(gamma, dtype=np.result_type(gamma, 0.0))
    for day in reversed(range(days)):
        (
            product,
            shape_product,
            inf,
            c,
            exp_force,
            difference,
            sus,
            shape_recovered,
            infected,
            difference2,
            expected,
        ) = tape.pop()
        expected_bar = _unbroadcast(
            np.full_like(difference2, nll_bar), np.shape(expected)
        ) + _unbroadcast(
            np.broadcast_to(-nll_bar * reports[day], difference2.shape) / expected,
            np.shape(expected),
        )
        rho_bar += _unbroadcast(expected_bar * infected, np.shape(rho))
        infected_bar = _unbroadcast(expected_bar * rho, np.shape(infected))
        infected_bar += _unbroadcast(inf_bar, np.shape(infected))
        recovered_bar = _unbroadcast(-inf_bar, shape_recovered)
        inf_bar = _unbroadcast(inf_bar, np.shape(inf))
        infected_bar -= sus_bar
        sus_bar = _unbroadcast(sus_bar, np.shape(sus))
        gamma_bar += _unbroadcast(recovered_bar * inf, np.shape(gamma))
        inf_bar += _unbroadcast(recovered_bar * gamma, np.shape(inf))
        sus_bar += _unbroadcast(infected_bar * difference, np.shape(sus))
        force_bar = infected_bar * sus * exp_force
        product_bar = _unbroadcast(force_bar * beta, shape_product)
        beta_bar += _unbroadcast(force_bar * product, np.shape(beta))
        c_bar = _matmul_a_bar(product_bar, c, inf / population)
        inf_bar += _unbroadcast(
            _matmul_b_bar(product_bar, c, inf / population) / population, np.shape(inf)
        )
        if start <= day < end:
            scale_bar += _unbroadcast(c_bar * contacts, np.shape(scale))
            contacts_bar += _unbroadcast(c_bar * scale, np.shape(contacts))
            c_bar = np.zeros_like(contacts, dtype=np.result_type(contacts, 0.0))
        contacts_bar += c_bar
    return beta_bar, gamma_bar, rho_bar, scale_bar, contacts_bar
