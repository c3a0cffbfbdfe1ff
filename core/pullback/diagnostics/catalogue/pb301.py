"""PB301: unknown-function."""

from pullback.diagnostics.entry import Entry

ENTRY = Entry(
    code="PB301",
    name="unknown-function",
    severity="error",
    message="nothing is known about {name}, and values that are differentiated pass through it",
    meaning="""\
The function is neither one of NumPy's that Pullback has a rule for, nor one whose source it can
read in this file or in a module beside it.
""",
    why="""\
Its derivative could be anything.

`pullback rules NAME` tells what is known of a function. Write what it computes with NumPy, or bring its
source into the workspace.
""",
    bad="""\
import numpy as np

from instruments import response


def loss(x: np.ndarray):
    return np.sum(response(x))
""",
    mended="""\
import numpy as np


def response(x):
    return np.tanh(3.0 * x)


def loss(x: np.ndarray):
    return np.sum(response(x))
""",
)
