"""What the generator knows of the program so far: variables, their shapes, and what may be written.

All sizes are concrete numbers while a program is generated, so that every program that comes out runs.
The text says `len(x)`, `x.shape[1]` or the number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

T = TypeVar("T")
Shape = tuple[int, ...]
N, M = 4, 3  # the sizes of parameters
SHAPES: tuple[Shape, ...] = ((N,), (N,), (M,), (N, M), (M, M))


class Chooser(Protocol):
    """Where choices come from: random.Random, or Hypothesis behind the same methods."""

    def random(self) -> float: ...
    def randrange(self, start: int, stop: int) -> int: ...
    def choice(self, seq: Sequence[Any]) -> Any: ...


@dataclass(frozen=True)
class Helper:
    """A function of the module that programs may call."""

    name: str
    params: tuple[tuple[str, Shape, str], ...]  # name, shape, default's text or ""
    results: tuple[Shape, ...]


@dataclass
class Scope:
    """Variables by name; `ints` have the interval that their values lie in."""

    r: Chooser
    floats: dict[str, Shape] = field(default_factory=dict)  # () is a number
    ints: dict[str, tuple[int, int]] = field(default_factory=dict)
    index_arrays: dict[str, Shape] = field(default_factory=dict)
    masks: dict[str, Shape] = field(default_factory=dict)
    writable: set[str] = field(default_factory=set)
    fixed: set[str] = field(default_factory=set)  # loop variables and counters: not to be assigned
    helpers: list[Helper] = field(default_factory=list)
    made: int = 0
    loops: int = 0
    branches: int = 0
    rare: float = 0.0  # how often statements are of the less common kinds

    def chance(self, p: float) -> bool:
        return self.r.random() < p

    def pick(self, options: Sequence[T]) -> T:
        return self.r.choice(options)

    def of_shape(self, shape: Shape) -> list[str]:
        return [n for n, s in self.floats.items() if s == shape]

    def arrays(self, rank: int | None = None) -> list[str]:
        return [n for n, s in self.floats.items() if s and (rank is None or len(s) == rank)]

    def recent(self, names: Sequence[str]) -> str:
        """One of the names, the newest more likely."""
        if len(names) > 3 and self.chance(0.5):
            names = names[-3:]
        return self.pick(names)

    def fresh(self, prefix: str) -> str:
        self.made += 1
        return f"{prefix}{self.made}"

    def inner(self) -> Scope:
        """The scope of a nested block: what it makes is not known behind it."""
        return Scope(
            self.r,
            dict(self.floats),
            dict(self.ints),
            dict(self.index_arrays),
            dict(self.masks),
            set(self.writable),
            set(self.fixed),
            self.helpers,
            self.made,
            self.loops,
            self.branches,
            self.rare,
        )
