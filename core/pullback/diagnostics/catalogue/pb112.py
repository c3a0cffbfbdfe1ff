"""PB112: comment-does-not-fit."""

from pullback.diagnostics.entry import Entry

ENTRY = Entry(
    code="PB112",
    name="comment-does-not-fit",
    severity="error",
    message="`# pullback: {word}` does not fit here: {detail}",
    meaning="""\
The comment asks for a derivative that the statement it stands at cannot have.
""",
    why="""\
Where such a comment were passed over, the derivative would be another one than you asked for.
[Gradient surgery](../surgery.md) says for each comment what it takes.
""",
    bad="""\
import numpy as np


def whole_area(width: float):
    height = 2.0 * width
    area = np.round(width * height)  # pullback: straight-through
    return area * width
""",
    mended="""\
import numpy as np


def whole_area(width: float):
    height = 2.0 * width
    exact = width * height
    area = np.round(exact)  # pullback: straight-through
    return area * width
""",
)
