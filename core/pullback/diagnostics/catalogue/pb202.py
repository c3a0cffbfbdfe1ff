"""PB202: written-under-view."""

from pullback.diagnostics.entry import Entry, Recipe
from pullback.diagnostics.fixes import copied

ENTRY = Entry(
    code="PB202",
    name="written-under-view",
    severity="error",
    message="{written} is written here while {other}, which may be a view of it, is read later; copy {other} first",
    meaning="""\
An array is written after something was made from it that may be a view (`reshape`, `ravel`,
`np.asarray` …), and that view is read after the write.
""",
    why="""\
If it is a view it shows the new values, if it is a copy the old ones. The derivatives differ.
""",
    bad="""\
import numpy as np


def loss(m: np.ndarray):
    # pullback: m: (r, c)
    a = m.T * 1.0
    flat = np.ravel(a)
    a[0, 0] = 0.0
    return np.sum(flat * flat)
""",
    mended="""\
import numpy as np


def loss(m: np.ndarray):
    # pullback: m: (r, c)
    a = m.T * 1.0
    flat = np.ravel(a).copy()
    a[0, 0] = 0.0
    return np.sum(flat * flat)
""",
    places={
        "made": "{other} is made here, as a view or a copy",
        "bound": "{other} is bound here",
    },
    fixes=(
        Recipe(
            "Copy {other} where it is made",
            copied,
            safe=False,
            note="{other} keeps the old values then. That changes a program that relied on a view.",
        ),
    ),
)
