"""PB108: nested-function."""

from pullback.diagnostics.entry import Entry

ENTRY = Entry(
    code="PB108",
    name="nested-function",
    severity="error",
    message="{name} is nested, conditional or a lambda; make it a `def` at the module's top level",
    meaning="""\
Only functions and methods that a module or class always defines can be asked for. Inside a function
that is differentiated, nested functions have to be moved out too.
""",
    why="""\
What a nested function means depends on the variables around it at the time of the call.
""",
    bad="""\
FAST = True

if FAST:

    def cube(x: float):
        return x * x * x
""",
    mended="""\
def cube(x: float):
    return x * x * x
""",
)
