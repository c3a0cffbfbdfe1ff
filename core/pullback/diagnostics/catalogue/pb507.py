"""PB507: unrolled-loop."""

from pullback.diagnostics.entry import Entry

ENTRY = Entry(
    code="PB507",
    name="unrolled-loop",
    severity="warning",
    message="this loop is unrolled when the function is traced, for the sake of `{name}`",
    meaning="""\
Every turn becomes code of its own. The result is right; compiling takes as long as there are turns, and
for thousands of them too long.
""",
    why="""\
Something in the loop has to be known while it is traced and changes from turn to turn: a shape, the end
of a slice, the place in a list, what is appended. One compiled turn cannot stand for all of them.
""",
    bad="""\
import numpy as np


def prefixes(x: np.ndarray):
    # pullback: x: (n,)
    total = 0.0
    for i in range(len(x)):
        total += np.max(x[: i + 1])
    return total
""",
    mended="""\
import numpy as np


def prefixes(x: np.ndarray):
    # pullback: x: (n,)
    total = 0.0
    largest = x[0]
    for i in range(len(x)):
        largest = np.maximum(largest, x[i])
        total += largest
    return total
""",
    backend="jax",
)
