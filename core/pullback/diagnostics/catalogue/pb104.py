"""PB104: try-around-active."""

from pullback.diagnostics.entry import Entry

ENTRY = Entry(
    code="PB104",
    name="try-around-active",
    severity="error",
    message="{construct} around code that is differentiated; test for the bad case with if instead",
    meaning="""\
The `try` block (or `with` block) computes a value that the derivative depends on.
""",
    why="""\
An exception can leave the block after any statement, so the text does not tell which statements
ran and which the backward pass has to undo.
""",
    bad="""\
import math


def log_ratio(x: float, y: float):
    try:
        ratio = math.log(x / y)
    except ValueError:
        ratio = 0.0
    return ratio * x
""",
    mended="""\
import math


def log_ratio(x: float, y: float):
    if x / y > 0.0:
        ratio = math.log(x / y)
    else:
        ratio = 0.0
    return ratio * x
""",
)
