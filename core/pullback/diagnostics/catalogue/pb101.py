"""PB101: captured-variable-changes."""

from pullback.diagnostics.entry import Entry

ENTRY = Entry(
    code="PB101",
    name="captured-variable",
    severity="error",
    message="the inner function ({name}) sees this function's variables as they are when it is called, and the text does not show when that is; make it a function of the module and pass what it needs",
    meaning="""\
A lambda or a function defined inside another one takes part in what is differentiated, and goes where the
text does not follow it: into a container, into another variable, into its own calls.
""",
    why="""\
Python looks a captured variable up when the inner function is *called*, so which value it sees
depends on when that is. A call by its name shows that, and is differentiated with the values at that place.
""",
    bad="""\
def energy(x: float):
    parts = []
    scale = x
    for _ in range(3):
        parts.append(lambda u: scale * u)
        scale = 2.0 * scale
    first = parts[0]
    return first(x)
""",
    mended="""\
def weigh(u, scale):
    return scale * u


def energy(x: float):
    return weigh(x, 8.0 * x)
""",
)
