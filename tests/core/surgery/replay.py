"""Derivatives that are not those of the text, held against central differences of a function that has them.

`stop_gradient` is played back: it gives, in its order, what it gave at the arguments themselves, so that nothing
that it gives moves with them.

May not know: how anything is derived.
"""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np

from tests.core.differences import space_of


class Played:
    """What `stop_gradient` gave when it was first called, again and again."""

    def __init__(self) -> None:
        self.tape: list[Any] = []
        self.at: int | None = None  # None: it records

    def stop_gradient(self, x: Any) -> Any:
        if self.at is None:
            self.tape.append(copy.deepcopy(x))
            return x
        self.at += 1
        return self.tape[self.at - 1]


def held(source: str, args: tuple[Any, ...]) -> Callable[..., Any]:
    """The function f of `source`, with what it stops at `args` held there. It calls `pullback.stop_gradient`."""
    played = Played()
    space = space_of("import numpy as np", source.replace("import pullback\n", ""))
    space["pullback"] = SimpleNamespace(stop_gradient=played.stop_gradient)
    f = space["f"]
    f(*copy.deepcopy(args))
    assert played.tape, "nothing is stopped"

    @functools.wraps(f)
    def replayed(*moved: Any) -> Any:
        played.at = 0
        return f(*moved)

    return replayed


def body_of(text: str | None) -> str:
    """A generated text without its headers, whose digests are of what was said."""
    assert text is not None
    return "\n".join(line for line in text.splitlines() if not line.startswith("# pullback:"))


def made(text: str, name: str) -> Callable[..., Any]:
    found: Callable[..., Any] = space_of("import numpy as np", text)[name]
    return found


X = np.array([0.7, -1.2, 2.0])
