"""PB505: once-per-trace."""

from pullback.diagnostics.entry import Entry

ENTRY = Entry(
    code="PB505",
    name="once-per-trace",
    severity="warning",
    message="this `{name}` takes place when the function is traced, if at all, and not at each call",
    meaning="""\
A staged function is run by Python once for each combination of shapes. A `print` shows what the trace
holds then, which is no number. `assert` and `raise` cannot depend on what only the run knows: they are left out.
""",
    why="""\
The compiled function has no Python in it. Effects that are meant for each call have forms of their
own: `jax.debug.print`, `checkify`.
""",
    bad="""\
def halve(x: float):
    assert x > 0.0
    return 0.5 * x
""",
    mended="""\
def halve(x: float):
    return 0.5 * x
""",
    backend="jax",
)
