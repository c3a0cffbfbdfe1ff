"""PB105: outer-variable-written."""

from pullback.diagnostics.entry import Entry

ENTRY = Entry(
    code="PB105",
    name="outer-variable-written",
    severity="error",
    message="{name} lives outside this function and is written here; return the new value instead",
    meaning="""\
A `global` or `nonlocal` statement lets the function assign to a variable that is not its own.
""",
    why="""\
The result then depends on earlier calls, and calling the function changes what the next call sees.
The derivative of one call does not exist without the others.
""",
    bad="""\
TOTAL = 0.0


def accumulate(x: float):
    global TOTAL
    TOTAL = TOTAL + x * x
    return TOTAL
""",
    mended="""\
def accumulate(x: float, total: float):
    return total + x * x
""",
)
