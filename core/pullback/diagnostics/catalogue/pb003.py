"""PB003: analysis-budget."""

from pullback.diagnostics.entry import Entry

ENTRY = Entry(
    code="PB003",
    name="analysis-budget",
    severity="error",
    message="the analysis of this function gave up: {detail}; split it into smaller functions",
    meaning="""\
Each analysis may take a fixed number of steps, counted and not timed, so that every machine gives
the same answer. This function needs more.
""",
    why="""\
An editor has to answer while you type. A function that exceeds the budget is nearly always
generated code or a very long unrolled loop.

Write the repeated part as a loop or as a helper: analyses look at a loop's body a few times, and at
a helper once.
""",
    bad="",
    mended="",
)
