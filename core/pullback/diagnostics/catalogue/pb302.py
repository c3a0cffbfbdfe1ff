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


def largest_root(p: np.ndarray):
    # pullback: p: (3,)
    return np.roots(p)[0]
""",
    mended="""\
import numpy as np


def largest_root(p: np.ndarray):
    # pullback: p: (3,)
    return (-p[1] + np.sqrt(p[1] ** 2 - 4.0 * p[0] * p[2])) / (2.0 * p[0])
""",
)
