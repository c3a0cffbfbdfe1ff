"""PB401: derivative-out-of-date."""

from pullback.diagnostics.entry import Entry

ENTRY = Entry(
    code="PB401",
    name="derivative-out-of-date",
    severity="warning",
    message="{name} is out of date: {primal}, or what it calls, has changed since it was generated",
    meaning="""\
The header of a generated function holds a digest of what it was made from. The function, or one that it
calls, is different now.
""",
    why="""\
The derivative of the old text is wrong for the new one. Generate it again: the light bulb on the
function's `def` line, or `pullback grad FILE::FUNC --write`.
""",
    bad='''\
def power(x: float):
    return x**4


# pullback: grad of power wrt x [4a18f927 737d0e0f]
def power_grad(x: float):
    """Gradient of power with respect to x."""
    # Backward pass
    return 3 * x**2
''',
    mended='''\
def power(x: float):
    return x**4


# pullback: grad of power wrt x [46b79823 f9325445]
def power_grad(x: float):
    """Gradient of power with respect to x."""
    # Backward pass
    return 4 * x**3
''',
    places={"primal": "{primal} is here"},
    asked="check",
)
