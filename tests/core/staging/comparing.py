"""Values of compilers and of NumPy, compared.

May not know: the compilers.
"""

from __future__ import annotations

from typing import Any

import numpy as np


def same(got: Any, wanted: Any) -> None:
    """Whether containers hold the same, and numbers are close."""
    if isinstance(wanted, dict):
        assert set(got) == set(wanted)
        for key in wanted:
            same(got[key], wanted[key])
    elif isinstance(wanted, (tuple, list)):
        assert len(got) == len(wanted)
        for one, other in zip(got, wanted):
            same(one, other)
    else:
        np.testing.assert_allclose(np.asarray(got), np.asarray(wanted), rtol=1e-8, atol=1e-9)
