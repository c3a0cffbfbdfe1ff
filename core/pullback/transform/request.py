"""What is asked of the transformation, and what it gives.

May not know: how either is made.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..analysis.facts import Problem
from ..analysis.types import Type
from ..ir import Function

SPARSE = "sparse_jacobian"
DENSE = ("jacobian", SPARSE, "hessian")  # kinds that are made of products with directions
SECOND = ("hvp", "hessian")  # kinds that are made of the gradient
FORWARD = ("jvp", "hvp", *DENSE)  # kinds that are made by forward mode


@dataclass(frozen=True)
class Request:
    """The derivative `kind` of a function with respect to `wrt`; `name` is what it will be called.

    `out` names the variables whose values in the end are the outputs, where those are not what is returned.
    `private` ones are called by other derivatives; a `product` is, too, but made as what the user calls;
    with `looking` only the problems are wanted, and with
    `alone` a single name gives a tuple of one.
    """

    kind: str
    wrt: tuple[str, ...]
    name: str
    out: tuple[str, ...] = ()
    private: bool = False
    product: bool = False
    looking: bool = False
    alone: bool = False

    @property
    def helper(self) -> bool:
        """Whether another derivative calls this one."""
        return self.private or self.product

    @property
    def forward(self) -> bool:
        return self.kind in FORWARD


@dataclass(frozen=True)
class Reversed:
    """`fn` is None where problems stand in the way."""

    fn: Function | None
    problems: tuple[Problem, ...]
    helpers: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()  # workspace functions whose source the derivative was made from
    narrow: frozenset[str] = frozenset()  # variables that may be other than floating
    types: tuple[Type, ...] = ()  # of the arguments that a private derivative was made for
