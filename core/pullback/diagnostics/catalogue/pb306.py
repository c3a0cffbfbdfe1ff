"""PB306: non-smooth-point."""

from pullback.diagnostics.entry import Entry

ENTRY = Entry(
    code="PB306",
    name="non-smooth-point",
    severity="hint",
    message="{name} has no derivative {where}; do not rely on the one given there",
    meaning="""\
The function has a kink. Everywhere else its derivative is the usual one; at the kink the generated
code gives one value between the two slopes.
""",
    why="""\
Optimizers rarely notice. Where iterates settle exactly on the kink, a smooth function converges better.
""",
    bad="""\
import numpy as np


def loss(x: np.ndarray):
    # pullback: x: (n,)
    return np.sum(np.abs(x))
""",
    mended="""\
import numpy as np


def loss(x: np.ndarray):
    # pullback: x: (n,)
    return np.sum(np.sqrt(x * x + 1e-12))
""",
)
