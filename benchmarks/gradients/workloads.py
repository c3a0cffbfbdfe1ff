"""The workloads: which arguments each primal is differentiated in, and how large they are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import primals

Arguments = tuple[Any, ...]


@dataclass(frozen=True)
class Workload:
    """`arguments(rng, *size)` makes those of one of the `sizes`; what is fixed at compile time is `static`."""

    name: str
    wrt: tuple[str, ...]
    arguments: Callable[..., Arguments]
    sizes: tuple[tuple[int, ...], ...]
    static: tuple[int, ...] = ()

    @property
    def primal(self) -> Callable[..., Any]:
        return getattr(primals, self.name)

    def at(self, size: tuple[int, ...]) -> Arguments:
        return self.arguments(np.random.default_rng(size), *size)


def _mlp(rng: Any, n: int, h: int) -> Arguments:
    normal = rng.standard_normal
    labels = np.eye(10)[rng.integers(0, 10, n)]
    return normal((64, h)) / 8, normal(h), normal((h, 10)) / h, normal(10), normal((n, 64)), labels


def _lattice(rng: Any, n: int, d: int, k: int) -> Arguments:
    normal = rng.standard_normal
    return normal((d, d)) / d, normal((k, d)) / d, normal(k) / k, normal((n, d))


def _vector(*rest: Any) -> Callable[..., Arguments]:
    return lambda rng, n, *more: (rng.standard_normal(n), *rest, *more)


def _rnn(rng: Any, n: int, m: int, h: int) -> Arguments:
    normal = rng.standard_normal
    return normal((h, h)) / h, normal((h, h)) / h, normal(h), normal((m, h)), normal((n, m, h))


def _lstm(rng: Any, n: int, m: int, h: int) -> Arguments:
    normal = rng.standard_normal
    weights = normal((4, h, h)) / h, normal((4, h, h)) / h, normal((4, h))
    return (*weights, normal((m, h)), normal((m, h)), normal((n, m, h)))


def _gmm(rng: Any, n: int, d: int, k: int) -> Arguments:
    normal = rng.standard_normal
    return normal(k), normal((k, d)), normal((k, d)) / 4, normal((k, d, d)) / d, normal((n, d))


def _bundle(rng: Any, n: int, cameras: int, points: int) -> Arguments:
    cams = rng.uniform(0.1, 0.3, (cameras, 11))
    cams[:, 3:6] = rng.standard_normal((cameras, 3)) - [0.0, 0.0, 8.0]
    seen = rng.integers(0, cameras, n), rng.integers(0, points, n)
    return cams, rng.standard_normal((points, 3)), *seen, rng.standard_normal((n, 2))


def _logistic(rng: Any, n: int, d: int) -> Arguments:
    labels = rng.integers(0, 2, n).astype(float)
    return rng.standard_normal(d), 0.1, rng.standard_normal((n, d)), labels


def _gaussian_process(rng: Any, n: int) -> Arguments:
    return 0.3, -1.0, rng.standard_normal((n, 3)), rng.standard_normal(n)


WORKLOADS = (
    Workload("mlp", ("W1", "b1", "W2", "b2"), _mlp, ((16, 16), (64, 256))),
    Workload("scalar_loop", ("x",), lambda rng, n: (1.3, n), ((1000,),), (1,)),
    Workload("lattice", ("W", "E", "S"), _lattice, ((10, 16, 4),)),
    Workload("indexed_loop", ("x",), _vector(), ((100,), (1000,))),
    Workload("heat", ("u0", "k"), _vector(0.2), ((64, 50), (512, 50)), (2,)),
    Workload(
        "jacobi",
        ("A0",),
        lambda rng, n, steps: (rng.standard_normal((n, n)), steps),
        ((32, 20), (128, 20)),
        (1,),
    ),
    Workload("rnn", ("W", "U", "b", "h0"), _rnn, ((10, 8, 16), (10, 32, 128))),
    Workload("lstm", ("W", "U", "b", "h0", "c0"), _lstm, ((10, 8, 16), (10, 32, 128))),
    Workload("gmm", ("alphas", "means", "Q", "L"), _gmm, ((1000, 10, 5),)),
    Workload("bundle", ("cameras", "points"), _bundle, ((1000, 10, 100),)),
    Workload("logistic", ("w", "b"), _logistic, ((1000, 20), (10000, 100))),
    Workload("gaussian_process", ("scale", "noise"), _gaussian_process, ((64,), (256,))),
)
