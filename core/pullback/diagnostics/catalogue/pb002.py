"""PB002: internal-error."""

from pullback.diagnostics.entry import Entry

ENTRY = Entry(
    code="PB002",
    name="internal-error",
    severity="error",
    message="internal error: {detail}; the function is left alone, please report it with its text",
    meaning="""\
Pullback itself failed on this function. Other functions of the file are not affected, and no
derivative is given for this one.
""",
    why="""\
This is a defect of Pullback and never of your code. A report that holds the function's text and the
message is enough to mend it. Until then the usual way round is to split the function: the part
that derives well stays, the rest moves to a helper.
""",
    bad="",
    mended="",
)
