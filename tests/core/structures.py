"""Derivatives with respect to containers, and of containers, held against central differences.

May not know: how anything is derived.
"""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from tests.core.differences import same


def named_parts(v: Any) -> dict[str, Any] | None:
    """The parts of what has names for them."""
    if isinstance(v, dict):
        return v
    if hasattr(v, "_fields"):
        return v._asdict()
    if is_dataclass(v):
        return {f.name: getattr(v, f.name) for f in fields(v)}
    return vars(v) if hasattr(v, "__dict__") and not isinstance(v, np.ndarray) else None


def like(v: Any, made: dict[str, Any]) -> Any:
    """What has named parts, with others in their places."""
    if isinstance(v, dict):
        return made
    if hasattr(v, "_fields") or is_dataclass(v):
        return type(v)(**made)
    other = copy.copy(v)
    vars(other).update(made)
    return other


def parts(v: Any) -> list[Any] | None:
    named = named_parts(v)
    if named is not None:
        return list(named.values())
    return list(v) if isinstance(v, (list, tuple)) else None


def is_floating(v: Any) -> bool:
    return v is not None and not isinstance(v, str) and np.asarray(v).dtype.kind == "f"


def mapped(v: Any, change: Callable[[Any], Any], other: Callable[[Any], Any] = lambda p: p) -> Any:
    """`v` with each floating part changed, and the other parts by `other`."""
    named = named_parts(v)
    if named is not None:
        made = {k: mapped(p, change, other) for k, p in named.items()}
        return like(v, made)
    if isinstance(v, (list, tuple)):
        return type(v)([mapped(p, change, other) for p in v])
    return change(v) if is_floating(v) else other(v)


def leaves(v: Any) -> Iterator[Any]:
    inner = parts(v)
    if inner is None:
        yield from [v] if is_floating(v) else []
    else:
        for p in inner:
            yield from leaves(p)


def assert_like(bar: Any, x: Any) -> None:
    """The cotangent has the containers, keys and shapes of its primal; None for what is not floating."""
    inner = parts(x)
    if inner is None:
        if is_floating(x):
            assert np.shape(bar) == np.shape(x)
        else:
            assert bar is None
        return
    assert type(bar) is type(x)
    if isinstance(x, dict):
        assert list(bar) == list(x)
    mine = parts(bar)
    assert mine is not None and len(mine) == len(inner)
    for b, p in zip(mine, inner):
        assert_like(b, p)


def total(seeds: Any, value: Any) -> float:
    return sum(float(np.sum(s * v)) for s, v in zip(leaves(seeds), leaves(value), strict=True))


def difference(f: Callable[..., Any], args: tuple[Any, ...], at: int, seeds: Any) -> list[Any]:
    """d/d args[at] of the sum of seeds * outputs, floating part by floating part."""
    out = []
    for n, leaf in enumerate(leaves(args[at])):
        bar = np.zeros(np.shape(leaf))
        for k in np.ndindex(np.shape(leaf)):

            def value(h: float, n: int = n, k: tuple[int, ...] = k) -> float:
                count = iter(range(10_000))

                def move(p: Any) -> Any:
                    if next(count) != n:
                        return copy.deepcopy(p)
                    moved = np.array(p, dtype=float)
                    moved[k] += h
                    return moved if isinstance(p, np.ndarray) else float(moved)

                moved_args = copy.deepcopy(args)
                there = (*moved_args[:at], mapped(args[at], move), *moved_args[at + 1 :])
                return total(seeds, f(*there))

            bar[k] = (value(1e-6) - value(-1e-6)) / 2e-6
        out.append(bar)
    return out


def assert_right(
    f: Callable[..., Any],
    made: Callable[..., Any],
    args: tuple[Any, ...],
    wrt: tuple[str, ...],
    kind: str = "vjp",
) -> None:
    """`made` is f's vjp or gradient with respect to `wrt` (a tuple), in the containers of the arguments."""
    value = f(*copy.deepcopy(args))
    rng = np.random.default_rng(5)

    def draw(p: Any) -> Any:
        drawn = rng.normal(size=np.shape(p))
        return drawn if isinstance(p, np.ndarray) else float(drawn)

    seeds = mapped(value, draw, lambda p: None) if kind == "vjp" else 1.0
    kept, before = copy.deepcopy(seeds), copy.deepcopy(args)
    got = made(*args, seeds) if kind == "vjp" else made(*args)
    same(args, before)
    same(seeds, kept)
    names = list(inspect.signature(f).parameters)
    for name, bar in zip(wrt, got, strict=True):
        at = names.index(name)
        assert_like(bar, args[at])
        want = difference(f, args, at, seeds)
        for b, w in zip(leaves(bar), want, strict=True):
            np.testing.assert_allclose(b, w, rtol=1e-5, atol=1e-6, err_msg=name)
        own = [b for b in leaves(bar) if isinstance(b, np.ndarray)]
        given = [a for a in leaves((*args, seeds)) if isinstance(a, np.ndarray)]
        assert not any(np.shares_memory(b, a) for b in own for a in given), name


def assert_tangent(
    f: Callable[..., Any], made: Callable[..., Any], args: tuple[Any, ...], places: list[int]
) -> None:
    """`made` gives f's value and its tangent, in containers like those of its value."""
    rng = np.random.default_rng(3)

    def draw(p: Any) -> Any:
        drawn: Any = rng.normal(size=np.shape(p))
        return drawn if isinstance(p, np.ndarray) else float(drawn)

    values = f(*copy.deepcopy(args))
    weights = mapped(values, draw)
    dots = tuple(mapped(args[k], draw, lambda p: None) for k in places)
    before = copy.deepcopy((args, dots))
    got, tangents = made(*args, *dots)
    same((args, dots), before)
    same(got, values)
    assert_like(tangents, values)
    slopes = [difference(f, args, k, weights) for k in places]
    want = sum(
        float(np.sum(b * d))
        for bars, dot in zip(slopes, dots)
        for b, d in zip(bars, leaves(dot), strict=True)
    )
    np.testing.assert_allclose(total(weights, tangents), want, rtol=1e-5, atol=1e-6)
