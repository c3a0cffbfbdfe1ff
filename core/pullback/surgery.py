"""What a primal may call for the sake of its derivative, as plain Python sees it: nothing happens.

Pullback finds these calls in the text. They are no part of what is generated, and an expression or a loop
that has one computes what it would without it.

May not know: how derivatives are made.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")
Rule = TypeVar("Rule", bound=Callable[..., Any])


def stop_gradient(x: T, /) -> T:
    """`x` itself; a derivative takes it for a constant."""
    return x


def adjoint(function: Callable[..., Any], /) -> Callable[[Rule], Rule]:
    """Makes the function below the rule that gives the cotangents of `function`'s parameters."""
    return lambda rule: rule


def tangent(function: Callable[..., Any], /) -> Callable[[Rule], Rule]:
    """Makes the function below the rule that gives the tangent of `function`'s result."""
    return lambda rule: rule


def insert_grad_of(x: T, /) -> tuple[T, ...]:
    """Nothing, so that a loop over it takes no turn; its body goes into the backward pass of a derivative."""
    return ()
