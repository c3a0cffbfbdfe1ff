"""What a primal may call for the sake of its derivative, as plain Python sees it: nothing happens.

Pullback finds these calls in the text. They are no part of what is generated, and an expression or a loop
that has one computes what it would without it.

May not know: how derivatives are made.
"""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T")


def stop_gradient(x: T, /) -> T:
    """`x` itself; a derivative takes it for a constant."""
    return x
