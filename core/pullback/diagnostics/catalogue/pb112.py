"""PB112: jump-in-loop."""

from pullback.diagnostics.entry import Entry

ENTRY = Entry(
    code="PB112",
    name="jump-in-loop",
    severity="error",
    message="{construct} inside a loop is not supported yet; make it part of the loop's condition",
    meaning="""\
The loop can be left, or a turn of it cut short, at a place in its middle, and values that are
differentiated pass through the loop.
""",
    why="""\
The backward pass has to run the same turns in the opposite order, and the turns taken are not
recorded for such jumps yet.
""",
    bad="""\
def shrink(x: float, n: int):
    for _ in range(n):
        if x < 1.0:
            break
        x = 0.5 * x
    return x
""",
    mended="""\
def shrink(x: float, n: int):
    for _ in range(n):
        if x >= 1.0:
            x = 0.5 * x
    return x
""",
)
