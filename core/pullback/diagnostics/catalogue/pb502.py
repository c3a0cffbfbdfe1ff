"""PB502: not-staged."""

from pullback.diagnostics.entry import Entry

ENTRY = Entry(
    code="PB502",
    name="not-staged",
    severity="error",
    message="`{name}` cannot be staged: {reason}",
    meaning="""\
A staged function is traced once and then runs without Python. What has no form there, or would mean
something else there, is reported and nothing is written.
""",
    why="""\
Arrays of JAX do not change, share no memory that can be seen, and have shapes that are known when the
function is traced. A program that relies on something else has to say it in another way.
""",
    bad="""\
import numpy as np


def scale(x: np.ndarray):
    # pullback: x: (m, n)
    row = x[0]
    x[0, 0] = 2.0
    return np.sum(row * x)
""",
    mended="""\
import numpy as np


def scale(x: np.ndarray):
    # pullback: x: (m, n)
    row = x[0].copy()
    x[0, 0] = 2.0
    return np.sum(row * x)
""",
    backend="jax",
)
