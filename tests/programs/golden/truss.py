def _unbroadcast(x_bar, shape):
    """x_bar summed over the axes along which an operand of this shape was broadcast."""
    if np.shape(x_bar) == shape or np.ndim(x_bar) == 0:
        return 1.0 * x_bar
    x_bar = np.sum(x_bar, axis=tuple(range(np.ndim(x_bar) - len(shape))))
    stretched = tuple(i for i, n in enumerate(shape) if n == 1 and x_bar.shape[i] != 1)
    return np.sum(x_bar, axis=stretched, keepdims=True) if stretched else x_bar


def _check_distinct(index, shape):
    """Raises ValueError where index names an element of an array of this shape twice: one stays."""
    items = []
    for item in index if isinstance(index, tuple) else (index,):
        if np.asarray(item).dtype == bool:
            items += np.nonzero(item)
        elif item is not None:
            items.append(item)
    chosen, axis = [], 0
    for k, item in enumerate(items):
        if item is ...:
            axis = k - len(items)
        elif not isinstance(item, slice):
            chosen.append(np.asarray(item) % shape[axis])
        axis += 1
    if chosen:
        chosen = np.stack(np.broadcast_arrays(*chosen)).reshape(len(chosen), -1)
        if np.unique(chosen, axis=1).shape != chosen.shape:
            raise ValueError(
                "a statement stores an element twice: only the last one stays"
            )


def _solve_b_bar(y_bar, a, b):
    """Cotangent of b where y = np.linalg.solve(a, b)."""
    a_t = np.swapaxes(a, -1, -2)
    if np.ndim(y_bar) < np.ndim(a):
        b_bar = np.linalg.solve(a_t, y_bar[..., None])[..., 0]
    else:
        b_bar = np.linalg.solve(a_t, y_bar)
    return _unbroadcast(b_bar, np.shape(b))


def _solve_a_bar(y_bar, y, a, b):
    """Cotangent of a where y = np.linalg.solve(a, b)."""
    if np.ndim(y) < np.ndim(a):
        y_bar, y = y_bar[..., None], y[..., None]
    b_bar = np.linalg.solve(np.swapaxes(a, -1, -2), y_bar)
    return _unbroadcast(-b_bar @ np.swapaxes(y, -1, -2), np.shape(a))


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


# pullback: vjp of stiffness wrt nodes, areas, E private=yes [1d449a53 bcddac0c]
def _stiffness_vjp(nodes, bars, areas, E, stiffness_bar):
    """Vector-Jacobian product of stiffness with respect to nodes, areas and E."""
    tape = []
    for b in range(bars.shape[0]):
        i, j = bars[b]
        d = nodes[j] - nodes[i]
        length = np.sqrt(d @ d)
        c, s = d / length
        t = np.array([-c, -s, c, s])
        dofs = np.array([2 * i, 2 * i + 1, 2 * j, 2 * j + 1])
        ix_dofs = np.ix_(dofs, dofs)
        outer_t = np.outer(t, t)
        quotient = E * areas[b] / length
        tape.append((j, i, d, length, ix_dofs, outer_t, quotient, t))
    # Backward pass
    K_bar = stiffness_bar.copy()
    E_bar = np.zeros_like(E, dtype=np.result_type(E, 0.0))
    areas_bar = np.zeros_like(areas, dtype=np.result_type(areas, 0.0))
    nodes_bar = np.zeros_like(nodes, dtype=np.result_type(nodes, 0.0))
    for b in reversed(range(bars.shape[0])):
        j, i, d, length, ix_dofs, outer_t, quotient, t = tape.pop()
        _check_distinct(ix_dofs, np.shape(K_bar))
        quotient_bar = K_bar[ix_dofs] * outer_t
        product_bar = quotient_bar / length
        outer_t_bar = _unbroadcast(K_bar[ix_dofs] * quotient, outer_t.shape)
        E_bar += _unbroadcast(product_bar * areas[b], np.shape(E))
        length_bar = _unbroadcast(-quotient_bar * quotient / length, np.shape(length))
        t_bar = (
            outer_t_bar @ t
            if t.ndim == 1 and t.ndim == 1
            else (outer_t_bar @ np.ravel(t)).reshape(t.shape)
        ) + (
            t @ outer_t_bar
            if t.ndim == 1 and t.ndim == 1
            else (np.ravel(t) @ outer_t_bar).reshape(t.shape)
        )
        areas_bar[b] += _unbroadcast(product_bar * E, np.shape(areas[b]))
        c_bar = t_bar[2] - t_bar[0]
        s_bar = t_bar[3] - t_bar[1]
        quotient_bar2 = np.array([c_bar, s_bar])
        d_bar = _unbroadcast(quotient_bar2 / length, d.shape)
        length_bar += _unbroadcast(
            -quotient_bar2 * d / length / length, np.shape(length)
        )
        product_bar2 = 0.5 * length_bar / length
        d_bar += _matmul_a_bar(product_bar2, d, d) + _matmul_b_bar(product_bar2, d, d)
        np.add.at(nodes_bar, j, _unbroadcast(d_bar, np.shape(nodes[j])))
        np.add.at(nodes_bar, i, _unbroadcast(-d_bar, np.shape(nodes[i])))
    return nodes_bar, areas_bar, E_bar


# pullback: vjp of compliance wrt nodes, areas, E, loads [1cb114d2 cc0c3978]
def compliance_vjp(nodes, bars, areas, E, loads, free, compliance_bar):
    """Vector-Jacobian product of compliance with respect to nodes, areas, E and loads."""
    K = stiffness(nodes, bars, areas, E)
    u = np.zeros(K.shape[0])
    ix_free = np.ix_(free, free)
    K2 = K[ix_free]
    solve = np.linalg.solve(K2, loads[free])
    shape_solve = np.shape(solve)
    u[free] = solve
    # Backward pass
    loads_bar = _matmul_a_bar(compliance_bar, loads, u)
    u_bar = _matmul_b_bar(compliance_bar, loads, u)
    _check_distinct(free, np.shape(u_bar))
    solve_bar = _unbroadcast(u_bar[free], shape_solve)
    K_bar = np.zeros_like(K)
    np.add.at(K_bar, ix_free, _solve_a_bar(solve_bar, solve, K2, loads[free]))
    np.add.at(loads_bar, free, _solve_b_bar(solve_bar, K2, loads[free]))
    stiffness_nodes_bar, stiffness_areas_bar, stiffness_E_bar = _stiffness_vjp(
        nodes, bars, areas, E, K_bar
    )
    return stiffness_nodes_bar, stiffness_areas_bar, stiffness_E_bar, loads_bar
