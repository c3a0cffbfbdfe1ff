"""PB204: float-or-array."""

from pullback.diagnostics.entry import Entry, Recipe
from pullback.diagnostics.fixes import annotated

ENTRY = Entry(
    code="PB204",
    name="float-or-array",
    severity="error",
    message="the text does not tell whether {name} is a float or an array, and here they differ; annotate it",
    meaning="""\
A statement means one thing for a float and another for an array: `y = x; y *= 2` rebinds `y` where
it is a float, and changes `x` as well where it is an array.
""",
    why="""\
The two have different derivatives. An annotation on a parameter, or a `# pullback:` comment with its
shape, decides: `x: float`, `x: np.ndarray`, `# pullback: x: (n,)`.
""",
    bad="""\
import numpy as np


def doubled(x):
    y = x
    y *= 2.0
    return np.sum(x * y)
""",
    mended="""\
import numpy as np


def doubled(x: float):
    y = x
    y *= 2.0
    return np.sum(x * y)
""",
    places={
        "parameter": "{parameter} has no annotation",
        "viewed": "nothing tells how many dimensions {parameter} has",
    },
    fixes=(
        Recipe(
            "Annotate {parameter} as a float",
            annotated("float"),
            safe=False,
            note="Nothing that runs changes, but the derivative is right for floats alone.",
        ),
        Recipe(
            "Annotate {parameter} as an array",
            annotated("numpy.ndarray"),
            safe=False,
            note="Nothing that runs changes, but the derivative is right for arrays alone.",
        ),
    ),
)
