"""Gradients of a workload by every way there is: one function `f(*args)` each, that gives a tuple.

A way that needs what is not installed, or has no answer, raises; the benchmark says so and goes on.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

import pullback

from . import by_hand, primals
from .functional import functional, loop
from .workloads import Arguments, Workload

Gradient = Callable[[], Any]  # of arguments that it already has


def generated(w: Workload, args: Arguments) -> Gradient:
    made = pullback.grad(w.primal, w.wrt)
    return lambda: made(*args)


def hand(w: Workload, args: Arguments) -> Gradient:
    made = getattr(by_hand, w.name)
    return lambda: made(*args)


def generated_numba(w: Workload, args: Arguments) -> Gradient:
    import numba

    source = inspect.getsource(primals)
    derived = pullback.derive(source, w.name, "grad", w.wrt, modules={}, jit="numba")
    if derived.source is None:
        said = "; ".join(d.message for d in derived.diagnostics)
        raise pullback.DerivationError(said, derived.diagnostics)
    space: dict[str, Any] = {"numba": numba}
    exec(source + "\n\n" + derived.source, space)
    made = space[derived.name]
    return lambda: made(*args)


def autograd(w: Workload, args: Arguments) -> Gradient:
    import autograd.numpy as anp
    from autograd import make_vjp

    f = functional(anp, loop)[w.name]
    places = _places(w)

    def of_differentiated(given: tuple[Any, ...]) -> Any:
        return f(*(given[places.index(k)] if k in places else a for k, a in enumerate(args)))

    return lambda: make_vjp(of_differentiated)(tuple(args[k] for k in places))[0](np.float64(1.0))


def jax_eager(w: Workload, args: Arguments) -> Gradient:
    jax, given = _jax(args)
    made = jax.grad(functional(jax.numpy, loop)[w.name], argnums=_places(w))
    return lambda: jax.block_until_ready(made(*given))


def jax_jit(w: Workload, args: Arguments) -> Gradient:
    jax, given = _jax(args)

    def scan(step: Any, carry: Any, n: int) -> Any:
        return jax.lax.scan(step, carry, jax.numpy.arange(n))

    f = functional(jax.numpy, scan)[w.name]
    made = jax.jit(jax.grad(f, argnums=_places(w)), static_argnums=w.static)
    return lambda: jax.block_until_ready(made(*given))


WAYS: dict[str, Callable[[Workload, Arguments], Gradient]] = {
    "by hand": hand,
    "generated": generated,
    "generated for Numba": generated_numba,
    "autograd": autograd,
    "JAX": jax_eager,
    "JAX compiled": jax_jit,
}


def _places(w: Workload) -> tuple[int, ...]:
    names = list(inspect.signature(w.primal).parameters)
    return tuple(names.index(n) for n in w.wrt)


def _jax(args: Arguments) -> tuple[Any, Arguments]:
    import jax

    jax.config.update("jax_enable_x64", True)
    arrays = (jax.numpy.asarray(a) if isinstance(a, np.ndarray) else a for a in args)
    return jax, tuple(arrays)
