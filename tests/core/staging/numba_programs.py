"""The programs of `tests/programs` for Numba: each function compiled, and which of them it does not take.

May not know: how anything is derived.
"""

from __future__ import annotations

import re
import sys
import types
from typing import Any

from tests.core.programs import PROGRAMS, Program

# programs whose primal Numba does not compile as it is written, and what it stumbles over
NOT_TAKEN = {
    "attention_heads": "np.einsum",
    "belief_propagation": "an index array beside a slice, written",
    "black_scholes": "a name for a float and an array",
    "cahn_hilliard": "np.fft.fftfreq",
    "channel_flow": "np.roll along an axis",
    "conv2d_offsets": "np.einsum",
    "correlation": "np.mean along an axis",
    "gaussian_process": "np.diag_indices",
    "hmm": "the maximum along an axis",
    "ising_mean_field": "np.roll along an axis",
    "logistic_regression": "a dict as an argument",
    "lstm_dict": "a dict as an argument",
    "nbody_broadcast": "a store through a mask of two axes",
    "resnet": "@ of more than two axes",
    "springs": "np.add.at",
    "spmv_coo": "np.subtract.at",
    "truss": "np.ix_",
    "vae": "an object as an argument",
}
# programs whose derivative is refused for Numba, and the first code that says so
REFUSED = {"mlp_layers": "PB501", "bundle_adjustment": "PB501"}
# programs whose derivative does not compile yet, and why
NOT_YET = {"vertical_advection": "an adjoint that is 0.0 before the loop that makes it an array"}


def compiling(p: Program) -> str:
    """The program's text with a decorator on each of its functions, as its author would write it."""
    text = re.sub(r"^def (?!arguments\()", "@numba.njit\ndef ", p.source, flags=re.M)
    return text.replace("import numpy as np\n", "import numba\nimport numpy as np\n", 1)


def compiled_space(*texts: str) -> dict[str, Any]:
    """What the texts define, as a module that is imported: Numba looks for what calls itself among those."""
    module = types.ModuleType(f"compiled_{len(sys.modules)}")
    sys.modules[module.__name__] = module
    exec("\n\n".join(texts), module.__dict__)  # texts of our own tests, and what was made from them
    return module.__dict__


# programs whose derivatives Numba compiles for minutes: they are for `LONG=1 pytest`
LONG = ("conv2d", "lid_cavity")
TAKEN = [name for name in PROGRAMS if name not in {*NOT_TAKEN, *REFUSED, *NOT_YET}]
