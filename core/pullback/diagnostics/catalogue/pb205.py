"""PB205: parameter-written."""

from pullback.diagnostics.entry import Entry

ENTRY = Entry(
    code="PB205",
    name="parameter-written",
    severity="hint",
    message="the parameter {name} is written in place; its cotangent is for the value that it had on entry",
    meaning="""\
The function changes the contents of an array that its caller passed.
""",
    why="""\
The derivative is right: it works on a copy, leaves the caller's array as it found it, and its
cotangent belongs to the contents at the time of the call. The copy costs time. A function that
makes a new array needs none.
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
