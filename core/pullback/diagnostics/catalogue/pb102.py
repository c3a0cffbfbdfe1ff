"""PB102: generator."""

from pullback.diagnostics.entry import Entry

ENTRY = Entry(
    code="PB102",
    name="generator",
    severity="error",
    message="{name} is a generator, and its values have no fixed order in time; return an array or a list",
    meaning="""\
The function holds `yield`. Who calls it decides when each piece of it runs.
""",
    why="""\
The backward pass runs a function's statements in the opposite order. A generator's statements run
between those of its caller, and the order is not in its text.
""",
    bad="""\
def powers(x, n):
    term = 1.0
    for _ in range(n):
        term = term * x
        yield term
""",
    mended="""\
import numpy as np


def powers(x: float, n: int):
    terms = np.zeros(n)
    term = 1.0
    for i in range(n):
        term = term * x
        terms[i] = term
    return np.sum(terms)
""",
)
