"""PB402: derivative-edited."""

from pullback.diagnostics.entry import Entry, Recipe
from pullback.diagnostics.fixes import without_line

ENTRY = Entry(
    code="PB402",
    name="derivative-edited",
    severity="warning",
    message="{name} was written or edited by hand, and is kept as it is; delete it to have it generated again",
    meaning="""\
A function stands where a derivative would go. Either it has no header, so that Pullback did not write it,
or its body is not what the digest in its header says, so that someone changed it.
""",
    why="""\
Nothing is overwritten unseen. Keep the function and delete its header to own it from here on, or delete
the function and generate it again.
""",
    bad="",
    mended="",
    fixes=(
        Recipe(
            "Keep {name} as your own: delete its header",
            without_line,
            safe=True,
            note="Nothing that runs changes; it is not looked after any more.",
        ),
    ),
    asked="check",
)
