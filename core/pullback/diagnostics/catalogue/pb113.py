"""PB113: star-arguments."""

from pullback.diagnostics.entry import Entry

ENTRY = Entry(
    code="PB113",
    name="star-arguments",
    severity="error",
    message="starred arguments ({name}) do not show which value goes where; write each one out",
    meaning="""\
Starred arguments or parameters hide which values go where, and one of them is differentiated.
""",
    why="""\
Each argument needs a cotangent of its own. How many there are is only known at the call.
""",
    bad="""\
import numpy as np


def loss(x: float, y: float):
    pair = (x, y)
    return np.sum(np.array([*pair]))
""",
    mended="""\
import numpy as np


def loss(x: float, y: float):
    return np.sum(np.array([x, y]))
""",
)
