"""A backward pass costs a few times what the function costs, whatever the size: counted, not timed.

One element that is read, written or added to in a loop costs O(1) backwards. A derivative that copies or
makes a whole array in each turn would grow with the size of that array.
"""

from __future__ import annotations

import copy
from textwrap import dedent
from typing import Any

import numpy as np
import pytest

from pullback import derive
from tests.core.counted import counting
from tests.core.differences import outputs, returning, seeds_for, space_of
from tests.core.programs import PROGRAMS

SIZES = (4, 7, 12)

# name: a function f of x, an array of n elements
LOOPS = {
    "elements read": """
        def f(x: np.ndarray):
            # pullback: x: (n,)
            s = 0.0
            for i in range(len(x)):
                s += x[i] * x[i]
            return s
        """,
    "elements read, ranks not known": """
        def f(x):
            s = 0.0
            for i in range(len(x)):
                s += x[i] * x[i]
            return s
        """,
    "elements written": """
        def f(x: np.ndarray):
            # pullback: x: (n,)
            y = np.zeros(len(x))
            for i in range(len(x)):
                y[i] = np.sin(x[i])
            return y
        """,
    "elements added to": """
        def f(x: np.ndarray):
            # pullback: x: (n,)
            y = np.zeros(3)
            for i in range(len(x)):
                y[i % 3] += x[i] * x[i - 1]
            return y
        """,
    "elements overwritten that are needed": """
        def f(x: np.ndarray):
            # pullback: x: (n,)
            u = x.copy()
            for i in range(1, len(u)):
                u[i] = u[i] * u[i - 1]
            return u
        """,
    "elements of an argument overwritten": """
        def f(x: np.ndarray):
            for i in range(1, len(x)):
                x[i] = x[i] * x[i - 1]
            return x
        """,
    "elements multiplied in place": """
        def f(x: np.ndarray):
            # pullback: x: (n,)
            u = x * x
            for i in range(len(u)):
                u[i] *= x[i]
            return u
        """,
    "elements under a condition": """
        def f(x: np.ndarray):
            # pullback: x: (n,)
            u = x.copy()
            for i in range(1, len(u)):
                if u[i] > u[i - 1]:
                    u[i] = u[i] * u[i - 1]
            return u
        """,
    "elements until one is large": """
        def f(x: np.ndarray):
            # pullback: x: (n,)
            u = x.copy()
            for i in range(1, len(u)):
                u[i] = u[i] * np.cos(u[i - 1])
                if u[i] > 1e9:
                    break
            return u
        """,
    "elements of a view": """
        def f(x: np.ndarray):
            # pullback: x: (n,)
            u = x.copy()
            inner = u[1:]
            for i in range(len(inner)):
                inner[i] = inner[i] * u[i]
            return u
        """,
    "elements while there are some": """
        def f(x: np.ndarray):
            # pullback: x: (n,)
            u = x.copy()
            i = 0
            while i < len(u):
                u[i] = np.exp(-u[i]) * u[i - 1]
                i += 1
            return u
        """,
    "rows": """
        def f(x: np.ndarray):
            # pullback: x: (n,)
            A = np.outer(x, x)
            for i in range(1, len(x)):
                A[i] = A[i] * A[i - 1]
            return A
        """,
    "elements through an index array": """
        def f(x: np.ndarray):
            # pullback: x: (n,)
            u = x.copy()
            for i in range(1, len(u)):
                u[[i, i - 1]] = u[[i - 1, i]] * x[i]
            return u
        """,
    "elements whose adjoint begins as another array": """
        def f(x: np.ndarray):
            # pullback: x: (n,)
            y = np.zeros(len(x))
            for i in range(len(x)):
                v = x[i]
                y[i] = v * v
            return y + x
        """,
    "elements that a helper writes": """
        def put(a, i, v):
            a[i] = v * a[i - 1]
            return a[i]


        def f(x: np.ndarray):
            # pullback: x: (n,)
            u = x.copy()
            s = 0.0
            for i in range(1, len(u)):
                s += put(u, i, x[i])
            return s * u
        """,
    "elements that a nested function writes": """
        def f(x: np.ndarray):
            # pullback: x: (n,)
            y = np.ones(len(x))

            def put(i, v):
                y[i] = y[i - 1] * v

            for i in range(1, len(x)):
                put(i, x[i])
            return y
        """,
    "elements of a parameter that is filled": """
        def f(x: np.ndarray):
            # pullback: x: (n,)
            for i in range(1, len(x)):
                x[i] = x[i] * x[i - 1]
        """,
}


def touched(source: str, func: str, made: str, args: tuple[Any, ...]) -> tuple[int, int]:
    """What the function touches, and what its derivative does."""
    space = space_of(source)
    f, derivative = returning(space[func], source), space[made]
    seeds = seeds_for(outputs(f, args))
    several = isinstance(f(*copy.deepcopy(args)), tuple)
    counts = []
    for g, at in ((f, args), (derivative, (*args, seeds if several else seeds[0]))):
        space["np"], counter = counting()
        mine = counter.counted(copy.deepcopy(at))
        counter.touched = 0
        g(*mine)
        counts.append(counter.touched)
    return counts[0], counts[1]


def assert_grows_alike(source: str, func: str, made: str, args: list[tuple[Any, ...]]) -> None:
    counts = [touched(source, func, made, a) for a in args]
    small, middle, large = (backward / max(1, forward) for forward, backward in counts)
    # the primal's arithmetic on numbers is not counted, the guards of its adjoint are
    assert max(small, middle, large) < 20.0, counts
    # where an array is copied each turn, the largest is half as much again
    assert large < 1.2 * max(small, middle), counts


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program(name: str) -> None:
    p = PROGRAMS[name]
    source = p.source + "\n\n" + p.golden.read_text(encoding="utf-8")
    args = [p.arguments(n) for n in SIZES]
    assert_grows_alike(source, p.func, f"{p.func}_{p.kind}", args)


@pytest.mark.parametrize("name", LOOPS)
def test_a_loop(name: str) -> None:
    source = "import numpy as np\n\n\n" + dedent(LOOPS[name]).strip() + "\n"
    derived = derive(source, "f", "vjp", "x", modules={})
    assert derived.source is not None, derived.diagnostics
    args = [(np.random.default_rng(n).uniform(0.5, 1.5, size=n),) for n in SIZES]
    assert_grows_alike(source + "\n\n" + derived.source, "f", "f_vjp", args)


def test_a_copy_each_turn_is_seen() -> None:
    """The measure finds what it is there to find."""
    source = dedent(
        """
        import numpy as np

        def f(x):
            y = np.zeros(len(x))
            for i in range(len(x)):
                y[i] = x[i]
            return y

        def f_vjp(x, y_bar):
            x_bar = np.zeros_like(x)
            for i in range(len(x)):
                row = np.zeros_like(x)
                row[i] = y_bar[i]
                x_bar = x_bar + row
            return x_bar
        """
    )
    args = [(np.ones(n),) for n in SIZES]
    with pytest.raises(AssertionError):
        assert_grows_alike(source, "f", "f_vjp", args)
