"""PB501: not-compiled."""

from pullback.diagnostics.entry import Entry

ENTRY = Entry(
    code="PB501",
    name="not-compiled",
    severity="error",
    message="Numba does not compile `{name}`: {reason}",
    meaning="""\
A derivative for Numba (`--jit numba`) is compiled as a whole, in nopython mode. All that it calls has to
be compiled too: functions of the workspace carry a decorator of Numba's, and functions of NumPy are those
that Numba knows. Everything else is reported here and not when it is compiled.
""",
    why="""\
Numba compiles a function together with all that it calls. What it cannot compile raises a `TypingError`
that names the generated code, which is not where the reason is.
""",
    bad="""\
import numpy as np
from numba import njit


def square(x):
    return x * x


@njit
def energy(x):
    return np.sum(square(x) ** 2)
""",
    mended="""\
import numpy as np
from numba import njit


@njit
def square(x):
    return x * x


@njit
def energy(x):
    return np.sum(square(x) ** 2)
""",
    jit="numba",
)
