"""PB311: rule-does-not-fit."""

from pullback.diagnostics.entry import Entry

ENTRY = Entry(
    code="PB311",
    name="rule-does-not-fit",
    severity="error",
    message="this is no rule of {name}: {reason}",
    meaning="""\
A function stands under `@pullback.adjoint` or `@pullback.tangent`, and does not have the form of a rule.
""",
    why="""\
The derivative would call it with other arguments than it takes, or take what it returns for something else.
[Gradient surgery](../surgery.md) shows the form.
""",
    bad="""\
import pullback
from windtunnel import drag


@pullback.adjoint(drag)
def drag_adjoint(speed, area, y_bar):
    return 2.0 * area * speed * y_bar


def power(speed: float, area: float):
    return speed * drag(speed, area)
""",
    mended="""\
import pullback
from windtunnel import drag


@pullback.adjoint(drag)
def drag_adjoint(speed, area, y_bar):
    return 2.0 * area * speed * y_bar, speed * speed * y_bar


def power(speed: float, area: float):
    return speed * drag(speed, area)
""",
)
