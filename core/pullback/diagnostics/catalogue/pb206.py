"""PB206: shape-mismatch."""

from pullback.diagnostics.entry import Entry

ENTRY = Entry(
    code="PB206",
    name="shape-mismatch",
    severity="warning",
    message="the shapes here do not fit: {detail}",
    meaning="""\
The shapes that annotations and comments state, or that follow from the text, cannot be broadcast or
multiplied. Running this line raises.
""",
    why="""\
Either the code or the stated shape is wrong. The derivative raises where the function does.
""",
    bad="""\
import numpy as np


def loss(a: np.ndarray, b: np.ndarray):
    # pullback: a: (3, 2), b: (3,)
    return np.sum(a @ b)
""",
    mended="""\
import numpy as np


def loss(a: np.ndarray, b: np.ndarray):
    # pullback: a: (3, 2), b: (2,)
    return np.sum(a @ b)
""",
)
