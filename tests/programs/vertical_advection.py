"""Vertical advection of a weather model, implicit in the column: a tridiagonal system for each of them.

The Crank-Nicolson discretization of du/dt + w du/dz = 0 on staggered levels, solved for all columns at once by
the Thomas algorithm: elimination upwards in k, then substitution downwards.
"""

import numpy as np

DERIVATIVE = "vjp of vadv wrt u_stage, wcon, u_pos, utens, dtr_stage"


def arguments(size: int = 4):
    rng = np.random.default_rng(4)
    ni, nj, nk = 3, 2, size
    u_stage, u_pos, utens = rng.normal(size=(3, ni, nj, nk))
    return u_stage, rng.normal(size=(ni + 1, nj, nk)), u_pos, utens, 3.0


def vadv(u_stage, wcon, u_pos, utens, dtr_stage):
    """The tendency of u."""
    ni, nj, nk = u_stage.shape
    ccol = np.zeros((ni, nj, nk))
    dcol = np.zeros((ni, nj, nk))
    utens_stage = np.zeros((ni, nj, nk))
    bet_m, bet_p = 0.5, 0.5

    for k in range(nk):
        if k == 0:
            gcv = 0.25 * (wcon[1:, :, k + 1] + wcon[:-1, :, k + 1])
            cs = gcv * bet_m
            ccol[:, :, k] = gcv * bet_p
            bcol = dtr_stage - ccol[:, :, k]
            correction = -cs * (u_stage[:, :, k + 1] - u_stage[:, :, k])
            dcol[:, :, k] = dtr_stage * u_pos[:, :, k] + utens[:, :, k] + correction
            divided = 1.0 / bcol
            ccol[:, :, k] *= divided
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
            divided = 1.0 / (bcol - ccol[:, :, k - 1] * acol)
            ccol[:, :, k] *= divided
            dcol[:, :, k] = (dcol[:, :, k] - dcol[:, :, k - 1] * acol) * divided
        else:
            gav = -0.25 * (wcon[1:, :, k] + wcon[:-1, :, k])
            as_ = gav * bet_m
            acol = gav * bet_p
            bcol = dtr_stage - acol
            correction = -as_ * (u_stage[:, :, k - 1] - u_stage[:, :, k])
            dcol[:, :, k] = dtr_stage * u_pos[:, :, k] + utens[:, :, k] + correction
            divided = 1.0 / (bcol - ccol[:, :, k - 1] * acol)
            dcol[:, :, k] = (dcol[:, :, k] - dcol[:, :, k - 1] * acol) * divided

    for k in range(nk - 1, -1, -1):
        if k == nk - 1:
            datacol = dcol[:, :, k]
        else:
            datacol = dcol[:, :, k] - ccol[:, :, k] * datacol
        utens_stage[:, :, k] = dtr_stage * (datacol - u_pos[:, :, k])
    return utens_stage
