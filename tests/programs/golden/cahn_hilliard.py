def _unbroadcast(x_bar, shape):
    """x_bar summed over the axes along which an operand of this shape was broadcast."""
    if np.shape(x_bar) == shape or np.ndim(x_bar) == 0:
        return 1.0 * x_bar
    x_bar = np.sum(x_bar, axis=tuple(range(np.ndim(x_bar) - len(shape))))
    stretched = tuple(i for i, n in enumerate(shape) if n == 1 and x_bar.shape[i] != 1)
    return np.sum(x_bar, axis=stretched, keepdims=True) if stretched else x_bar


# pullback: vjp of final_energy wrt c, M, kappa [eb37628d a5df9b73]
def final_energy_vjp(c, M, kappa, dt, dx, steps, final_energy_bar):
    """Vector-Jacobian product of final_energy with respect to c, M and kappa."""
    n = c.shape[0]
    k = 2.0 * np.pi * np.fft.fftfreq(n, d=dx)
    kx, ky = np.meshgrid(k, k, indexing="ij")
    k2 = kx**2 + ky**2
    c_hat = np.fft.fft2(c)
    tape = []
    for _ in range(steps):
        mu_hat = np.fft.fft2(c**3 - c)
        shape_c_hat = np.shape(c_hat)
        product = dt * M * k2
        total2 = 1.0 + dt * M * kappa * k2**2
        c_hat = (c_hat - product * mu_hat) / total2
        tape.append((c, shape_c_hat, product, total2, mu_hat, c_hat))
        c = np.fft.ifft2(c_hat).real
    grad_x = np.fft.ifft2(1j * kx * c_hat).real
    grad_y = np.fft.ifft2(1j * ky * c_hat).real
    difference = c**2 - 1.0
    bulk = 0.25 * difference**2
    total = grad_x**2 + grad_y**2
    total3 = bulk + 0.5 * kappa * total
    # Backward pass
    total_bar = np.sum(final_energy_bar * dx**2)
    product_bar = np.full_like(total3, total_bar)
    total_bar2 = 0.5 * product_bar * kappa
    bulk_bar = np.full_like(total3, total_bar)
    kappa_bar = _unbroadcast(product_bar * total * 0.5, np.shape(kappa))
    grad_x_bar = _unbroadcast(2 * total_bar2 * grad_x, grad_x.shape)
    grad_y_bar = _unbroadcast(2 * total_bar2 * grad_y, grad_y.shape)
    c_bar = _unbroadcast(bulk_bar * difference * c, c.shape)
    c_hat_bar = _unbroadcast(
        np.fft.fft2(grad_y_bar, axes=(-2, -1), norm="forward") * np.conj(1j * ky),
        c_hat.shape,
    )
    c_hat_bar += _unbroadcast(
        np.fft.fft2(grad_x_bar, axes=(-2, -1), norm="forward") * np.conj(1j * kx),
        c_hat.shape,
    )
    M_bar = np.zeros_like(M, dtype=np.result_type(M, 0.0))
    for _ in range(steps):
        c, shape_c_hat, product, total2, mu_hat, c_hat = tape.pop()
        c_hat_bar += np.fft.fft2(c_bar, axes=(-2, -1), norm="forward")
        difference_bar = c_hat_bar / total2
        product_bar2 = -difference_bar
        product_bar3 = (-c_hat_bar * np.conj(c_hat / total2)).real * k2**2
        M_bar += _unbroadcast(
            (product_bar2 * np.conj(mu_hat)).real * k2 * dt, np.shape(M)
        ) + _unbroadcast(product_bar3 * kappa * dt, np.shape(M))
        mu_hat_bar = _unbroadcast(product_bar2 * product, mu_hat.shape)
        kappa_bar += _unbroadcast(product_bar3 * dt * M, np.shape(kappa))
        c_hat_bar = _unbroadcast(difference_bar, shape_c_hat)
        difference_bar2 = np.fft.ifft2(mu_hat_bar, axes=(-2, -1), norm="forward").real
        c_bar = 3 * difference_bar2 * c**2 - difference_bar2
    c_bar += np.fft.ifft2(c_hat_bar, axes=(-2, -1), norm="forward").real
    return c_bar, M_bar, kappa_bar
