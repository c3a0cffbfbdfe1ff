"""PB110: unsupported-expression."""

from pullback.diagnostics.entry import Entry

ENTRY = Entry(
    code="PB110",
    name="unsupported-expression",
    severity="error",
    message="not supported where differentiated values pass through it: {construct}",
    meaning="""\
This expression is outside the language that Pullback differentiates, and a value that the result
depends on passes through it.
""",
    why="""\
An expression that does not touch such values is kept as it is. This one would need an adjoint.

[limits](../limits.md) lists what is supported, and how to write the rest.
""",
    bad="""\
def total(x: float, n: int):
    return sum({x**k for k in range(n)})
""",
    mended="""\
def total(x: float, n: int):
    result = 0.0
    for k in range(n):
        result = result + x**k
    return result
""",
)
