"""The programs of `tests/programs` under every kind, each held against differences of the level below it.

A tangent is compared with differences of the program, a gradient with differences of its value, a Hessian
times a vector with differences of the gradient: once as forward mode over reverse mode (`hvp`), once as reverse
mode over reverse mode (the vjp of the gradient). A program that gives no single number is taken as the sum of the
squares of what it gives.
"""

from __future__ import annotations

import copy
import functools
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from pullback import Derived, derive
from tests.core.differences import asked, returning, same, space_of
from tests.core.programs import PROGRAMS, Program, scalar_form
from tests.core.structures import assert_like, leaves, mapped

STEP = 1e-5
TWICE = "grad, then vjp"
# what is refused, with the codes that say why
REFUSED: dict[tuple[str, str], set[str]] = {
    ("lstm_dict", TWICE): {"PB201"},
    ("mlp_layers", TWICE): {"PB110"},
    ("nbody_broadcast", TWICE): {"PB201", "PB204"},
    ("nbody_loops", TWICE): {"PB201"},
}


def test_refused_programs_exist() -> None:
    assert {name for name, _ in REFUSED} <= set(PROGRAMS)


@pytest.mark.slow
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_tangent_is_the_slope_of_the_program(name: str) -> None:
    p = PROGRAMS[name]
    derived = derive(p.source, p.func, "jvp", asked(p.wrt), modules={})
    if refused(name, "jvp", derived):
        return
    space = space_of(p.source, derived.source or "")
    f = returning(space[p.func], p.source)
    args, dots = p.arguments(), directions(p)
    value, tangent = unchanged(space[derived.name], args, *dots)
    same(value, f(*copy.deepcopy(args)))
    assert_like(tangent, value)
    assert_close(tangent, slope(f, p, dots))


@pytest.mark.slow
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_gradient_is_the_slope_of_the_value(name: str) -> None:
    p = PROGRAMS[name]
    derived, space = gradient(name)
    if refused(name, "grad", derived):
        return
    dots, args = directions(p), p.arguments()
    bars = as_tuple(p, unchanged(space[derived.name], args))
    for w, bar in zip(p.wrt, bars, strict=True):
        assert_like(bar, args[place(p, w)])
    along = sum(float(np.sum(b * d)) for b, d in zip(leaves(bars), leaves(dots), strict=True))
    assert_close((along,), (slope(space["total"], p, dots),))


@pytest.mark.slow
@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("kind", ["hvp", TWICE])
def test_a_hessian_times_a_vector_is_the_slope_of_the_gradient(name: str, kind: str) -> None:
    p = PROGRAMS[name]
    first, space = gradient(name)
    if refused(name, "grad", first):
        return
    source = scalar_form(p)
    if kind == "hvp":
        derived = derive(source, "total", "hvp", asked(p.wrt), modules={})
    else:
        source = f"{source}\n\n{first.source}"
        derived = derive(source, first.name, "vjp", asked(p.wrt), modules={})
    if refused(name, kind, derived):
        return
    dots = directions(p)
    seeds = dots if kind == "hvp" or len(dots) == 1 else (dots,)
    made = space_of(source, derived.source or "")[derived.name]
    product = as_tuple(p, unchanged(made, p.arguments(), *seeds))
    assert_close(product, slope(lambda *args: as_tuple(p, space[first.name](*args)), p, dots))


@functools.cache
def gradient(name: str) -> tuple[Derived, dict[str, Any]]:
    """The gradient of a program's number, and what the module with both defines."""
    p = PROGRAMS[name]
    source = scalar_form(p)
    derived = derive(source, "total", "grad", asked(p.wrt), modules={})
    return derived, space_of(source, derived.source or "")


def refused(name: str, kind: str, derived: Derived) -> bool:
    """Whether a derivative is refused, which the table says with its codes."""
    codes = {d.code for d in derived.diagnostics if d.severity == "error"}
    assert codes == REFUSED.get((name, kind), set()), [d.message for d in derived.diagnostics]
    return derived.source is None


def place(p: Program, wrt: str) -> int:
    return list(inspect.signature(p.space[p.func]).parameters).index(wrt)


def directions(p: Program) -> tuple[Any, ...]:
    """A drawn direction for each parameter that is asked for."""
    rng = np.random.default_rng(7)

    def draw(x: Any) -> Any:
        drawn = rng.normal(size=np.shape(x))
        return drawn if isinstance(x, np.ndarray) else float(drawn)

    args = p.arguments()
    return tuple(mapped(args[place(p, w)], draw, lambda x: None) for w in p.wrt)


def moved(p: Program, dots: tuple[Any, ...], step: float) -> tuple[Any, ...]:
    """The arguments, those that are asked for a step along their directions."""
    args = list(p.arguments())
    for w, dot in zip(p.wrt, dots, strict=True):
        steps = leaves(dot)
        args[place(p, w)] = mapped(args[place(p, w)], lambda x, s=steps: x + step * next(s))
    return tuple(args)


def slope(f: Callable[..., Any], p: Program, dots: tuple[Any, ...]) -> Any:
    """The central difference of fourth order of what f gives along `dots`, part by part."""
    with np.errstate(all="ignore"):
        a, b, c, d = (list(leaves(f(*moved(p, dots, k * STEP)))) for k in (1.0, -1.0, 2.0, -2.0))
    return [(8.0 * (q - r) - (s - t)) / (12.0 * STEP) for q, r, s, t in zip(a, b, c, d)]


def as_tuple(p: Program, got: Any) -> tuple[Any, ...]:
    return got if len(p.wrt) > 1 else (got,)


def unchanged(f: Callable[..., Any], args: tuple[Any, ...], *seeds: Any) -> Any:
    """What f gives; it leaves its arguments and seeds as they were."""
    before = copy.deepcopy((args, seeds))
    with np.errstate(all="ignore"):
        got = f(*args, *seeds)
    same((args, seeds), before)
    return got


def assert_close(got: Any, want: Any) -> None:
    for g, w in zip(leaves(got), leaves(want), strict=True):
        size = 1.0 + np.max(np.abs(w), initial=0.0)
        np.testing.assert_allclose(g, w, rtol=1e-5, atol=1e-6 * size)
