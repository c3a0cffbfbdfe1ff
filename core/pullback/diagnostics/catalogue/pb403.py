"""PB403: derivative-orphaned."""

from pullback.diagnostics.entry import Entry, Recipe
from pullback.diagnostics.fixes import without_line

ENTRY = Entry(
    code="PB403",
    name="derivative-orphaned",
    severity="warning",
    message="{name} was generated from {primal}, which is gone; delete it, or its header",
    meaning="""\
The header of a generated function names the function that it is the derivative of. The module has no
such function any more.
""",
    why="""\
A derivative that no function explains is never brought up to date.
""",
    bad="""\
# pullback: grad of cube wrt x [00000000 00000000]
def cube_grad(x: float):
    return 3.0 * x**2
""",
    mended="""\
def cube_slope(x: float):
    return 3.0 * x**2
""",
    fixes=(
        Recipe(
            "Keep {name} as your own: delete its header",
            without_line,
            safe=True,
            note="Nothing that runs changes; it is not looked after any more.",
        ),
    ),
    asked="check",
)
