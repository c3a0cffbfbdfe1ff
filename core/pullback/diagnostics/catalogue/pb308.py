"""PB308: nothing-to-differentiate."""

from pullback.diagnostics.entry import Entry

ENTRY = Entry(
    code="PB308",
    name="nothing-to-differentiate",
    severity="error",
    message="{name} is nothing to differentiate: grad needs one floating scalar result, vjp a floating result, and both floating parameters",
    meaning="""\
The function returns nothing, or something that is not floating, or (for `grad` and `value_and_grad`) more
than one number.
""",
    why="""\
A gradient says how one number changes. Of a function with many outputs, `vjp` gives the derivative along a
chosen weight for each: `--kind vjp`, `pullback.vjp(f)`.
""",
    bad="""\
import numpy as np


def squares(x: np.ndarray):
    # pullback: x: (n,)
    return x * x
""",
    mended="""\
import numpy as np


def squares(x: np.ndarray):
    # pullback: x: (n,)
    return np.sum(x * x)
""",
)
