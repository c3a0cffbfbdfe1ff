"""PB402: derivative-edited."""

from pullback.diagnostics.entry import Entry

ENTRY = Entry(
    code="PB402",
    name="derivative-edited",
    severity="warning",
    message="{name} was edited by hand, and is kept as it is; delete it to have it generated again",
    meaning="""\
The header of a generated function holds a digest of its body, and the body is different now.
""",
    why="""\
Nothing is overwritten unseen. Keep the function and delete its header to own it from here on, or delete
the function and generate it again.
""",
    bad="",
    mended="",
    asked="check",
)
