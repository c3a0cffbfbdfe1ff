"""PB310: complex-in-real-array."""

from pullback.diagnostics.entry import Entry, Recipe
from pullback.diagnostics.fixes import with_dtype

ENTRY = Entry(
    code="PB310",
    name="complex-in-real-array",
    severity="error",
    message="{name} is not known to hold complex numbers, and of the one stored in it the imaginary part would be dropped; make {name} with dtype=complex",
    meaning="""\
A complex value is assigned to elements of an array of floats, or of an array of which nobody knows that it is
complex. NumPy drops the imaginary part with a warning, or raises.
""",
    why="""\
What is stored is not the value that the text computes. Where the real part is meant, say so: `value.real`.
""",
    bad="""\
import numpy as np


def loss(x: np.ndarray):
    # pullback: x: (3,)
    out = np.zeros(3)
    out[:] = np.fft.fft(x)
    return np.sum(out**2)
""",
    mended="""\
import numpy as np


def loss(x: np.ndarray):
    # pullback: x: (3,)
    out = np.zeros(3, dtype=complex)
    out[:] = np.fft.fft(x)
    return np.sum(np.abs(out) ** 2)
""",
    places={"made": "{name} is made here, of floats"},
    fixes=(
        Recipe(
            "Make {name} with dtype=complex",
            with_dtype("complex"),
            safe=False,
            note="It holds complex numbers then, and so does what is made of it.",
        ),
    ),
)
