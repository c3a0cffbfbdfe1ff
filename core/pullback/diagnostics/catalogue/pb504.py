"""PB504: carried-value-changes."""

from pullback.diagnostics.entry import Entry

ENTRY = Entry(
    code="PB504",
    name="carried-value-changes",
    severity="error",
    message="`{name}` is {first} on one way through this {part} and {then} on another",
    meaning="""\
What the turns of a staged loop pass on has one type and one shape, and so has what a staged branch gives.
""",
    why="""\
JAX compiles one turn for all. A number that becomes an array by broadcasting has another shape in the
second turn than in the first, and `None` is no array at all.
""",
    bad="""\
import numpy as np


def decay(x: np.ndarray, n: int):
    total = 0.0
    for _ in range(n):
        total = 0.5 * total + x
    return np.sum(total)
""",
    mended="""\
import numpy as np


def decay(x: np.ndarray, n: int):
    total = np.zeros_like(x)
    for _ in range(n):
        total = 0.5 * total + x
    return np.sum(total)
""",
    backend="jax",
)
