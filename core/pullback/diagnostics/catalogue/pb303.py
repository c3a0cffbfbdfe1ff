"""PB303: integer-cast."""

from pullback.diagnostics.entry import Entry

ENTRY = Entry(
    code="PB303",
    name="integer-cast",
    severity="warning",
    message="{name} rounds to integers, which cuts the gradient: what passes through it counts as constant",
    meaning="""\
A value that is differentiated is converted to an integer type (`np.array(x, dtype=int)`).
""",
    why="""\
Rounded values move in steps, so their derivative is zero wherever it exists. The gradient given is
right in that sense, and seldom what was meant.
""",
    bad="""\
import numpy as np


def loss(x: np.ndarray):
    # pullback: x: (n,)
    return np.sum(x * np.array(x, dtype=int))
""",
    mended="""\
import numpy as np


def loss(x: np.ndarray):
    # pullback: x: (n,)
    return np.sum(x * x)
""",
)
