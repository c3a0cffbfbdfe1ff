"""PB506: unknown-turns."""

from pullback.diagnostics.entry import Entry

ENTRY = Entry(
    code="PB506",
    name="unknown-turns",
    severity="warning",
    message="only the run knows how many turns this loop takes, so that reverse mode of the backend does not pass it",
    meaning="""\
The loop is staged as `lax.while_loop`, or as a `lax.fori_loop` with ends that are traced. The value is
right, and so is forward mode. `jax.grad` raises at it.
""",
    why="""\
Going backwards needs what the turns leave behind, and JAX keeps memory only for a number of turns that
it knows when it compiles. A loop that counts to a whole number and leaves with `break` is staged so that it passes.
Pullback's own gradient of such a loop has no such limit.
""",
    bad="""\
def root(x: float):
    y = x
    while abs(y * y - x) > 1e-10:
        y = 0.5 * (y + x / y)
    return y
""",
    mended="""\
def root(x: float):
    y = x
    for _ in range(50):
        if abs(y * y - x) <= 1e-10:
            break
        y = 0.5 * (y + x / y)
    return y
""",
    backend="jax",
)
