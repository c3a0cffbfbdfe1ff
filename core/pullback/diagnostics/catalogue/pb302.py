"""PB302: no-derivative."""

from pullback.diagnostics.entry import Entry

ENTRY = Entry(
    code="PB302",
    name="no-derivative",
    severity="error",
    message="{name} has no derivative here: {reason}",
    meaning="""\
The function is known, and it is also known that Pullback cannot differentiate it: nobody has written
its rule yet, or the derivative cannot be told from the text.
""",
    why="""\
The message gives the reason. `pullback rules NAME` prints it too.
""",
    bad="""\
import numpy as np


def highest(x: np.ndarray):
    # pullback: x: (n, m)
    return np.sum(np.apply_along_axis(np.max, 1, x))
""",
    mended="""\
import numpy as np


def highest(x: np.ndarray):
    # pullback: x: (n, m)
    return np.sum(np.max(x, axis=1))
""",
)
