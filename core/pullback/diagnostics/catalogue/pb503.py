"""PB503: defined-in-one-branch."""

from pullback.diagnostics.entry import Entry

ENTRY = Entry(
    code="PB503",
    name="defined-in-one-branch",
    severity="error",
    message="`{name}` is not bound on every way that leads here, and is read later",
    meaning="""\
Both arms of a staged branch are functions that give the same variables, and the turns of a staged loop
pass the same variables on. One that only some of them bind has no value on the other ways.
""",
    why="""\
Python would raise an `UnboundLocalError` when it reads such a variable on the wrong way, or never get
there. A staged function has no such state: AutoGraph puts a value in its place that stands for nothing.
""",
    bad="""\
def shrink(x: float):
    if x > 1.0:
        factor = 0.5
    return x * factor
""",
    mended="""\
def shrink(x: float):
    factor = 1.0
    if x > 1.0:
        factor = 0.5
    return x * factor
""",
    backend="jax",
)
