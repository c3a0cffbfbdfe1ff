"""PB111: dynamic-code."""

from pullback.diagnostics.entry import Entry

ENTRY = Entry(
    code="PB111",
    name="dynamic-code",
    severity="error",
    message="{name} runs text that is not known here; write the expression out",
    meaning="""\
`eval`, `exec` and their like run code that is made while the program runs.
""",
    why="""\
Pullback reads source. Code that exists only at run time has no source to read.
""",
    bad="""\
RULE = "x * x"


def area(x: float):
    return eval(RULE)
""",
    mended="""\
def area(x: float):
    return x * x
""",
)
