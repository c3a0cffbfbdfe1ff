def _unbroadcast(x_bar, shape):
    """x_bar summed over the axes along which an operand of this shape was broadcast."""
    if np.shape(x_bar) == shape or np.ndim(x_bar) == 0:
        return 1.0 * x_bar
    x_bar = np.sum(x_bar, axis=tuple(range(np.ndim(x_bar) - len(shape))))
    stretched = tuple(i for i, n in enumerate(shape) if n == 1 and x_bar.shape[i] != 1)
    return np.sum(x_bar, axis=stretched, keepdims=True) if stretched else x_bar


# pullback: vjp of hdiff wrt in_field, coeff [f1b847c0 8cfe8992]
def hdiff_vjp(in_field, out_field, coeff, hdiff_bar):
    """Vector-Jacobian product of hdiff with respect to in_field and coeff."""
    ni, nj, _ = out_field.shape
    lap_field = 4.0 * in_field[1 : ni + 3, 1 : nj + 3, :] - (
        in_field[2 : ni + 4, 1 : nj + 3, :]
        + in_field[0 : ni + 2, 1 : nj + 3, :]
        + in_field[1 : ni + 3, 2 : nj + 4, :]
        + in_field[1 : ni + 3, 0 : nj + 2, :]
    )

    res = lap_field[1:, 1 : nj + 1, :] - lap_field[:-1, 1 : nj + 1, :]
    value2 = (
        res
        * (in_field[2 : ni + 3, 2 : nj + 2, :] - in_field[1 : ni + 2, 2 : nj + 2, :])
    ) > 0
    flx_field = np.where(value2, 0, res)

    res = lap_field[1 : ni + 1, 1:, :] - lap_field[1 : ni + 1, :-1, :]
    value = (
        res
        * (in_field[2 : ni + 2, 2 : nj + 3, :] - in_field[2 : ni + 2, 1 : nj + 2, :])
    ) > 0
    fly_field = np.where(value, 0, res)
    difference = (
        flx_field[1:, :, :]
        - flx_field[:-1, :, :]
        + fly_field[:, 1:, :]
        - fly_field[:, :-1, :]
    )
    # Backward pass
    out_field_bar = hdiff_bar.copy()
    product_bar = -out_field_bar[:, :, :]
    difference_bar = product_bar * coeff[:, :, :]
    in_field_bar = np.zeros_like(in_field, dtype=np.result_type(in_field, 0.0))
    in_field_bar[2 : ni + 2, 2 : nj + 2, :] = _unbroadcast(
        out_field_bar[:, :, :], np.shape(in_field[2 : ni + 2, 2 : nj + 2, :])
    )
    coeff_bar = np.zeros_like(coeff, dtype=np.result_type(coeff, 0.0))
    coeff_bar[:, :, :] = _unbroadcast(
        product_bar * difference, np.shape(coeff[:, :, :])
    )
    flx_field_bar = np.zeros_like(flx_field)
    flx_field_bar[1:, :, :] = _unbroadcast(difference_bar, flx_field[1:, :, :].shape)
    flx_field_bar[:-1, :, :] += _unbroadcast(
        -difference_bar, flx_field[:-1, :, :].shape
    )
    fly_field_bar = np.zeros_like(fly_field)
    fly_field_bar[:, 1:, :] = _unbroadcast(difference_bar, fly_field[:, 1:, :].shape)
    fly_field_bar[:, :-1, :] += _unbroadcast(
        -difference_bar, fly_field[:, :-1, :].shape
    )
    res_bar = _unbroadcast(np.where(value, 0.0, fly_field_bar), res.shape)
    lap_field_bar = np.zeros_like(lap_field)
    lap_field_bar[1 : ni + 1, 1:, :] = res_bar
    lap_field_bar[1 : ni + 1, :-1, :] -= res_bar
    res_bar = _unbroadcast(
        np.where(value2, 0.0, flx_field_bar), lap_field[1:, 1 : nj + 1, :].shape
    )
    lap_field_bar[1:, 1 : nj + 1, :] += res_bar
    lap_field_bar[:-1, 1 : nj + 1, :] -= res_bar
    in_field_bar[1 : ni + 3, 1 : nj + 3, :] += lap_field_bar * 4.0
    in_field_bar[2 : ni + 4, 1 : nj + 3, :] -= lap_field_bar
    in_field_bar[0 : ni + 2, 1 : nj + 3, :] -= lap_field_bar
    in_field_bar[1 : ni + 3, 2 : nj + 4, :] -= lap_field_bar
    in_field_bar[1 : ni + 3, 0 : nj + 2, :] -= lap_field_bar
    return in_field_bar, coeff_bar
