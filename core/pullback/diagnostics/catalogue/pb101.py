"""PB101: captured-variable-changes."""

from pullback.diagnostics.entry import Entry

ENTRY = Entry(
    code="PB101",
    name="captured-variable",
    severity="error",
    message="the inner function ({name}) sees this function's variables as they are when it is called; make it a function of the module and pass what it needs",
    meaning="""\
A lambda or a function defined inside another one takes part in what is differentiated. It reads the
variables of the function around it, which may be assigned again later, or in a loop.
""",
    why="""\
Python looks a captured variable up when the inner function is *called*, so which value it sees
depends on when that is. The text alone does not tell, and a derivative that guesses can be wrong.
""",
    bad="""\
def energy(x: float):
    scale = x
    weigh = lambda u: scale * u
    scale = 2.0 * scale
    return weigh(x)
""",
    mended="""\
def weigh(u, scale):
    return scale * u


def energy(x: float):
    return weigh(x, 2.0 * x)
""",
)
