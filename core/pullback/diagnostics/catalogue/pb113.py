"""PB113: star-arguments."""

from pullback.diagnostics.entry import Entry

ENTRY = Entry(
    code="PB113",
    name="star-arguments",
    severity="error",
    message="starred arguments ({name}) do not show which value goes where; write each one out",
    meaning="""\
Starred arguments or displays hide which values go where, and one of them is differentiated.
""",
    why="""\
Each argument needs a cotangent of its own. Starred tuples, lists and dicts of a known number of parts are
taken apart, and what `*args` collects is known at the call; of anything else only a run shows how many there are.
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
