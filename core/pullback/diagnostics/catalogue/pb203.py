"""PB203: possibly-unbound."""

from pullback.diagnostics.entry import Entry

ENTRY = Entry(
    code="PB203",
    name="possibly-unbound",
    severity="warning",
    message="{name} has no value on one of the paths that lead here; give it one before the branch",
    meaning="""\
A variable is read that only some of the paths before it assign: one arm of an `if`, or the body
of a loop that may take no turn.
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
)
