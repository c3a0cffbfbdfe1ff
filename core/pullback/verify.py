"""`verify`: a derivative against finite differences of its function, element by element.

The reference for an element comes from central differences of fourth order at several steps; where
neighbouring steps agree best, the step is right, and how well they agree says how far it can be
trusted. Where the function takes complex numbers and the complex step agrees, it takes the place of
the differences: it has no cancellation.

May not know: how anything is derived.
"""

from __future__ import annotations

import copy
import inspect
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import numpy as np

from pullback.live import Wrt, derivative

STEPS = (1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8)  # relative to the element's size, or to 1
MOST = 200  # elements of one argument that are compared; more are sampled
Key = tuple[Any, ...]


class VerificationError(AssertionError):
    """A derivative that finite differences contradict."""


@dataclass(frozen=True)
class Element:
    """One element of one argument: what the derivative says, and what the differences say.

    `error` is their distance relative to `1 + |reference|`, `doubt` the same for the reference alone.
    """

    argument: str
    place: str
    derivative: float
    reference: float
    error: float
    doubt: float


@dataclass(frozen=True)
class Report:
    """What was compared. `unsure` elements have no usable reference (a kink, noise, a pole nearby)."""

    function: str
    kind: str
    compared: int
    left_out: int
    tolerance: float
    wrong: tuple[Element, ...]
    unsure: tuple[Element, ...]
    worst: Element | None

    @property
    def ok(self) -> bool:
        return not self.wrong and self.compared > 0

    def raise_if_wrong(self) -> None:
        """Raises VerificationError unless the derivative agrees."""
        if not self.ok:
            raise VerificationError(str(self))

    def __str__(self) -> str:
        verdict = "agrees with" if self.ok else "disagrees with"
        if self.compared == 0:
            verdict = "could not be compared with"
        lines = [f"{self.kind} of {self.function} {verdict} finite differences"]
        sampled = f" ({self.left_out} more were not sampled)" if self.left_out else ""
        lines.append(f"  {self.compared} elements compared{sampled}, {len(self.wrong)} wrong")
        if self.compared == 0 and not self.unsure:
            lines.append("  no argument in wrt holds floating numbers; write 1.0 instead of 1")
        if self.unsure:
            e = self.unsure[0]
            why = "(a kink, noise, or a pole nearby)"
            lines.append(f"  {len(self.unsure)} without a usable reference, such as {_at(e)} {why}")
        if self.worst is not None:
            e = self.worst
            lines.append(
                f"  worst: {_at(e)}: derivative {e.derivative:.12g}, reference {e.reference:.12g}, "
                f"error {e.error:.1e} (tolerance {self.tolerance:.1e})"
            )
        return "\n".join(lines)


def _at(e: Element) -> str:
    return f"{e.argument}{e.place}"


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

    `kind` is "grad", "value_and_grad", "vjp", "jvp" or "hvp". The seeds of outputs, and the vector of an
    hvp, are drawn, the same at every run; those of a jvp's arguments are one element each. The default
    tolerance is 1e-6, or 1e-3 where an argument has single precision.
    """
    if not isinstance(args, (tuple, list)):
        raise TypeError("verify needs the arguments in a tuple, as in verify(f, (x,))")
    made = derivative(f, kind, wrt)
    bound = inspect.signature(f).bind(*args, **(kwargs or {}))
    bound.apply_defaults()
    names = _wanted(bound, wrt)
    phi, seeds = _objective(f, bound, kind, made)
    several = isinstance(wrt, tuple) or wrt == "*"
    slopes = _slopes(made, bound, names, kind, seeds, several)
    single = any(
        _dtype(v) in (np.float32, np.complex64)
        for n in names
        for _, v in _leaves(bound.arguments[n])
    )
    limit = tolerance if tolerance is not None else (1e-3 if single else 1e-6)
    elements, left_out = [], 0
    for name, slope in zip(names, slopes):
        some, skipped = _compare(name, slope, phi, bound)
        elements += some
        left_out += skipped
    if kind == "value_and_grad":
        elements.append(_compare_value(f, made, bound))
    return _report(getattr(f, "__name__", str(f)), kind, elements, left_out, limit)


def _report(
    function: str, kind: str, elements: list[Element], left_out: int, limit: float
) -> Report:
    unsure = tuple(e for e in elements if not e.doubt <= limit and not e.error <= limit)
    sure = [e for e in elements if e not in unsure]
    wrong = tuple(e for e in sure if not e.error <= limit)
    worst = max(sure, key=lambda e: np.inf if np.isnan(e.error) else e.error, default=None)
    return Report(function, kind, len(sure), left_out, limit, wrong, unsure, worst)


# --- what is compared ------------------------------------------------------------------------------


def _wanted(bound: inspect.BoundArguments, wrt: Wrt) -> tuple[str, ...]:
    names = tuple(bound.signature.parameters)
    if wrt == "*":
        return tuple(n for n in names if any(True for _ in _leaves(bound.arguments[n])))
    asked = wrt if isinstance(wrt, tuple) else (0 if wrt is None else wrt,)
    return tuple(names[a] if isinstance(a, int) else a for a in asked)


def _objective(
    f: Callable[..., Any], bound: inspect.BoundArguments, kind: str, made: Callable[..., Any]
) -> tuple[Callable[[Mapping[str, Any]], Any], tuple[Any, ...]]:
    """The number that is differentiated, as a function of the arguments by name, and the seeds in it."""
    if kind == "hvp":
        return _directional(f, bound, made)
    if kind not in ("vjp", "jvp"):
        return lambda given: _call(f, bound, given), ()
    filled = _filled(made, bound) if kind == "vjp" else []

    def outputs(given: Mapping[str, Any]) -> tuple[Any, ...]:
        own = copy.deepcopy(dict(given))
        result = _call(f, bound, own, fresh=False)
        if result is None:
            return tuple(own[n] for n in filled)
        return result if isinstance(result, tuple) else (result,)

    rng = np.random.default_rng(0)
    seeds = tuple(_drawn(value, rng) for value in outputs(bound.arguments))

    def phi(given: Mapping[str, Any]) -> Any:
        pairs = zip(seeds, outputs(given))
        return sum(_paired(s, o) for s, o in pairs)

    return phi, seeds


def _filled(made: Callable[..., Any], bound: inspect.BoundArguments) -> list[str]:
    """The arguments that a function without result fills, as its vjp names their seeds."""
    extra = [n for n in inspect.signature(made).parameters if n not in bound.arguments]
    return [n.rpartition("_bar")[0] for n in extra]


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
    f: Callable[..., Any], bound: inspect.BoundArguments, made: Callable[..., Any]
) -> tuple[Callable[[Mapping[str, Any]], Any], tuple[Any, ...]]:
    """The slope along a drawn vector, by the gradient; the Hessian times that vector is its gradient."""
    free = [n for n in inspect.signature(made).parameters if n not in bound.arguments]
    names = tuple(n.rpartition("_dot")[0] for n in free)
    slopes = derivative(f, "grad", names)
    rng = np.random.default_rng(0)
    vectors = tuple(
        _rebuilt(bound.arguments[n], lambda leaf: rng.normal(size=np.shape(leaf))[()])
        for n in names
    )

    def phi(given: Mapping[str, Any]) -> Any:
        found = [(v, g) for v, g in zip(vectors, _call(slopes, bound, given))]
        leaves = [(a, b) for v, g in found for (_, a), (_, b) in zip(_leaves(v), _leaves(g))]
        return sum(np.sum(a * b) for a, b in leaves)

    return phi, vectors


Slope = Callable[[Key, Key, complex], float]  # along one element: its place and the unit


def _slopes(
    made: Callable[..., Any],
    bound: inspect.BoundArguments,
    names: tuple[str, ...],
    kind: str,
    seeds: tuple[Any, ...],
    several: bool,
) -> list[Slope]:
    """What the derivative says of each argument, element by element."""
    if kind == "jvp":
        return [_along(made, bound, name, seeds) for name in names]
    return [_read(c) for c in _cotangents(made, bound, kind, seeds, several)]


def _read(cotangent: Any) -> Slope:
    parts = dict(_leaves(cotangent))
    return lambda key, index, unit: _component(parts.get(key), index, unit)


def _along(
    made: Callable[..., Any],
    bound: inspect.BoundArguments,
    name: str,
    seeds: tuple[Any, ...],
) -> Slope:
    """The tangent along one element of argument `name`, paired with the seeds."""
    free = [p for p in inspect.signature(made).parameters.values() if p.name not in bound.arguments]
    zeros = {p.name: _still(bound.arguments[p.name.rpartition("_dot")[0]]) for p in free}
    by_name = any(p.kind is p.KEYWORD_ONLY for p in free)
    own = next(p.name for p in free if p.name.rpartition("_dot")[0] == name)

    def slope(key: Key, index: Key, unit: complex) -> float:
        call = inspect.BoundArguments(bound.signature, copy.deepcopy(bound.arguments))
        dots = {**zeros, own: _moved(zeros[own], key, index, unit)}
        if by_name:
            _, got = made(*call.args, **call.kwargs, **dots)
        else:
            _, got = made(*call.args, *dots.values(), **call.kwargs)
        pairs = zip(seeds, got if isinstance(got, tuple) else (got,))
        return float(np.real(sum(_paired(s, d) for s, d in pairs)))

    return slope


def _still(value: Any) -> Any:
    """The tangent of an argument that does not move."""
    return _rebuilt(value, lambda leaf: np.zeros_like(leaf)[()])


def _cotangents(
    made: Callable[..., Any],
    bound: inspect.BoundArguments,
    kind: str,
    seeds: tuple[Any, ...],
    several: bool,
) -> tuple[Any, ...]:
    call = inspect.BoundArguments(bound.signature, copy.deepcopy(bound.arguments))
    result = made(*call.args, *seeds, **call.kwargs)
    if kind == "value_and_grad":
        result = result[1]
    return result if several else (result,)


def _compare_value(
    f: Callable[..., Any], made: Callable[..., Any], bound: inspect.BoundArguments
) -> Element:
    call = inspect.BoundArguments(bound.signature, copy.deepcopy(bound.arguments))
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
    given[name] = _rebuilt(given[name], lambda v: _double(v))
    places = [
        (key, index) for key, leaf in _leaves(given[name]) for index in np.ndindex(np.shape(leaf))
    ]
    chosen = places
    if len(places) > MOST:
        picks = np.random.default_rng(0).choice(len(places), MOST, replace=False)
        chosen = [places[i] for i in sorted(picks)]
    elements = []
    for key, index in chosen:
        for unit in _units(_part(given[name], key)):
            got = slope(key, index, unit)
            reference, doubt = _difference(phi, given, name, key, index, unit)
            error = abs(got - reference) / (1.0 + abs(reference))
            if error > 1e-6 and _kinked(phi, given, name, key, index, unit, got):
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


# --- the reference ---------------------------------------------------------------------------------


def _difference(
    phi: Callable[[Mapping[str, Any]], Any],
    given: Mapping[str, Any],
    name: str,
    key: Key,
    index: Key,
    unit: complex,
) -> tuple[float, float]:
    """The derivative of phi along one element, and its doubt relative to `1 + |derivative|`."""
    size = max(float(abs(np.asarray(_part(given[name], key))[index])), 1.0)

    def at(step: complex) -> Any:
        moved = _moved(given[name], key, index, step)
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return phi({**given, name: moved})

    exact = _complex_step(at, size) if unit == 1.0 else float("nan")
    best = (np.inf, float("nan"), np.inf)
    last = float("nan")
    for step in STEPS:
        value, noise = _central(at, unit, step * size)
        gap = abs(value - last)
        # agreement counts relative to the values: far too large steps agree on nearly nothing
        score = max(gap - noise, 0.0) / (abs(value) + abs(last) + 1e-300)
        best = min(best, (score, value, gap + noise)) if np.isfinite(score) else best
        last = value
        if best[0] < 1e-10:
            break
    _, value, gap = best
    trusted = gap <= 1e-4 * (1 + abs(value))
    if trusted and abs(exact - value) <= 10 * gap + 1e-7 * (1 + abs(value)):
        return exact, 0.0
    return value, gap / (1 + abs(value)) if np.isfinite(value) else np.inf


def _central(at: Callable[[complex], Any], unit: complex, h: float) -> tuple[float, float]:
    """The central difference of fourth order, and how much of it may be rounding."""
    try:
        values = [_real(at(k * h * unit)) for k in (1.0, -1.0, 2.0, -2.0)]
    except (ArithmeticError, ValueError, np.linalg.LinAlgError):
        return float("nan"), np.inf  # the step leaves the function's domain
    near, far = values[0] - values[1], values[2] - values[3]
    return (8.0 * near - far) / (12.0 * h), 4e-16 * max(map(abs, values)) / h


def _kinked(
    phi: Callable[[Mapping[str, Any]], Any],
    given: Mapping[str, Any],
    name: str,
    key: Key,
    index: Key,
    unit: complex,
    got: float,
) -> bool:
    """Whether the slopes to the left and to the right differ, however near, with `got` in between."""
    for h in (1e-5, 1e-6):
        try:
            with np.errstate(all="ignore"), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                low, mid, high = (
                    _real(phi({**given, name: _moved(given[name], key, index, k * h * unit)}))
                    for k in (-1.0, 0.0, 1.0)
                )
        except (ArithmeticError, ValueError, np.linalg.LinAlgError):
            return False
        left, right = sorted(((mid - low) / h, (high - mid) / h))
        rounding = 1e-14 * max(abs(low), abs(mid), abs(high)) / h
        near = 1e-3 * (right - left)
        if not right - left > 1e-2 * (1 + abs(left) + abs(right)) + rounding:
            return False
        if not left - near <= got <= right + near:
            return False
    return True


def _complex_step(at: Callable[[complex], Any], size: float) -> float:
    try:
        value = at(1e-30j * size)
        return complex(value).imag / (1e-30 * size) if np.iscomplexobj(value) else float("nan")
    except Exception:
        return float("nan")  # a function that does not take complex numbers


def _real(value: Any) -> float:
    return float(np.real(value))


# --- the floating parts of a value -----------------------------------------------------------------


def _leaves(value: Any, key: Key = ()) -> Iterator[tuple[Key, Any]]:
    """The floating parts of nested containers, each with the keys that lead to it."""
    if isinstance(value, Mapping):
        for k, v in value.items():
            yield from _leaves(v, (*key, k))
    elif isinstance(value, (tuple, list)):
        for i, v in enumerate(value):
            yield from _leaves(v, (*key, i))
    elif is_dataclass(value) and not isinstance(value, type):
        for f in fields(value):
            yield from _leaves(getattr(value, f.name), (*key, f.name))
    elif _dtype(value) is not None:
        yield key, value


def _dtype(value: Any) -> Any:
    """The dtype of a floating scalar or array, else None."""
    if not isinstance(value, (float, complex, np.ndarray, np.generic)):
        return None
    dtype = np.asarray(value).dtype
    return dtype if dtype.kind in "fc" else None


def _rebuilt(value: Any, change: Callable[[Any], Any], key: Key | None = None) -> Any:
    """`value` with its floating parts (or the one at `key`) replaced by change(part)."""
    if key == () or (key is None and _dtype(value) is not None):
        return change(value)
    if isinstance(value, Mapping):
        return {k: _entered(v, change, key, k) for k, v in value.items()}
    if isinstance(value, (tuple, list)):
        parts = [_entered(v, change, key, i) for i, v in enumerate(value)]
        return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
    if is_dataclass(value) and not isinstance(value, type):
        new = copy.copy(value)
        for f in fields(value):
            part = _entered(getattr(value, f.name), change, key, f.name)
            object.__setattr__(new, f.name, part)
        return new
    return value


def _entered(part: Any, change: Callable[[Any], Any], key: Key | None, name: Any) -> Any:
    if key is None:
        return _rebuilt(part, change)
    return _rebuilt(part, change, key[1:]) if key[0] == name else part


def _part(value: Any, key: Key) -> Any:
    for k in key:
        value = getattr(value, k) if is_dataclass(value) else value[k]
    return value


def _moved(value: Any, key: Key, index: Key, step: complex) -> Any:
    def move(leaf: Any) -> Any:
        if not isinstance(leaf, np.ndarray):
            return leaf + step
        new = leaf.astype(np.result_type(leaf, type(step)))
        new[index] += step
        return new

    return _rebuilt(value, move, key)


def _double(leaf: Any) -> Any:
    wide = np.asarray(leaf).astype(complex if np.iscomplexobj(leaf) else float)
    return wide if isinstance(leaf, np.ndarray) else wide[()].item()


def _drawn(value: Any, rng: np.random.Generator) -> Any:
    """A seed for an output: a floating value of its shape, None for what does not float."""
    if _dtype(value) is None:
        return None
    seed = rng.normal(size=np.shape(value))
    if np.iscomplexobj(value):
        seed = seed + 1j * rng.normal(size=np.shape(value))
    return seed if isinstance(value, np.ndarray) and value.ndim else np.asarray(seed)[()].item()


def _paired(seed: Any, value: Any) -> Any:
    """The product that a cotangent stands for; analytic where the function is, for the complex step."""
    if seed is None:
        return 0.0
    return np.sum(np.conj(seed) * value)
