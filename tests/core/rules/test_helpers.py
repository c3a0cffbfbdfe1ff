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
        space["_check_distinct"](x, index)
    else:
        with pytest.raises(ValueError, match="twice"):
            space["_check_distinct"](x, index)


def _usable(index: Any) -> Any:
    return np.array([], dtype=int) if isinstance(index, list) and not index else index
