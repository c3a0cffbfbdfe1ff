def _unbroadcast(x_bar, shape):
    """x_bar summed over the axes along which an operand of this shape was broadcast."""
    if np.shape(x_bar) == shape or np.ndim(x_bar) == 0:
        return 1.0 * x_bar
    x_bar = np.sum(x_bar, axis=tuple(range(np.ndim(x_bar) - len(shape))))
    stretched = tuple(i for i, n in enumerate(shape) if n == 1 and x_bar.shape[i] != 1)
    return np.sum(x_bar, axis=stretched, keepdims=True) if stretched else x_bar


# pullback: vjp of cavity_flow wrt u, v, p, rho, nu, lid [1b889b0c f15ce61f]
def cavity_flow_vjp(nt, nit, u, v, dt, dx, dy, p, rho, nu, lid, cavity_flow_bar):
    """Vector-Jacobian product of cavity_flow with respect to u, v, p, rho, nu and lid."""
    u = u.copy()
    v = v.copy()
    p = p.copy()
    """The velocities and the pressure after nt steps."""
    b = np.zeros_like(p)
    tape = []
    tape2 = []
    for _ in range(nt):
        un = u.copy()
        vn = v.copy()
        difference7 = v[1:-1, 2:] - v[1:-1, 0:-2]
        quotient12 = (u[1:-1, 2:] - u[1:-1, 0:-2]) / (2 * dx)
        quotient13 = (u[2:, 1:-1] - u[0:-2, 1:-1]) / (2 * dy)
        quotient14 = (v[2:, 1:-1] - v[0:-2, 1:-1]) / (2 * dy)
        difference8 = (
            1 / dt * (quotient12 + quotient14)
            - quotient12**2
            - 2 * (quotient13 * difference7 / (2 * dx))
            - quotient14**2
        )
        b[1:-1, 1:-1] = rho * difference8
        for _2 in range(nit):
            pn = p.copy()
            product3 = 2 * (dx**2 + dy**2)
            shape_pn = np.shape(pn[1:-1, 2:])
            shape_pn3 = np.shape(pn[2:, 1:-1])
            shape_pn2 = np.shape(pn[1:-1, 0:-2])
            shape_pn4 = np.shape(pn[0:-2, 1:-1])
            quotient11 = dx**2 * dy**2 / product3
            tape2.append(
                (product3, shape_pn, shape_pn3, shape_pn2, shape_pn4, quotient11)
            )
            p[1:-1, 1:-1] = (
                (pn[1:-1, 2:] + pn[1:-1, 0:-2]) * dy**2
                + (pn[2:, 1:-1] + pn[0:-2, 1:-1]) * dx**2
            ) / product3 - quotient11 * b[1:-1, 1:-1]
            p[:, -1] = p[:, -2]  # dp/dx = 0 at the right wall
            p[0, :] = p[1, :]  # dp/dy = 0 at the bottom
            p[:, 0] = p[:, 1]  # dp/dx = 0 at the left wall
            p[-1, :] = 0  # p = 0 at the lid

        quotient4 = dt / dx**2
        quotient5 = dt / dy**2
        product2 = 2 * rho * dx
        quotient8 = dt / product2
        shape_vn = np.shape(vn[1:-1, 1:-1])
        quotient = un[1:-1, 1:-1] * dt / dx
        quotient2 = vn[1:-1, 1:-1] * dt / dy
        difference4 = p[1:-1, 2:] - p[1:-1, 0:-2]
        difference5 = un[1:-1, 1:-1] - un[1:-1, 0:-2]
        difference6 = un[1:-1, 1:-1] - un[0:-2, 1:-1]
        total2 = quotient4 * (
            un[1:-1, 2:] - 2 * un[1:-1, 1:-1] + un[1:-1, 0:-2]
        ) + quotient5 * (un[2:, 1:-1] - 2 * un[1:-1, 1:-1] + un[0:-2, 1:-1])
        u[1:-1, 1:-1] = (
            un[1:-1, 1:-1]
            - quotient * difference5
            - quotient2 * difference6
            - quotient8 * difference4
            + nu * total2
        )
        product = 2 * rho * dy
        quotient3 = dt / product
        shape_un = np.shape(un[1:-1, 1:-1])
        difference = p[2:, 1:-1] - p[0:-2, 1:-1]
        difference2 = vn[1:-1, 1:-1] - vn[0:-2, 1:-1]
        difference3 = vn[1:-1, 1:-1] - vn[1:-1, 0:-2]
        total = quotient4 * (
            vn[1:-1, 2:] - 2 * vn[1:-1, 1:-1] + vn[1:-1, 0:-2]
        ) + quotient5 * (vn[2:, 1:-1] - 2 * vn[1:-1, 1:-1] + vn[0:-2, 1:-1])
        tape.append(
            (
                difference7,
                quotient12,
                quotient13,
                quotient14,
                difference8,
                quotient4,
                quotient5,
                product2,
                quotient8,
                shape_vn,
                quotient,
                quotient2,
                difference4,
                difference5,
                difference6,
                total2,
                product,
                quotient3,
                shape_un,
                difference,
                difference2,
                difference3,
                total,
            )
        )
        v[1:-1, 1:-1] = (
            vn[1:-1, 1:-1]
            - quotient * difference3
            - quotient2 * difference2
            - quotient3 * difference
            + nu * total
        )

        u[0, :] = 0
        u[:, 0] = 0
        u[:, -1] = 0
        u[-1, :] = lid
        v[0, :] = 0
        v[-1, :] = 0
        v[:, 0] = 0
        v[:, -1] = 0
    # Backward pass
    u_bar = np.positive(cavity_flow_bar[0])
    v_bar = np.positive(cavity_flow_bar[1])
    p_bar = np.positive(cavity_flow_bar[2])
    lid_bar = np.zeros_like(lid, dtype=np.result_type(lid, 0.0))
    rho_bar = np.zeros_like(rho, dtype=np.result_type(rho, 0.0))
    nu_bar = np.zeros_like(nu, dtype=np.result_type(nu, 0.0))
    b_bar = np.zeros_like(b, dtype=np.result_type(b, 0.0))
    for _ in reversed(range(nt)):
        (
            difference7,
            quotient12,
            quotient13,
            quotient14,
            difference8,
            quotient4,
            quotient5,
            product2,
            quotient8,
            shape_vn,
            quotient,
            quotient2,
            difference4,
            difference5,
            difference6,
            total2,
            product,
            quotient3,
            shape_un,
            difference,
            difference2,
            difference3,
            total,
        ) = tape.pop()
        v_bar[:, -1] = 0.0
        v_bar[:, 0] = 0.0
        v_bar[-1, :] = 0.0
        v_bar[0, :] = 0.0
        lid_bar += _unbroadcast(u_bar[-1, :], np.shape(lid))
        u_bar[-1, :] = 0.0
        u_bar[:, -1] = 0.0
        u_bar[:, 0] = 0.0
        u_bar[0, :] = 0.0
        product_bar = -v_bar[1:-1, 1:-1]
        difference_bar = product_bar * quotient
        product_bar2 = -v_bar[1:-1, 1:-1]
        difference_bar2 = product_bar2 * quotient2
        product_bar3 = -v_bar[1:-1, 1:-1]
        difference_bar3 = product_bar3 * quotient3
        total_bar = v_bar[1:-1, 1:-1] * nu
        total_bar2 = total_bar * quotient4
        total_bar3 = total_bar * quotient5
        rho_bar += _unbroadcast(
            product_bar3 * difference * quotient3 / product * dy * -2.0, np.shape(rho)
        )
        nu_bar += _unbroadcast(v_bar[1:-1, 1:-1] * total, np.shape(nu))
        vn_bar = np.zeros_like(v, dtype=np.result_type(v, 0.0))
        vn_bar[1:-1, 1:-1] = (
            _unbroadcast(v_bar[1:-1, 1:-1], difference2.shape)
            + _unbroadcast(difference_bar, difference2.shape)
            + _unbroadcast(product_bar2 * difference2 / dy * dt, difference2.shape)
            + _unbroadcast(difference_bar2, difference2.shape)
            + _unbroadcast(total_bar2 * -2, difference2.shape)
            + _unbroadcast(total_bar3 * -2, difference2.shape)
        )
        un_bar = np.zeros_like(u, dtype=np.result_type(u, 0.0))
        un_bar[1:-1, 1:-1] = _unbroadcast(product_bar * difference3 / dx * dt, shape_un)
        vn_bar[1:-1, 0:-2] += _unbroadcast(
            -difference_bar, difference2.shape
        ) + _unbroadcast(total_bar2, difference2.shape)
        vn_bar[0:-2, 1:-1] += _unbroadcast(
            -difference_bar2, difference2.shape
        ) + _unbroadcast(total_bar3, difference2.shape)
        p_bar[2:, 1:-1] += _unbroadcast(difference_bar3, p[2:, 1:-1].shape)
        p_bar[0:-2, 1:-1] += _unbroadcast(-difference_bar3, p[0:-2, 1:-1].shape)
        vn_bar[1:-1, 2:] += _unbroadcast(total_bar2, difference2.shape)
        vn_bar[2:, 1:-1] += _unbroadcast(total_bar3, difference2.shape)
        v_bar[1:-1, 1:-1] = 0.0
        product_bar4 = -u_bar[1:-1, 1:-1]
        difference_bar4 = product_bar4 * quotient
        product_bar5 = -u_bar[1:-1, 1:-1]
        difference_bar5 = product_bar5 * quotient2
        product_bar6 = -u_bar[1:-1, 1:-1]
        difference_bar6 = product_bar6 * quotient8
        total_bar4 = u_bar[1:-1, 1:-1] * nu
        total_bar5 = total_bar4 * quotient4
        total_bar6 = total_bar4 * quotient5
        rho_bar += _unbroadcast(
            product_bar6 * difference4 * quotient8 / product2 * dx * -2.0, np.shape(rho)
        )
        nu_bar += _unbroadcast(u_bar[1:-1, 1:-1] * total2, np.shape(nu))
        un_bar[1:-1, 1:-1] += (
            _unbroadcast(u_bar[1:-1, 1:-1], difference5.shape)
            + _unbroadcast(product_bar4 * difference5 / dx * dt, difference5.shape)
            + _unbroadcast(difference_bar4, difference5.shape)
            + _unbroadcast(difference_bar5, difference5.shape)
            + _unbroadcast(total_bar5 * -2, difference5.shape)
            + _unbroadcast(total_bar6 * -2, difference5.shape)
        )
        un_bar[1:-1, 0:-2] += _unbroadcast(
            -difference_bar4, difference5.shape
        ) + _unbroadcast(total_bar5, difference5.shape)
        vn_bar[1:-1, 1:-1] += _unbroadcast(
            product_bar5 * difference6 / dy * dt, shape_vn
        )
        un_bar[0:-2, 1:-1] += _unbroadcast(
            -difference_bar5, difference5.shape
        ) + _unbroadcast(total_bar6, difference5.shape)
        p_bar[1:-1, 2:] += _unbroadcast(difference_bar6, p[1:-1, 2:].shape)
        p_bar[1:-1, 0:-2] += _unbroadcast(-difference_bar6, p[1:-1, 0:-2].shape)
        un_bar[1:-1, 2:] += _unbroadcast(total_bar5, difference5.shape)
        un_bar[2:, 1:-1] += _unbroadcast(total_bar6, difference5.shape)
        u_bar[1:-1, 1:-1] = 0.0
        for _ in range(nit):
            product3, shape_pn, shape_pn3, shape_pn2, shape_pn4, quotient11 = (
                tape2.pop()
            )
            p_bar[-1, :] = 0.0
            p_new_bar = p_bar[:, 0].copy()
            p_bar[:, 0] = 0.0
            p_bar[:, 1] += p_new_bar
            p_new_bar2 = p_bar[0, :].copy()
            p_bar[0, :] = 0.0
            p_bar[1, :] += p_new_bar2
            p_new_bar3 = p_bar[:, -1].copy()
            p_bar[:, -1] = 0.0
            p_bar[:, -2] += p_new_bar3
            total_bar7 = p_bar[1:-1, 1:-1] / product3
            total_bar8 = total_bar7 * dy**2
            total_bar9 = total_bar7 * dx**2
            pn_bar = np.zeros_like(pn, dtype=np.result_type(pn, 0.0))
            pn_bar[1:-1, 2:] = _unbroadcast(total_bar8, shape_pn)
            pn_bar[1:-1, 0:-2] += _unbroadcast(total_bar8, shape_pn2)
            pn_bar[2:, 1:-1] += _unbroadcast(total_bar9, shape_pn3)
            pn_bar[0:-2, 1:-1] += _unbroadcast(total_bar9, shape_pn4)
            b_bar[1:-1, 1:-1] += _unbroadcast(
                -p_bar[1:-1, 1:-1] * quotient11, b[1:-1, 1:-1].shape
            )
            p_bar[1:-1, 1:-1] = 0.0
            p_bar += pn_bar
        difference_bar7 = b_bar[1:-1, 1:-1] * rho
        total_bar10 = difference_bar7 / dt
        difference_bar8 = total_bar10 / (2 * dx)
        difference_bar9 = total_bar10 / (2 * dy)
        difference_bar10 = -2.0 * difference_bar7 * quotient12 / (2 * dx)
        product_bar7 = -2.0 * difference_bar7 / (2 * dx)
        difference_bar11 = product_bar7 * difference7 / (2 * dy)
        difference_bar12 = product_bar7 * quotient13
        difference_bar13 = -2.0 * difference_bar7 * quotient14 / (2 * dy)
        rho_bar += _unbroadcast(b_bar[1:-1, 1:-1] * difference8, np.shape(rho))
        u_bar[1:-1, 2:] += _unbroadcast(
            difference_bar8, u[1:-1, 2:].shape
        ) + _unbroadcast(difference_bar10, u[1:-1, 2:].shape)
        u_bar[1:-1, 0:-2] += _unbroadcast(
            -difference_bar8, u[1:-1, 0:-2].shape
        ) + _unbroadcast(-difference_bar10, u[1:-1, 0:-2].shape)
        v_bar[2:, 1:-1] += _unbroadcast(
            difference_bar9, v[2:, 1:-1].shape
        ) + _unbroadcast(difference_bar13, v[2:, 1:-1].shape)
        v_bar[0:-2, 1:-1] += _unbroadcast(
            -difference_bar9, v[0:-2, 1:-1].shape
        ) + _unbroadcast(-difference_bar13, v[0:-2, 1:-1].shape)
        u_bar[2:, 1:-1] += _unbroadcast(difference_bar11, u[2:, 1:-1].shape)
        u_bar[0:-2, 1:-1] += _unbroadcast(-difference_bar11, u[0:-2, 1:-1].shape)
        v_bar[1:-1, 2:] += _unbroadcast(difference_bar12, v[1:-1, 2:].shape)
        v_bar[1:-1, 0:-2] += _unbroadcast(-difference_bar12, v[1:-1, 0:-2].shape)
        b_bar[1:-1, 1:-1] = 0.0
        v_bar += vn_bar
        u_bar += un_bar
    return u_bar, v_bar, p_bar, rho_bar, nu_bar, lid_bar
