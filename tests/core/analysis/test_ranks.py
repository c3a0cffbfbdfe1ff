"""Which ranks the statements of a function show, and which they do not."""

from __future__ import annotations

from textwrap import dedent

import pytest

from pullback.analysis.declared import parameter_vals
from pullback.analysis.ranks import with_ranks
from pullback.lower import lower_function
from pullback.program import Program
from pullback.source.module import parse_module

# the function, and the ranks of its parameters in order; that of A, whose shape is unpacked, shows anyway
SHOWN = {
    "an element is stored": (
        """
        def f(x, n):
            y = np.zeros(n)
            for i in range(n):
                y[i] = x[i]
            return y
        """,
        (1, 0),
    ),
    "operands of what is stored": (
        """
        def f(a, A, x):
            n, m = A.shape
            y = np.zeros(n)
            for i in range(n):
                for j in range(m):
                    y[i] += a * np.sin(A[i, j]) / x[i][j]
            return y
        """,
        (0, None, None),
    ),
    "an accumulator": (
        """
        def f(x, A):
            m, n = A.shape
            y = np.zeros(m)
            for i in range(m):
                s = 0.0
                for j in range(n):
                    s = A[i, j] * x[j] + s
                y[i] = s
            return y
        """,
        (1, None),
    ),
    "an accumulator used in a loop over the same range": (
        """
        def f(x, A):
            m, n = A.shape
            y = np.zeros(n)
            for i in range(m):
                s = 0.0
                for j in range(n):
                    s += x[j]
                for j in range(n):
                    y[j] += s
            return y
        """,
        (1, None),
    ),
    "a copy that is written": (
        """
        def f(A, b):
            A = A.copy()
            y = np.zeros(len(b))
            for i in range(len(b)):
                A[i, i] = A[i, i] + b[i]
                y[i] = A[i, i]
            return A, y
        """,
        (2, 1),
    ),
    "an early return before all of it": (
        """
        def f(x, n: int):
            y = np.zeros(3)
            if n == 0:
                return y
            y[0] = x[0]
            return y
        """,
        (1, 0),
    ),
}

NOT_SHOWN = {
    "the store is under a condition": (
        """
        def f(x, n: int):
            y = np.zeros(3)
            if n > 0:
                y[0] = x[0]
            return y * x[0]
        """
    ),
    "the loop that stores may have no turn": (
        """
        def f(x, n: int):
            y = np.zeros(3)
            for i in range(n):
                y[i] = x[i]
            return y[:2] * x[0]
        """
    ),
    "the loop that stores runs over less": (
        """
        def f(x, n: int):
            y = np.zeros(3)
            s = 0.0
            for i in range(n):
                s = s + x[i]
            for i in range(n - 1):
                y[i] = s
            return y[:2] * s
        """
    ),
    "the bound of the range is another one by then": (
        """
        def f(x, n: int):
            y = np.zeros(3)
            s = 0.0
            for i in range(n):
                s = s + x[i]
            n = n - 1
            for i in range(n):
                y[i] = s
            return y[:2] * s
        """
    ),
    "the loop may be left before": (
        """
        def f(x, n: int):
            y = np.zeros(3)
            s = 0.0
            for i in range(n):
                s = s + x[i]
                if n > 1:
                    continue
                y[i] = s
            return y[:2] * s
        """
    ),
    "the value is overwritten before it is stored": (
        """
        def f(x, n: int):
            y = np.zeros(3)
            s = x[0] * x[1]
            t = s * 2.0
            s = 1.0
            y[0] = s
            return y[:2] * t
        """
    ),
    "the value is overwritten under a condition": (
        """
        def f(x, n: int):
            y = np.zeros(3)
            s = x[0] * x[1]
            t = s * 2.0
            if n > 0:
                s = 1.0
            y[0] = s
            return y[:2] * t
        """
    ),
    "the value is overwritten by a walrus": (
        """
        def f(x, n: int):
            y = np.zeros(3)
            s = x[0] * x[1]
            t = s * 2.0
            if (s := 1.0) > n:
                n = 2
            y[0] = s
            return y[:2] * t
        """
    ),
    "axes come from another operand": (
        """
        def f(x, n: int):
            u = x.copy()
            u = u + np.ones((3, 3))
            y = np.zeros(3)
            y[0] = u[0, 0]
            return y * x
        """
    ),
    "a slice is stored, which may broadcast": (
        """
        def f(x, n: int):
            y = np.zeros(3)
            y[:2] = x[0]
            return y
        """
    ),
    "an element of an array whose rank is not known": (
        """
        def f(x, n: int):
            for i in range(1, len(x)):
                x[i] = x[i] * x[i - 1]
            return x
        """
    ),
    "an index that is an array": (
        """
        def f(x, n: int):
            y = np.zeros(3)
            k = np.arange(2)
            y[k] = x[0]
            return y
        """
    ),
    "statements that are kept as text stand between": (
        """
        def f(x, n: int):
            y = np.zeros(3)
            s = x[0] * 2.0
            try:
                n = int("2")
            except ValueError:
                return s
            y[0] = s
            return y
        """
    ),
    "the turns of a loop with else": (
        """
        def f(x, n: int):
            y = np.zeros(3)
            s = 0.0
            for i in range(n):
                pass
            else:
                s = x[0] * 2.0
            for i in range(n):
                y[i] = s
            return y[:2] * s
        """
    ),
}


def ranks(text: str) -> tuple[int | None, ...]:
    module = parse_module("import numpy as np\n\n\n" + dedent(text).strip() + "\n")
    fn = lower_function(module, "f")
    assert fn is not None
    program = Program(module, lambda name: None)
    found = with_ranks(fn, parameter_vals(fn, ()), lambda params: program.facts(fn, params))
    return tuple(found[p.name].type.rank() for p in fn.params)


@pytest.mark.parametrize("name", SHOWN)
def test_ranks_that_are_shown(name: str) -> None:
    text, expected = SHOWN[name]
    assert ranks(text) == expected


@pytest.mark.parametrize("name", NOT_SHOWN)
def test_ranks_that_are_not_shown(name: str) -> None:
    assert ranks(NOT_SHOWN[name])[0] is None
