"""PB304: float-in-integer-array."""

from pullback.diagnostics.entry import Entry, Recipe
from pullback.diagnostics.fixes import with_dtype

ENTRY = Entry(
    code="PB304",
    name="float-in-integer-array",
    severity="error",
    message="{name} holds integers, and the float stored in it is cut off; make {name} with dtype=float",
    meaning="""\
A floating value is assigned to elements of an array that was made with an integer dtype. NumPy drops
the fraction without a word.
""",
    why="""\
What is stored moves in steps, and its derivative is zero wherever it exists. That is nearly always a
slip in the line that makes the array.
""",
    bad="""\
import numpy as np


def loss(x: np.ndarray):
    # pullback: x: (3,)
    out = np.zeros(3, dtype=int)
    for i in range(3):
        out[i] = 10.0 * x[i]
    return np.sum(out)
""",
    mended="""\
import numpy as np


def loss(x: np.ndarray):
    # pullback: x: (3,)
    out = np.zeros(3)
    for i in range(3):
        out[i] = 10.0 * x[i]
    return np.sum(out)
""",
    places={"made": "{name} is made here, of integers"},
    fixes=(
        Recipe(
            "Make {name} with dtype=float",
            with_dtype("float"),
            safe=False,
            note="It holds floats then, so results change where fractions were cut off.",
        ),
    ),
)
