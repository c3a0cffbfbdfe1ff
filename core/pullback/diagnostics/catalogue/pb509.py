"""PB509: kept-to-itself."""

from pullback.diagnostics.entry import Entry

ENTRY = Entry(
    code="PB509",
    name="kept-to-itself",
    severity="warning",
    message="what is written into `{name}` stays in the function: the caller's array does not change",
    meaning="""\
The function returns something and also writes into an array that it was passed. The staged function gives
what is returned; what it wrote is not seen by who called it.
""",
    why="""\
Arrays of JAX do not change. Only what a function returns leaves it. A function that returns nothing
is staged so that it returns what it writes.
""",
    bad="""\
import numpy as np


def scaled(x: np.ndarray, out: np.ndarray):
    # pullback: x: (n,), out: (n,)
    out[0] = x[0]
    return np.sum(x * out)
""",
    mended="""\
import numpy as np


def scaled(x: np.ndarray, out: np.ndarray):
    # pullback: x: (n,), out: (n,)
    out = out.copy()
    out[0] = x[0]
    return np.sum(x * out)
""",
    backend="jax",
)
