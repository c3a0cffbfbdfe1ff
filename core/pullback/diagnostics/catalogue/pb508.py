"""PB508: frozen-value."""

from pullback.diagnostics.entry import Entry

ENTRY = Entry(
    code="PB508",
    name="frozen-value",
    severity="error",
    message="`{name}` of a traced value: {reason}",
    meaning="""\
`bool(x)`, `x.item()` and `x.tolist()` ask for a value of Python's, which there is none of while a function
is traced.
""",
    why="""\
Where such a value is had after all, because the function was called without being compiled, it is frozen:
the branch that it chose then is taken for ever.
""",
    bad="""\
import numpy as np


def gate(x: np.ndarray):
    # pullback: x: (n,)
    high = bool(np.sum(x) > 1.0)
    return np.sum(x) if high else np.sum(x * x)
""",
    mended="""\
import numpy as np


def gate(x: np.ndarray):
    # pullback: x: (n,)
    high = np.sum(x) > 1.0
    return np.sum(x) if high else np.sum(x * x)
""",
    backend="jax",
)
