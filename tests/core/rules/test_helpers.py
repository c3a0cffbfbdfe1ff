"""Helpers on their own, where what they do is more than a formula that the table's test samples."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pullback.rules.helpers import HELPERS

_INDICES = [
    [0, 2],
    [0, 0],
    [0, -3],
    [],
    np.array([[0, 1], [2, 0]]),
    (1, [0, 3]),
    ([0, 1], [0, 0]),
    ([0, 0], [1, 1]),
    ([[0], [1]], [0, 1]),
    ([[0], [0]], [0, 1]),
    (slice(None), [1, 1]),
    (slice(1, None), [1, 2]),
    (..., [1, -3]),
    (..., [1, 2], slice(None)),
    (None, [1, 2], 0),
    ([1, 1], ..., [0, 0]),
    np.arange(12).reshape(3, 4) % 2 == 0,
    (np.array([True, False, True]), [0, 0]),
    (..., np.array([True, False, True, True])),
    2,
    slice(None),
]


@pytest.mark.parametrize("index", _INDICES, ids=repr)
def test_check_distinct_finds_elements_that_are_named_twice(index: Any) -> None:
    space: dict[str, Any] = {"np": np}
    exec(HELPERS["_check_distinct"], space)
    x = np.zeros((3, 4))
    chosen = np.arange(x.size).reshape(x.shape)[_usable(index)]
    if np.unique(chosen).size == np.size(chosen):
        space["_check_distinct"](index, x.shape)
    else:
        with pytest.raises(ValueError, match="twice"):
            space["_check_distinct"](index, x.shape)


def _usable(index: Any) -> Any:
    return np.array([], dtype=int) if isinstance(index, list) and not index else index


@pytest.mark.parametrize("n", [64, 66, 133])
def test_the_cotangent_of_a_large_cholesky_factor_is_made_of_those_of_its_blocks(n: int) -> None:
    space: dict[str, Any] = {"np": np}
    exec(HELPERS["_cholesky_bar"], space)
    rng = np.random.default_rng(n)
    roots = rng.standard_normal((2, n, n)) / np.sqrt(n)
    a = roots @ np.swapaxes(roots, -1, -2) + np.eye(n)
    y_bar, a_dot = rng.standard_normal((2, 2, n, n))
    a_bar = space["_cholesky_bar"](y_bar, np.linalg.cholesky(a))
    ahead, behind = np.linalg.cholesky(a + 1e-5 * a_dot), np.linalg.cholesky(a - 1e-5 * a_dot)
    along = np.sum(y_bar * (ahead - behind) / 2e-5, axis=(1, 2))
    np.testing.assert_allclose(np.sum(a_bar * a_dot, axis=(1, 2)), along, rtol=1e-6)
    assert not np.triu(a_bar, 1).any()  # NumPy reads the lower triangle
