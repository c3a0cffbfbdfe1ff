"""Pullback writes the derivative of a NumPy function as plain NumPy source.

The names below load what they need when they are first used: importing this package imports neither
NumPy nor the parser.

May not know: anything; it only says where the public names live.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pullback.check import check as check
    from pullback.derive import Derived as Derived
    from pullback.derive import derive as derive
    from pullback.diagnostics import Diagnostic as Diagnostic
    from pullback.live import DerivationError as DerivationError
    from pullback.live import grad as grad
    from pullback.live import hessian as hessian
    from pullback.live import hvp as hvp
    from pullback.live import jacobian as jacobian
    from pullback.live import jvp as jvp
    from pullback.live import sparse_jacobian as sparse_jacobian
    from pullback.live import stage as stage
    from pullback.live import value_and_grad as value_and_grad
    from pullback.live import vjp as vjp
    from pullback.surgery import adjoint as adjoint
    from pullback.surgery import insert_grad_of as insert_grad_of
    from pullback.surgery import stop_gradient as stop_gradient
    from pullback.surgery import tangent as tangent
    from pullback.verify import verify as verify

__version__ = "0.1.0"

_HOMES = {
    "Derived": "derive",
    "DerivationError": "live",
    "Diagnostic": "diagnostics",
    "adjoint": "surgery",
    "check": "check",
    "derive": "derive",
    "grad": "live",
    "hessian": "live",
    "hvp": "live",
    "insert_grad_of": "surgery",
    "jacobian": "live",
    "jvp": "live",
    "sparse_jacobian": "live",
    "stage": "live",
    "stop_gradient": "surgery",
    "tangent": "surgery",
    "value_and_grad": "live",
    "verify": "verify",
    "vjp": "live",
}

__all__ = ["__version__", *sorted(_HOMES)]


class _Package(ModuleType):
    """Importing the module `pullback.derive` must not put it in the place of `pullback.derive()`."""

    def __getattr__(self, name: str) -> Any:
        home = _HOMES.get(name)
        if home is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(import_module(f"{__name__}.{home}"), name)
        setattr(self, name, value)
        return value

    def __setattr__(self, name: str, value: object) -> None:
        if name in _HOMES and isinstance(value, ModuleType):
            return
        super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        return [*__all__, *super().__dir__()]


sys.modules[__name__].__class__ = _Package
