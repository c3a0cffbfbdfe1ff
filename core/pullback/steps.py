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
    taken = [0, LIMIT if limit is None else limit]
    token = _taken.set(taken)
    try:
        yield taken
    finally:
        _taken.reset(token)


def spend(steps: int = 1) -> None:
    """So many steps more.

    Raises OverBudget.
    """
    taken = _taken.get()
    if taken is not None:
        taken[0] += steps
        if taken[0] > taken[1]:
            raise OverBudget(f"it takes more than {taken[1]:,} steps")
