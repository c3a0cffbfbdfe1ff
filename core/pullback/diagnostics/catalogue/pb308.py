"""PB308: nothing-to-differentiate."""

from pullback.diagnostics.entry import Entry

ENTRY = Entry(
    code="PB308",
    name="nothing-to-differentiate",
    severity="error",
    message="{name} gives nothing here that this derivative can start from: grad needs one floating scalar, vjp a floating result",
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
