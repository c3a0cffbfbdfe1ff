"""PB308: nothing-to-differentiate."""

from pullback.diagnostics.entry import Entry

ENTRY = Entry(
    code="PB308",
    name="nothing-to-differentiate",
    severity="error",
    message="{name} cannot be differentiated: {reason}",
    meaning="""\
What was asked for has no derivative: the function returns nothing that floats, the parameter does not
reach the result, or it is not a number at all.
""",
    why="""\
A gradient that is always zero, or of a string, is a question asked of the wrong function or parameter.
""",
    bad="""\
def label(x: float):
    return "positive" if x > 0.0 else "negative"
""",
    mended="""\
def distance(x: float):
    return x if x > 0.0 else -x
""",
)
