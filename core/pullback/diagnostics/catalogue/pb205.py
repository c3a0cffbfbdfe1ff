"""PB205: argument-written."""

from pullback.diagnostics.entry import Entry

ENTRY = Entry(
    code="PB205",
    name="argument-written",
    severity="error",
    message="{name}: an array that is passed here is written in place, which is not supported yet; return a new one",
    meaning="""\
A function of the workspace writes to one of its arguments, and the caller goes on with what was written.
""",
    why="""\
The derivative of the call would have to give the cotangent of the array before the call for that of the
array after it, and private derivatives do not do that yet. A function may write to its own parameters
when it is differentiated itself: they are copied first.
""",
    bad="""\
import numpy as np


def clear_first(a):
    a[0] = 0.0


def loss(x: np.ndarray):
    # pullback: x: (n,)
    y = 2.0 * x
    clear_first(y)
    return np.sum(y * y)
""",
    mended="""\
import numpy as np


def without_first(a):
    b = a.copy()
    b[0] = 0.0
    return b


def loss(x: np.ndarray):
    # pullback: x: (n,)
    y = without_first(2.0 * x)
    return np.sum(y * y)
""",
)
