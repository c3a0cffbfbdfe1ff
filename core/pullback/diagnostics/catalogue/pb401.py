"""PB401: derivative-out-of-date."""

from pullback.diagnostics.entry import Entry

ENTRY = Entry(
    code="PB401",
    name="derivative-out-of-date",
    severity="warning",
    message="{name} is out of date: {primal} has changed since it was generated",
    meaning="""\
The header of a generated function holds a digest of what it was made from. The function, or one that it
calls, is different now.
""",
    why="""\
The derivative of the old text is wrong for the new one. Generate it again.
""",
    bad="""\
def cube(x: float):
    return x**3


# pullback: grad of cube wrt x [00000000 00000000]
def cube_grad(x: float):
    return 2.0 * x
""",
    mended="",
    asked="check",
)
