"""PB312: derivative-not-known."""

from pullback.diagnostics.entry import Entry

ENTRY = Entry(
    code="PB312",
    name="derivative-not-known",
    severity="error",
    message="this derivative is taken in the function itself and cannot be written: {reason}",
    meaning="""\
The function calls `pullback.grad` or its kin, and what that gives is differentiated. The text does not show which
derivative it is.
""",
    why="""\
Pullback writes the inner derivative too, as a private function, and differentiates that. For this the text must
show which function it is of, with its source, and with respect to what: as names and numbers that are written out.
""",
    bad="""\
import numpy as np

import pullback


def slope(x: float):
    return x * pullback.grad(np.sin)(x)
""",
    mended="""\
import numpy as np

import pullback


def slope(x: float):
    return x * pullback.grad(lambda y: np.sin(y))(x)
""",
)
