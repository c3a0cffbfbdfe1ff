"""The budget of one analysis, in steps that are counted and not timed: the same answer on every machine.

A step is one expression that is evaluated or rebuilt, one variable that a turn of a loop brings, or one statement
that is transposed. Where no analysis
is being counted, steps are free.

May not know: what is analysed.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

# Some twenty seconds. The longest function of `tests/programs` takes 11,000 steps; what a function of SciPy takes
# with all that it calls is seldom more than 50,000.
LIMIT = 200_000


class OverBudget(Exception):
    """The analysis takes more steps than it may."""


_taken: ContextVar[list[int] | None] = ContextVar("steps", default=None)


@contextmanager
def counted(limit: int | None = None) -> Iterator[list[int]]:
    """Counts the steps inside, LIMIT at most; the list holds their number. An outer count waits meanwhile."""
    count = [0, LIMIT if limit is None else limit]
    token = _taken.set(count)
    try:
        yield count
    finally:
        _taken.reset(token)


def taken() -> int:
    """How many steps were taken since counting began."""
    count = _taken.get()
    return 0 if count is None else count[0]


def spend(steps: int = 1) -> None:
    """So many steps more.

    Raises OverBudget.
    """
    count = _taken.get()
    if count is not None:
        count[0] += steps
        if count[0] > count[1]:
            raise OverBudget(f"it takes more than {count[1]:,} steps")
