"""PB205: argument-written."""

from pullback.diagnostics.entry import Entry

ENTRY = Entry(
    code="PB205",
    name="argument-written",
    severity="error",
    message="{name} writes into an array that it is passed, and {reason}; return a new array",
    meaning="""\
A function of the workspace writes into one of its arguments, and the caller goes on with what was written.
Such a call is differentiated as if the function's statements stood in its place. Here they cannot.
""",
    why="""\
Where a function calls itself there is no end to that; a value in an alternative (`a or f(u)`) or in the test of
a `while` has no place for statements; and what is very long stays a call, so that the derivative can be read.
""",
    bad="""\
import numpy as np


def halve(a, n):
    if n > 0:
        a[n - 1] *= 0.5
        halve(a, n - 1)


def loss(x: np.ndarray):
    # pullback: x: (n,)
    y = 2.0 * x
    halve(y, len(y))
    return np.sum(y * y)
""",
    mended="""\
import numpy as np


def halve(a, n):
    for i in range(n):
        a[i] *= 0.5


def loss(x: np.ndarray):
    # pullback: x: (n,)
    y = 2.0 * x
    halve(y, len(y))
    return np.sum(y * y)
""",
)
