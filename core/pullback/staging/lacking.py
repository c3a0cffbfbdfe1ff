"""What a function holds that Numba does not compile: functions that it lacks, and ones without a decorator of its.

The list is what is known to fail whatever the types are; the rest is for the compiler to say.

May not know: how derivatives are made, text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ..analysis.facts import Facts, Problem
from ..ir import Call, Const, Function, Name, Span, statements, stmt_exprs, walk
from ..rules.helpers import HELPERS

Workspace = Callable[[str], Function | None]  # gives the workspace's functions by qualified name
DECORATORS = ("njit", "jit", "vectorize", "guvectorize")
_LACKING = frozenset(
    {
        "einsum",
        "tensordot",
        "inner",
        "squeeze",
        "pad",
        "tile",
        "meshgrid",
        "result_type",
        "ix_",
        "gradient",
        "select",
        "piecewise",
        "insert",
        "apply_along_axis",
        "add.reduce",
        "add.at",
        "subtract.at",
        "multiply.outer",
        "diag_indices",
        "fft.fft",
        "fft.ifft",
        "fft.fft2",
        "fft.ifft2",
        "fft.fftn",
        "fft.ifftn",
        "fft.rfft",
        "fft.irfft",
        "fft.fftfreq",
    }
)

# what it reduces, or shifts, as a whole only: the place of `axis` among the arguments
_WITHOUT_AXIS = {
    **dict.fromkeys(("max", "min", "amax", "amin", "mean", "prod", "std", "var", "all", "any"), 1),
    **dict.fromkeys(("median", "cumsum", "cumprod", "ptp"), 1),
    "roll": 2,
    "linalg.norm": 2,
}


def lacking(fn: Function, at: Span, function: Workspace) -> tuple[Problem, ...]:
    """One problem for each such call of `fn`; what stands nowhere in the user's text is reported at `at`."""
    return tuple(dict.fromkeys(_problems(fn, at, function)))


def unfit(fn: Function, at: Span, facts: Facts) -> tuple[Problem, ...]:
    """One problem for each parameter and subscript of `fn` that is of a type that Numba does not take, as far as the
    text tells types."""
    found: dict[str, Problem] = {}
    own = {p.name for p in fn.params}
    for s in statements(fn.body):
        for e in (e for top in stmt_exprs(s) for e in walk(top) if isinstance(e, Call)):
            if e.fn != "operator.getitem":
                continue
            base, index = e.args
            name = base.id if isinstance(base, Name) else ""
            if name in own and isinstance(index, Const) and isinstance(index.value, str):
                reason = "it takes no dict as an argument, but what the dict holds"
            elif facts.type(index).dtype == "bool" and (facts.type(index).rank() or 0) > 1:
                name, reason = "a mask", "it selects by masks of one axis only"
            else:
                continue
            values = (("name", name), ("reason", reason))
            found.setdefault(name, Problem("PB501", e.origin or s.origin or at, values))
    return tuple(found.values())


def _problems(fn: Function, at: Span, function: Workspace) -> Iterator[Problem]:
    for s in statements(fn.body):
        for call in (e for top in stmt_exprs(s) for e in walk(top) if isinstance(e, Call)):
            reason = _reason(call, function)
            if reason:
                name = call.fn.removeprefix("<helper>.").lstrip(".")
                values = (("name", name), ("reason", reason))
                yield Problem("PB501", call.origin or s.origin or at, values)


def _reason(call: Call, function: Workspace) -> str:
    if call.fn.removeprefix("numpy.") in _LACKING:
        return "it has no function of that name"
    name = call.fn.removeprefix("numpy.").removeprefix("method.")
    place = _WITHOUT_AXIS.get(name)
    if place is not None and (len(call.args) > place or "axis" in dict(call.kwargs)):
        return "it has the function for all elements only, not along an axis"
    if call.fn.removeprefix("<helper>.") in HELPERS:
        return "this helper of the derivative has no form that compiles"
    callee = function(call.fn)
    if callee is not None and not is_compiled(callee):
        return "its function has no `@njit`"
    return ""


def is_compiled(fn: Function) -> bool:
    """Whether a decorator of Numba's is on the function."""
    return any(d.lstrip("@").split("(")[0].rpartition(".")[2] in DECORATORS for d in fn.decorators)
