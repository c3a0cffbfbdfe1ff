"""Horizontal diffusion of a weather model: fourth order, with fluxes that may not run up the gradient.

The Laplacian of the field is taken twice; between, the flux over each face is set to zero where it has the sign
of the difference of the field (the limiter of Xue, 2000). Fields are (I, J, K), halos of two cells.
"""

import numpy as np

DERIVATIVE = "vjp of hdiff wrt in_field, coeff"


def arguments(size: int = 4):
    rng = np.random.default_rng(3)
    ni, nj, nk = size, size - 1, 2
    in_field = rng.normal(size=(ni + 4, nj + 4, nk))
    return in_field, np.empty((ni, nj, nk)), 0.1 * rng.random((ni, nj, nk))


def hdiff(in_field, out_field, coeff):
    ni, nj, _ = out_field.shape
    lap_field = 4.0 * in_field[1 : ni + 3, 1 : nj + 3, :] - (
        in_field[2 : ni + 4, 1 : nj + 3, :]
        + in_field[0 : ni + 2, 1 : nj + 3, :]
        + in_field[1 : ni + 3, 2 : nj + 4, :]
        + in_field[1 : ni + 3, 0 : nj + 2, :]
    )

    res = lap_field[1:, 1 : nj + 1, :] - lap_field[:-1, 1 : nj + 1, :]
    flx_field = np.where(
        (
            res
            * (
                in_field[2 : ni + 3, 2 : nj + 2, :]
                - in_field[1 : ni + 2, 2 : nj + 2, :]
            )
        )
        > 0,
        0,
        res,
    )

    res = lap_field[1 : ni + 1, 1:, :] - lap_field[1 : ni + 1, :-1, :]
    fly_field = np.where(
        (
            res
            * (
                in_field[2 : ni + 2, 2 : nj + 3, :]
                - in_field[2 : ni + 2, 1 : nj + 2, :]
            )
        )
        > 0,
        0,
        res,
    )

    out_field[:, :, :] = in_field[2 : ni + 2, 2 : nj + 2, :] - coeff[:, :, :] * (
        flx_field[1:, :, :]
        - flx_field[:-1, :, :]
        + fly_field[:, 1:, :]
        - fly_field[:, :-1, :]
    )
