"""The rule table, loaded once on first use."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from importlib import import_module

from .helpers.tangents import CONTAINERS, TANGENTS
from .notation import COMPLEX, HOLOMORPHIC, KNOWN_VALUES, LACKING, TABLE, refusal
from .notation import Rule as Rule

# Functions that the engine itself takes apart: what they do depends on how their arguments are written.
STRUCTURAL = (
    "operator.getitem",
    "numpy.array",
    "numpy.array_split",
    "numpy.asanyarray",
    "numpy.asarray",
    "numpy.asarray_chkfinite",
    "numpy.asfarray",
    "numpy.block",
    "numpy.broadcast_arrays",
    "numpy.c_",
    "numpy.choose",
    "numpy.column_stack",
    "numpy.concat",
    "numpy.concatenate",
    "numpy.dsplit",
    "numpy.dstack",
    "numpy.einsum",
    "numpy.fft.hfft",
    "numpy.fft.ihfft",
    "numpy.geomspace",
    "numpy.hsplit",
    "numpy.hstack",
    "numpy.insert",
    "numpy.linalg.multi_dot",
    "numpy.logspace",
    "numpy.meshgrid",
    "numpy.polyadd",
    "numpy.polyder",
    "numpy.polyfit",
    "numpy.polyint",
    "numpy.polymul",
    "numpy.polysub",
    "numpy.r_",
    "numpy.row_stack",
    "numpy.select",
    "numpy.split",
    "numpy.stack",
    "numpy.vander",
    "numpy.vsplit",
    "numpy.vstack",
    "scipy.fft.hfft",
    "scipy.fft.idct",
    "scipy.fft.idst",
    "scipy.fft.ihfft",
    "scipy.integrate.odeint",
    "scipy.linalg.block_diag",
    "scipy.signal.convolve2d",
    "scipy.signal.correlate",
    "scipy.signal.correlate2d",
)

_FILES = (
    "operators",
    "elementwise",
    "math_module",
    "reductions",
    "ufunc_methods",
    "linalg",
    "shaping",
    "calculus",
    "special",
    "bessel",
    "scipy_linalg",
    "statistics",
    "fourier",
    "complex_numbers",
    "constants",
    "refused",
    "older",
)
_loaded = False


def rule_for(fn: str) -> Rule | None:
    """The entry of a function by its resolved name, or None where nobody knows it."""
    if fn.startswith("<helper>."):
        return TANGENTS.get(fn)
    known = table()
    found = known.get(fn)
    if found is not None:
        return found
    # An entry whose name ends in a dot speaks for a whole module.
    head, _, _ = fn.rpartition(".")
    return known.get(f"{head}.") if head else None


@cache
def rule_on_complex(fn: str) -> Rule | None:
    """The entry that holds where an argument is complex; it refuses where nobody has written one."""
    rule = rule_for(fn)
    if fn.startswith("<helper>.") and rule is not None and rule.kind == "general":
        return rule  # linear in each of its parameters
    if fn in CONTAINERS:
        return refusal(fn, "its second derivative is not known for complex numbers", "either")
    if fn in COMPLEX:
        return COMPLEX[fn]
    if rule is None or rule.kind in ("linear", "constant", "unsupported"):
        return rule
    if fn in HOLOMORPHIC:
        return replace(rule, conjugate=True)
    return refusal(fn, "its derivative is not known for complex arguments", "either")


def lacking(fn: str) -> dict[str, str]:
    """The arguments of a function that its entry does not know, each with what to write instead."""
    return LACKING.get(fn, {})


def known_values(fn: str) -> dict[str, tuple[object, ...]]:
    """The values that a function's entry knows of arguments of which it does not know all."""
    return KNOWN_VALUES.get(fn, {})


def table() -> dict[str, Rule]:
    """All entries by name."""
    global _loaded
    if not _loaded:
        for name in _FILES:
            import_module(f"{__name__}.{name}")
        _loaded = True
    return TABLE
