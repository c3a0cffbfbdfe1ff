"""PB108: nested-function."""

from pullback.diagnostics.entry import Entry

ENTRY = Entry(
    code="PB108",
    name="nested-function",
    severity="error",
    message="{name} is defined inside another function or under a condition; move it to the module's top level",
    meaning="""\
Only functions and methods that a module or class always defines can be asked for. Inside a function
that is differentiated, nested functions have to be moved out too.
""",
    why="""\
What a nested function means depends on the variables around it at the time of the call.
""",
    bad="""\
def energy(x: float):
    def square(u):
        return u * u

    return square(x) + square(2.0 * x)
""",
    mended="""\
def square(u):
    return u * u


def energy(x: float):
    return square(x) + square(2.0 * x)
""",
)
