"""PB109: unsupported-statement."""

from pullback.diagnostics.entry import Entry

ENTRY = Entry(
    code="PB109",
    name="unsupported-statement",
    severity="error",
    message="not supported where differentiated values pass through it: {construct}",
    meaning="""\
This statement is outside the language that Pullback differentiates, and a value that the result
depends on passes through it.
""",
    why="""\
A statement that does not touch such values is kept as it is. This one would need an adjoint.

[limits](../limits.md) lists what is supported, and how to write the rest.
""",
    bad="""\
def scale(x: float, mode: tuple):
    match mode:
        case ("times", factor):
            y = factor * x
        case _:
            y = x
    return y
""",
    mended="""\
def scale(x: float, mode: tuple):
    if mode[0] == "times":
        y = mode[1] * x
    else:
        y = x
    return y
""",
)
