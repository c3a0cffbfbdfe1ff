"""PB303: integer-cast."""

from pullback.diagnostics.entry import Entry, Recipe
from pullback.diagnostics.fixes import with_dtype

ENTRY = Entry(
    code="PB303",
    name="integer-cast",
    severity="error",
    message="{name} rounds to integers, which cuts the gradient; keep the float, or round what is not differentiated",
    meaning="""\
A value that is differentiated is converted to an integer type: `x.astype(int)`, `np.array(x, dtype=int)`.
""",
    why="""\
Rounded values move in steps, so that their derivative is zero wherever it exists. A gradient of zero is
seldom what was meant, and nothing would show it.
""",
    bad="""\
import numpy as np


def loss(x: np.ndarray):
    # pullback: x: (n,)
    return np.sum(x * x.astype(int))
""",
    mended="""\
import numpy as np


def loss(x: np.ndarray):
    # pullback: x: (n,)
    return np.sum(x * x)
""",
    fixes=(
        Recipe(
            "Keep the float: dtype=float",
            with_dtype("float"),
            safe=False,
            note="Nothing is rounded then, so results change where there were fractions.",
        ),
    ),
)
