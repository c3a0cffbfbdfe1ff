def _unbroadcast(x_bar, shape):
    """x_bar summed over the axes along which an operand of this shape was broadcast."""
    if np.shape(x_bar) == shape or np.ndim(x_bar) == 0:
        return 1.0 * x_bar
    x_bar = np.sum(x_bar, axis=tuple(range(np.ndim(x_bar) - len(shape))))
    stretched = tuple(i for i, n in enumerate(shape) if n == 1 and x_bar.shape[i] != 1)
    return np.sum(x_bar, axis=stretched, keepdims=True) if stretched else x_bar


# pullback: vjp of laplacian_x wrt q private=yes [6ba29f4b 3f63aa2f]
def _laplacian_x_vjp(q, laplacian_x_bar):
    """Vector-Jacobian product of laplacian_x with respect to q."""
    # Backward pass
    return (
        np.roll(laplacian_x_bar, 1, 1)
        - laplacian_x_bar * 2.0
        + np.roll(laplacian_x_bar, -1, 1)
    )


# pullback: vjp of channel_flow wrt u, v, p, rho, nu, F [d98178f4 c9e47162]
def channel_flow_vjp(
    u, v, p, rho, nu, F, dt, dx, dy, nit, tol, max_steps, channel_flow_bar
):
    """Vector-Jacobian product of channel_flow with respect to u, v, p, rho, nu and F."""
    u = u.copy()
    v = v.copy()
    p = p.copy()
    udiff = 1.0
    steps = 0
    tape2 = []
    tape = []
    turns = 0
    while udiff > tol and steps < max_steps:
        turns += 1
        un = u.copy()
        vn = v.copy()

        difference8 = (np.roll(un, -1, axis=1) - np.roll(un, 1, axis=1))[1:-1]
        shape_difference8 = np.shape(difference8)
        du_dx = difference8 / (2 * dx)
        difference7 = (np.roll(vn, -1, axis=1) - np.roll(vn, 1, axis=1))[1:-1]
        shape_difference7 = np.shape(difference7)
        dv_dx = difference7 / (2 * dx)
        shape_un = np.shape(un[2:])
        shape_un2 = np.shape(un[:-2])
        du_dy = (un[2:] - un[:-2]) / (2 * dy)
        shape_vn2 = np.shape(vn[2:])
        shape_vn3 = np.shape(vn[:-2])
        dv_dy = (vn[2:] - vn[:-2]) / (2 * dy)
        difference5 = (du_dx + dv_dy) / dt - du_dx**2 - 2 * du_dy * dv_dx - dv_dy**2
        b = rho * difference5

        for _ in range(nit):
            pn = p.copy()
            shape_b = np.shape(b)
            shape_pn = np.shape(pn[2:])
            shape_pn2 = np.shape(pn[:-2])
            product = 2 * (dx**2 + dy**2)
            total3 = (np.roll(pn, -1, axis=1) + np.roll(pn, 1, axis=1))[1:-1]
            shape_total3 = np.shape(total3)
            tape2.append((shape_b, shape_pn, shape_pn2, product, shape_total3))
            p[1:-1] = (
                total3 * dy**2 + (pn[2:] + pn[:-2]) * dx**2 - b * dx**2 * dy**2
            ) / product
            p[-1, :] = p[-2, :]
            p[0, :] = p[1, :]

        difference6 = (np.roll(p, -1, axis=1) - np.roll(p, 1, axis=1))[1:-1]
        shape_difference6 = np.shape(difference6)
        dp_dx = difference6 / (2 * dx)
        dp_dy = (p[2:] - p[:-2]) / (2 * dy)
        laplacian_x_un2 = laplacian_x(un)
        quotient2 = dp_dx / rho
        negative = -un[1:-1]
        laplacian_x_un = laplacian_x_un2[1:-1]
        shape_vn = np.shape(vn[1:-1])
        difference3 = (un - np.roll(un, 1, axis=1))[1:-1]
        difference4 = un[1:-1] - un[:-2]
        total2 = un[2:] - 2 * un[1:-1] + un[:-2]
        u[1:-1] += dt * (
            negative * difference3 / dx
            - vn[1:-1] * difference4 / dy
            - quotient2
            + nu * laplacian_x_un / dx**2
            + nu * total2 / dy**2
            + F
        )
        laplacian_x_vn2 = laplacian_x(vn)
        quotient = dp_dy / rho
        laplacian_x_vn = laplacian_x_vn2[1:-1]
        difference = (vn - np.roll(vn, 1, axis=1))[1:-1]
        difference2 = vn[1:-1] - vn[:-2]
        total = vn[2:] - 2 * vn[1:-1] + vn[:-2]
        tape.append(
            (
                shape_difference8,
                shape_difference7,
                shape_un,
                shape_un2,
                shape_vn2,
                shape_vn3,
                difference5,
                du_dx,
                dv_dy,
                dv_dx,
                du_dy,
                shape_difference6,
                laplacian_x_un2,
                quotient2,
                negative,
                laplacian_x_un,
                shape_vn,
                difference3,
                difference4,
                total2,
                vn,
                un,
                laplacian_x_vn2,
                quotient,
                laplacian_x_vn,
                difference,
                difference2,
                total,
            )
        )
        v[1:-1] += dt * (
            negative * difference / dx
            - vn[1:-1] * difference2 / dy
            - quotient
            + nu * laplacian_x_vn / dx**2
            + nu * total / dy**2
        )

        # No slip at the walls
        u[0, :] = u[-1, :] = 0
        v[0, :] = v[-1, :] = 0

        udiff = (np.sum(u) - np.sum(un)) / np.sum(u)
        steps += 1
    # Backward pass
    u_bar = np.positive(channel_flow_bar[0])
    v_bar = np.positive(channel_flow_bar[1])
    p_bar = np.positive(channel_flow_bar[2])
    rho_bar = np.zeros_like(rho, dtype=np.result_type(rho, 0.0))
    nu_bar = np.zeros_like(nu, dtype=np.result_type(nu, 0.0))
    F_bar = np.zeros_like(F, dtype=np.result_type(F, 0.0))
    for _ in range(turns):
        (
            shape_difference8,
            shape_difference7,
            shape_un,
            shape_un2,
            shape_vn2,
            shape_vn3,
            difference5,
            du_dx,
            dv_dy,
            dv_dx,
            du_dy,
            shape_difference6,
            laplacian_x_un2,
            quotient2,
            negative,
            laplacian_x_un,
            shape_vn,
            difference3,
            difference4,
            total2,
            vn,
            un,
            laplacian_x_vn2,
            quotient,
            laplacian_x_vn,
            difference,
            difference2,
            total,
        ) = tape.pop()
        v_bar[-1, :] = 0.0
        v_bar[0, :] = 0.0
        u_bar[-1, :] = 0.0
        u_bar[0, :] = 0.0
        total_bar = v_bar[1:-1] * dt
        product_bar = total_bar / dx
        result_type_v = np.result_type(v, 0.0)
        difference_bar = np.zeros_like(v, dtype=result_type_v)
        difference_bar[1:-1] = _unbroadcast(
            product_bar * negative, laplacian_x_vn.shape
        )
        product_bar2 = -total_bar / dy
        difference_bar2 = product_bar2 * vn[1:-1]
        quotient_bar = -total_bar
        product_bar3 = total_bar / dx**2
        laplacian_x_vn_bar = np.zeros_like(laplacian_x_vn2)
        laplacian_x_vn_bar[1:-1] = _unbroadcast(product_bar3 * nu, laplacian_x_vn.shape)
        product_bar4 = total_bar / dy**2
        total_bar2 = product_bar4 * nu
        vn_bar = (
            difference_bar
            + np.roll(-difference_bar, -1, 1)
            + _laplacian_x_vjp(vn, laplacian_x_vn_bar)
        )
        dp_dy_bar = quotient_bar / rho
        rho_bar += _unbroadcast(-quotient_bar * quotient / rho, np.shape(rho))
        nu_bar += _unbroadcast(
            product_bar3 * laplacian_x_vn, np.shape(nu)
        ) + _unbroadcast(product_bar4 * total, np.shape(nu))
        result_type_u = np.result_type(u, 0.0)
        un_bar = np.zeros_like(u, dtype=result_type_u)
        un_bar[1:-1] = _unbroadcast(-product_bar * difference, negative.shape)
        vn_bar[1:-1] += (
            _unbroadcast(product_bar2 * difference2, laplacian_x_vn.shape)
            + _unbroadcast(difference_bar2, laplacian_x_vn.shape)
            + _unbroadcast(total_bar2 * -2, laplacian_x_vn.shape)
        )
        vn_bar[:-2] += _unbroadcast(
            -difference_bar2, laplacian_x_vn.shape
        ) + _unbroadcast(total_bar2, laplacian_x_vn.shape)
        vn_bar[2:] += _unbroadcast(total_bar2, laplacian_x_vn.shape)
        total_bar3 = u_bar[1:-1] * dt
        product_bar5 = total_bar3 / dx
        difference_bar3 = np.zeros_like(u, dtype=result_type_u)
        difference_bar3[1:-1] = _unbroadcast(product_bar5 * negative, negative.shape)
        product_bar6 = -total_bar3 / dy
        difference_bar4 = product_bar6 * vn[1:-1]
        quotient_bar2 = -total_bar3
        product_bar7 = total_bar3 / dx**2
        laplacian_x_un_bar = np.zeros_like(laplacian_x_un2)
        laplacian_x_un_bar[1:-1] = _unbroadcast(product_bar7 * nu, negative.shape)
        product_bar8 = total_bar3 / dy**2
        total_bar4 = product_bar8 * nu
        un_bar += (
            difference_bar3
            + np.roll(-difference_bar3, -1, 1)
            + _laplacian_x_vjp(un, laplacian_x_un_bar)
        )
        dp_dx_bar = quotient_bar2 / rho
        rho_bar += _unbroadcast(-quotient_bar2 * quotient2 / rho, np.shape(rho))
        nu_bar += _unbroadcast(
            product_bar7 * laplacian_x_un, np.shape(nu)
        ) + _unbroadcast(product_bar8 * total2, np.shape(nu))
        F_bar += _unbroadcast(total_bar3, np.shape(F))
        un_bar[1:-1] += (
            _unbroadcast(-product_bar5 * difference3, negative.shape)
            + _unbroadcast(difference_bar4, negative.shape)
            + _unbroadcast(total_bar4 * -2, negative.shape)
        )
        vn_bar[1:-1] += _unbroadcast(product_bar6 * difference4, shape_vn)
        un_bar[:-2] += _unbroadcast(-difference_bar4, negative.shape) + _unbroadcast(
            total_bar4, negative.shape
        )
        un_bar[2:] += _unbroadcast(total_bar4, negative.shape)
        difference_bar5 = dp_dy_bar / (2 * dy)
        p_bar[2:] += _unbroadcast(difference_bar5, p[2:].shape)
        p_bar[:-2] += _unbroadcast(-difference_bar5, p[:-2].shape)
        difference_bar6 = np.zeros_like(p, dtype=np.result_type(p, 0.0))
        difference_bar6[1:-1] = _unbroadcast(dp_dx_bar / (2 * dx), shape_difference6)
        p_bar += np.roll(difference_bar6, 1, 1) + np.roll(-difference_bar6, -1, 1)
        b_bar = np.zeros_like(b)
        for _ in range(nit):
            shape_b, shape_pn, shape_pn2, product, shape_total3 = tape2.pop()
            p_new_bar = p_bar[0, :].copy()
            p_bar[0, :] = 0.0
            p_bar[1, :] += p_new_bar
            p_new_bar2 = p_bar[-1, :].copy()
            p_bar[-1, :] = 0.0
            p_bar[-2, :] += p_new_bar2
            difference_bar7 = p_bar[1:-1] / product
            total_bar5 = np.zeros_like(p, dtype=np.result_type(p, 0.0))
            total_bar5[1:-1] = _unbroadcast(difference_bar7 * dy**2, shape_total3)
            total_bar6 = difference_bar7 * dx**2
            pn_bar = np.roll(total_bar5, 1, 1) + np.roll(total_bar5, -1, 1)
            b_bar += _unbroadcast(-difference_bar7 * dy**2 * dx**2, shape_b)
            pn_bar[2:] += _unbroadcast(total_bar6, shape_pn)
            pn_bar[:-2] += _unbroadcast(total_bar6, shape_pn2)
            p_bar[1:-1] = 0.0
            p_bar += pn_bar
        difference_bar8 = b_bar * rho
        total_bar7 = difference_bar8 / dt
        product_bar9 = -difference_bar8
        rho_bar += _unbroadcast(b_bar * difference5, np.shape(rho))
        du_dx_bar = _unbroadcast(total_bar7, du_dx.shape) + _unbroadcast(
            -2 * difference_bar8 * du_dx, du_dx.shape
        )
        dv_dy_bar = _unbroadcast(total_bar7, dv_dy.shape) + _unbroadcast(
            -2 * difference_bar8 * dv_dy, dv_dy.shape
        )
        du_dy_bar = product_bar9 * dv_dx * 2
        dv_dx_bar = 2 * product_bar9 * du_dy
        difference_bar9 = dv_dy_bar / (2 * dy)
        vn_bar[2:] += _unbroadcast(difference_bar9, shape_vn2)
        vn_bar[:-2] += _unbroadcast(-difference_bar9, shape_vn3)
        difference_bar10 = du_dy_bar / (2 * dy)
        un_bar[2:] += _unbroadcast(difference_bar10, shape_un)
        un_bar[:-2] += _unbroadcast(-difference_bar10, shape_un2)
        difference_bar11 = np.zeros_like(v, dtype=result_type_v)
        difference_bar11[1:-1] = _unbroadcast(dv_dx_bar / (2 * dx), shape_difference7)
        vn_bar += np.roll(difference_bar11, 1, 1) + np.roll(-difference_bar11, -1, 1)
        difference_bar12 = np.zeros_like(u, dtype=result_type_u)
        difference_bar12[1:-1] = _unbroadcast(du_dx_bar / (2 * dx), shape_difference8)
        un_bar += np.roll(difference_bar12, 1, 1) + np.roll(-difference_bar12, -1, 1)
        v_bar += vn_bar
        u_bar += un_bar
    return u_bar, v_bar, p_bar, rho_bar, nu_bar, F_bar
