# pullback: vjp of garch_nll wrt theta, r [9497fe79 77cc3bf8]
def garch_nll_vjp(theta, r, garch_nll_bar):
    """Vector-Jacobian product of garch_nll with respect to theta and r."""
    mu, phi, omega, alpha, beta = theta[0], theta[1], theta[2], theta[3], theta[4]
    if omega <= 0.0 or alpha < 0.0 or beta < 0.0 or alpha + beta >= 1.0:
        # Backward pass
        return (
            np.zeros_like(theta, dtype=np.result_type(theta, 0.0)),
            np.zeros_like(r, dtype=np.result_type(r, 0.0)),
        )
    T = len(r)
    e = np.zeros(T)
    h = np.zeros(T)
    e[0] = r[0] - mu
    difference = 1.0 - alpha - beta
    quotient2 = omega / difference
    h[0] = quotient2
    for t in range(1, T):
        e[t] = r[t] - mu - phi * r[t - 1]
        h[t] = omega + alpha * e[t - 1] ** 2 + beta * h[t - 1]
    # Backward pass
    total_bar = garch_nll_bar * 0.5
    h_bar = total_bar * (2.0 * np.pi / (2.0 * np.pi * h) - e**2 / h / h)
    e_bar = 2 * total_bar / h * e
    omega_bar = np.zeros_like(omega, dtype=np.result_type(omega, 0.0))
    alpha_bar = np.zeros_like(alpha, dtype=np.result_type(alpha, 0.0))
    beta_bar = np.zeros_like(beta, dtype=np.result_type(beta, 0.0))
    mu_bar = np.zeros_like(mu, dtype=np.result_type(mu, 0.0))
    phi_bar = np.zeros_like(phi, dtype=np.result_type(phi, 0.0))
    r_bar = np.zeros_like(r, dtype=np.result_type(r, 0.0))
    for t in reversed(range(1, T)):
        omega_bar += h_bar[t]
        alpha_bar += h_bar[t] * e[t - 1] ** 2
        beta_bar += h_bar[t] * h[t - 1]
        e_bar[t - 1] += 2 * np.sum(h_bar[t] * alpha) * e[t - 1]
        h_bar[t - 1] += np.sum(h_bar[t] * beta)
        product_bar = -e_bar[t]
        mu_bar -= e_bar[t]
        phi_bar += product_bar * r[t - 1]
        r_bar[t] += np.sum(e_bar[t])
        r_bar[t - 1] += np.sum(product_bar * phi)
    difference_bar = -h_bar[0] * quotient2 / difference
    omega_bar += h_bar[0] / difference
    alpha_bar -= difference_bar
    beta_bar -= difference_bar
    mu_bar -= e_bar[0]
    r_bar[0] += np.sum(e_bar[0])
    theta_bar = np.zeros_like(theta, dtype=np.result_type(theta, 0.0))
    theta_bar[0] = mu_bar
    theta_bar[1] = phi_bar
    theta_bar[2] = omega_bar
    theta_bar[3] = alpha_bar
    theta_bar[4] = beta_bar
    return theta_bar, r_bar
