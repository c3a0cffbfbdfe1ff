"""Sparse Jacobians: their entries are those of the dense ones, of several columns with each product."""

from __future__ import annotations

from textwrap import dedent
from typing import Any

import numpy as np
import pytest

import pullback
from pullback import derive
from pullback.rules.helpers import HELPERS
from tests.core.differences import space_of

U = np.array([0.4, -1.1, 0.7, 0.2, -0.6, 0.9])

# name: (text of the function f, arguments); the Jacobian is with respect to the first
PROGRAMS: dict[str, tuple[str, tuple[Any, ...]]] = {
    "a second difference with its boundary": (
        """
        def f(u: np.ndarray, h: float):
            # pullback: u: (n,)
            r = np.zeros(len(u))
            r[1:-1] = (u[:-2] - 2.0 * u[1:-1] + u[2:]) / h**2 - np.exp(u[1:-1])
            r[0] = u[0]
            r[-1] = u[-1] * u[-1]
            return r
        """,
        (U, 0.5),
    ),
    "a grid, with neighbours": (
        """
        def f(u: np.ndarray):
            # pullback: u: (n, m)
            return np.sin(u) + u * np.roll(u, 1, axis=0)
        """,
        (U.reshape(3, 2),),
    ),
    "fewer outputs than inputs": (
        """
        def f(u: np.ndarray):
            # pullback: u: (n, m)
            return np.sum(u * u, axis=1)
        """,
        (U.reshape(3, 2),),
    ),
    "nothing is known of shapes": (
        """
        def f(u):
            return u[1:] * u[:-1]
        """,
        (U,),
    ),
    "a parameter that is filled": (
        """
        def f(u, r):
            for i in range(1, len(u)):
                r[i] = u[i] * u[i - 1] + r[i]
        """,
        (U, np.ones(6)),
    ),
    "whole numbers": (
        """
        def f(u):
            return u * u
        """,
        (np.array([1, 2, -3]),),
    ),
    "single precision": (
        """
        def f(u: np.ndarray):
            return np.exp(u)
        """,
        (U.astype(np.float32),),
    ),
}


def made(name: str, kind: str) -> Any:
    text = "import numpy as np\n\n\n" + dedent(PROGRAMS[name][0])
    derived = derive(text, "f", kind, "u", modules={})
    assert derived.source is not None, [d.message for d in derived.diagnostics]
    return space_of(text, derived.source)[f"f_{kind}"]


def matrix(name: str) -> np.ndarray:
    """The dense Jacobian, with the elements of output and parameter in a row."""
    args = PROGRAMS[name][1]
    return np.asarray(made(name, "jacobian")(*args)).reshape(-1, np.size(args[0]))


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_entries_are_those_of_the_dense_one(name: str) -> None:
    args, dense = PROGRAMS[name][1], matrix(name)
    rows, columns = np.nonzero(dense)
    before = [np.copy(a) for a in args]
    entries = made(name, "sparse_jacobian")(*args, rows, columns)
    assert all(np.array_equal(a, b) for a, b in zip(args, before))
    assert entries.dtype == (np.float32 if args[0].dtype == np.float32 else np.float64)
    np.testing.assert_allclose(entries, dense[rows, columns], rtol=1e-6)


@pytest.mark.parametrize("name", PROGRAMS)
def test_places_that_leave_out_an_entry_are_refused(name: str) -> None:
    rows, columns = np.nonzero(matrix(name))
    with pytest.raises(ValueError, match="not zero outside rows and columns"):
        made(name, "sparse_jacobian")(*PROGRAMS[name][1], rows[1:], columns[1:])


def groups(rows: list[int], columns: list[int]) -> list[list[int]]:
    space: dict[str, Any] = {"np": np}
    exec(HELPERS["_groups"], space)
    return [group.tolist() for group in space["_groups"](np.array(rows), np.array(columns))]


def test_columns_of_a_group_have_no_row_in_common() -> None:
    n = 50
    rows, columns = np.nonzero(np.abs(np.subtract.outer(np.arange(n), np.arange(n))) < 2)
    made = groups(rows.tolist(), columns.tolist())
    assert len(made) == 3  # a matrix with three diagonals, however large
    assert sorted(k for group in made for k in group) == list(range(len(rows)))
    for group in made:
        assert len(set(rows[group])) == len(group)


def test_a_full_matrix_has_a_group_for_each_column() -> None:
    assert groups([0, 0, 1, 1], [0, 1, 0, 1]) == [[0, 2], [1, 3]]


def squares(u, v):
    return u * u * v, v


def test_one_output_and_one_parameter() -> None:
    with pytest.raises(pullback.DerivationError, match="more than one output in a sparse Jacobian"):
        pullback.sparse_jacobian(squares)
    with pytest.raises(pullback.DerivationError, match="more than one parameter"):
        pullback.sparse_jacobian(shifted, ("u", "v"))


def shifted(u, v):
    return u * u + v


def test_of_a_live_function() -> None:
    diagonal = np.arange(len(U))
    entries = pullback.sparse_jacobian(shifted)(U, 1.0, diagonal, diagonal)
    np.testing.assert_allclose(entries, 2.0 * U)
