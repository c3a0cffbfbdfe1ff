"""PB205: parameter-written."""

from pullback.diagnostics.entry import Entry

ENTRY = Entry(
    code="PB205",
    name="parameter-written",
    severity="error",
    message="{name} is a parameter and is written in place, which is not supported yet; write to a copy of it",
    meaning="""\
The function changes the contents of an array that its caller passed.
""",
    why="""\
The derivative has to leave the caller's array as it found it, and its cotangent belongs to the contents at
the time of the call. A function that writes to a copy of its own says so itself, and its caller keeps what
it passed.
""",
    bad="""\
import numpy as np


def loss(x: np.ndarray):
    # pullback: x: (n,)
    x[0] = 0.0
    return np.sum(x * x)
""",
    mended="""\
import numpy as np


def loss(x: np.ndarray):
    # pullback: x: (n,)
    y = x.copy()
    y[0] = 0.0
    return np.sum(y * y)
""",
)
