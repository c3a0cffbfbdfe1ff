"""`verify`: a derivative against finite differences of its function, element by element, and along a direction.

May not know: how anything is derived.
"""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pullback.live import DerivationError, Wrt, derivative, written_parameters

from .along import Check, agreement, taylor
from .dense import DENSE, contracted
from .differences import difference, kinked
from .parts import (
    Key,
    double,
    drawn,
    float_dtype,
    leaves,
    moved,
    paired,
    part_at,
    rebuilt,
    shifted,
)
from .report import Element, Report, VerificationError

__all__ = ["Element", "Report", "VerificationError", "verify"]

MOST = 200  # elements of one argument that are compared; more are sampled


def verify(
    f: Callable[..., Any],
    args: Sequence[Any],
    wrt: Wrt = None,
    kind: str = "grad",
    *,
    kwargs: Mapping[str, Any] | None = None,
    tolerance: float | None = None,
) -> Report:
    """Compare the derivative of `f` at `args` with finite differences.

    `kind` is any kind of derivative. The seeds of outputs, and the vector of an hvp, are drawn, the same at
    every run; those of a jvp's arguments are one element each. A Jacobian is compared times such seeds, a
    Hessian times such a vector. Along one more drawn direction the remainder of first order must shrink as the
    square of the step, and forward mode must give what reverse mode gives. The default tolerance is 1e-6, or
    1e-3 where an argument has single precision.
    """
    if not isinstance(args, (tuple, list)):
        raise TypeError("verify needs the arguments in a tuple, as in verify(f, (x,))")
    if kind == "sparse_jacobian":
        raise ValueError("a sparse Jacobian is the Jacobian at places: verify that one")
    made = derivative(f, kind, wrt)
    bound = inspect.signature(f).bind(*args, **(kwargs or {}))
    bound.apply_defaults()
    names = _wanted(bound, wrt)
    phi, seeds = _objective(f, bound, kind, names)
    several = isinstance(wrt, tuple) or wrt == "*"
    asked = _Asked(f, made, bound, names, kind, seeds, several)
    slopes = _slopes(asked)
    single = any(
        float_dtype(v) in (np.float32, np.complex64)
        for n in names
        for _, v in leaves(bound.arguments[n])
    )
    limit = tolerance if tolerance is not None else (1e-3 if single else 1e-6)
    elements, left_out = [], 0
    for name, slope in zip(names, slopes):
        some, skipped = _compare(name, slope, phi, bound)
        elements += some
        left_out += skipped
    if kind == "value_and_grad":
        elements.append(_compare_value(f, made, bound))
    along = _along_one(asked, phi, limit)
    return _report(getattr(f, "__name__", str(f)), kind, elements, along, left_out, limit)


def _report(
    function: str,
    kind: str,
    elements: list[Element],
    along: tuple[Check, ...],
    left_out: int,
    limit: float,
) -> Report:
    unsure = tuple(e for e in elements if not e.doubt <= limit and not e.error <= limit)
    sure = [e for e in elements if e not in unsure]
    wrong = tuple(e for e in sure if not e.error <= limit)
    worst = max(sure, key=lambda e: np.inf if np.isnan(e.error) else e.error, default=None)
    return Report(function, kind, len(sure), left_out, limit, wrong, unsure, worst, along)


@dataclass(frozen=True)
class _Asked:
    """The derivative `made` of `f` that is looked at: where, by which parameters, and with which seeds.

    several  whether it gives a tuple, one part for each parameter
    """

    f: Callable[..., Any]
    made: Callable[..., Any]
    bound: inspect.BoundArguments
    names: tuple[str, ...]
    kind: str
    seeds: Any
    several: bool


# --- what is compared ------------------------------------------------------------------------------


def _wanted(bound: inspect.BoundArguments, wrt: Wrt) -> tuple[str, ...]:
    names = tuple(bound.signature.parameters)
    if wrt == "*":
        return tuple(n for n in names if any(True for _ in leaves(bound.arguments[n])))
    asked = wrt if isinstance(wrt, tuple) else (0 if wrt is None else wrt,)
    return tuple(names[a] if isinstance(a, int) else a for a in asked)


def _objective(
    f: Callable[..., Any],
    bound: inspect.BoundArguments,
    kind: str,
    names: tuple[str, ...],
) -> tuple[Callable[[Mapping[str, Any]], Any], Any]:
    """The number that is differentiated, as a function of the arguments by name, and the seeds in it."""
    if kind in ("hvp", "hessian"):
        return _directional(f, bound, names)
    if kind not in ("vjp", "jvp", "jacobian"):
        return lambda given: _call(f, bound, given), None

    def outputs(given: Mapping[str, Any]) -> Any:
        own = copy.deepcopy(dict(given))
        result = _call(f, bound, own, fresh=False)
        return _filled(f, own) if result is None else result

    rng = np.random.default_rng(0)
    seeds = rebuilt(outputs(bound.arguments), lambda leaf: drawn(leaf, rng))
    return lambda given: paired(seeds, outputs(given)), seeds


def _filled(f: Callable[..., Any], arguments: Mapping[str, Any]) -> Any:
    """What a function without result gives: the arguments that it writes."""
    found = tuple(arguments[n] for n in written_parameters(f))
    return found[0] if len(found) == 1 else found


def _call(
    f: Callable[..., Any],
    bound: inspect.BoundArguments,
    given: Mapping[str, Any],
    fresh: bool = True,
) -> Any:
    arguments = copy.deepcopy(dict(given)) if fresh else dict(given)
    call = inspect.BoundArguments(bound.signature, arguments)
    return f(*call.args, **call.kwargs)


def _directional(
    f: Callable[..., Any], bound: inspect.BoundArguments, names: tuple[str, ...]
) -> tuple[Callable[[Mapping[str, Any]], Any], tuple[Any, ...]]:
    """The slope along drawn vectors, by the gradient; the Hessian times those is the gradient of it."""
    slopes = derivative(f, "grad", names)
    rng = np.random.default_rng(0)
    vectors = tuple(rebuilt(bound.arguments[n], lambda leaf: drawn(leaf, rng)) for n in names)

    def phi(given: Mapping[str, Any]) -> Any:
        return paired(vectors, _call(slopes, bound, given))

    return phi, vectors


Slope = Callable[[Key, Key, complex], float]  # along one element: its place and the unit


def _slopes(asked: _Asked) -> list[Slope]:
    """What the derivative says of each argument, element by element."""
    if asked.kind == "jvp":
        return [_along(asked, name) for name in asked.names]
    return [_read(c) for c in _cotangents(asked)]


def _read(cotangent: Any) -> Slope:
    parts = dict(leaves(cotangent))
    return lambda key, index, unit: _component(parts.get(key), index, unit)


def _along(asked: _Asked, name: str) -> Slope:
    """The tangent along one element of argument `name`, paired with the seeds."""
    made, bound = asked.made, asked.bound
    free = [n for n in inspect.signature(made).parameters if n not in bound.arguments]
    zeros = {n: _still(bound.arguments[n.rpartition("_dot")[0]]) for n in free}
    own = next(n for n in free if n.rpartition("_dot")[0] == name)

    def slope(key: Key, index: Key, unit: complex) -> float:
        call = _fresh(bound)
        dots = {**zeros, own: moved(zeros[own], key, index, unit)}
        _, got = _seeded(made, call, tuple(dots.values()))
        return float(np.real(paired(asked.seeds, got)))

    return slope


# --- along one direction ---------------------------------------------------------------------------


def _along_one(
    asked: _Asked, phi: Callable[[Mapping[str, Any]], Any], limit: float
) -> tuple[Check, ...]:
    """The tests along a drawn direction; none where the derivative has not the form of its arguments."""
    rng, given = np.random.default_rng(1), asked.bound.arguments
    dots = tuple(rebuilt(given[n], lambda leaf: drawn(leaf, rng)) for n in asked.names)
    slope = _slope(asked, dots)
    if not np.isfinite(slope):
        return ()
    wide = {n: rebuilt(given[n], double) for n in asked.names}

    def at(h: float) -> Any:
        there = {n: shifted(x, dot, h) for (n, x), dot in zip(wide.items(), dots)}
        return phi({**given, **there})

    checks = (taylor(at, slope, limit),)
    other = _other(asked, dots)
    if other is None:
        return checks
    name = "symmetry" if asked.kind in ("hvp", "hessian") else "dot product of the modes"
    return (*checks, agreement(name, slope, other, limit))


def _slope(asked: _Asked, dots: tuple[Any, ...]) -> float:
    """What the derivative says of the slope along `dots`; NaN where it has not their form."""
    if asked.kind == "jvp":
        _, got = _seeded(asked.made, _fresh(asked.bound), dots)
        return float(np.real(paired(asked.seeds, got)))
    total = 0.0
    for bar, dot in zip(_cotangents(asked), dots):
        parts = dict(leaves(bar))
        for key, leaf in leaves(dot):
            if key not in parts or np.shape(parts[key]) != np.shape(leaf):
                return float("nan")
            total += float(np.real(np.sum(np.conj(parts[key]) * leaf)))
    return total


def _other(asked: _Asked, dots: tuple[Any, ...]) -> float | None:
    """The same slope by the other mode, of a Hessian from its other side; None where that mode is refused."""
    if asked.kind in ("hvp", "hessian"):
        return float(np.real(paired(asked.seeds, _cotangents(replace(asked, seeds=dots)))))
    kind = "vjp" if asked.kind == "jvp" else "jvp"
    try:
        made = derivative(asked.f, kind, asked.names)
    except DerivationError:
        return None
    seeds = 1.0 if asked.seeds is None else asked.seeds
    return _slope(replace(asked, made=made, kind=kind, seeds=seeds, several=True), dots)


def _still(value: Any) -> Any:
    """The tangent of an argument that does not move."""
    return rebuilt(value, lambda leaf: np.zeros_like(leaf)[()])


def _cotangents(asked: _Asked) -> tuple[Any, ...]:
    call, kind, seeds = _fresh(asked.bound), asked.kind, asked.seeds
    if kind in DENSE:
        return contracted(asked.made(*call.args, **call.kwargs), kind, seeds, asked.several)
    given = () if seeds is None else seeds if kind == "hvp" else (seeds,)
    result = _seeded(asked.made, call, given)
    if kind == "value_and_grad":
        result = result[1]
    return result if asked.several else (result,)


def _fresh(bound: inspect.BoundArguments) -> inspect.BoundArguments:
    """The arguments as they were given, for one call that may write into them."""
    return inspect.BoundArguments(bound.signature, copy.deepcopy(bound.arguments))


def _seeded(made: Callable[..., Any], call: inspect.BoundArguments, seeds: tuple[Any, ...]) -> Any:
    """`made` of the arguments and the seeds, which go by name where they cannot stand last."""
    free = [p for p in inspect.signature(made).parameters.values() if p.name not in call.arguments]
    if any(p.kind is p.KEYWORD_ONLY for p in free):
        named = {p.name: seed for p, seed in zip(free, seeds)}
        return made(*call.args, **call.kwargs, **named)
    return made(*call.args, *seeds, **call.kwargs)


def _compare_value(
    f: Callable[..., Any], made: Callable[..., Any], bound: inspect.BoundArguments
) -> Element:
    call = _fresh(bound)
    value = float(made(*call.args, **call.kwargs)[0])
    reference = float(_call(f, bound, bound.arguments))
    return Element(
        "value", "", value, reference, abs(value - reference) / (1 + abs(reference)), 0.0
    )


def _compare(
    name: str,
    slope: Slope,
    phi: Callable[[Mapping[str, Any]], Any],
    bound: inspect.BoundArguments,
) -> tuple[list[Element], int]:
    """The elements of one argument, and how many were left out."""
    given = dict(bound.arguments)
    # differences are taken in double precision whatever the argument has
    given[name] = rebuilt(given[name], lambda v: double(v))
    places = [
        (key, index) for key, leaf in leaves(given[name]) for index in np.ndindex(np.shape(leaf))
    ]
    chosen = places
    if len(places) > MOST:
        picks = np.random.default_rng(0).choice(len(places), MOST, replace=False)
        chosen = [places[i] for i in sorted(picks)]
    elements = []
    for key, index in chosen:
        for unit in _units(part_at(given[name], key)):
            got = slope(key, index, unit)
            reference, doubt = difference(phi, given, name, key, index, unit)
            error = abs(got - reference) / (1.0 + abs(reference))
            if error > 1e-6 and kinked(phi, given, name, key, index, unit, got):
                doubt = np.inf
            place = "".join(f"[{k!r}]" for k in key) + (str(list(index)) if index else "")
            elements.append(Element(name, place, got, reference, error, doubt))
    return elements, len(places) - len(chosen)


def _units(leaf: Any) -> tuple[complex, ...]:
    return (1.0, 1j) if np.iscomplexobj(leaf) else (1.0,)


def _component(leaf: Any, index: Key, unit: complex) -> float:
    """The derivative along `unit`; NaN where the cotangent has not the argument's shape."""
    if leaf is None:
        return float("nan")
    array = np.asarray(leaf)
    if array.ndim != len(index) or any(i >= n for i, n in zip(index, array.shape)):
        return float("nan")
    return float(np.real(np.conj(array[index]) * unit))
