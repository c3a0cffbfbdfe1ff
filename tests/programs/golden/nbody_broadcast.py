def _unbroadcast(x_bar, shape):
    """x_bar summed over the axes along which an operand of this shape was broadcast."""
    if np.shape(x_bar) == shape or np.ndim(x_bar) == 0:
        return 1.0 * x_bar
    x_bar = np.sum(x_bar, axis=tuple(range(np.ndim(x_bar) - len(shape))))
    stretched = tuple(i for i, n in enumerate(shape) if n == 1 and x_bar.shape[i] != 1)
    return np.sum(x_bar, axis=stretched, keepdims=True) if stretched else x_bar


def _unstacked(y_bar, axis, shapes):
    """The cotangents of arrays of these shapes that were joined along axis."""
    if axis is None:
        axis = 0
    slabs = np.moveaxis(y_bar, axis, 0)
    width = max(np.prod(slabs.shape[1:], dtype=int), 1)
    parts, stop = [], 0
    for shape in shapes:
        start, stop = stop, stop + np.prod(shape, dtype=int) // width
        part = np.moveaxis(slabs[start:stop], 0, axis)
        parts.append(part.reshape(shape))
    return parts


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


# pullback: vjp of get_energy wrt pos, vel, mass private=yes [79ad1bdd ee3bc926]
def _get_energy_vjp(pos, vel, mass, G, get_energy_bar):
    """Vector-Jacobian product of get_energy with respect to pos, vel and mass."""
    shape_product = np.shape(mass * vel**2)

    x = pos[:, 0:1]
    y = pos[:, 1:2]
    z = pos[:, 2:3]
    dx = x.T - x
    dy = y.T - y
    dz = z.T - z
    inv_r = np.sqrt(dx**2 + dy**2 + dz**2)
    inv_r_0 = inv_r.copy()
    inv_r2 = inv_r[inv_r > 0]
    shape_inv_r2 = np.shape(inv_r2)
    quotient = 1.0 / inv_r2
    inv_r[inv_r > 0] = quotient
    negative = -(mass * mass.T)
    # Backward pass
    KE_bar = get_energy_bar[0]
    PE_bar = get_energy_bar[1]
    product_bar = np.triu(
        np.full_like(np.triu(negative * inv_r, 1), np.sum(PE_bar * G)), 1
    )
    product_bar2 = -np.where(product_bar != 0.0, product_bar * inv_r, 0.0)
    mass_bar = (
        _unbroadcast(product_bar2 * mass.T, np.shape(mass))
        + _unbroadcast(product_bar2 * mass, mass.T.shape).T
    )
    inv_r_bar = _unbroadcast(product_bar * negative, inv_r.shape)
    inv_r_bar[inv_r_0 > 0] = _unbroadcast(
        -inv_r_bar[inv_r_0 > 0] * quotient * quotient, shape_inv_r2
    )
    total_bar = np.where(inv_r_bar != 0.0, 0.5 * inv_r_bar / inv_r_0, 0.0)
    dx_bar = 2 * total_bar * dx
    dy_bar = 2 * total_bar * dy
    dz_bar = 2 * total_bar * dz
    z_bar = _unbroadcast(dz_bar, z.T.shape).T + _unbroadcast(-dz_bar, x.shape)
    y_bar = _unbroadcast(dy_bar, y.T.shape).T + _unbroadcast(-dy_bar, x.shape)
    x_bar = _unbroadcast(dx_bar, x.T.shape).T + _unbroadcast(-dx_bar, x.shape)
    pos_bar = np.zeros_like(pos, dtype=np.result_type(pos, 0.0))
    pos_bar[:, 2:3] = z_bar
    pos_bar[:, 1:2] = y_bar
    pos_bar[:, 0:1] = x_bar
    product_bar3 = KE_bar * 0.5
    mass_bar += _unbroadcast(
        np.broadcast_to(product_bar3 * vel**2, shape_product), np.shape(mass)
    )
    return (
        pos_bar,
        _unbroadcast(
            2 * np.broadcast_to(product_bar3 * mass, shape_product) * vel, np.shape(vel)
        ),
        mass_bar,
    )


# pullback: vjp of get_acc wrt pos, mass private=yes [a2fcd050 fa70e918]
def _get_acc_vjp(pos, mass, G, softening, get_acc_bar):
    """Vector-Jacobian product of get_acc with respect to pos and mass."""
    # positions r = [x, y, z] of all bodies, as columns
    x = pos[:, 0:1]
    y = pos[:, 1:2]
    z = pos[:, 2:3]

    # all pairwise separations: r_j - r_i
    dx = x.T - x
    dy = y.T - y
    dz = z.T - z

    inv_r3 = dx**2 + dy**2 + dz**2 + softening**2
    value = inv_r3 > 0
    inv_r32 = inv_r3[value]
    shape_inv_r32 = np.shape(inv_r32)
    inv_r3[inv_r3 > 0] = inv_r32**-1.5

    product3 = G * (dx * inv_r3)
    ax = product3 @ mass
    product2 = G * (dy * inv_r3)
    ay = product2 @ mass
    product = G * (dz * inv_r3)
    az = product @ mass
    # Backward pass
    ax_part_bar, ay_part_bar, az_part_bar = _unstacked(
        get_acc_bar,
        min(1, np.ndim(get_acc_bar) - 1),
        (np.shape(ax), np.shape(ay), np.shape(az)),
    )
    ax_bar = 1.0 * ax_part_bar
    ay_bar = 1.0 * ay_part_bar
    az_bar = 1.0 * az_part_bar
    product_bar = _matmul_a_bar(az_bar, product, mass) * G
    dz_bar = _unbroadcast(product_bar * inv_r3, dz.shape)
    inv_r3_bar = _unbroadcast(product_bar * dz, inv_r3.shape)
    mass_bar = _matmul_b_bar(az_bar, product, mass)
    product_bar2 = _matmul_a_bar(ay_bar, product2, mass) * G
    dy_bar = _unbroadcast(product_bar2 * inv_r3, dy.shape)
    inv_r3_bar += _unbroadcast(product_bar2 * dy, inv_r3.shape)
    mass_bar += _matmul_b_bar(ay_bar, product2, mass)
    product_bar3 = _matmul_a_bar(ax_bar, product3, mass) * G
    dx_bar = _unbroadcast(product_bar3 * inv_r3, dx.shape)
    inv_r3_bar += _unbroadcast(product_bar3 * dx, inv_r3.shape)
    mass_bar += _matmul_b_bar(ax_bar, product3, mass)
    inv_r3_bar[value] = _unbroadcast(
        -1.5 * inv_r3_bar[value] * inv_r32**-2.5, shape_inv_r32
    )
    dx_bar += _unbroadcast(2 * inv_r3_bar * dx, dx.shape)
    dy_bar += _unbroadcast(2 * inv_r3_bar * dy, dy.shape)
    dz_bar += _unbroadcast(2 * inv_r3_bar * dz, dz.shape)
    z_bar = _unbroadcast(dz_bar, z.T.shape).T + _unbroadcast(-dz_bar, x.shape)
    y_bar = _unbroadcast(dy_bar, y.T.shape).T + _unbroadcast(-dy_bar, x.shape)
    x_bar = _unbroadcast(dx_bar, x.T.shape).T + _unbroadcast(-dx_bar, x.shape)
    pos_bar = np.zeros_like(pos, dtype=np.result_type(pos, 0.0))
    pos_bar[:, 2:3] = z_bar
    pos_bar[:, 1:2] = y_bar
    pos_bar[:, 0:1] = x_bar
    return pos_bar, mass_bar


# pullback: vjp of simulate wrt pos, vel, mass [1de6e0c2 c0cb1cb5]
def simulate_vjp(mass, pos, vel, N, Nt, dt, G, softening, simulate_bar):
    """Vector-Jacobian product of simulate with respect to pos, vel and mass."""
    pos = np.positive(pos)
    vel = np.positive(vel)
    # into the frame of the centre of mass
    vel_02 = np.copy(vel)
    mean_mass = np.mean(mass)
    mean = np.mean(mass * vel, axis=0)
    shape_mean = np.shape(mean)
    quotient = mean / mean_mass
    vel -= quotient
    pos_0 = np.copy(pos)
    acc = get_acc(pos, mass, G, softening)

    KE = np.ndarray(Nt + 1, dtype=np.float64)
    PE = np.ndarray(Nt + 1, dtype=np.float64)
    vel_0 = np.copy(vel)
    KE_0, PE_0 = get_energy(pos, vel, mass, G)
    KE[0] = KE_0
    PE[0] = PE_0
    tape = []
    for i in range(Nt):
        shape_acc2 = np.shape(acc)
        shape_vel2 = np.shape(vel)
        vel += acc * dt / 2.0
        shape_vel = np.shape(vel)
        shape_pos = np.shape(pos)
        pos += vel * dt
        pos_02 = pos.copy()
        acc = get_acc(pos, mass, G, softening)
        shape_acc = np.shape(acc)
        vel += acc * dt / 2.0
        tape.append(
            (
                shape_acc2,
                shape_vel2,
                shape_vel,
                shape_pos,
                pos_02,
                shape_acc,
                vel.copy(),
            )
        )
        KE2, PE2 = get_energy(pos, vel, mass, G)
        KE[i + 1] = KE2
        PE[i + 1] = PE2
    # Backward pass
    KE_bar = simulate_bar[0].copy()
    PE_bar = simulate_bar[1].copy()
    mass_bar = np.zeros_like(mass, dtype=np.result_type(mass, 0.0))
    pos_bar = np.zeros_like(pos, dtype=np.result_type(pos, 0.0))
    acc_bar = np.zeros_like(acc, dtype=np.result_type(acc, 0.0))
    vel_bar = np.zeros_like(vel)
    for i in reversed(range(Nt)):
        shape_acc2, shape_vel2, shape_vel, shape_pos, pos, shape_acc, vel = tape.pop()
        PE2_bar = PE_bar[i + 1]
        KE2_bar = KE_bar[i + 1]
        get_energy_pos_bar, get_energy_vel_bar, get_energy_mass_bar = _get_energy_vjp(
            pos, vel, mass, G, (KE2_bar, PE2_bar)
        )
        pos_bar += get_energy_pos_bar
        vel_bar += get_energy_vel_bar
        mass_bar += get_energy_mass_bar
        acc_bar += _unbroadcast(vel_bar / 2.0 * dt, shape_acc)
        get_acc_pos_bar, get_acc_mass_bar = _get_acc_vjp(
            pos, mass, G, softening, acc_bar
        )
        pos_bar += get_acc_pos_bar
        mass_bar += get_acc_mass_bar
        vel_bar = vel_bar + _unbroadcast(pos_bar * dt, shape_vel)
        pos_bar = _unbroadcast(pos_bar, shape_pos)
        acc_bar = _unbroadcast(vel_bar / 2.0 * dt, shape_acc2)
        vel_bar = _unbroadcast(vel_bar, shape_vel2)
    PE_0_bar = PE_bar[0]
    KE_0_bar = KE_bar[0]
    get_energy_pos_bar2, get_energy_vel_bar2, get_energy_mass_bar2 = _get_energy_vjp(
        pos_0, vel_0, mass, G, (KE_0_bar, PE_0_bar)
    )
    pos_bar += get_energy_pos_bar2
    vel_bar += get_energy_vel_bar2
    mass_bar += get_energy_mass_bar2
    get_acc_pos_bar2, get_acc_mass_bar2 = _get_acc_vjp(
        pos_0, mass, G, softening, acc_bar
    )
    pos_bar += get_acc_pos_bar2
    mass_bar += get_acc_mass_bar2
    quotient_bar = -vel_bar
    product_bar = np.expand_dims(
        _unbroadcast(quotient_bar / mean_mass, shape_mean), 0
    ) / len(mass * vel_02)
    mass_bar += _unbroadcast(
        np.broadcast_to(product_bar * vel_02, np.shape(mass * vel_02)), np.shape(mass)
    ) - np.sum(quotient_bar * quotient / mean_mass) / np.size(mass)
    return (
        pos_bar,
        _unbroadcast(vel_bar, np.shape(vel_02))
        + _unbroadcast(
            np.broadcast_to(product_bar * mass, np.shape(mass * vel_02)),
            np.shape(vel_02),
        ),
        mass_bar,
    )
