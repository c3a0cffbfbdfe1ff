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


# pullback: vjp of energy wrt pos, vel, mass, G private=yes [642ec6ee f3ddb8d9]
def _energy_vjp(pos, vel, mass, G, eps, energy_bar):
    """Vector-Jacobian product of energy with respect to pos, vel, mass and G."""
    sum_vel = np.sum(vel**2, axis=1)
    shape_product2 = np.shape(mass * sum_vel)
    potential = 0.0
    tape = []
    for i in range(len(mass)):
        for j in range(i):
            d = pos[i] - pos[j]
            shape_potential = np.shape(potential)
            product = d @ d
            shape_product = np.shape(product)
            sqrt = np.sqrt(product + eps**2)
            quotient = G * mass[i] * mass[j] / sqrt
            tape.append((shape_potential, shape_product, sqrt, quotient))
            potential -= quotient
    # Backward pass
    kinetic_bar = np.sum(energy_bar)
    potential_bar = energy_bar
    G_bar = np.zeros_like(G, dtype=np.result_type(G, 0.0))
    mass_bar = np.zeros_like(mass, dtype=np.result_type(mass, 0.0))
    pos_bar = np.zeros_like(pos, dtype=np.result_type(pos, 0.0))
    for i in reversed(range(len(mass))):
        for j in reversed(range(i)):
            shape_potential, shape_product, sqrt, quotient = tape.pop()
            d = pos[i] - pos[j]
            quotient_bar = -potential_bar
            product_bar = quotient_bar / sqrt
            product_bar2 = product_bar * mass[j]
            product_bar3 = _unbroadcast(
                -0.5 * quotient_bar * quotient / sqrt / sqrt, shape_product
            )
            G_bar += _unbroadcast(product_bar2 * mass[i], np.shape(G))
            d_bar = _matmul_a_bar(product_bar3, d, d) + _matmul_b_bar(
                product_bar3, d, d
            )
            mass_bar[i] += _unbroadcast(product_bar2 * G, np.shape(mass[i]))
            mass_bar[j] += _unbroadcast(product_bar * G * mass[i], np.shape(mass[j]))
            potential_bar = _unbroadcast(potential_bar, shape_potential)
            pos_bar[i] += d_bar
            pos_bar[j] -= d_bar
    product_bar4 = kinetic_bar * 0.5
    mass_bar += _unbroadcast(
        np.broadcast_to(product_bar4 * sum_vel, shape_product2), np.shape(mass)
    )
    return (
        pos_bar,
        2
        * np.expand_dims(
            _unbroadcast(
                np.broadcast_to(product_bar4 * mass, shape_product2), np.shape(sum_vel)
            ),
            1,
        )
        * vel,
        mass_bar,
        G_bar,
    )


# pullback: vjp of total_energy_after wrt pos, vel, mass, G [28c4a58f 1fd98d31]
def total_energy_after_vjp(pos, vel, mass, G, eps, dt, steps, total_energy_after_bar):
    """Vector-Jacobian product of total_energy_after with respect to pos, vel, mass and G."""
    pos = pos.copy()
    vel = vel.copy()
    acc = np.zeros_like(pos)
    n = len(mass)
    acc[:] = 0.0
    tape2 = []
    for i in range(n):
        for j in range(i + 1, n):
            dx = pos[j, 0] - pos[i, 0]
            dy = pos[j, 1] - pos[i, 1]
            dz = pos[j, 2] - pos[i, 2]
            r2 = dx * dx + dy * dy + dz * dz + eps**2
            sqrt_r2 = np.sqrt(r2)
            product2 = r2 * sqrt_r2
            f = G / product2
            tape2.append((dz, dy, dx, sqrt_r2, product2, r2, f))
            acc[i, 0] += mass[j] * f * dx
            acc[i, 1] += mass[j] * f * dy
            acc[i, 2] += mass[j] * f * dz
            acc[j, 0] -= mass[i] * f * dx
            acc[j, 1] -= mass[i] * f * dy
            acc[j, 2] -= mass[i] * f * dz
    tape3 = []
    tape = []
    for _ in range(steps):
        shape_vel2 = np.shape(vel)
        vel += 0.5 * dt * acc
        shape_vel = np.shape(vel)
        shape_pos = np.shape(pos)
        tape3.append((shape_vel2, shape_vel, shape_pos))
        pos += dt * vel
        n2 = len(mass)
        acc[:] = 0.0
        for i2 in range(n2):
            for j2 in range(i2 + 1, n2):
                shape5 = np.shape(pos[j2, 0])
                shape6 = np.shape(pos[i2, 0])
                dx2 = pos[j2, 0] - pos[i2, 0]
                shape3 = np.shape(pos[j2, 1])
                shape4 = np.shape(pos[i2, 1])
                dy2 = pos[j2, 1] - pos[i2, 1]
                shape = np.shape(pos[j2, 2])
                shape2 = np.shape(pos[i2, 2])
                dz2 = pos[j2, 2] - pos[i2, 2]
                r22 = dx2 * dx2 + dy2 * dy2 + dz2 * dz2 + eps**2
                sqrt_r22 = np.sqrt(r22)
                product = r22 * sqrt_r22
                f2 = G / product
                tape.append(
                    (
                        shape5,
                        shape6,
                        shape3,
                        shape4,
                        shape,
                        shape2,
                        dz2,
                        dy2,
                        dx2,
                        sqrt_r22,
                        product,
                        r22,
                        f2,
                    )
                )
                acc[i2, 0] += mass[j2] * f2 * dx2
                acc[i2, 1] += mass[j2] * f2 * dy2
                acc[i2, 2] += mass[j2] * f2 * dz2
                acc[j2, 0] -= mass[i2] * f2 * dx2
                acc[j2, 1] -= mass[i2] * f2 * dy2
                acc[j2, 2] -= mass[i2] * f2 * dz2
        vel += 0.5 * dt * acc
    # Backward pass
    energy_pos_bar, energy_vel_bar, energy_mass_bar, energy_G_bar = _energy_vjp(
        pos, vel, mass, G, eps, total_energy_after_bar
    )
    pos_bar = energy_pos_bar
    vel_bar = energy_vel_bar
    mass_bar = energy_mass_bar
    G_bar = energy_G_bar
    acc_bar = np.zeros_like(acc, dtype=np.result_type(acc, 0.0))
    for _ in range(steps):
        shape_vel2, shape_vel, shape_pos = tape3.pop()
        n2 = len(mass)
        acc_bar += _unbroadcast(0.5 * vel_bar * dt, np.shape(acc))
        for i2 in reversed(range(n2)):
            for j2 in reversed(range(i2 + 1, n2)):
                (
                    shape5,
                    shape6,
                    shape3,
                    shape4,
                    shape,
                    shape2,
                    dz2,
                    dy2,
                    dx2,
                    sqrt_r22,
                    product,
                    r22,
                    f2,
                ) = tape.pop()
                product_bar = -acc_bar[j2, 2]
                product_bar2 = product_bar * dz2
                f2_bar = _unbroadcast(product_bar2 * mass[i2], np.shape(f2))
                dz2_bar = _unbroadcast(product_bar * mass[i2] * f2, np.shape(dz2))
                mass_bar[i2] += _unbroadcast(product_bar2 * f2, np.shape(mass[i2]))
                product_bar3 = -acc_bar[j2, 1]
                product_bar4 = product_bar3 * dy2
                f2_bar += _unbroadcast(product_bar4 * mass[i2], np.shape(f2))
                dy2_bar = _unbroadcast(product_bar3 * mass[i2] * f2, np.shape(dy2))
                mass_bar[i2] += _unbroadcast(product_bar4 * f2, np.shape(mass[i2]))
                product_bar5 = -acc_bar[j2, 0]
                product_bar6 = product_bar5 * dx2
                f2_bar += _unbroadcast(product_bar6 * mass[i2], np.shape(f2))
                dx2_bar = _unbroadcast(product_bar5 * mass[i2] * f2, np.shape(dx2))
                mass_bar[i2] += _unbroadcast(product_bar6 * f2, np.shape(mass[i2]))
                product_bar7 = acc_bar[i2, 2] * dz2
                f2_bar += _unbroadcast(product_bar7 * mass[j2], np.shape(f2))
                dz2_bar += _unbroadcast(acc_bar[i2, 2] * mass[j2] * f2, np.shape(dz2))
                mass_bar[j2] += _unbroadcast(product_bar7 * f2, np.shape(mass[j2]))
                product_bar8 = acc_bar[i2, 1] * dy2
                f2_bar += _unbroadcast(product_bar8 * mass[j2], np.shape(f2))
                dy2_bar += _unbroadcast(acc_bar[i2, 1] * mass[j2] * f2, np.shape(dy2))
                mass_bar[j2] += _unbroadcast(product_bar8 * f2, np.shape(mass[j2]))
                product_bar9 = acc_bar[i2, 0] * dx2
                f2_bar += _unbroadcast(product_bar9 * mass[j2], np.shape(f2))
                dx2_bar += _unbroadcast(acc_bar[i2, 0] * mass[j2] * f2, np.shape(dx2))
                mass_bar[j2] += _unbroadcast(product_bar9 * f2, np.shape(mass[j2]))
                product_bar10 = -f2_bar * f2 / product
                G_bar += _unbroadcast(f2_bar / product, np.shape(G))
                r22_bar = _unbroadcast(
                    product_bar10 * sqrt_r22, np.shape(r22)
                ) + _unbroadcast(0.5 * product_bar10 * r22 / sqrt_r22, np.shape(r22))
                dx2_bar += 2.0 * _unbroadcast(r22_bar * dx2, np.shape(dx2))
                dy2_bar += 2.0 * _unbroadcast(r22_bar * dy2, np.shape(dy2))
                dz2_bar += 2.0 * _unbroadcast(r22_bar * dz2, np.shape(dz2))
                pos_bar[j2, 2] += _unbroadcast(dz2_bar, shape)
                pos_bar[i2, 2] += _unbroadcast(-dz2_bar, shape2)
                pos_bar[j2, 1] += _unbroadcast(dy2_bar, shape3)
                pos_bar[i2, 1] += _unbroadcast(-dy2_bar, shape4)
                pos_bar[j2, 0] += _unbroadcast(dx2_bar, shape5)
                pos_bar[i2, 0] += _unbroadcast(-dx2_bar, shape6)
        acc_bar[:] = 0.0
        vel_bar = vel_bar + _unbroadcast(pos_bar * dt, shape_vel)
        pos_bar = _unbroadcast(pos_bar, shape_pos)
        acc_bar += _unbroadcast(0.5 * vel_bar * dt, np.shape(acc))
        vel_bar = _unbroadcast(vel_bar, shape_vel2)
    for i in reversed(range(n)):
        for j in reversed(range(i + 1, n)):
            dz, dy, dx, sqrt_r2, product2, r2, f = tape2.pop()
            product_bar11 = -acc_bar[j, 2]
            product_bar12 = product_bar11 * dz
            f_bar = _unbroadcast(product_bar12 * mass[i], np.shape(f))
            dz_bar = _unbroadcast(product_bar11 * mass[i] * f, np.shape(dz))
            mass_bar[i] += _unbroadcast(product_bar12 * f, np.shape(mass[i]))
            product_bar13 = -acc_bar[j, 1]
            product_bar14 = product_bar13 * dy
            f_bar += _unbroadcast(product_bar14 * mass[i], np.shape(f))
            dy_bar = _unbroadcast(product_bar13 * mass[i] * f, np.shape(dy))
            mass_bar[i] += _unbroadcast(product_bar14 * f, np.shape(mass[i]))
            product_bar15 = -acc_bar[j, 0]
            product_bar16 = product_bar15 * dx
            f_bar += _unbroadcast(product_bar16 * mass[i], np.shape(f))
            dx_bar = _unbroadcast(product_bar15 * mass[i] * f, np.shape(dx))
            mass_bar[i] += _unbroadcast(product_bar16 * f, np.shape(mass[i]))
            product_bar17 = acc_bar[i, 2] * dz
            f_bar += _unbroadcast(product_bar17 * mass[j], np.shape(f))
            dz_bar += _unbroadcast(acc_bar[i, 2] * mass[j] * f, np.shape(dz))
            mass_bar[j] += _unbroadcast(product_bar17 * f, np.shape(mass[j]))
            product_bar18 = acc_bar[i, 1] * dy
            f_bar += _unbroadcast(product_bar18 * mass[j], np.shape(f))
            dy_bar += _unbroadcast(acc_bar[i, 1] * mass[j] * f, np.shape(dy))
            mass_bar[j] += _unbroadcast(product_bar18 * f, np.shape(mass[j]))
            product_bar19 = acc_bar[i, 0] * dx
            f_bar += _unbroadcast(product_bar19 * mass[j], np.shape(f))
            dx_bar += _unbroadcast(acc_bar[i, 0] * mass[j] * f, np.shape(dx))
            mass_bar[j] += _unbroadcast(product_bar19 * f, np.shape(mass[j]))
            product_bar20 = -f_bar * f / product2
            G_bar += _unbroadcast(f_bar / product2, np.shape(G))
            r2_bar = _unbroadcast(product_bar20 * sqrt_r2, np.shape(r2)) + _unbroadcast(
                0.5 * product_bar20 * r2 / sqrt_r2, np.shape(r2)
            )
            dx_bar += 2.0 * _unbroadcast(r2_bar * dx, np.shape(dx))
            dy_bar += 2.0 * _unbroadcast(r2_bar * dy, np.shape(dy))
            dz_bar += 2.0 * _unbroadcast(r2_bar * dz, np.shape(dz))
            pos_bar[j, 2] += dz_bar
            pos_bar[i, 2] -= dz_bar
            pos_bar[j, 1] += dy_bar
            pos_bar[i, 1] -= dy_bar
            pos_bar[j, 0] += dx_bar
            pos_bar[i, 0] -= dx_bar
    return pos_bar, vel_bar, mass_bar, G_bar
