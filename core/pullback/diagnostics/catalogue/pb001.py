"""PB001: syntax-error."""

from pullback.diagnostics.entry import Entry

ENTRY = Entry(
    code="PB001",
    name="syntax-error",
    severity="error",
    message="{detail}",
    meaning="""\
This part of the file does not parse, so nothing in it can be differentiated. Statements of the
module that do parse keep all their features.
""",
    why="""\
The derivative is made from the syntax tree of a function. Without a tree there is nothing to read.
""",
    bad="""\
def area(r):
    return 3.14 * r **
""",
    mended="""\
def area(r):
    return 3.14 * r**2
""",
)
