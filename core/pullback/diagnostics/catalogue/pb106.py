"""PB106: attribute-written."""

from pullback.diagnostics.entry import Entry

ENTRY = Entry(
    code="PB106",
    name="attribute-written",
    severity="error",
    message="{name} is an attribute and is written here; keep the value in a local variable and return it",
    meaning="""\
The function stores a value that is differentiated in an attribute of an object.
""",
    why="""\
Other references to the same object see the new value, and the text of the function does not show
who holds one.
""",
    bad="""\
from dataclasses import dataclass


@dataclass
class Filter:
    state: float


def run(x: float, f: Filter):
    f.state = 0.9 * f.state + x
    return f.state**2
""",
    mended="""\
def run(x: float, state: float):
    state = 0.9 * state + x
    return state**2
""",
)
