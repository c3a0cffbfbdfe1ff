"""PB201: possible-alias-written."""

from pullback.diagnostics.entry import Entry, Recipe
from pullback.diagnostics.fixes import copied

ENTRY = Entry(
    code="PB201",
    name="possible-alias-written",
    severity="error",
    message="{written} may or may not share memory with {other}, and is written here; copy it first",
    meaning="""\
An operation such as `reshape` or `ravel` returns a view of an array or a copy of it, depending on
the array's layout. The result is written afterwards, and both are used.
""",
    why="""\
If it is a view, the write changes the other array too; if it is a copy, it does not. The
derivatives differ, and the text does not tell which it is.
""",
    bad="""\
import numpy as np


def loss(m: np.ndarray):
    # pullback: m: (r, c)
    a = m.T * 1.0
    flat = a.reshape(-1)
    flat[0] = flat[1] * 10.0
    return np.sum(a * a) + flat[0]
""",
    mended="""\
import numpy as np


def loss(m: np.ndarray):
    # pullback: m: (r, c)
    a = m.T * 1.0
    flat = a.reshape(-1).copy()
    flat[0] = flat[1] * 10.0
    return np.sum(a * a) + flat[0]
""",
    places={
        "made": "{written} is made here, as a view or a copy",
        "bound": "{written} is bound here",
        "other": "{other} is bound here",
    },
    fixes=(
        Recipe(
            "Copy {written} where it is made",
            copied,
            safe=False,
            note="The two arrays are separate then. That changes a program that relied on a view.",
        ),
    ),
)
