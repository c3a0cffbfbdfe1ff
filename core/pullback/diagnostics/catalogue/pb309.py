"""PB309: log-of-base."""

from pullback.diagnostics.entry import Entry

ENTRY = Entry(
    code="PB309",
    name="log-of-base",
    severity="hint",
    message="the derivative in this exponent takes log of the base; it is 0 where the base is 0, nan where it is negative",
    meaning="""\
A power whose exponent is differentiated: d(x ** y)/dy = x ** y * log(x).
""",
    why="""\
The logarithm exists for positive bases. At a base of 0 the generated code gives 0, which is the limit for
positive exponents; at a negative base it gives nan, as a power with another exponent close by would.
""",
    bad="""\
def growth(years: float, rate: float):
    return rate**years
""",
    mended="""\
import math


def growth(years: float, log_rate: float):
    return math.exp(years * log_rate)
""",
)
