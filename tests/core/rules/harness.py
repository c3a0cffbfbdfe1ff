"""Holds one entry of the rule table against finite differences, from the entry alone.

Formulas are evaluated as the plain Python that they are, with the engine's words written out in NumPy.
"""

from __future__ import annotations

import ast
import builtins
import copy
import math
import operator
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy
import scipy.fft
import scipy.integrate
import scipy.linalg
import scipy.signal
import scipy.special
import scipy.stats
from numpy.lib import NumpyVersion

from pullback.rules.helpers import HELPERS
from pullback.rules.notation import Rule

STEP = 1e-5
MODULES = {"operator": operator, "math": math, "builtins": builtins, "copy": copy}
MODULES |= {"numpy": np, "scipy": scipy}


class Wrong(AssertionError):
    """A formula disagrees with finite differences; the text says which and where."""


# --- calling what an entry is about --------------------------------------------------------------


def function(name: str) -> Any:
    """The live function of an entry's name, None where this NumPy or Python has none."""
    head, _, rest = name.partition(".")
    if head in ("method", "attr") and not hasattr(np.ndarray, rest):
        return None  # `x.ptp()` of NumPy 1
    if head == "method":
        return lambda x, *args, **kwargs: getattr(np.asarray(x), rest)(*args, **kwargs)
    if head == "attr":
        return lambda x: getattr(np.asarray(x), rest)
    found: Any = MODULES[head]
    for part in rest.split("."):
        found = getattr(found, part, None)
    return found


@dataclass(frozen=True)
class Sample:
    """Arguments of one call, as the entry's samples write them."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    text: str

    def replaced(self, where: int | str, value: Any) -> Sample:
        if isinstance(where, int):
            return Sample(
                (*self.args[:where], value, *self.args[where + 1 :]), self.kwargs, self.text
            )
        return Sample(self.args, {**self.kwargs, where: value}, self.text)

    def value(self, where: int | str) -> Any:
        return self.args[where] if isinstance(where, int) else self.kwargs[where]


def binder(signature: str) -> Any:
    space: dict[str, Any] = {"np": np}
    exec(f"def bind({signature}):\n    return dict(locals())", space)
    return space["bind"]


def places(rule: Rule, sample: Sample) -> dict[str, int | str]:
    """Where each parameter of the signature stands in the call."""
    marks: dict[int, int | str] = {}
    args = [object() for _ in sample.args]
    kwargs = {k: object() for k in sample.kwargs}
    marks.update({id(m): i for i, m in enumerate(args)})
    marks.update({id(m): k for k, m in kwargs.items()})
    bound = binder(rule.signature)(*args, **kwargs)
    return {name: marks[id(v)] for name, v in bound.items() if id(v) in marks}


# --- samples -------------------------------------------------------------------------------------


def sampler(seed: int, length: Callable[[int], int] = lambda n: n) -> dict[str, Any]:
    """The words that samples are written in; `length` may give axes other lengths."""
    rng = np.random.default_rng(seed)

    def sized(shape: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(length(n) for n in shape)

    def spd(n: int) -> Any:
        a = rng.normal(size=sized((n, n)))
        return a @ a.T + len(a) * np.eye(len(a))

    def hermitian(n: int) -> Any:
        a = rng.normal(size=sized((n, n))) + 1j * rng.normal(size=sized((n, n)))
        return a @ np.conj(a.T) + len(a) * np.eye(len(a))

    return {
        "np": np,
        "rng": rng,
        "normal": lambda *shape: rng.normal(size=sized(shape)),
        "positive": lambda *shape: rng.uniform(0.5, 2.0, size=sized(shape)),
        "unit": lambda *shape: rng.uniform(-0.9, 0.9, size=sized(shape)),
        "spd": spd,
        "hermitian": hermitian,
        "complexes": lambda *shape: (
            rng.normal(size=sized(shape)) + 1j * rng.normal(size=sized(shape))
        ),
        "call": lambda *args, **kwargs: (args, kwargs),
    }


def draw(rng: Any, domain: str, shape: tuple[int, ...]) -> Any:
    if domain == "real":
        return rng.uniform(0.2, 1.7, size=shape) * rng.choice([-1.0, 1.0], size=shape)
    if domain == "nonnegative integer":
        return rng.integers(0, 4, size=shape)
    low, high = {
        "positive": (0.3, 2.5),
        "unit": (-0.9, 0.9),
        "fraction": (0.1, 0.9),
        "above one": (1.1, 3.0),
    }[domain]
    return rng.uniform(low, high, size=shape)


def domains(rule: Rule) -> list[str]:
    """Where each required parameter lives."""
    names = [p.strip() for p in rule.signature.split(",")]
    required = [p for p in names if "=" not in p and p not in "/*"]
    words = [w.strip() for w in rule.domain.split(",")]
    return words * len(required) if len(words) == 1 else words


def _elementwise_samples(rule: Rule, seed: int, scalars_only: bool) -> list[Sample]:
    rng = np.random.default_rng(seed)
    words = domains(rule)
    shapes: list[list[Any]] = [[None] * len(words)]
    if not scalars_only:
        shapes.append([()] * len(words))
        shapes.append([(2, 3)] * len(words))
        if len(words) > 1:
            shapes.append([(2, 3), (3,), *[()] * (len(words) - 2)])
            shapes.append([(1, 3), (2, 1), *[()] * (len(words) - 2)])
            shapes.append([None, (4,), *[None] * (len(words) - 2)])
    out = []
    for shape in shapes:
        args = []
        for word, s in zip(words, shape):
            if s is None:
                drawn = draw(rng, word, ()).item()
            else:
                drawn = np.asarray(draw(rng, word, s))
            args.append(drawn)
        out.append(Sample(tuple(args), {}, f"generated, shapes {shape}"))
    return out


# Calls that NumPy takes since a release.
SINCE = {
    "np.stack([spd(3), spd(3), spd(3)]), normal(3)": "2.0.0",  # several matrices, one vector
    "normal(2, 3, 4), axis=(2, 0), weights=positive(4, 2)": "2.0.0",  # weights along two axes
    "spd(3), upper=True": "2.0.0",  # of np.linalg.cholesky
}


def older_than(release: str) -> bool:
    return NumpyVersion(np.__version__) < release


def scipy_older_than(release: str) -> bool:
    return NumpyVersion(scipy.__version__) < release


# Until SciPy 1.12 these do not do what they are said to do: their matrices are not orthogonal.
_SINES = "scipy.fft.dst" if scipy_older_than("1.12.0") else ""


def sample_texts(rule: Rule) -> list[str]:
    """The samples of an entry that this NumPy takes."""
    texts = (text for text in rule.samples if not older_than(SINCE.get(text, "1.0.0")))
    return [text for text in texts if _SINES not in rule.names or "'ortho'" not in text]


def samples(rule: Rule, name: str, seed: int = 0) -> list[Sample]:
    """All argument lists that an entry is tested on, under one of its names."""
    out = []
    if rule.kind == "elementwise" and not rule.samples:
        out += _elementwise_samples(rule, seed, name.startswith(("math.", "builtins.")))
    for text in sample_texts(rule):
        args, kwargs = eval(f"call({text})", sampler(seed))
        out.append(Sample(args, kwargs, text))
    return out


def mapped(sample: Sample, change: Callable[[Any], Any]) -> Sample:
    """The same sample, its floating arrays changed."""

    def each(v: Any) -> Any:
        if isinstance(v, tuple):
            return tuple(each(i) for i in v)
        return change(v) if _floating_array(v) else v

    kwargs = {k: each(v) for k, v in sample.kwargs.items()}
    return Sample(tuple(each(a) for a in sample.args), kwargs, sample.text)


def narrowed(sample: Sample) -> Sample | None:
    """The same sample in float32, None where it has no arrays."""
    if not any(_floating_array(v) and v.ndim for v in (*sample.args, *sample.kwargs.values())):
        return None
    single = mapped(sample, lambda v: v.astype({"f": np.float32, "c": np.complex64}[v.dtype.kind]))
    return replace(single, text=sample.text + " in float32")


def turned(sample: Sample, seed: int = 3) -> Sample:
    """The same sample with complex numbers in place of floats."""
    rng = np.random.default_rng(seed)

    def complex_too(v: Any) -> Any:
        if isinstance(v, tuple):
            return tuple(complex_too(i) for i in v)
        if not floating(v):
            return v
        made = v + 0.3j * rng.normal(size=np.shape(v))
        return np.asarray(made) if isinstance(v, np.ndarray) else complex(made)

    kwargs = {k: complex_too(v) for k, v in sample.kwargs.items()}
    args = tuple(complex_too(a) for a in sample.args)
    return Sample(args, kwargs, sample.text + ", complex")


def _floating_array(v: Any) -> bool:
    return isinstance(v, np.ndarray) and v.dtype.kind in "fc"


def floating(v: Any) -> bool:
    return isinstance(v, (float, complex)) or _floating_array(v)


# --- the engine's words, written out -------------------------------------------------------------


def unreduce(e: Any, axis: Any, keepdims: bool) -> Any:
    return e if keepdims or axis is None else np.expand_dims(e, axis)


def count(x: Any, axis: Any) -> int:
    if axis is None:
        return int(np.size(x))
    axes = axis if isinstance(axis, tuple) else (axis,)
    return int(np.prod([np.shape(x)[a] for a in axes]))


def unbroadcast(e: Any, x: Any) -> Any:
    e = np.asarray(e)
    e = e.sum(axis=tuple(range(e.ndim - np.ndim(x))))
    ones = tuple(i for i, n in enumerate(np.shape(x)) if n == 1 and e.shape[i] != 1)
    return e.sum(axis=ones, keepdims=True)


def _space() -> dict[str, Any]:
    space: dict[str, Any] = {"np": np, "math": math, "scipy": scipy}
    space.update(unreduce=unreduce, count=count, unbroadcast=unbroadcast)
    for source in HELPERS.values():
        exec(source, space)
    return space


SPACE = _space()


def formulas(text: str) -> list[str]:
    """The formula, and the helper that ends its chain of cases alone: it must serve every case."""
    node: ast.expr = ast.parse(text, mode="eval").body
    if not isinstance(node, ast.IfExp):
        return [text]
    while isinstance(node, ast.IfExp):
        node = node.orelse
    is_helper = (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id.startswith("_")
    )
    return [text, ast.unparse(node)] if is_helper else [text]


# --- the comparison ------------------------------------------------------------------------------


def check(rule: Rule, name: str, sample: Sample) -> set[str]:
    """Raises Wrong where a formula disagrees; returns the parameters that were held."""
    call = function(name)
    where = places(rule, sample)
    active = [p for p in rule.reverse if p in where and floating(sample.value(where[p]))]
    bound = binder(rule.signature)(*sample.args, **sample.kwargs)
    y = call(*sample.args, **sample.kwargs)
    rng = np.random.default_rng(1)
    y_bar = seed(rng, rule, y)
    names = {**bound, "y": y, "y_bar": y_bar}
    for p in active:
        x = sample.value(where[p])
        x_dot = like(rng, x)
        step = 0.5 if rule.kind == "linear" else STEP
        y_dot = _difference(call, sample, where[p], x, x_dot, step)
        for text in formulas(rule.reverse[p]):
            x_bar = cotangent(rule, p, text, names)
            at = f"{name}: {p} = {text!r} at {sample.text}"
            if np.shape(x_bar) != np.shape(x):
                raise Wrong(f"{at}: shape {np.shape(x_bar)}, wanted {np.shape(x)}")
            _agree(pair(y_bar, y_dot), pair(x_bar, x_dot), at)
        _check_tangent(rule, name, sample, where, {**names, f"{p}_dot": x_dot}, active, p, y_dot)
    return set(active)


def seed(rng: Any, rule: Rule, y: Any) -> Any:
    """A random cotangent: zero for a result of which the entry gives no derivative."""
    drawn = like(rng, y)
    if not isinstance(y, tuple):
        return drawn
    refused = [": refused" in r for r in rule.results]
    return tuple(0.0 * d if no else d for d, no in zip(drawn, refused, strict=True))


def check_dtype(rule: Rule, name: str, sample: Sample) -> None:
    """float32 in, float32 out: no formula widens."""
    where = places(rule, sample)
    bound = binder(rule.signature)(*sample.args, **sample.kwargs)
    y = function(name)(*sample.args, **sample.kwargs)
    names = {**bound, "y": y, "y_bar": seed(np.random.default_rng(1), rule, y)}
    for p in rule.reverse:
        if p not in where or not _floating_array(sample.value(where[p])):
            continue
        for text in formulas(rule.reverse[p]):
            x_bar = cotangent(rule, p, text, names)
            if np.asarray(x_bar).dtype != np.float32 and np.asarray(y).dtype == np.float32:
                raise Wrong(f"{name}: {p} = {text!r} widens float32 at {sample.text}")


def cotangent(rule: Rule, p: str, text: str, names: dict[str, Any]) -> Any:
    """What the engine makes of a formula: times the cotangent, fitted to the parameter's shape."""
    x = names[p]
    e = eval(text, SPACE, _conjugated(names) if rule.conjugate else names)
    if rule.kind == "elementwise":
        return unbroadcast(names["y_bar"] * e, x)
    if rule.shape == "broadcast":
        return unbroadcast(e, x)
    if np.iscomplexobj(e) and not np.iscomplexobj(x):
        e = np.real(e)
    return np.broadcast_to(e, np.shape(x)) if rule.spread else e


def _conjugated(names: dict[str, Any]) -> dict[str, Any]:
    """What the names of a holomorphic function's formula stand for."""
    return {
        k: v if k == "y_bar" or not np.iscomplexobj(v) else np.conj(v) for k, v in names.items()
    }


def _check_tangent(
    rule: Rule,
    name: str,
    sample: Sample,
    where: dict[str, int | str],
    names: dict[str, Any],
    active: list[str],
    p: str,
    y_dot: Any,
) -> None:
    at = f"{name}: tangent {rule.tangent!r} for {p} at {sample.text}"
    if rule.kind == "elementwise":
        made = np.broadcast_to(
            names[f"{p}_dot"] * eval(rule.reverse[p], SPACE, names), np.shape(y_dot)
        )
    elif rule.kind == "linear":
        moved = sample
        for q in rule.reverse:
            if q in where:
                zero = np.zeros_like(sample.value(where[q])) if q != p else names[f"{p}_dot"]
                moved = moved.replaced(where[q], zero)
        made = function(name)(*moved.args, **moved.kwargs)
    else:
        still = {q: names[q] for q in rule.reverse if q != p}
        zeros = {
            f"{q}_dot": np.zeros(np.shape(x), complex if np.iscomplexobj(x) else float)
            for q, x in still.items()
        }
        made = eval(rule.tangent, SPACE, {**names, **zeros})
    known = [": refused" not in r for r in rule.results] or [True]
    for a, b, _ in (t for t in zip(parts(made), parts(y_dot), known * len(parts(made))) if t[2]):
        if np.shape(a) != np.shape(b):
            raise Wrong(f"{at}: shape {np.shape(a)}, wanted {np.shape(b)}")
        _agree(np.asarray(b), np.asarray(a), at)


def like(rng: Any, x: Any) -> Any:
    """A random direction of the shape (and dtype) of x."""
    if isinstance(x, tuple):
        return tuple(like(rng, part) for part in x)
    drawn = rng.normal(size=np.shape(x))
    if np.iscomplexobj(x):
        drawn = drawn + 1j * rng.normal(size=np.shape(x))
    if isinstance(x, (np.ndarray, np.generic)):
        return (
            np.asarray(drawn).astype(np.asarray(x).dtype)
            if np.asarray(x).dtype.kind in "fc"
            else drawn
        )
    return complex(drawn) if isinstance(x, complex) else float(drawn)


def parts(x: Any) -> tuple[Any, ...]:
    return tuple(x) if isinstance(x, tuple) else (x,)


def _difference(
    call: Any, sample: Sample, where: int | str, x: Any, x_dot: Any, step: float
) -> Any:
    ahead = sample.replaced(where, x + step * x_dot)
    behind = sample.replaced(where, x - step * x_dot)
    up, down = call(*ahead.args, **ahead.kwargs), call(*behind.args, **behind.kwargs)
    if isinstance(up, tuple):
        return tuple((1 * np.asarray(a) - b) / (2.0 * step) for a, b in zip(up, down))
    return (np.asarray(up) - np.asarray(down)) / np.asarray(2.0 * step, np.asarray(up).dtype)


def pair(bar: Any, dot: Any) -> Any:
    return sum(np.sum(np.conj(b) * d).real for b, d in zip(parts(bar), parts(dot)))


def _agree(wanted: Any, got: Any, at: str) -> None:
    kind = np.asarray(wanted).dtype
    rtol = {2: 3e-3, 4: 1e-5}.get(kind.itemsize, 2e-6)
    if not np.allclose(got, wanted, rtol=rtol, atol=rtol / 100.0):
        raise Wrong(f"{at}: {got}, finite differences say {wanted}")
