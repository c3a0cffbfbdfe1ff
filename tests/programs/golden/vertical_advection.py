def _unbroadcast(x_bar, shape):
    """x_bar summed over the axes along which an operand of this shape was broadcast."""
    if np.shape(x_bar) == shape or np.ndim(x_bar) == 0:
        return 1.0 * x_bar
    x_bar = np.sum(x_bar, axis=tuple(range(np.ndim(x_bar) - len(shape))))
    stretched = tuple(i for i, n in enumerate(shape) if n == 1 and x_bar.shape[i] != 1)
    return np.sum(x_bar, axis=stretched, keepdims=True) if stretched else x_bar


# pullback: vjp of vadv wrt u_stage, wcon, u_pos, utens, dtr_stage [2f8c001f 74342eb5]
def vadv_vjp(u_stage, wcon, u_pos, utens, dtr_stage, vadv_bar):
    """Vector-Jacobian product of vadv with respect to u_stage, wcon, u_pos, utens and dtr_stage."""
    ni, nj, nk = u_stage.shape
    ccol = np.zeros((ni, nj, nk))
    dcol = np.zeros((ni, nj, nk))
    bet_m, bet_p = 0.5, 0.5
    tape3 = []
    tape2 = []
    tape = []

    for k in range(nk):
        if k == 0:
            gcv = 0.25 * (wcon[1:, :, k + 1] + wcon[:-1, :, k + 1])
            cs = gcv * bet_m
            ccol[:, :, k] = gcv * bet_p
            bcol = dtr_stage - ccol[:, :, k]
            correction = -cs * (u_stage[:, :, k + 1] - u_stage[:, :, k])
            dcol[:, :, k] = dtr_stage * u_pos[:, :, k] + utens[:, :, k] + correction
            divided = 1.0 / bcol
            ccol_k = ccol[:, :, k].copy()
            ccol[:, :, k] *= divided
            dcol_k = dcol[:, :, k].copy()
            tape3.append((cs, ccol_k, divided, dcol_k))
            dcol[:, :, k] *= divided
        elif k < nk - 1:
            gav = -0.25 * (wcon[1:, :, k] + wcon[:-1, :, k])
            gcv = 0.25 * (wcon[1:, :, k + 1] + wcon[:-1, :, k + 1])
            as_ = gav * bet_m
            cs = gcv * bet_m
            acol = gav * bet_p
            ccol[:, :, k] = gcv * bet_p
            bcol = dtr_stage - acol - ccol[:, :, k]
            correction = -as_ * (u_stage[:, :, k - 1] - u_stage[:, :, k]) - cs * (
                u_stage[:, :, k + 1] - u_stage[:, :, k]
            )
            dcol[:, :, k] = dtr_stage * u_pos[:, :, k] + utens[:, :, k] + correction
            ccol2 = ccol[:, :, k - 1].copy()
            divided = 1.0 / (bcol - ccol[:, :, k - 1] * acol)
            ccol_k2 = ccol[:, :, k].copy()
            ccol[:, :, k] *= divided
            dcol2 = dcol[:, :, k - 1].copy()
            difference2 = dcol[:, :, k] - dcol2 * acol
            tape2.append((acol, cs, as_, ccol2, ccol_k2, divided, dcol2, difference2))
            dcol[:, :, k] = difference2 * divided
        else:
            gav = -0.25 * (wcon[1:, :, k] + wcon[:-1, :, k])
            as_ = gav * bet_m
            acol = gav * bet_p
            bcol = dtr_stage - acol
            correction = -as_ * (u_stage[:, :, k - 1] - u_stage[:, :, k])
            dcol[:, :, k] = dtr_stage * u_pos[:, :, k] + utens[:, :, k] + correction
            ccol3 = ccol[:, :, k - 1].copy()
            divided = 1.0 / (bcol - ccol[:, :, k - 1] * acol)
            dcol3 = dcol[:, :, k - 1].copy()
            difference3 = dcol[:, :, k] - dcol3 * acol
            tape.append((acol, as_, ccol3, dcol3, difference3, divided))
            dcol[:, :, k] = difference3 * divided
    tape4 = []
    datacol_tape = []

    for k in range(nk - 1, -1, -1):
        if k == nk - 1:
            datacol = dcol[:, :, k]
        else:
            datacol_tape.append(datacol)
            datacol = dcol[:, :, k] - ccol[:, :, k] * datacol
        shape_datacol = np.shape(datacol)
        difference = datacol - u_pos[:, :, k]
        tape4.append((shape_datacol, difference))
    # Backward pass
    utens_stage_bar = vadv_bar.copy()
    dtr_stage_bar = np.zeros_like(dtr_stage, dtype=np.result_type(dtr_stage, 0.0))
    u_pos_bar = np.zeros_like(u_pos, dtype=np.result_type(u_pos, 0.0))
    ccol_bar = np.zeros_like(ccol)
    dcol_bar = np.zeros_like(dcol)
    datacol_bar = 0.0
    for k in reversed(range(nk - 1, -1, -1)):
        shape_datacol, difference = tape4.pop()
        difference_bar = utens_stage_bar[:, :, k] * dtr_stage
        dtr_stage_bar += _unbroadcast(
            utens_stage_bar[:, :, k] * difference, np.shape(dtr_stage)
        )
        datacol_bar = datacol_bar + _unbroadcast(difference_bar, shape_datacol)
        u_pos_bar[:, :, k] += _unbroadcast(-difference_bar, np.shape(u_pos[:, :, k]))
        if k == nk - 1:
            dcol_bar[:, :, k] += datacol_bar
            datacol_bar = 0.0
        else:
            datacol = datacol_tape.pop()
            product_bar = -datacol_bar
            dcol_bar[:, :, k] += _unbroadcast(datacol_bar, dcol[:, :, k].shape)
            ccol_bar[:, :, k] += _unbroadcast(
                product_bar * datacol, ccol[:, :, k].shape
            )
            datacol_bar = _unbroadcast(product_bar * ccol[:, :, k], datacol.shape)
    utens_bar = np.zeros_like(utens, dtype=np.result_type(utens, 0.0))
    u_stage_bar = np.zeros_like(u_stage, dtype=np.result_type(u_stage, 0.0))
    wcon_bar = np.zeros_like(wcon, dtype=np.result_type(wcon, 0.0))
    for k in reversed(range(nk)):
        if k == 0:
            cs_0, ccol_k, divided, dcol_k = tape3.pop()
            divided_bar = _unbroadcast(dcol_bar[:, :, k] * dcol_k, divided.shape)
            dcol_bar[:, :, k] *= divided
            divided_bar += _unbroadcast(ccol_bar[:, :, k] * ccol_k, divided.shape)
            ccol_bar[:, :, k] *= divided
            bcol_bar = -divided_bar * divided * divided
            dtr_stage_bar += _unbroadcast(
                dcol_bar[:, :, k] * u_pos[:, :, k], np.shape(dtr_stage)
            )
            correction_bar = dcol_bar[:, :, k].copy()
            u_pos_bar[:, :, k] += _unbroadcast(
                dcol_bar[:, :, k] * dtr_stage, np.shape(u_pos[:, :, k])
            )
            utens_bar[:, :, k] += _unbroadcast(
                dcol_bar[:, :, k], np.shape(utens[:, :, k])
            )
            dcol_bar[:, :, k] = 0.0
            difference_bar2 = -correction_bar * cs_0
            cs_bar = correction_bar * (u_stage[:, :, k] - u_stage[:, :, k + 1])
            u_stage_bar[:, :, k + 1] += _unbroadcast(
                difference_bar2, u_stage[:, :, k + 1].shape
            )
            u_stage_bar[:, :, k] += _unbroadcast(
                -difference_bar2, u_stage[:, :, k].shape
            )
            dtr_stage_bar += _unbroadcast(bcol_bar, np.shape(dtr_stage))
            ccol_bar[:, :, k] += _unbroadcast(-bcol_bar, ccol[:, :, k].shape)
            gcv_bar = _unbroadcast(
                ccol_bar[:, :, k] * bet_p, np.shape(wcon[1:, :, k + 1])
            )
            ccol_bar[:, :, k] = 0.0
            gcv_bar += _unbroadcast(cs_bar * bet_m, np.shape(wcon[1:, :, k + 1]))
            total_bar = gcv_bar * 0.25
            wcon_bar[1:, :, k + 1] += total_bar
            wcon_bar[:-1, :, k + 1] += total_bar
        else:
            if k < nk - 1:
                acol, cs, as_, ccol2, ccol_k2, divided_0, dcol2, difference2 = (
                    tape2.pop()
                )
                difference_bar3 = dcol_bar[:, :, k] * divided_0
                product_bar2 = -difference_bar3
                acol_bar = _unbroadcast(product_bar2 * dcol2, np.shape(acol))
                divided_bar = _unbroadcast(
                    dcol_bar[:, :, k] * difference2, divided_0.shape
                )
                dcol_bar[:, :, k] = 0.0
                dcol_bar[:, :, k] += _unbroadcast(difference_bar3, dcol[:, :, k].shape)
                dcol_bar[:, :, k - 1] += _unbroadcast(
                    product_bar2 * acol, dcol[:, :, k - 1].shape
                )
                divided_bar += _unbroadcast(
                    ccol_bar[:, :, k] * ccol_k2, divided_0.shape
                )
                ccol_bar[:, :, k] *= divided_0
                difference_bar4 = -divided_bar * divided_0 * divided_0
                product_bar3 = -difference_bar4
                bcol_bar = difference_bar4
                acol_bar += _unbroadcast(product_bar3 * ccol2, np.shape(acol))
                ccol_bar[:, :, k - 1] += _unbroadcast(
                    product_bar3 * acol, ccol[:, :, k - 1].shape
                )
                dtr_stage_bar += _unbroadcast(
                    dcol_bar[:, :, k] * u_pos[:, :, k], np.shape(dtr_stage)
                )
                correction_bar = dcol_bar[:, :, k].copy()
                u_pos_bar[:, :, k] += _unbroadcast(
                    dcol_bar[:, :, k] * dtr_stage, np.shape(u_pos[:, :, k])
                )
                utens_bar[:, :, k] += _unbroadcast(
                    dcol_bar[:, :, k], np.shape(utens[:, :, k])
                )
                dcol_bar[:, :, k] = 0.0
                difference_bar5 = -correction_bar * as_
                product_bar4 = -correction_bar
                difference_bar6 = product_bar4 * cs
                as__bar = correction_bar * (u_stage[:, :, k] - u_stage[:, :, k - 1])
                cs_bar = product_bar4 * (u_stage[:, :, k + 1] - u_stage[:, :, k])
                u_stage_bar[:, :, k - 1] += _unbroadcast(
                    difference_bar5, u_stage[:, :, k - 1].shape
                )
                u_stage_bar[:, :, k] += _unbroadcast(
                    -difference_bar5, u_stage[:, :, k].shape
                ) + _unbroadcast(-difference_bar6, u_stage[:, :, k].shape)
                u_stage_bar[:, :, k + 1] += _unbroadcast(
                    difference_bar6, u_stage[:, :, k + 1].shape
                )
                dtr_stage_bar += _unbroadcast(bcol_bar, np.shape(dtr_stage))
                acol_bar += _unbroadcast(-bcol_bar, np.shape(acol))
                ccol_bar[:, :, k] += _unbroadcast(-bcol_bar, ccol[:, :, k].shape)
                gcv_bar = _unbroadcast(
                    ccol_bar[:, :, k] * bet_p, np.shape(wcon[1:, :, k + 1])
                )
                ccol_bar[:, :, k] = 0.0
                gav_bar = acol_bar * bet_p
                gcv_bar += _unbroadcast(cs_bar * bet_m, np.shape(wcon[1:, :, k + 1]))
                gav_bar += _unbroadcast(as__bar * bet_m, np.shape(wcon[1:, :, k]))
                total_bar2 = gcv_bar * 0.25
                wcon_bar[1:, :, k + 1] += total_bar2
                wcon_bar[:-1, :, k + 1] += total_bar2
                total_bar3 = gav_bar * -0.25
                wcon_bar[1:, :, k] += total_bar3
                wcon_bar[:-1, :, k] += total_bar3
            else:
                acol_0, as__0, ccol3, dcol3, difference3, divided_02 = tape.pop()
                difference_bar7 = dcol_bar[:, :, k] * divided_02
                product_bar5 = -difference_bar7
                acol_bar = _unbroadcast(product_bar5 * dcol3, np.shape(acol_0))
                divided_bar = dcol_bar[:, :, k] * difference3
                dcol_bar[:, :, k] = 0.0
                dcol_bar[:, :, k] += _unbroadcast(difference_bar7, dcol[:, :, k].shape)
                dcol_bar[:, :, k - 1] += _unbroadcast(
                    product_bar5 * acol_0, dcol[:, :, k - 1].shape
                )
                difference_bar8 = -divided_bar * divided_02 * divided_02
                product_bar6 = -difference_bar8
                bcol_bar = difference_bar8
                acol_bar += _unbroadcast(product_bar6 * ccol3, np.shape(acol_0))
                ccol_bar[:, :, k - 1] += _unbroadcast(
                    product_bar6 * acol_0, ccol[:, :, k - 1].shape
                )
                dtr_stage_bar += _unbroadcast(
                    dcol_bar[:, :, k] * u_pos[:, :, k], np.shape(dtr_stage)
                )
                correction_bar = dcol_bar[:, :, k].copy()
                u_pos_bar[:, :, k] += _unbroadcast(
                    dcol_bar[:, :, k] * dtr_stage, np.shape(u_pos[:, :, k])
                )
                utens_bar[:, :, k] += _unbroadcast(
                    dcol_bar[:, :, k], np.shape(utens[:, :, k])
                )
                dcol_bar[:, :, k] = 0.0
                difference_bar9 = -correction_bar * as__0
                as__bar = correction_bar * (u_stage[:, :, k] - u_stage[:, :, k - 1])
                u_stage_bar[:, :, k - 1] += _unbroadcast(
                    difference_bar9, u_stage[:, :, k - 1].shape
                )
                u_stage_bar[:, :, k] += _unbroadcast(
                    -difference_bar9, u_stage[:, :, k].shape
                )
                dtr_stage_bar += _unbroadcast(bcol_bar, np.shape(dtr_stage))
                acol_bar += _unbroadcast(-bcol_bar, np.shape(acol_0))
                gav_bar = acol_bar * bet_p + _unbroadcast(
                    as__bar * bet_m, np.shape(wcon[1:, :, k])
                )
                total_bar4 = gav_bar * -0.25
                wcon_bar[1:, :, k] += total_bar4
                wcon_bar[:-1, :, k] += total_bar4
    return u_stage_bar, wcon_bar, u_pos_bar, utens_bar, dtr_stage_bar
