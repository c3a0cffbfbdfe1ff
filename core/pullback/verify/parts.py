"""The floating parts of a value: of nested containers, each with the keys that lead to it.

May not know: what is compared.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

Key = tuple[Any, ...]


def leaves(value: Any, key: Key = ()) -> Iterator[tuple[Key, Any]]:
    """The floating parts of nested containers, each with the keys that lead to it."""
    if isinstance(value, Mapping):
        for k, v in value.items():
            yield from leaves(v, (*key, k))
    elif isinstance(value, (tuple, list)):
        for i, v in enumerate(value):
            yield from leaves(v, (*key, i))
    elif is_dataclass(value) and not isinstance(value, type):
        for f in fields(value):
            yield from leaves(getattr(value, f.name), (*key, f.name))
    elif float_dtype(value) is not None:
        yield key, value


def float_dtype(value: Any) -> Any:
    """The dtype of a floating scalar or array, else None."""
    if not isinstance(value, (float, complex, np.ndarray, np.generic)):
        return None
    dtype = np.asarray(value).dtype
    return dtype if dtype.kind in "fc" else None


def rebuilt(value: Any, change: Callable[[Any], Any], key: Key | None = None) -> Any:
    """`value` with its floating parts (or the one at `key`) replaced by change(part)."""
    if key == () or (key is None and float_dtype(value) is not None):
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
        return rebuilt(part, change)
    return rebuilt(part, change, key[1:]) if key[0] == name else part


def part_at(value: Any, key: Key) -> Any:
    for k in key:
        value = getattr(value, k) if is_dataclass(value) else value[k]
    return value


def moved(value: Any, key: Key, index: Key, step: complex) -> Any:
    def move(leaf: Any) -> Any:
        if not isinstance(leaf, np.ndarray):
            return leaf + step
        new = leaf.astype(np.result_type(leaf, type(step)))
        new[index] += step
        return new

    return rebuilt(value, move, key)


def shifted(value: Any, direction: Any, step: float) -> Any:
    """`value` moved a step along a direction of its form."""
    dots = leaves(direction)
    return rebuilt(value, lambda leaf: leaf + step * next(dots)[1])


def double(leaf: Any) -> Any:
    wide = np.asarray(leaf).astype(complex if np.iscomplexobj(leaf) else float)
    return wide if isinstance(leaf, np.ndarray) else wide[()].item()


def drawn(leaf: Any, rng: np.random.Generator) -> Any:
    """A seed for a floating part: a value of its shape."""
    seed = rng.normal(size=np.shape(leaf))
    if np.iscomplexobj(leaf):
        seed = seed + 1j * rng.normal(size=np.shape(leaf))
    return seed if isinstance(leaf, np.ndarray) and leaf.ndim else np.asarray(seed)[()].item()


def paired(seed: Any, value: Any) -> Any:
    """The product that a cotangent stands for; analytic where the function is, for the complex step."""
    seeds, found = dict(leaves(seed)), dict(leaves(value))
    return sum(np.sum(np.conj(s) * found[key]) for key, s in seeds.items() if key in found)
