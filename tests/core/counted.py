"""How many elements of arrays a function touches: read, written or computed. Counted, so never timed.

`counting()` gives a stand-in for the module `numpy` that makes arrays that count, and the counter. Taking
a view is one touch, whatever its size; reading or writing one element is one; an operation touches every
element of what it reads and makes, a product of matrices each factor of each sum, a decomposition or a
solution as many as a product of its matrix with itself.

May not know: how anything is derived.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

_DECOMPOSING = ("cholesky", "det", "eigh", "eigvalsh", "inv", "qr", "slogdet", "solve", "svd")


class Counter:
    """`touched` so far."""

    def __init__(self) -> None:
        self.touched = 0

    def call(self, f: Callable[..., Any], args: Any, kwargs: Any) -> Any:
        """`f` of plain arrays; what it reads and makes is counted."""
        args, kwargs = _plain(args), _plain(kwargs)
        got = f(*args, **kwargs)
        if f in (np.shape, np.ndim, np.size):
            self.touched += 1
            return got
        arrays, made = _arrays((args, kwargs)), _arrays(got)
        if made and all(_is_view(m, arrays) for m in made):
            self.touched += 1
        else:
            self.touched += max([1, *(a.size for a in (*arrays, *made))]) + _products(f, arrays)
        return self.counted(got)

    def counted(self, got: Any) -> Any:
        """The same, arrays counting."""
        if isinstance(got, np.ndarray):
            out = got.view(Counted)
            out.counter = self
            return out
        if type(got) in (tuple, list):
            return type(got)(self.counted(g) for g in got)
        return got


class Counted(np.ndarray):
    """An array whose elements are counted when they are touched."""

    counter: Counter

    def __array_finalize__(self, source: Any) -> None:
        self.counter = getattr(source, "counter", None) or Counter()

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        if method == "at":  # touches what the indices name
            index, *values = inputs[1:]
            self.counter.touched += max(1, _named(index), *(np.size(v) for v in values))
            return ufunc.at(*_plain(inputs))
        out = kwargs.get("out")
        got = self.counter.call(getattr(ufunc, method), inputs, kwargs)
        self.counter.touched += sum(o.size for o in out or ())
        return got if out is None else out[0]

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return self.counter.call(func, args, kwargs)

    def __getitem__(self, index: Any) -> Any:
        got = self.view(np.ndarray)[_plain(index)]
        view = isinstance(got, np.ndarray) and _is_view(got, [self.view(np.ndarray)])
        self.counter.touched += 1 if view else np.size(got)
        return self.counter.counted(got)

    def __setitem__(self, index: Any, value: Any) -> None:
        plain = self.view(np.ndarray)
        self.counter.touched += np.size(plain[_plain(index)])
        plain[_plain(index)] = _plain(value)

    def copy(self, order: Any = "C") -> Any:
        self.counter.touched += self.size
        return super().copy(order)

    def fill(self, value: Any) -> None:
        self.counter.touched += self.size
        super().fill(value)

    def astype(self, *args: Any, **kwargs: Any) -> Any:
        self.counter.touched += self.size
        return super().astype(*args, **kwargs)

    def dot(self, other: Any) -> Any:
        return self.counter.call(np.dot, (self, other), {})


class Module:
    """A module whose functions count."""

    def __init__(self, module: Any, counter: Counter) -> None:
        self._module, self._counter = module, counter

    def __getattr__(self, name: str) -> Any:
        got = getattr(self._module, name)
        if isinstance(got, type(np)):
            return Module(got, self._counter)
        if isinstance(got, (type, np.ufunc)) or not callable(got):
            return got  # an array that counts is asked by the ufunc itself

        def called(*args: Any, **kwargs: Any) -> Any:
            return self._counter.call(got, args, kwargs)

        return called


def counting() -> tuple[Module, Counter]:
    counter = Counter()
    return Module(np, counter), counter


def _plain(got: Any) -> Any:
    if isinstance(got, Counted):
        return got.view(np.ndarray)
    if type(got) in (tuple, list):
        return type(got)(_plain(g) for g in got)
    if type(got) is dict:
        return {k: _plain(v) for k, v in got.items()}
    return got


def _arrays(got: Any) -> list[Any]:
    if type(got) in (tuple, list):
        return [x for g in got for x in _arrays(g)]
    if type(got) is dict:
        return _arrays(list(got.values()))
    return [got] if isinstance(got, np.ndarray) else []


def _is_view(made: Any, arrays: list[Any]) -> bool:
    return any(np.may_share_memory(made, a) for a in arrays)


def _products(f: Callable[..., Any], arrays: list[Any]) -> int:
    """The multiplications of a product of matrices, and about those of a decomposition."""
    name = getattr(f, "__name__", "")
    owner = getattr(f, "__self__", None)
    if arrays and name in _DECOMPOSING:
        return int(arrays[0].size * arrays[0].shape[-1])
    if name not in ("dot", "inner", "tensordot") and getattr(owner, "__name__", "") != "matmul":
        return 0
    columns = [a.shape[-1] for a in arrays[1:2] if a.ndim > 1]
    return math.prod([arrays[0].size, *columns]) if arrays else 0


def _named(index: Any) -> int:
    """How many elements an index names, where no slice is in it."""
    parts = index if isinstance(index, tuple) else (index,)
    return math.prod(np.broadcast_shapes(*(np.shape(p) for p in parts if not isinstance(p, slice))))
