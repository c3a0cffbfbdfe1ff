"""PB112: jump-in-loop."""

from pullback.diagnostics.entry import Entry

ENTRY = Entry(
    code="PB112",
    name="jump-in-loop",
    severity="error",
    message="{construct} in a loop with an `else` is not supported yet; keep in a variable whether the loop was left",
    meaning="""\
The loop has an `else` block, which runs unless a `break` leaves the loop, and values that are
differentiated pass through the loop. Without the `else`, jumps are differentiated.
""",
    why="""\
The backward pass has to know whether the `else` block ran, and which turns ran before it. That is not
recorded yet.
""",
    bad="""\
def shrink(x: float, n: int):
    for _ in range(n):
        if x < 1.0:
            break
        x = 0.5 * x
    else:
        x = x * x
    return x
""",
    mended="""\
def shrink(x: float, n: int):
    for _ in range(n):
        if x < 1.0:
            break
        x = 0.5 * x
    if x >= 1.0:
        x = x * x
    return x
""",
)
