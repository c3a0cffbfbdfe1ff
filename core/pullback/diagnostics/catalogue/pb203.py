"""PB203: possibly-unbound."""

from pullback.diagnostics.entry import Entry

ENTRY = Entry(
    code="PB203",
    name="possibly-unbound",
    severity="warning",
    message="{name} may have no value here; give it one before the {construct}",
    meaning="""\
A variable is read that only some of the paths before it assign: one arm of an `if`, or the body
of a loop that may take no turn (a hint then: most loops do). A reading under the very test that the
binding stands under is fine.
""",
    why="""\
On the other path Python raises `UnboundLocalError`, in the function and in its derivative alike. On
the paths that give it a value the derivative is right.
""",
    bad="""\
def step(x: float, fast: bool):
    if fast:
        rate = 2.0 * x
    return rate * x
""",
    mended="""\
def step(x: float, fast: bool):
    rate = x
    if fast:
        rate = 2.0 * x
    return rate * x
""",
    places={"bound": "{name} gets its value here"},
)
