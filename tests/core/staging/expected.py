"""What becomes of each program of `tests/programs` on each backend: it gives the same values, or a code says why not.

May not know: how anything is staged.
"""

from __future__ import annotations

from tests.core.programs import PROGRAMS

# backend -> the programs that are reported for it, with the code that says so; all others are staged
REPORTED: dict[str, dict[str, str]] = {
    "jax": {
        "nbody_broadcast": "PB502",  # elements that a mask selects
        "pagerank": "PB502",  # a raise that a traced value decides
        "spmv_csr": "PB502",  # slices whose ends an array holds
        "vae": "PB502",  # an object of a class
        "vertical_advection": "PB503",  # a variable that the first turn alone binds anew
    },
    "tensorflow": {
        "attention_heads": "PB502",  # index arrays along some of the axes
        "belief_propagation": "PB502",  # the same
        "cahn_hilliard": "PB502",  # np.fft
        "gaussian_process": "PB502",  # np.diag_indices
        "kalman": "PB502",  # a right side of which nothing tells whether it is a vector
        "kalman_cholesky": "PB502",  # the same
        "logistic_regression": "PB502",  # index arrays along some of the axes
        "nbody_broadcast": "PB502",  # np.ndarray
        "pagerank": "PB502",  # a raise that a traced value decides
        "resnet": "PB502",  # index arrays along some of the axes
        "spmv_coo": "PB502",  # places that are named twice, taken from
        "spmv_csr": "PB502",  # slices whose ends an array holds
        "springs": "PB502",  # places that are named twice, taken from
        "truss": "PB502",  # a right side of which nothing tells whether it is a vector
        "vae": "PB502",  # an object of a class
        "vertical_advection": "PB503",  # a variable that the first turn alone binds anew
        "weighted_ridge": "PB502",  # a right side of which nothing tells whether it is a vector
    },
    "numba": {
        "attention_heads": "PB501",  # np.einsum
        "belief_propagation": "PB501",  # np.squeeze
        "cahn_hilliard": "PB501",  # np.fft
        "conv2d_offsets": "PB501",  # np.einsum
        "gaussian_process": "PB501",  # np.diag_indices
        "logistic_regression": "PB501",  # a dict as an argument
        "lstm_dict": "PB501",  # the same
        "resnet": "PB501",  # np.mean along several axes
        "truss": "PB501",  # np.ix_
        "vae": "PB502",  # an object of a class
    },
}
# what depends on types says Numba itself, when it compiles
COMPILER_SAYS = {
    "black_scholes": "a name for a float and an array",
    "nbody_broadcast": "a mask of two axes",
    "rk4": "a function that is handed over by its name",
}


def staged_on(backend: str) -> list[str]:
    """The programs that a backend takes."""
    return [name for name in PROGRAMS if name not in REPORTED[backend]]
