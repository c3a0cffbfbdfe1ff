"""Private functions that formulas call where an expression will not do.

Each is plain NumPy source, put into the user's module beside the derivatives that call it; names are
spelled here without the numbers that a clash would add. A helper that is the last branch of a
conditional formula is right for every case of it.

May not know: the IR, analyses, NumPy.
"""

from __future__ import annotations

from . import (
    broadcasting,
    calculus,
    colouring,
    compiled,
    containers,
    fourier,
    linalg,
    moving,
    products,
    pseudoinverses,
    reductions,
    schedules,
    scipy_names,
)
from .registry import COMPILED, HELPERS, TEXTS, helpers_in

__all__ = [
    "COMPILED",
    "HELPERS",
    "TEXTS",
    "broadcasting",
    "calculus",
    "colouring",
    "compiled",
    "containers",
    "fourier",
    "helpers_in",
    "linalg",
    "moving",
    "products",
    "pseudoinverses",
    "reductions",
    "schedules",
    "scipy_names",
]
